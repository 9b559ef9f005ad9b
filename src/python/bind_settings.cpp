#include "bindings.hpp"
#include "spatial_dynamics/control/control_settings.hpp"

namespace spatial_dynamics::python {
namespace {

/// An enumerator by its name.
template <typename Enum>
Enum choice(const std::string& name, const char* setting, std::initializer_list<Enum> all) {
  std::string names;
  for (const Enum one : all) {
    if (name == to_string(one)) return one;
    names += std::string(names.empty() ? "'" : ", '") + to_string(one) + "'";
  }
  throw ParameterError(
      setting, std::string(setting) + " is '" + name + "', but must be one of " + names + ".");
}

/// One number for all joints, or one per joint. A tuple, because changing a list would not change
/// the settings.
template <typename Class>
void per_joint(Class& settings, const char* name, std::vector<double> Class::type::*member,
               const char* document) {
  using Settings = typename Class::type;
  settings.def_property(
      name, [member](const Settings& s) { return py::tuple(py::cast(s.*member)); },
      [member, name](Settings& s, const py::object& value) {
        if (py::isinstance<py::float_>(value) || py::isinstance<py::int_>(value)) {
          s.*member = {value.cast<double>()};
          return;
        }
        const VectorXd x = vector_of(value, "ControlSettings", name);
        s.*member = std::vector<double>(x.begin(), x.end());
      },
      document);
}

template <typename Class>
void names(Class& settings, const char* name, std::vector<std::string> Class::type::*member) {
  using Settings = typename Class::type;
  settings.def_property(
      name, [member](const Settings& s) { return py::tuple(py::cast(s.*member)); },
      [member](Settings& s, const std::vector<std::string>& value) { s.*member = value; });
}

/// A type whose constructor sets attributes from keyword arguments.
template <typename Settings>
py::class_<Settings> settings_type(py::module_& module, const char* name, const char* document) {
  py::class_<Settings> type(module, name, py::module_local(), py::is_final(), document);
  type.def(py::init([](const py::kwargs& attributes) {
    auto settings = std::make_unique<Settings>();
    set_attributes(py::cast(settings.get(), py::return_value_policy::reference), attributes);
    return settings;
  }));
  return type;
}

void bind_groups(py::module_& module) {
  auto guiding = settings_type<HandGuiding>(module, "HandGuiding", "Settings of hand_guiding.");
  guiding.def_readwrite("friction_share", &HandGuiding::friction_share)
      .def_readwrite("damping", &HandGuiding::damping, "1/s");
  names(guiding, "locked_joints", &HandGuiding::locked_joints);
  auto contact = settings_type<ContactSettings>(module, "ContactSettings",
                                                "Detection of contacts and the reaction to them.");
  contact.def_property(
      "reaction", [](const ContactSettings& s) { return to_string(s.reaction); },
      [](ContactSettings& s, const std::string& name) {
        s.reaction =
            choice(name, "contact.reaction",
                   {ContactReaction::kNone, ContactReaction::kHold, ContactReaction::kFloat,
                    ContactReaction::kRetreat, ContactReaction::kFallback});
      });
  per_joint(contact, "threshold", &ContactSettings::threshold, "N m or N");
  settings_type<HardwareCompensation>(module, "HardwareCompensation",
                                      "Terms that the robot's own controller adds.")
      .def_readwrite("gravity", &HardwareCompensation::gravity)
      .def_readwrite("coriolis", &HardwareCompensation::coriolis)
      .def_readwrite("friction", &HardwareCompensation::friction);
  settings_type<OptionalComputation>(module, "OptionalComputation",
                                     "Results that are computed only on request.")
      .def_readwrite("torque_terms", &OptionalComputation::torque_terms)
      .def_readwrite("external_torque", &OptionalComputation::external_torque)
      .def_readwrite("mass_matrix", &OptionalComputation::mass_matrix);
  auto envelope = settings_type<EnvelopeSettings>(
      module, "EnvelopeSettings", "Limits of position, velocity and power; see docs/envelope.md.");
  envelope.def_readwrite("enabled", &EnvelopeSettings::enabled)
      .def_readwrite("velocity_scale", &EnvelopeSettings::velocity_scale)
      .def_readwrite("power_limit", &EnvelopeSettings::power_limit, "W; 0: none");
  per_joint(envelope, "margin", &EnvelopeSettings::margin, "rad or m");
}

template <typename Class>
void bind_choices(Class& settings) {
  settings
      .def_property(
          "torque_mode", [](const ControlSettings& s) { return to_string(s.torque_mode); },
          [](ControlSettings& s, const std::string& name) {
            s.torque_mode = choice(name, "torque_mode",
                                   {TorqueMode::kInverseDynamics, TorqueMode::kGravityCompensation,
                                    TorqueMode::kComputedTorque, TorqueMode::kJointImpedance,
                                    TorqueMode::kHandGuiding});
          })
      .def_property(
          "effort_source", [](const ControlSettings& s) { return to_string(s.effort_source); },
          [](ControlSettings& s, const std::string& name) {
            s.effort_source = choice(name, "effort_source",
                                     {EffortSource::kAuto, EffortSource::kMeasured,
                                      EffortSource::kCommand, EffortSource::kOwn});
          })
      .def_property(
          "on_reference_timeout",
          [](const ControlSettings& s) { return to_string(s.on_reference_timeout); },
          [](ControlSettings& s, const std::string& name) {
            s.on_reference_timeout = choice(name, "on_reference_timeout",
                                            {ReferenceTimeout::kHold, ReferenceTimeout::kFallback});
          })
      .def_property(
          "fallback", [](const ControlSettings& s) { return to_string(s.fallback); },
          [](ControlSettings& s, const std::string& name) {
            s.fallback = choice(name, "fallback",
                                {Fallback::kZero, Fallback::kGravityOnly, Fallback::kStop});
          });
}

template <typename Class>
void bind_numbers(Class& settings) {
  settings.def_readwrite("rate_hz", &ControlSettings::rate_hz)
      .def_readwrite("hand_guiding", &ControlSettings::hand_guiding)
      .def_readwrite("contact", &ControlSettings::contact)
      .def_readwrite("compensated_by_hardware", &ControlSettings::compensated_by_hardware)
      .def_readwrite("friction_compensation", &ControlSettings::friction_compensation)
      .def_readwrite("observer_gain", &ControlSettings::observer_gain, "1/s")
      .def_readwrite("compute", &ControlSettings::compute)
      .def_readwrite("state_timeout_s", &ControlSettings::state_timeout_s)
      .def_readwrite("reference_timeout_s", &ControlSettings::reference_timeout_s)
      .def_readwrite("gravity_only_s", &ControlSettings::gravity_only_s)
      .def_readwrite("ramp_s", &ControlSettings::ramp_s)
      .def_readwrite("allow_effort_above_urdf", &ControlSettings::allow_effort_above_urdf)
      .def_readwrite("effort_limit_scale", &ControlSettings::effort_limit_scale)
      .def_readwrite("allow_unlimited_effort", &ControlSettings::allow_unlimited_effort)
      .def_readwrite("state_jump_factor", &ControlSettings::state_jump_factor)
      .def_readwrite("envelope", &ControlSettings::envelope);
  per_joint(settings, "kp", &ControlSettings::kp, "1/s^2");
  per_joint(settings, "kd", &ControlSettings::kd, "1/s");
  per_joint(settings, "stiffness", &ControlSettings::stiffness, "N m/rad or N/m");
  per_joint(settings, "damping", &ControlSettings::damping, "N m s/rad or N s/m");
  per_joint(settings, "damping_ratio", &ControlSettings::damping_ratio,
            "of joints without damping");
  per_joint(settings, "effort_limits", &ControlSettings::effort_limits, "N m or N; 0: the URDF's");
  per_joint(settings, "torque_rate_limit", &ControlSettings::torque_rate_limit, "N m/s or N/s");
  per_joint(settings, "following_error_limit", &ControlSettings::following_error_limit, "rad or m");
  names(settings, "command_joints", &ControlSettings::command_joints);
}

}  // namespace

void bind_settings(py::module_& module) {
  bind_groups(module);
  auto settings = settings_type<ControlSettings>(
      module, "ControlSettings",
      "Settings of a TorqueController, as keyword arguments or attributes. docs/parameters.md\n"
      "describes each one. Per-joint values are one number for all joints, or one per joint.");
  bind_choices(settings);
  bind_numbers(settings);
  settings.def("__repr__", [](const py::handle& x) {
    return repr_of(x, "ControlSettings", {"torque_mode", "rate_hz", "kp", "kd", "fallback"});
  });
}

}  // namespace spatial_dynamics::python

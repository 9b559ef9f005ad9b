#include "bindings.hpp"
#include "parse.hpp"
#include "spatial_dynamics/control/torque_controller.hpp"

namespace spatial_dynamics::python {
namespace {

using Vector = VectorXd ControlOutput::*;

/// The names of the bits that are set.
py::frozenset faults_of(const ControlOutput& output) {
  py::set names;
  for (unsigned bit = 0; bit < 32; ++bit) {
    const auto fault = static_cast<Fault>(1U << bit);
    if (has(output.faults, fault)) names.add(py::str(to_string(fault)));
  }
  return py::frozenset(names);
}

void bind_output(py::module_& module) {
  const auto vector = [](Vector member) {
    return [member](const ControlOutput& output) { return array_of(output.*member); };
  };
  const auto term = [](VectorXd TorqueTerms::*member) {
    return [member](const ControlOutput& output) { return array_of(output.terms.*member); };
  };
  py::class_<ControlOutput>(module, "ControlOutput", py::module_local(), py::is_final(),
                            "Results of one step of a TorqueController, (nv,) each, N m or N. "
                            "Arrays are copies. Send\nthe torque only if send_torque is true.")
      .def_property_readonly("phase", [](const ControlOutput& x) { return to_string(x.phase); })
      .def_property_readonly("faults", faults_of, "Texts of the faults of this step.")
      .def_readonly("send_torque", &ControlOutput::send_torque)
      .def_readonly("send_drive", &ControlOutput::send_drive)
      .def_readonly("send_acceleration", &ControlOutput::send_acceleration)
      .def_readonly("send_terms", &ControlOutput::send_terms)
      .def_readonly("send_external_torque", &ControlOutput::send_external_torque)
      .def_readonly("cycle", &ControlOutput::cycle)
      .def_readonly("state_age", &ControlOutput::state_age, "Age of the oldest state, ns.")
      .def_readonly("ramp", &ControlOutput::ramp, "Progress of the present crossfade, 0 to 1.")
      .def_property_readonly(
          "contact", [](const ControlOutput& x) { return x.contact; },
          "Coordinate that felt a contact; -1: none.")
      .def_property_readonly("torque", vector(&ControlOutput::torque))
      .def_property_readonly("drive", vector(&ControlOutput::drive))
      .def_property_readonly("q", vector(&ControlOutput::q), "The state: (nq,).")
      .def_property_readonly("v", vector(&ControlOutput::v))
      .def_property_readonly("position_error", vector(&ControlOutput::position_error))
      .def_property_readonly("acceleration", vector(&ControlOutput::acceleration))
      .def_property_readonly("external_torque", vector(&ControlOutput::external_torque))
      .def_property_readonly("gravity_term", term(&TorqueTerms::gravity))
      .def_property_readonly("coriolis_term", term(&TorqueTerms::coriolis))
      .def_property_readonly("inertial_term", term(&TorqueTerms::inertial))
      .def_property_readonly("friction_term", term(&TorqueTerms::friction))
      .def_property_readonly("external_term", term(&TorqueTerms::external))
      .def_property_readonly("mass_matrix",
                             [](const ControlOutput& x) { return matrix_array_of(x.mass_matrix); })
      .def("__repr__", [](const py::handle& x) {
        return repr_of(x, "ControlOutput", {"phase", "send_torque", "torque", "faults"});
      });
}

/// The input, with the model that gives links their indices.
struct InputObject {
  ControlInput input;
  Model model;
  Coordinates coordinates;
};

/// Throws if a function of ControlInput rejected its arguments, which it only counts.
class AcceptedCall {
 public:
  AcceptedCall(const InputObject& object, const char* function)
      : object_(object), function_(function), rejected_(object.input.rejected) {}
  void finish() const {
    if (object_.input.rejected == rejected_) return;
    throw std::invalid_argument(std::string("ControlInput.") + function_ +
                                "(): an argument has a wrong size or is not finite; nothing has "
                                "changed.");
  }

 private:
  const InputObject& object_;
  const char* function_;
  std::uint64_t rejected_;
};

void set_state(InputObject& o, std::int64_t now, const py::object& q, const py::object& v,
               const py::object& effort) {
  const AcceptedCall call(o, "set_state");
  const VectorXd q_ = vector_of(q, "set_state", "q"), v_ = vector_of(v, "set_state", "v");
  if (effort.is_none()) {
    o.input.set_state(now, q_, v_);
  } else {
    o.input.set_state(now, q_, v_, vector_of(effort, "set_state", "effort"));
  }
  call.finish();
}

void set_reference(InputObject& o, std::int64_t now, const py::object& position,
                   const py::object& velocity, const py::object& acceleration) {
  const AcceptedCall call(o, "set_reference");
  const VectorXd p = vector_of(position, "set_reference", "position");
  const VectorXd zero = VectorXd::Zero(p.size());
  const auto or_zero = [&zero](const py::object& x, const char* name) {
    return x.is_none() ? zero : vector_of(x, "set_reference", name);
  };
  o.input.set_reference(now, p, or_zero(velocity, "velocity"),
                        or_zero(acceleration, "acceleration"));
  call.finish();
}

/// What changes over time but is not a vector.
template <typename Class>
void bind_switches(Class& input) {
  input
      .def_property(
          "active", [](const InputObject& o) { return o.input.active; },
          [](InputObject& o, bool active) { o.input.active = active; },
          "False: the torque ramps to zero, then nothing is sent.")
      .def_property(
          "activation", [](const InputObject& o) { return o.input.activation; },
          [](InputObject& o, std::uint64_t number) { o.input.activation = number; },
          "A new number is an explicit activation, which ends a latched stop.")
      .def_property(
          "acknowledgement", [](const InputObject& o) { return o.input.acknowledgement; },
          [](InputObject& o, std::uint64_t number) { o.input.acknowledgement = number; },
          "A new number acknowledges a contact.")
      .def_property_readonly(
          "clipped", [](const InputObject& o) { return o.input.clipped; },
          "Positions of set_reference() beyond a limit.");
}

void bind_input(py::module_& module) {
  py::class_<InputObject> input(
      module, "ControlInput", py::module_local(), py::is_final(),
      "The input of TorqueController.step(), from make_input(). Times are of "
      "time.monotonic_ns().");
  input
      .def("set_state", set_state, py::arg("now"), py::arg("q"), py::arg("v"),
           py::arg("effort") = py::none(),
           "The state: q (nq,), v (nv,), measured effort (nv,), received at `now` (ns).")
      .def("set_reference", set_reference, py::arg("now"), py::arg("position"),
           py::arg("velocity") = py::none(), py::arg("acceleration") = py::none(),
           "A setpoint, one number per scalar coordinate; velocity and acceleration are zero by "
           "default.")
      .def(
          "set_stiffness",
          [](InputObject& o, const py::object& values) {
            const AcceptedCall call(o, "set_stiffness");
            o.input.set_stiffness(o.coordinates, vector_of(values, "set_stiffness", "values"));
            call.finish();
          },
          py::arg("values"), "Of joint_impedance, N m/rad or N/m; negative: that of the settings.")
      .def(
          "set_wrench",
          [](InputObject& o, std::int64_t now, const py::object& link, const py::object& wrench) {
            const VectorXd x = vector_of(wrench, "set_wrench", "wrench");
            if (x.size() != 6) {
              throw std::invalid_argument("ControlInput.set_wrench(): wrench has " +
                                          std::to_string(x.size()) + " numbers, expected 6.");
            }
            o.input.set_wrench(now, link_of(o.model, "ControlInput.set_wrench", link),
                               Force(Vector6(x)));
          },
          py::arg("now"), py::arg("link"), py::arg("wrench"),
          "A known wrench on a link: moment, N m, then force, N, in the link's frame.")
      .def(
          "set_payload",
          [](InputObject& o, const py::object& link, double mass, const py::object& com,
             const py::object& inertia) {
            o.input.set_payload(link_of(o.model, "ControlInput.set_payload", link),
                                inertia_of(mass, com, inertia));
          },
          py::arg("link"), py::arg("mass"), py::arg("com") = py::make_tuple(0.0, 0.0, 0.0),
          py::arg("inertia") = py::none(), "Replaces the payload of a link; ramped.")
      .def(
          "set_gravity",
          [](InputObject& o, const py::object& gravity) {
            o.input.set_gravity(vector3_of(gravity, "gravity"));
          },
          py::arg("gravity"), "m/s^2, in the world's frame; ramped.");
  bind_switches(input);
}

}  // namespace

void bind_controller(py::module_& module) {
  bind_output(module);
  bind_input(module);
  py::class_<TorqueController>(
      module, "TorqueController", py::module_local(), py::is_final(),
      "Modes, limits, watchdogs and ramps; see docs/safety.md. Has a copy of the model. One thread "
      "at a time.")
      .def(py::init([](const ModelObject& m, const std::optional<ControlSettings>& settings) {
             return std::make_unique<TorqueController>(m.model,
                                                       settings.value_or(ControlSettings()));
           }),
           py::arg("model"), py::arg("settings") = py::none())
      .def("make_input",
           [](const TorqueController& c) {
             return std::make_unique<InputObject>(
                 InputObject{c.make_input(), c.model(), c.coordinates()});
           })
      .def(
          "step",
          [](TorqueController& c, std::int64_t now, const InputObject& object) {
            auto output = std::make_unique<ControlOutput>(c.make_output());
            c.step(now, object.input, *output);
            return output;
          },
          py::arg("now"), py::arg("input"),
          "One cycle at `now`, ns of a clock that never goes back, such as time.monotonic_ns().")
      .def("interrupt", &TorqueController::interrupt, py::arg("now"),
           "The torque was set to zero outside of step().")
      .def("set_settings", &TorqueController::set_settings, py::arg("settings"),
           "Replaces the settings, with a ramp. Raises ParameterError, and then changes nothing.")
      .def_property_readonly(
          "settings", [](const TorqueController& c) { return c.settings(); }, "A copy.")
      .def_property_readonly("phase",
                             [](const TorqueController& c) { return to_string(c.phase()); })
      .def_property_readonly(
          "model",
          [](const TorqueController& c) { return std::make_unique<ModelObject>(c.model()); },
          "A copy of the model, with payloads and gravity of the last step.")
      .def("__repr__", [](const TorqueController& c) {
        return "<TorqueController of '" + c.model().name() + "', " + to_string(c.phase()) + ">";
      });
}

}  // namespace spatial_dynamics::python

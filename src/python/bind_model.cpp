#include "bindings.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "errors.hpp"
#include "model_parts.hpp"
#include "parse.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/model/inertial_parameters.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::python {
namespace {

Vector3 finite3_of(const py::handle& object, const char* name) {
  Vector3 x = vector3_of(object, name);
  if (!x.allFinite()) throw std::invalid_argument(std::string(name) + " must be finite.");
  return x;
}

Matrix3 matrix3_of(const py::handle& object, const char* name) {
  ArrayArgument array;
  array.read(object.ptr(), name, name, 2);
  if (array.dimensions() != 2 || array.size(0) != 3 || array.size(1) != 3) {
    throw std::invalid_argument(std::string(name) + " has the shape " + array.shape() +
                                ", expected (3, 3).");
  }
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(array.data());
}

std::string model_repr(const ModelObject& m) {
  std::string text =
      "<Model '" + m.model.name() + "', " + count_text(m.model.joint_names().size(), "joint") + ":";
  constexpr std::size_t kShown = 8;
  const std::vector<std::string>& names = m.model.joint_names();
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) text += " " + names[i];
  return text + (names.size() > kShown ? " …>" : ">");
}

template <typename Class>
void bind_description(Class& model) {
  model.def_property_readonly("name", [](const ModelObject& m) { return m.model.name(); })
      .def_property_readonly(
          "nq", [](const ModelObject& m) { return m.model.nq(); }, "Numbers of a configuration q.")
      .def_property_readonly(
          "nv", [](const ModelObject& m) { return m.model.nv(); }, "Numbers of v, a and tau.")
      .def_property_readonly(
          "body_count", [](const ModelObject& m) { return m.model.body_count(); },
          "Bodies, with the base.")
      .def_property_readonly(
          "joint_names",
          [](const ModelObject& m) { return py::tuple(py::cast(m.model.joint_names())); },
          "Names of the joints that are coordinates, in the order of q and v.")
      .def_property_readonly("joints", joints_of, "All moving joints; joints[i] moves body i + 1.")
      .def_property_readonly("links", links_of, "All links, which are frames too.")
      .def(
          "link",
          [](const py::object& self, const py::handle& name) {
            const Model& m = self.cast<ModelObject&>().model;
            return LinkView{self, &m, link_of(m, "Model.link", name)};
          },
          py::arg("name"), "The link of a name or an index.")
      .def_property_readonly("limits", [](const ModelObject& m) { return limits_of(m.model); })
      .def_property_readonly(
          "total_mass", [](const ModelObject& m) { return m.model.total_mass(); },
          "kg, with payloads")
      .def_property_readonly("has_mimic", [](const ModelObject& m) { return m.model.has_mimic(); })
      .def_property_readonly(
          "why_forward_dynamics_fails",
          [](const ModelObject& m) { return m.model.why_forward_dynamics_fails(); },
          "Why forces do not determine accelerations; empty if they do.")
      .def_property_readonly(
          "last_moving_link",
          [](const ModelObject& m) { return m.model.link(last_moving_link(m.model)).name; },
          "The link where a gripper or payload most likely is.")
      .def_property_readonly("report", [](const ModelObject& m) { return m.report; })
      .def("__repr__", model_repr);
}

template <typename Class>
void bind_world(Class& model) {
  model
      .def_property(
          "gravity", [](const ModelObject& m) { return constant_array_of(m.model.gravity()); },
          [](ModelObject& m, const py::object& value) {
            const Vector3 gravity = finite3_of(value, "gravity");
            m.to_change("gravity").set_gravity(gravity);
          },
          "m/s^2, in the world's frame (a fixed root link's). Assign a whole vector.")
      .def_property(
          "friction_speed", [](const ModelObject& m) { return m.model.friction_speed(); },
          [](ModelObject& m, double speed) {
            if (!(speed > 0.0) || !std::isfinite(speed)) {
              throw std::invalid_argument("friction_speed must be positive and finite.");
            }
            m.to_change("friction_speed").set_friction_speed(speed);
          },
          "Speed below which Coulomb friction decreases, rad/s or m/s.")
      .def(
          "set_payload",
          [](ModelObject& m, const py::handle& link, double mass, const py::object& com,
             const py::object& inertia) {
            const Inertia payload = inertia_of(mass, com, inertia);
            const Index index = link_of(m.model, "Model.set_payload", link);
            m.to_change("the payload").set_payload(index, payload);
          },
          py::arg("link"), py::arg("mass"), py::arg("com") = py::make_tuple(0.0, 0.0, 0.0),
          py::arg("inertia") = py::none(),
          "Replaces the payload of a link: mass, kg; com, m, in the link's frame; inertia about "
          "it,\nkg m^2: (3, 3), default zero. A mass of 0 removes it.")
      .def(
          "copy",
          [](const ModelObject& m) { return std::make_unique<ModelObject>(m.model, m.report); },
          "An independent model, for another thread.")
      .def("__copy__",
           [](const ModelObject& m) { return std::make_unique<ModelObject>(m.model, m.report); })
      .def(
          "__deepcopy__",
          [](const ModelObject& m, const py::dict& /*memo*/) {
            return std::make_unique<ModelObject>(m.model, m.report);
          },
          py::arg("memo"));
}

}  // namespace

Inertia inertia_of(double mass, const py::object& com, const py::object& inertia) {
  const Matrix3 about_com = inertia.is_none() ? Matrix3::Zero() : matrix3_of(inertia, "inertia");
  Inertia result = Inertia::from_com(mass, finite3_of(com, "com"), about_com);
  if (!(mass >= 0.0) || !std::isfinite(mass) || !about_com.allFinite()) {
    throw std::invalid_argument("mass must not be negative, and mass and inertia must be finite.");
  }
  return result;
}

BuildOptions build_options(const py::kwargs& options) {
  BuildOptions result;
  for (const auto& [key, value] : options) {
    const auto name = key.cast<std::string>();
    if (name == "floating_base") {
      result.floating_base = value.cast<bool>();
    } else if (name == "strict") {
      result.strict = value.cast<bool>();
    } else if (name == "require_forward_dynamics") {
      result.require_forward_dynamics = value.cast<bool>();
    } else if (name == "gravity") {
      result.gravity = finite3_of(value, "gravity");
    } else if (name == "friction") {
      result.friction = value.cast<bool>();
    } else if (name == "friction_speed") {
      result.friction_speed = value.cast<double>();
    } else if (name == "armature") {
      result.armature = value.cast<std::map<std::string, double>>();
    } else if (name == "locked") {
      result.locked = value.cast<std::map<std::string, double>>();
    } else {
      type_error("load_urdf() has no option '" + name + "'.");
    }
  }
  return result;
}

std::unique_ptr<ModelObject> load(const py::object& source, const BuildOptions& options) {
  ModelReport report;
  const auto text =
      py::isinstance<py::str>(source)
          ? source.cast<std::string>()
          : py::str(py::module_::import("os").attr("fspath")(source)).cast<std::string>();
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_xml = first != std::string::npos && text[first] == '<';
  Model model = is_xml ? load_urdf(text, options, &report) : load_urdf_file(text, options, &report);
  return std::make_unique<ModelObject>(std::move(model), std::move(report));
}

void bind_model(py::module_& module) {
  py::class_<ModelObject> model(module, "Model", py::module_local(), py::is_final(),
                                "A robot: a fixed tree of links and joints, from load_urdf(). "
                                "Gravity, friction speed and\npayloads may change between calls.");
  types().model.set(model);
  bind_description(model);
  bind_world(model);
  module.def(
      "load_urdf",
      [](const py::object& source, const py::kwargs& options) {
        return load(source, build_options(options));
      },
      py::arg("source"),
      "Loads a robot from the path of a URDF, or from its text, which begins with '<'.\n\n"
      "Options: floating_base=False, strict=False (rejects inconsistent inertias),\n"
      "require_forward_dynamics=False, gravity=(0, 0, -9.80665) (m/s^2), friction=True,\n"
      "friction_speed=0.001, armature={joint: kg m^2}, locked={joint: rad or m}.\n\n"
      "Raises ModelError, which names the element and the correction.");
  module.def(
      "neutral_configuration",
      [](const ModelObject& m) { return array_of(neutral_configuration(m.model)); },
      py::arg("model"), "q = 0, with unit quaternions where a joint floats: (nq,).");
  module.def(
      "link_parameters", [](const ModelObject& m) { return array_of(link_parameters(m.model)); },
      py::arg("model"),
      "p of regressor(): for each link m, h = m c, then Ixx, Ixy, Ixz, Iyy, Iyz, Izz about "
      "the link's\norigin; kg, kg m, kg m^2: (10 links,).");
}

}  // namespace spatial_dynamics::python

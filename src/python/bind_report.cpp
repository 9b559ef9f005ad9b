#include "bindings.hpp"
#include "errors.hpp"
#include "model/report_text.hpp"
#include "spatial_dynamics/model/weight_torque.hpp"

namespace spatial_dynamics::python {
namespace {

void bind_findings(py::module_& module) {
  py::class_<Finding>(module, "Finding", py::module_local(), py::is_final(),
                      "An observation about a robot: code, severity ('info' or 'warning'), "
                      "element, what, remedy.")
      .def_property_readonly("code", [](const Finding& x) { return to_string(x.code); })
      .def_property_readonly("severity", [](const Finding& x) { return to_string(x.severity); })
      .def_readonly("element", &Finding::element)
      .def_readonly("what", &Finding::what)
      .def_readonly("remedy", &Finding::remedy)
      .def("__repr__", [](const Finding& x) {
        return std::string("<Finding ") + to_string(x.severity) + ", " + x.element + ": " + x.what +
               ">";
      });
}

void bind_entries(py::module_& module) {
  py::class_<CoordinateEntry>(
      module, "CoordinateEntry", py::module_local(), py::is_final(),
      "A joint of a report: name, type, parent, child, damping, friction, armature, and weight: "
      "what\nholding the robot's own weight asks of the joint at the worst pose, N m or N; None if "
      "unknown.")
      .def_readonly("name", &CoordinateEntry::name)
      .def_property_readonly("type", [](const CoordinateEntry& x) { return to_string(x.type); })
      .def_readonly("parent", &CoordinateEntry::parent)
      .def_readonly("child", &CoordinateEntry::child)
      .def_readonly("damping", &CoordinateEntry::damping)
      .def_readonly("friction", &CoordinateEntry::friction)
      .def_readonly("armature", &CoordinateEntry::armature)
      .def_property_readonly("weight", [](const CoordinateEntry& x) { return x.weight; })
      .def("__repr__", [](const py::handle& x) {
        return repr_of(x, "CoordinateEntry", {"name", "type", "parent", "child", "weight"});
      });
}

/// The robot as it is loaded, with what its weight asks of the joints.
ModelReport check(const py::object& source, const py::kwargs& options) {
  const auto weighed = [](const ModelObject& object) {
    ModelReport report = object.report;
    add_weights(object.model, report);
    return report;
  };
  if (const ModelObject* const object = types().model.get(source.ptr())) {
    if (!options.empty()) type_error("check(): a Model was loaded with its options already.");
    return weighed(*object);
  }
  return weighed(*load(source, build_options(options)));
}

}  // namespace

void bind_report(py::module_& module) {
  bind_findings(module);
  bind_entries(module);
  py::class_<ModelReport>(
      module, "ModelReport", py::module_local(), py::is_final(),
      "The parts of a robot and what was found; print() shows it as `spatial_dynamics check` does.")
      .def_readonly("name", &ModelReport::name)
      .def_property_readonly("dof", [](const ModelReport& x) { return x.dof; })
      .def_readonly("total_mass", &ModelReport::total_mass)
      .def_property_readonly("joints",
                             [](const ModelReport& x) { return py::tuple(py::cast(x.joints)); })
      .def_property_readonly("findings",
                             [](const ModelReport& x) { return py::tuple(py::cast(x.findings)); })
      .def_property_readonly("lumped",
                             [](const ModelReport& x) {
                               py::dict links;
                               for (const LumpedLink& l : x.lumped) links[py::str(l.link)] = l.into;
                               return links;
                             })
      .def_property_readonly("locked",
                             [](const ModelReport& x) {
                               py::dict joints;
                               for (const LockedJoint& j : x.locked) {
                                 joints[py::str(j.joint)] = j.value;
                               }
                               return joints;
                             })
      .def_property_readonly(
          "mimic",
          [](const ModelReport& x) {
            py::dict joints;
            for (const MimicEntry& m : x.mimic) {
              joints[py::str(m.joint)] = py::make_tuple(m.leader, m.ratio, m.offset);
            }
            return joints;
          },
          "Joint to (leader, ratio, offset).")
      .def("__str__", report_text)
      .def("__repr__", [](const ModelReport& x) {
        return "<ModelReport '" + x.name + "', " + std::to_string(x.dof) + " dof, " +
               std::to_string(x.findings.size()) + " findings>";
      });
  module.def("check", check, py::arg("source"),
             "The report of a robot, with what its own weight asks of each joint.\n\n"
             "  source: path of a URDF, its text, or a Model\n"
             "  options: as of load_urdf()\n\nRaises ModelError if the robot is rejected.");
}

}  // namespace spatial_dynamics::python

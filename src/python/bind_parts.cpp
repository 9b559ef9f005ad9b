#include "model_parts.hpp"

#include "bindings.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::python {
namespace {

/// The link whose frame is that of a body.
std::string link_at(const Model& model, Index body) {
  for (Index l = 0; l < model.link_count(); ++l) {
    const Link& link = model.link(l);
    if (link.body == body && link.placement.E.isIdentity(0.0) && link.placement.r.isZero(0.0)) {
      return link.name;
    }
  }
  return {};
}

}  // namespace

Limits limits_of(const Model& model) {
  const VectorXd unlimited = VectorXd::Constant(model.nv(), kUnlimited);
  Limits limits{-unlimited, unlimited, unlimited, unlimited, -unlimited, unlimited};
  for (const Index i : model.coordinate_joints()) {
    const Joint& joint = model.joint(i);
    const auto fill = [&joint](VectorXd& x, double value) {
      x.segment(joint.v_index, joint.nv).setConstant(value);
    };
    fill(limits.velocity, joint.limits.velocity);
    fill(limits.effort, joint.limits.effort);
    if (joint.nv != 1) continue;  // positions of several coordinates have no limits
    fill(limits.lower, joint.limits.lower);
    fill(limits.upper, joint.limits.upper);
    fill(limits.soft_lower, joint.limits.soft_lower);
    fill(limits.soft_upper, joint.limits.soft_upper);
  }
  return limits;
}

py::tuple joints_of(const py::object& self) {
  const Model& model = self.cast<ModelObject&>().model;
  py::list joints;
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    joints.append(JointView{self, &joint, link_at(model, joint.parent), link_at(model, i)});
  }
  return py::tuple(joints);
}

py::tuple links_of(const py::object& self) {
  const Model& model = self.cast<ModelObject&>().model;
  py::list links;
  for (Index l = 0; l < model.link_count(); ++l) links.append(LinkView{self, &model, l});
  return py::tuple(links);
}

void bind_parts(py::module_& module) {
  py::class_<JointView>(module, "Joint", py::module_local(), py::is_final(),
                        "A moving joint of a model. Read-only; SI units.")
      .def_property_readonly("name", [](const JointView& x) { return x.joint->name; })
      .def_property_readonly("type", [](const JointView& x) { return to_string(x.joint->type); })
      .def_readonly("parent", &JointView::parent)
      .def_readonly("child", &JointView::child)
      .def_property_readonly("axis", [](const JointView& x) { return array_of(x.joint->axis); })
      .def_property_readonly("q_index", [](const JointView& x) { return x.joint->q_index; })
      .def_property_readonly("v_index", [](const JointView& x) { return x.joint->v_index; })
      .def_property_readonly("nq", [](const JointView& x) { return x.joint->nq; })
      .def_property_readonly("nv", [](const JointView& x) { return x.joint->nv; })
      .def_property_readonly("is_mimic", [](const JointView& x) { return x.joint->is_mimic(); })
      .def_property_readonly("damping", [](const JointView& x) { return x.joint->damping; })
      .def_property_readonly("friction", [](const JointView& x) { return x.joint->friction; })
      .def_property_readonly("armature", [](const JointView& x) { return x.joint->armature; })
      .def("__repr__", [](const JointView& x) {
        return "<Joint '" + x.joint->name + "', " + to_string(x.joint->type) + ", from '" +
               x.parent + "' to '" + x.child + "'>";
      });
  py::class_<LinkView>(module, "Link", py::module_local(), py::is_final(),
                       "A link of a model and its frame. Read-only; SI units, in the link's frame, "
                       "without payload.")
      .def_property_readonly("name", [](const LinkView& x) { return x.link().name; })
      .def_readonly("index", &LinkView::index)
      .def_property_readonly("body", [](const LinkView& x) { return x.link().body; })
      .def_property_readonly("mass", [](const LinkView& x) { return x.link().inertia.mass; })
      .def_property_readonly("com",
                             [](const LinkView& x) { return array_of(x.link().inertia.com()); })
      .def_property_readonly(
          "inertia",
          [](const LinkView& x) {
            return matrix_array_of(MatrixXd(x.link().inertia.inertia_about_com()));
          },
          "About the centre of mass, kg m^2: (3, 3).")
      .def("__repr__", [](const LinkView& x) {
        return "<Link " + std::to_string(x.index) + " '" + x.link().name + "', " +
               number_text(x.link().inertia.mass) + " kg>";
      });
  const auto numbers = [](VectorXd Limits::*member) {
    return [member](const Limits& limits) { return constant_array_of(limits.*member); };
  };
  py::class_<Limits>(module, "Limits", py::module_local(), py::is_final(),
                     "Limits of the coordinates, in the order of v: (nv,) each; infinite where "
                     "there is none.")
      .def_property_readonly("lower", numbers(&Limits::lower), "rad or m")
      .def_property_readonly("upper", numbers(&Limits::upper), "rad or m")
      .def_property_readonly("velocity", numbers(&Limits::velocity), "rad/s or m/s")
      .def_property_readonly("effort", numbers(&Limits::effort), "N m or N")
      .def_property_readonly("soft_lower", numbers(&Limits::soft_lower), "rad or m")
      .def_property_readonly("soft_upper", numbers(&Limits::soft_upper), "rad or m")
      .def("__repr__", [](const py::handle& x) {
        return repr_of(x, "Limits", {"lower", "upper", "velocity", "effort"});
      });
}

}  // namespace spatial_dynamics::python

#include "bindings.hpp"
#include "parse.hpp"
#include "spatial_dynamics/dynamics/contact_forces.hpp"

namespace spatial_dynamics::python {
namespace {

const char* to_string(Balance balance) noexcept {
  switch (balance) {
    case Balance::kBalanced:
      return "balanced";
    case Balance::kNoGravity:
      return "no_gravity";
    case Balance::kPull:
      return "pull";
    case Balance::kOutsideSupport:
      return "outside_support";
    case Balance::kFriction:
      return "friction";
    case Balance::kUnbalanced:
      break;
  }
  return "unbalanced";
}

std::vector<Contact> contacts_of(const Model& model, const py::iterable& contacts) {
  std::vector<Contact> result;
  for (const py::handle& item : contacts) {
    const auto [link, point] = item.cast<std::pair<py::object, py::object>>();
    const VectorXd x = vector_of(point, "contact_forces", "a point");
    if (x.size() != 3) {
      throw std::invalid_argument("contact_forces(): a point has " + std::to_string(x.size()) +
                                  " numbers, expected 3.");
    }
    result.push_back({link_of(model, "contact_forces", link), x});
  }
  return result;
}

ContactForces supporting_forces(ModelObject& m, const py::handle& q, const py::handle& v,
                                const py::handle& a, const py::iterable& contacts, double friction,
                                const std::optional<ExternalForces>& external) {
  const auto vector = [](const py::handle& x, const char* name) {
    return vector_of(x, "contact_forces", name);
  };
  const VectorXd q_ = vector(q, "q"), v_ = vector(v, "v"), a_ = vector(a, "a");
  const std::vector<Contact> points = contacts_of(m.model, contacts);
  ContactForces result(m.model, points.size());
  contact_forces(m.model, m.data.one, q_, v_, a_, points, result, friction,
                 external ? *external : kNoExternalForces);
  return result;
}

MatrixXd rows_of(const std::vector<Vector3>& points) {
  MatrixXd rows(static_cast<Index>(points.size()), 3);
  for (std::size_t i = 0; i < points.size(); ++i) rows.row(static_cast<Index>(i)) = points[i];
  return rows;
}

}  // namespace

void bind_contacts(py::module_& module) {
  py::class_<ContactForces>(module, "ContactForces", py::module_local(), py::is_final(),
                            "Result of contact_forces(). False if the forces do not exist.")
      .def_property_readonly(
          "balance", [](const ContactForces& x) { return to_string(x.balance); },
          "'balanced', or the reason: 'no_gravity', 'pull', 'outside_support', "
          "'friction', 'unbalanced'.")
      .def_property_readonly(
          "forces", [](const ContactForces& x) { return matrix_array_of(rows_of(x.forces)); },
          "On the robot, along the world's axes, N: (contacts, 3).")
      .def_readonly("wrenches", &ContactForces::wrenches,
                    "These and the other external forces: ExternalForces for the dynamics.")
      .def_readonly("needed_friction", &ContactForces::needed_friction)
      .def_readonly("excess", &ContactForces::excess)
      .def_readonly("at_rest", &ContactForces::at_rest)
      .def_readonly("friction", &ContactForces::friction)
      .def("__bool__", [](const ContactForces& x) { return x.balance == Balance::kBalanced; })
      .def("__repr__", [](const ContactForces& x) {
        return std::string("<ContactForces ") + to_string(x.balance) + ">";
      });
  module.def(
      "contact_forces", supporting_forces, py::arg("model"), py::arg("q"), py::arg("v"),
      py::arg("a"), py::arg("contacts"), py::arg("friction") = kDefaultGroundFriction,
      py::arg("external") = py::none(),
      "The smallest forces of a horizontal ground that support the motion q, v, a of a robot "
      "with a\nfloating base.\n\n"
      "  q, v, a: one state, (nq,), (nv,), (nv,)\n"
      "  contacts: pairs (link, point), the point in the link's frame, m\n"
      "  friction: the ground's coefficient\n"
      "  external: other ExternalForces");
  module.def("explain", explain, py::arg("result"),
             "A sentence with the reason why the forces do not exist; empty if they do.");
}

}  // namespace spatial_dynamics::python

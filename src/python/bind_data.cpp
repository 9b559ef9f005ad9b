#include "bindings.hpp"
#include "parse.hpp"

namespace spatial_dynamics::python {
namespace {

Force wrench_of(const py::handle& object, const char* function) {
  const VectorXd x = vector_of(object, function, "wrench");
  if (x.size() != 6) {
    throw std::invalid_argument(std::string(function) + "(): wrench has " +
                                std::to_string(x.size()) + " numbers, expected 6.");
  }
  return Force(Vector6(x));
}

}  // namespace

void bind_data(py::module_& module) {
  types().data.set(
      py::class_<DataObject>(module, "Data", py::module_local(), py::is_final(),
                             "Memory of the functions, for one thread: f(…, data=data). Without it "
                             "they use the model's own.")
          .def(py::init([](const ModelObject& m) { return std::make_unique<DataObject>(m.model); }),
               py::arg("model"))
          .def_readonly("singular_count", &DataObject::singular_count,
                        "Of the last forward_dynamics(), mass_matrix_inverse() or "
                        "forward_dynamics_derivatives()\nwith this data: the number of states "
                        "without a unique result, which is then zero.")
          .def_property_readonly("singular",
                                 [](const DataObject& data) { return data.singular_count > 0; }));
  types().external.set(
      py::class_<ExternalForces>(
          module, "ExternalForces", py::module_local(), py::is_final(),
          "Wrenches that act on the robot, summed per body. Construct one per model and reuse it.")
          .def(py::init(
                   [](const ModelObject& m) { return std::make_unique<ExternalForces>(m.model); }),
               py::arg("model"))
          .def("clear", &ExternalForces::clear, "Removes all wrenches.")
          .def(
              "add",
              [](ExternalForces& forces, const ModelObject& m, const py::handle& link,
                 const py::handle& wrench) {
                const Index index = link_of(m.model, "ExternalForces.add", link);
                forces.add(m.model, index, wrench_of(wrench, "ExternalForces.add"));
              },
              py::arg("model"), py::arg("link"), py::arg("wrench"),
              "Adds a wrench on the robot at the link's origin, in the link's frame: moment, N m, "
              "then force, N.")
          .def_property_readonly(
              "on_bodies",
              [](const ExternalForces& forces) {
                MatrixXd wrenches(forces.body_count(), 6);
                for (Index i = 0; i < forces.body_count(); ++i) {
                  wrenches.row(i) = forces.on_body(i).vector();
                }
                return matrix_array_of(wrenches);
              },
              "The sum on each body, in the body's frame at its origin: (bodies, 6). A copy.")
          .def("__repr__", [](const ExternalForces& forces) {
            return "<ExternalForces on " + std::to_string(forces.body_count()) + " bodies>";
          }));
}

}  // namespace spatial_dynamics::python

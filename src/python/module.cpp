// The extension module spatial_dynamics._core. The package spatial_dynamics shows its contents.
#include "bindings.hpp"
#include "errors.hpp"
#include "functions.hpp"

PYBIND11_MODULE(_core, module) {
  namespace py = pybind11;
  namespace ours = spatial_dynamics::python;
  ours::load_numpy();
  module.attr("__version__") = SPATIAL_DYNAMICS_VERSION;
  // Types and functions show the name of the package, in which users find them.
  const py::object name = module.attr("__name__");
  module.attr("__name__") = "spatial_dynamics";
  ours::add_errors(module);
  ours::bind_report(module);
  ours::bind_parts(module);
  ours::bind_model(module);
  ours::bind_data(module);
  ours::add_functions(module);
  ours::bind_contacts(module);
  ours::bind_generate(module);
  ours::bind_simulator(module);
  ours::bind_settings(module);
  ours::bind_controller(module);
  ours::bind_log(module);
  module.attr("__name__") = name;
}

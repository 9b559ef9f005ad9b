// The functions of the library that the module has, under the same names.
#pragma once

#include <pybind11/pybind11.h>

namespace spatial_dynamics::python {

namespace py = pybind11;

/// Adds the functions of one state or a batch to the module.
void add_functions(py::module_& module);

}  // namespace spatial_dynamics::python

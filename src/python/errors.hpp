// C++ exceptions as Python exceptions.
#pragma once

#include <pybind11/pybind11.h>

namespace spatial_dynamics::python {

namespace py = pybind11;

/// Adds the exception types to the module, and has pybind11 translate the library's exceptions:
/// ModelError, ParameterError and LogError are subclasses of ValueError.
void add_errors(py::module_& module);

/// Sets the Python error for the exception that is being handled; for functions that are called
/// without pybind11.
void set_python_error() noexcept;

/// A Python TypeError.
[[noreturn]] void type_error(const std::string& sentence);

}  // namespace spatial_dynamics::python

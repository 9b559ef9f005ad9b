// Small arguments: links, frames and other choices by their names.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics::python {

namespace py = pybind11;

/// A link by its index or its name. Throws a Python error or std::invalid_argument; `function` is
/// for the message.
Index link_of(const Model& model, const char* function, const py::handle& link);

/// "local", "world" or "local_world_aligned".
Frame frame_of(const py::handle& name);

/// Three numbers, finite or not. Throws a Python error; `name` is for the message.
Vector3 vector3_of(const py::handle& object, const char* name);

}  // namespace spatial_dynamics::python

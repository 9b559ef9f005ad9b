// The classes of the module, one function per file bind_*.cpp.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <initializer_list>
#include <memory>
#include <string>

#include "model_object.hpp"
#include "numpy_arrays.hpp"
#include "spatial_dynamics/model/model_builder.hpp"

namespace spatial_dynamics::python {

void bind_report(py::module_& module);      ///< ModelReport, check()
void bind_parts(py::module_& module);       ///< Joint, Link, Limits
void bind_model(py::module_& module);       ///< Model, load_urdf()
void bind_data(py::module_& module);        ///< Data, ExternalForces
void bind_contacts(py::module_& module);    ///< contact_forces()
void bind_generate(py::module_& module);    ///< generate_code(), GeneratedLibrary
void bind_simulator(py::module_& module);   ///< Simulator
void bind_settings(py::module_& module);    ///< ControlSettings
void bind_controller(py::module_& module);  ///< TorqueController
void bind_log(py::module_& module);         ///< read_log()

/// Sets the attributes of a new object from keyword arguments. An unknown name is a Python
/// TypeError.
void set_attributes(const py::handle& object, const py::kwargs& attributes);

/// "Name(first=1, second='x')", from the attributes of these names.
std::string repr_of(const py::handle& object, const char* type,
                    std::initializer_list<const char*> names);

/// The options of load_urdf() and check().
BuildOptions build_options(const py::kwargs& options);
/// A model from the path of a URDF, or from its text.
std::unique_ptr<ModelObject> load(const py::object& source, const BuildOptions& options);
/// An inertia about the link's origin from mass, centre of mass and inertia about that.
Inertia inertia_of(double mass, const py::object& com, const py::object& inertia);

}  // namespace spatial_dynamics::python

#include "errors.hpp"

#include <stdexcept>
#include <string>

#include "spatial_dynamics/control/control_settings.hpp"
#include "spatial_dynamics/identification/log.hpp"
#include "spatial_dynamics/model/model_error.hpp"

namespace spatial_dynamics::python {
namespace {

/// The types live as long as the process, as the module does.
struct ErrorTypes {
  PyObject* model = nullptr;
  PyObject* parameter = nullptr;
  PyObject* log = nullptr;
};
ErrorTypes& error_types() noexcept {
  static ErrorTypes instance;
  return instance;
}

PyObject* new_type(py::module_& module, const char* name, const char* document) {
  const std::string qualified = std::string("spatial_dynamics.") + name;
  PyObject* const type =
      PyErr_NewExceptionWithDoc(qualified.c_str(), document, PyExc_ValueError, nullptr);
  if (type == nullptr) throw py::error_already_set();
  module.add_object(name, type);
  return type;
}

/// Sets an error with one more attribute.
void set_error(PyObject* type, const char* sentence, const char* attribute,
               const std::string& value) {
  const py::object error = py::reinterpret_borrow<py::object>(type)(sentence);
  error.attr(attribute) = value;
  PyErr_SetObject(type, error.ptr());
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): the signature that pybind11 expects
void translate(std::exception_ptr pointer) {
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const ModelError& error) {
    set_error(error_types().model, error.what(), "element", error.element());
  } catch (const ParameterError& error) {
    set_error(error_types().parameter, error.what(), "parameter", error.parameter());
  } catch (const LogError& error) {
    PyErr_SetString(error_types().log, error.what());
  }
}

}  // namespace

void add_errors(py::module_& module) {
  error_types().model =
      new_type(module, "ModelError",
               "A rejected robot. The text names the element and the correction;\n"
               "`element` is the element alone, such as \"link 'forearm'\".");
  error_types().parameter =
      new_type(module, "ParameterError",
               "A rejected setting. The text names it, its value and what is\n"
               "allowed; `parameter` is its name.");
  error_types().log = new_type(module, "LogError",
                               "A log that cannot be used. The text names the file and, if known,\n"
                               "the line.");
  py::register_exception_translator(translate);
}

void set_python_error() noexcept {
  try {
    throw;
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const py::builtin_exception& error) {
    error.set_error();
  } catch (const ModelError&) {
    translate(std::current_exception());
  } catch (const ParameterError&) {
    translate(std::current_exception());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::invalid_argument& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

void type_error(const std::string& sentence) { throw py::type_error(sentence); }

}  // namespace spatial_dynamics::python

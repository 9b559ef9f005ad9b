#include "bindings.hpp"

#include "errors.hpp"

namespace spatial_dynamics::python {

void set_attributes(const py::handle& object, const py::kwargs& attributes) {
  for (const auto& [name, value] : attributes) {
    if (!py::hasattr(object, name)) {
      type_error(std::string(py::str(py::type::handle_of(object).attr("__name__"))) +
                 " has no attribute " + std::string(py::repr(name)) + ".");
    }
    py::setattr(object, name, value);
  }
}

std::string repr_of(const py::handle& object, const char* type,
                    std::initializer_list<const char*> names) {
  std::string text = std::string(type) + "(";
  const char* separator = "";
  for (const char* const name : names) {
    text += separator + std::string(name) + "=" + std::string(py::repr(object.attr(name)));
    separator = ", ";
  }
  return text + ")";
}

}  // namespace spatial_dynamics::python

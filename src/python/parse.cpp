#include "parse.hpp"

#include <stdexcept>

#include "errors.hpp"
#include "numpy_arrays.hpp"

namespace spatial_dynamics::python {

Index link_of(const Model& model, const char* function, const py::handle& link) {
  if (!py::isinstance<py::str>(link)) {
    const Py_ssize_t index = PyNumber_AsSsize_t(link.ptr(), PyExc_IndexError);
    if (index == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      type_error(std::string(function) + "(): link must be a name or an index.");
    }
    model.require_link(function, index);
    return index;
  }
  const auto name = link.cast<std::string>();
  const Index index = model.find_link(name);
  if (index != kNoIndex) return index;
  throw std::invalid_argument(std::string(function) + "() on model '" + model.name() +
                              "': there is no link '" + name + "'. model.links lists the links.");
}

Frame frame_of(const py::handle& name) {
  if (py::isinstance<py::str>(name)) {
    const auto text = name.cast<std::string>();
    if (text == "local") return Frame::kLocal;
    if (text == "world") return Frame::kWorld;
    if (text == "local_world_aligned") return Frame::kLocalWorldAligned;
  }
  throw std::invalid_argument("frame is " + std::string(py::repr(name)) +
                              ", but must be 'local', 'world' or 'local_world_aligned'.");
}

Vector3 vector3_of(const py::handle& object, const char* name) {
  const VectorXd x = vector_of(object, name, name);
  if (x.size() != 3) {
    throw std::invalid_argument(std::string(name) + " has " + std::to_string(x.size()) +
                                " numbers, expected 3.");
  }
  return x;
}

}  // namespace spatial_dynamics::python

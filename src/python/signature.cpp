// The names of arguments and the types of results.
#include <cstring>
#include <map>
#include <stdexcept>

#include "call.hpp"
#include "errors.hpp"
#include "spatial_dynamics/model/inertial_parameters.hpp"

namespace spatial_dynamics::python {
namespace {

/// A named tuple. The texts must live as long as the process.
PyTypeObject* new_tuple(const Function& function, std::size_t count) {
  static std::vector<std::string> texts;  // of all types
  texts.reserve(16);
  texts.emplace_back(function.fields);
  std::string& names = texts.back();
  std::array<PyStructSequence_Field, kMostResults + 1> fields{};
  for (std::size_t k = 0, begin = 0; k < count; ++k) {
    fields[k].name = &names[begin];
    const std::size_t end = names.find(' ', begin);
    if (end == std::string::npos) break;
    names[end] = '\0';
    begin = end + 1;
  }
  PyStructSequence_Desc description{function.tuple, "Several results, also by name.", fields.data(),
                                    static_cast<int>(count)};
  PyTypeObject* const type = PyStructSequence_NewType(&description);
  if (type == nullptr) throw py::error_already_set();
  return type;
}

/// One line of a description. "(N, …)" is the shape of a batch of N states.
std::string line_about(const std::string& argument) {
  static const std::map<std::string, const char*> kTexts{
      {"model", "the robot, as from load_urdf()"},
      {"q", "configuration, rad or m: (nq,) or (N, nq)"},
      {"q0", "configuration, rad or m: (nq,) or (N, nq)"},
      {"q1", "configuration, rad or m: (nq,) or (N, nq)"},
      {"v", "velocity, rad/s or m/s: (nv,) or (N, nv)"},
      {"coulomb_velocity", "velocity for the Coulomb term; default: v"},
      {"a", "acceleration, rad/s^2 or m/s^2: (nv,) or (N, nv)"},
      {"tau", "torque, N m or N: (nv,) or (N, nv)"},
      {"link", "name or index of a link"},
      {"frame", "'local', 'world' or 'local_world_aligned'"},
      {"external",
       "ExternalForces, or moments, N m, and forces, N, on each body: (bodies, 6) or\n"
       "    (N, bodies, 6)"},
      {"dt", "time, s"},
      {"out", "array, or tuple of arrays, for the result"},
      {"data", "Data of this model and thread; default: the model's"},
      {"threads", "threads that share a batch; 0: one per processor"}};
  return "  " + argument + ": " + kTexts.at(argument) + "\n";
}

}  // namespace

ResultShape shape_of(ResultKind kind, const Model& model) noexcept {
  const auto vector = [](Index size) { return ResultShape{1, {size, 1}, 1, 1}; };
  const auto matrix = [](Index rows, Index columns) {
    return ResultShape{2, {rows, columns}, 1, rows};
  };
  switch (kind) {
    case ResultKind::kPoint:
      return vector(3);
    case ResultKind::kMotion:
      return vector(6);
    case ResultKind::kPose:
      return vector(7);
    case ResultKind::kPositions:
      return vector(model.nq());
    case ResultKind::kVelocities:
      return vector(model.nv());
    case ResultKind::kMatrix:
      return matrix(model.nv(), model.nv());
    case ResultKind::kJacobian:
      return matrix(6, model.nv());
    case ResultKind::kRegressor:
      return matrix(model.nv(), kInertialParameters * model.link_count());
    case ResultKind::kWrenches:
      return {2, {model.body_count(), 6}, 6, 1};
    case ResultKind::kNone:
    case ResultKind::kNumber:
      break;
  }
  return {};
}

void Signature::add(Parameter parameter, const char* name, const char* missing) {
  PyObject* const interned = PyUnicode_InternFromString(name);
  if (interned == nullptr) throw py::error_already_set();
  entries_.push_back({parameter, interned, missing});
}

Signature::Signature(const Function& function_, py::module_& module) : function(function_) {
  add(kModel, "model", nullptr);
  for (std::size_t k = 0; k < kMostStates && function.states[k] != nullptr; ++k) {
    const auto parameter = static_cast<Parameter>(kState + k);
    add(parameter, function.states[k], k < function.required ? nullptr : "None");
  }
  if (has(function.extras, Extra::kLink)) add(kLink, "link", nullptr);
  if (has(function.extras, Extra::kFrame)) add(kFrame, "frame", "'local_world_aligned'");
  if (has(function.extras, Extra::kDt)) add(kDt, "dt", nullptr);
  if (has(function.extras, Extra::kExternal)) add(kExternal, "external", "None");
  positional_ = entries_.size();
  add(kOut, "out", "None");
  add(kData, "data", "None");
  add(kThreads, "threads", "1");
  while (result_count < kMostResults && function.results[result_count] != ResultKind::kNone) {
    ++result_count;
  }
  if (result_count > 1) {
    tuple = new_tuple(function, result_count);
    auto* const type = reinterpret_cast<PyObject*>(tuple);
    module.add_object(std::strrchr(function.tuple, '.') + 1, type);
  }
}

const Signature::Entry* Signature::find(PyObject* name) const {
  for (const Entry& entry : entries_) {
    if (entry.name == name) return &entry;
  }
  for (const Entry& entry : entries_) {
    if (PyUnicode_Compare(entry.name, name) == 0) return &entry;
  }
  return nullptr;
}

Signature::Values Signature::values(PyObject* const* arguments, Py_ssize_t count,
                                    PyObject* keywords) const {
  Values values{};
  if (static_cast<std::size_t>(count) > positional_) {
    type_error(std::string(function.name) + "() takes " + std::to_string(positional_) +
               " positional arguments, but " + std::to_string(count) +
               " were given; out, data and threads are given by name.");
  }
  for (Py_ssize_t i = 0; i < count; ++i) values[entries_[to_size(i)].parameter] = arguments[i];
  const Py_ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
  for (Py_ssize_t i = 0; i < named; ++i) {
    PyObject* const name = PyTuple_GET_ITEM(keywords, i);
    const Entry* const entry = find(name);
    const bool known = entry != nullptr;
    if (!known || values[entry->parameter] != nullptr) {
      type_error(std::string(function.name) + "() got " +
                 (known ? "several values for the argument '" : "an unknown argument '") +
                 std::string(py::str(name)) + "'.");
    }
    values[entry->parameter] = arguments[count + i];
  }
  for (const Entry& entry : entries_) {
    if (entry.missing == nullptr && values[entry.parameter] == nullptr) {
      type_error(std::string(function.name) + "() misses the argument '" +
                 std::string(py::str(entry.name)) + "'.");
    }
  }
  return values;
}

std::string Signature::document() const {
  std::string text = std::string(function.name) + "(";
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (i > 0) text += ", ";
    if (i == positional_) text += "*, ";
    text += std::string(py::str(entries_[i].name));
    if (entries_[i].missing != nullptr) text += std::string("=") + entries_[i].missing;
  }
  text += std::string(")\n--\n\n") + function.what + "\n\n";
  for (const Entry& entry : entries_) text += line_about(std::string(py::str(entry.name)));
  return text + "\nReturns " + function.returns + ".";
}

}  // namespace spatial_dynamics::python

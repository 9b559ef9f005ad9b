#include "arguments.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "errors.hpp"
#include "parse.hpp"

namespace spatial_dynamics::python {
namespace {

/// Fewer states than this are not worth a thread.
constexpr Index kStatesPerThread = 256;

/// Arguments named q, q0, q1 have nq numbers, others nv.
bool is_configuration(const char* name) noexcept { return *name == 'q'; }

bool is_none(PyObject* object) noexcept { return object == nullptr || object == Py_None; }

Index read_threads(PyObject* object) {
  const Py_ssize_t threads = PyNumber_AsSsize_t(object, PyExc_OverflowError);
  if (threads == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (threads < 0) {
    throw std::invalid_argument("threads is " + std::to_string(threads) +
                                ", but must be at least 0 (0: one per processor).");
  }
  if (threads > 0) return threads;
  return std::max<Index>(1, static_cast<Index>(std::thread::hardware_concurrency()));
}

double read_number(PyObject* object) {
  const double number = PyFloat_AsDouble(object);
  if (number == -1.0 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return number;
}

}  // namespace

Arguments::Arguments(const Signature& signature_, PyObject* const* values, Py_ssize_t count,
                     PyObject* keywords)
    : signature(signature_),
      function(signature_.function),
      values_(signature_.values(values, count, keywords)) {
  read_model(values_[Signature::kModel]);
  read_states();
  if (has(function.extras, Extra::kLink)) {
    options.link = link_of(model->model, function.name, values_[Signature::kLink]);
  }
  if (PyObject* const frame = values_[Signature::kFrame]) options.frame = frame_of(frame);
  if (PyObject* const dt = values_[Signature::kDt]) options.dt = read_number(dt);
  if (PyObject* const threads = values_[Signature::kThreads]) threads_ = read_threads(threads);
  if (PyObject* const x = values_[Signature::kExternal]; !is_none(x)) read_external(x);
  read_data(values_[Signature::kData]);
  if (PyObject* const out = values_[Signature::kOut]; !is_none(out)) require_tuple(out);
  require_shapes();
}

std::string Arguments::context() const {
  return std::string(function.name) + "() on model '" + model->model.name() + "': ";
}

void Arguments::read_model(PyObject* object) {
  model = types().model.get(object);
  if (model == nullptr) {
    type_error(std::string(function.name) +
               "(): the first argument must be a Model, as from "
               "load_urdf(), but is " +
               std::string(py::str(py::type::handle_of(object))) + ".");
  }
}

void Arguments::read_states() {
  for (std::size_t k = 0; k < kMostStates && function.states[k] != nullptr; ++k) {
    PyObject* const object = values_[Signature::kState + k];
    if (k >= function.required && is_none(object)) {
      states[k] = states[0];  // as in the library: friction_torque(v) is friction_torque(v, v)
    } else {
      states[k].read(object, function.name, function.states[k]);
    }
  }
}

void Arguments::read_external(PyObject* object) {
  external_ = types().external.get(object);
  if (external_ == nullptr) external_array_.read(object, function.name, "external", 2);
}

void Arguments::read_data(PyObject* object) {
  explicit_data = !is_none(object);
  data = explicit_data ? types().data.get(object) : &model->data;
  if (data == nullptr) {
    type_error(std::string(function.name) +
               "(): data must be a Data of this model, as from "
               "Data(model).");
  }
  if (!explicit_data) return;
  if (!data->fits(model->model)) {
    throw std::invalid_argument(
        context() + "the data belongs to another model. Construct one from this model.");
  }
  if (data->busy) {
    throw std::runtime_error(context() +
                             "the data is in use by a batch of another thread. "
                             "Construct one Data per thread.");
  }
}

void Arguments::require_tuple(PyObject* out) const {
  if (signature.result_count == 1) return;
  if (!PyTuple_Check(out) ||
      PyTuple_GET_SIZE(out) != static_cast<Py_ssize_t>(signature.result_count)) {
    type_error(std::string(function.name) + "(): out must be a tuple of " +
               std::to_string(signature.result_count) + " arrays.");
  }
}

PyObject* Arguments::out(std::size_t k) const noexcept {
  PyObject* const object = values_[Signature::kOut];
  if (is_none(object)) return nullptr;
  return signature.result_count == 1 ? object
                                     : PyTuple_GET_ITEM(object, static_cast<Py_ssize_t>(k));
}

Index Arguments::expected_size(std::size_t k) const noexcept {
  return is_configuration(function.states[k]) ? model->model.nq() : model->model.nv();
}

void Arguments::wrong_shape(const char* name, const ArrayArgument& array,
                            const std::string& expected) const {
  throw std::invalid_argument(context() + name + " has the shape " + array.shape() + ", expected " +
                              expected + ".");
}

void Arguments::require_shapes() const {
  const bool batch = is_batch();
  if (!batch && states[0].dimensions() != 1) {
    const std::string size = std::to_string(expected_size(0));
    wrong_shape(function.states[0], states[0],
                "(" + size + ",) for one state or (N, " + size + ") for N states");
  }
  const std::string many = batch ? std::to_string(state_count()) + ", " : "";
  for (std::size_t k = 0; k < kMostStates && function.states[k] != nullptr; ++k) {
    const Index size = expected_size(k);
    const ArrayArgument& x = states[k];
    // The library checks the size of one state.
    if (!batch && x.dimensions() == 1) continue;
    if (batch && x.dimensions() == 2 && x.size(0) == state_count() && x.size(1) == size) continue;
    wrong_shape(function.states[k], x, "(" + many + std::to_string(size) + (batch ? ")" : ",)"));
  }
  if (!external_array_.given()) return;
  const ArrayArgument& f = external_array_;
  const Index bodies = model->model.body_count();
  const int first = f.dimensions() - 2;  // of the two dimensions of a state
  const bool same_for_all = first == 0,
             one_each = batch && first == 1 && f.size(0) == state_count();
  if ((same_for_all || one_each) && f.size(first) == bodies && f.size(first + 1) == 6) return;
  const std::string one = std::to_string(bodies) + ", 6)";
  wrong_shape("external", f, "(" + one + (batch ? " or (" + many + one : ""));
}

Index Arguments::thread_count() const noexcept {
  const Index useful = (state_count() + kStatesPerThread - 1) / kStatesPerThread;
  return std::clamp<Index>(std::min(threads_, useful), 1, 1024);
}

Dense Arguments::dense() const noexcept {
  const Model& m = model->model;
  // Data(model) has it, and forward dynamics of one state then uses it.
  const bool usual = !is_batch() && m.nv() <= kReservedCoordinates;
  const bool needs_mass_matrix = has(function.extras, Extra::kSingular) && (usual || m.has_mimic());
  return function.dense | (needs_mass_matrix ? Dense::kMassMatrix : Dense::kNone);
}

const ExternalForces& Arguments::forces_of_one() noexcept {
  if (external_ != nullptr) return *external_;
  if (!external_array_.given()) return kNoExternalForces;
  const double* x = external_array_.data();
  for (Index i = 0; i < model->model.body_count(); ++i, x += 6) {
    data->forces.set_on_body(i, Force(Vector3(x[0], x[1], x[2]), Vector3(x[3], x[4], x[5])));
  }
  return data->forces;
}

void Arguments::copy_forces(Worker& worker) const {
  if (external_ != nullptr) worker.forces = *external_;
}

BatchForces Arguments::forces_of(const Worker& worker, Index first, Index count) const {
  if (external_ != nullptr) return worker.forces;
  const ArrayArgument& f = external_array_;
  if (!f.given()) return kNoExternalForces;
  const Index rows = 6 * model->model.body_count();
  if (f.dimensions() == 2) return StatesView::Map(f.data(), rows, 1, Eigen::OuterStride<>(rows));
  return StatesView::Map(f.data() + first * f.stride(), rows, count,
                         Eigen::OuterStride<>(f.stride()));
}

void Arguments::detach_from(const std::array<const char*, 2>& bytes) {
  for (ArrayArgument& x : states) {
    if (x.given() && x.overlaps(bytes[0], bytes[1])) x.detach();
  }
  if (external_array_.given() && external_array_.overlaps(bytes[0], bytes[1])) {
    external_array_.detach();
  }
}

ResultArrays::ResultArrays(const Arguments& arguments) : count_(arguments.signature.result_count) {
  const Function& function = arguments.function;
  const Index states = arguments.is_batch() ? arguments.state_count() : -1;
  for (std::size_t k = 0; k < count_; ++k) {
    const ResultShape shape = shape_of(function.results[k], arguments.model->model);
    if (PyObject* const out = arguments.out(k)) {
      arrays_[k].use(out, function.name, shape, states);
    } else {
      arrays_[k].create(shape, states);
    }
  }
}

PyObject* ResultArrays::release(const Arguments& arguments) {
  const bool is_number = arguments.function.results[0] == ResultKind::kNumber;
  if (is_number && !arguments.is_batch() && arguments.out(0) == nullptr) {
    return PyFloat_FromDouble(arrays_[0].number());
  }
  if (count_ == 1) return arrays_[0].release();
  PyObject* const tuple = PyStructSequence_New(arguments.signature.tuple);
  if (tuple == nullptr) throw py::error_already_set();
  for (std::size_t k = 0; k < count_; ++k) {
    PyStructSequence_SET_ITEM(tuple, static_cast<Py_ssize_t>(k), arrays_[k].release());
  }
  return tuple;
}

}  // namespace spatial_dynamics::python

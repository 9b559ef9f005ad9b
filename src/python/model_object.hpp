// The Python objects Model, Data and ExternalForces.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <utility>
#include <vector>

#include "spatial_dynamics/dynamics/batch.hpp"
#include "spatial_dynamics/model/model_report.hpp"

namespace spatial_dynamics::python {

namespace py = pybind11;

/// What one thread needs to compute a batch, in pieces of at most `batch.capacity()` states.
struct Worker {
  explicit Worker(const Model& model);

  BatchData batch;
  ExternalForces forces;  ///< a copy, because the caller's may change while the batch runs
  MatrixXd scratch;       ///< results of functions that are not functions of a BatchData
};

/// The object Data: results and scratch space of calls. Every model has one for calls without the
/// argument `data`. Used only by the thread that holds the interpreter's lock, except workers.
class DataObject {
 public:
  explicit DataObject(const Model& model)
      : one(model, Dense::kNone), forces(model), structure_(model.structure()) {}

  Data one;                  ///< for one state
  ExternalForces forces;     ///< of one state, from an array
  VectorXd scratch;          ///< as in Worker, for one state
  Index singular_count = 0;  ///< of the last call
  bool busy = false;         ///< a batch is running

  /// Removes that many workers from the idle ones, or constructs them. Allocates.
  std::vector<std::unique_ptr<Worker>> take_workers(const Model& model, Index count, Dense dense);
  void return_workers(std::vector<std::unique_ptr<Worker>> workers);
  /// The model of the Data, or one with the same tree.
  [[nodiscard]] bool fits(const Model& model) const noexcept {
    return structure_ == model.structure();
  }

 private:
  std::uint64_t structure_;
  std::vector<std::unique_ptr<Worker>> idle_;
};

/// The object Model.
class ModelObject {
 public:
  explicit ModelObject(Model model_, ModelReport report_ = {})
      : model(std::move(model_)), report(std::move(report_)), data(model) {}

  Model model;
  ModelReport report;
  DataObject data;
  int running = 0;  ///< batches that other threads compute; counted under the interpreter's lock

  /// Throws std::runtime_error while a batch runs; for setters.
  Model& to_change(const char* what);
};

/// The C++ object of a Python object; null if the object is of another type or was not
/// constructed. For final types only; takes a few nanoseconds.
template <typename T>
class FinalType {
 public:
  void set(const py::handle& type) noexcept { type_ = type.ptr(); }
  [[nodiscard]] T* get(PyObject* object) const noexcept {
    if (static_cast<void*>(Py_TYPE(object)) != static_cast<void*>(type_)) return nullptr;
    auto* const instance = static_cast<py::detail::instance*>(static_cast<void*>(object));
    return static_cast<T*>(instance->simple_value_holder[0]);
  }

 private:
  PyObject* type_ = nullptr;
};

/// The types that calls recognise; set when they are added to the module.
struct Types {
  FinalType<ModelObject> model;
  FinalType<DataObject> data;
  FinalType<ExternalForces> external;
};
Types& types() noexcept;

}  // namespace spatial_dynamics::python

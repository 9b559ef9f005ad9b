#include "call.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "arguments.hpp"
#include "errors.hpp"

namespace spatial_dynamics::python {
namespace {

/// Returns the workers to their Data and counts the batch as running, also if it throws.
class RunningBatch {
 public:
  RunningBatch(ModelObject& model, DataObject& data, Index threads, Dense dense)
      : model_(model), data_(data), workers_(data.take_workers(model.model, threads, dense)) {
    ++model_.running;
    data_.busy = true;
  }
  ~RunningBatch() {
    --model_.running;
    data_.busy = false;
    data_.return_workers(std::move(workers_));
  }
  RunningBatch(const RunningBatch&) = delete;
  RunningBatch& operator=(const RunningBatch&) = delete;
  RunningBatch(RunningBatch&&) = delete;
  RunningBatch& operator=(RunningBatch&&) = delete;

  [[nodiscard]] std::vector<std::unique_ptr<Worker>>& workers() noexcept { return workers_; }

 private:
  ModelObject& model_;
  DataObject& data_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

/// A batch in pieces, which threads take one after the other. Which thread computes a piece does
/// not change its numbers.
class Pieces {
 public:
  Pieces(const Arguments& arguments, const ResultArrays& results)
      : arguments_(arguments), results_(results) {}

  /// Computes pieces until none is left. Does not use the interpreter.
  void compute(Worker& worker) noexcept {
    try {
      const Index size = worker.batch.capacity(), states = arguments_.state_count();
      for (Index first = size * next_++; first < states; first = size * next_++) {
        compute(worker, first, std::min(size, states - first));
      }
    } catch (...) {
      if (!failed_.exchange(true)) error_ = std::current_exception();
      next_ = arguments_.state_count();  // no further pieces
    }
  }
  /// After all threads have ended: the states without a unique result.
  [[nodiscard]] Index finish() const {
    if (failed_) std::rethrow_exception(error_);
    return singular_;
  }

 private:
  void compute(Worker& worker, Index first, Index count) {
    const Model& model = arguments_.model->model;
    const BatchForces forces = arguments_.forces_of(worker, first, count);
    const Results r = arguments_.function.many(
        {model, worker, worker.batch, arguments_.states, forces, arguments_.options, first, count});
    for (std::size_t k = 0; k < results_.count(); ++k) results_[k].write(r.at(k), first, count);
    singular_ += worker.batch.singular_count();
  }

  const Arguments& arguments_;
  const ResultArrays& results_;
  std::atomic<Index> next_{0}, singular_{0};
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
};

/// Runs the pieces on this thread and others. If the system has no more threads, fewer compute.
void run(Pieces& pieces, std::vector<std::unique_ptr<Worker>>& workers) noexcept {
  std::vector<std::thread> threads;
  try {
    threads.reserve(workers.size());
    for (std::size_t i = 1; i < workers.size(); ++i) {
      threads.emplace_back([&pieces, &worker = *workers[i]] { pieces.compute(worker); });
    }
  } catch (const std::exception&) {  // std::system_error, std::bad_alloc
    static_cast<void>(0);            // the threads that have started, and this one, do the work
  }
  pieces.compute(*workers.front());
  for (std::thread& thread : threads) thread.join();
}

/// Without a Data of the caller nobody could ask it, so a warning reports results that are zero.
void report_singular(const Arguments& arguments, Index count) {
  arguments.data->singular_count = count;
  if (count == 0 || arguments.explicit_data) return;
  const std::string text = std::string(arguments.function.name) + "() on model '" +
                           arguments.model->model.name() + "': " + std::to_string(count) +
                           (count == 1 ? " state has" : " states have") +
                           " no unique result, so the result is zero. Pass data= and read "
                           "data.singular_count to handle this without a warning.";
  if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1) != 0) throw py::error_already_set();
}

void compute_one(Arguments& arguments, ResultArrays& results) {
  const Model& model = arguments.model->model;
  DataObject& data = *arguments.data;
  const Dense dense = arguments.dense();
  if (!data.one.is_reserved(dense)) data.one.reserve(dense);
  // From here to the last write no Python code runs, which could use the same Data.
  const ExternalForces& forces = arguments.forces_of_one();
  const Results r =
      arguments.function.one({model, data, data.one, arguments.states, forces, arguments.options});
  for (std::size_t k = 0; k < results.count(); ++k) results[k].write(r.at(k), 0, 1);
  if (arguments.may_be_singular()) report_singular(arguments, data.one.singular() ? 1 : 0);
}

void compute_many(Arguments& arguments, ResultArrays& results) {
  for (const ResultArray& result : results) arguments.detach_from(result.bytes());
  Pieces pieces(arguments, results);
  {
    RunningBatch running(*arguments.model, *arguments.data, arguments.thread_count(),
                         arguments.dense());
    for (const auto& worker : running.workers()) arguments.copy_forces(*worker);
    const py::gil_scoped_release without_lock;
    run(pieces, running.workers());
  }
  const Index singular = pieces.finish();
  if (arguments.may_be_singular()) report_singular(arguments, singular);
}

PyObject* compute(const Signature& signature, PyObject* const* values, Py_ssize_t count,
                  PyObject* keywords) {
  Arguments arguments(signature, values, count, keywords);
  ResultArrays results(arguments);
  if (arguments.is_batch()) {
    compute_many(arguments, results);
  } else {
    compute_one(arguments, results);
  }
  return results.release(arguments);
}

}  // namespace

PyObject* call_function(const Signature& signature, PyObject* const* arguments, Py_ssize_t count,
                        PyObject* keywords) noexcept {
  try {
    return compute(signature, arguments, count, keywords);
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}

}  // namespace spatial_dynamics::python

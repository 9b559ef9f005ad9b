// The arguments of one call, read and checked, and the arrays for its results.
#pragma once

#include <array>

#include "call.hpp"

namespace spatial_dynamics::python {

/// The arguments of one call. Shapes are checked here for batches, and by the library for one
/// state.
class Arguments {
 public:
  /// Throws a Python error or std::invalid_argument.
  Arguments(const Signature& signature, PyObject* const* values, Py_ssize_t count,
            PyObject* keywords);

  const Signature& signature;
  const Function& function;
  ModelObject* model = nullptr;
  DataObject* data = nullptr;
  bool explicit_data = false;  ///< `data` is an argument
  std::array<ArrayArgument, kMostStates> states;
  Options options;

  [[nodiscard]] bool is_batch() const noexcept { return states[0].dimensions() == 2; }
  [[nodiscard]] Index state_count() const noexcept { return states[0].size(0); }
  /// At most `threads`, and one for each few hundred states.
  [[nodiscard]] Index thread_count() const noexcept;
  /// The array that the caller wants result k to be written to; null if there is none.
  [[nodiscard]] PyObject* out(std::size_t k) const noexcept;
  [[nodiscard]] bool may_be_singular() const noexcept {
    return has(function.extras, Extra::kSingular);
  }
  /// What must be reserved.
  [[nodiscard]] Dense dense() const noexcept;

  /// The wrenches of one state.
  [[nodiscard]] const ExternalForces& forces_of_one() noexcept;
  /// Copies ExternalForces for a batch.
  void copy_forces(Worker& worker) const;
  /// The wrenches of a piece of a batch.
  [[nodiscard]] BatchForces forces_of(const Worker& worker, Index first, Index count) const;
  /// Copies the arguments that share memory with a result of a batch.
  void detach_from(const std::array<const char*, 2>& bytes);

 private:
  void read_model(PyObject* object);
  void read_states();
  void read_external(PyObject* object);
  void read_data(PyObject* object);
  void require_tuple(PyObject* out) const;
  void require_shapes() const;
  [[nodiscard]] Index expected_size(std::size_t k) const noexcept;
  [[noreturn]] void wrong_shape(const char* name, const ArrayArgument& array,
                                const std::string& expected) const;
  /// "inverse_dynamics() on model 'arm7': "
  [[nodiscard]] std::string context() const;

  Signature::Values values_;
  Index threads_ = 1;
  const ExternalForces* external_ = nullptr;
  ArrayArgument external_array_;
};

/// The arrays of the results of a call. They are created before anything is computed, because
/// creating them may run Python code.
class ResultArrays {
 public:
  explicit ResultArrays(const Arguments& arguments);

  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] const ResultArray& operator[](std::size_t k) const noexcept { return arrays_[k]; }
  [[nodiscard]] const ResultArray* begin() const noexcept { return arrays_.data(); }
  [[nodiscard]] const ResultArray* end() const noexcept { return arrays_.data() + count_; }
  /// The value of the call, as a new reference: a number, an array or a tuple of arrays.
  [[nodiscard]] PyObject* release(const Arguments& arguments);

 private:
  std::array<ResultArray, kMostResults> arrays_;
  std::size_t count_;
};

}  // namespace spatial_dynamics::python

// NumPy arrays as arguments and results, without pybind11's checks and copies: a call of inverse
// dynamics takes less time than these.
#pragma once

#include <pybind11/numpy.h>

#include <array>
#include <string>

#include "spatial_dynamics/model/vector_view.hpp"

namespace spatial_dynamics::python {

namespace py = pybind11;

/// Loads NumPy's C interface; call it once, at import. Throws py::import_error if pybind11 is too
/// old for the installed NumPy.
void load_numpy();

/// The numbers of an argument: those of a float64 array if their layout permits, otherwise a
/// float64 copy. Valid while the argument and this object live.
class ArrayArgument {
 public:
  static constexpr int kLargestDimension = 3;

  /// `name` and `function` are for the message. `items` is the number of last dimensions that must
  /// be contiguous: 1 for vectors, 2 for one row per body. Throws a Python error if the object is
  /// not an array of real numbers.
  void read(PyObject* object, const char* function, const char* name, int items = 1);

  [[nodiscard]] bool given() const noexcept { return object_ != nullptr; }
  [[nodiscard]] int dimensions() const noexcept { return dimensions_; }
  [[nodiscard]] Index size(int dimension) const noexcept { return shape_[dimension]; }
  [[nodiscard]] const double* data() const noexcept { return data_; }
  /// Numbers from one element of the first dimension to the next.
  [[nodiscard]] Index stride() const noexcept { return stride_; }
  /// "(5, 7)"
  [[nodiscard]] std::string shape() const;
  /// True if its memory overlaps these bytes.
  [[nodiscard]] bool overlaps(const char* first, const char* last) const noexcept;
  /// Replaces the numbers by a copy.
  void detach();

 private:
  void describe() noexcept;
  [[nodiscard]] static bool usable(PyObject* object, int items) noexcept;
  void convert(PyObject* object, const char* function, const char* name);

  PyObject* object_ = nullptr;  // borrowed from the caller, or that of copy_
  py::object copy_;
  const double* data_ = nullptr;
  const Py_intptr_t* shape_ = nullptr;
  int dimensions_ = 0;
  Index stride_ = 0;
};

/// A vector argument as Eigen's vector, for functions that are not called in inner loops. Throws a
/// Python error if it is not one-dimensional.
VectorXd vector_of(const py::handle& object, const char* function, const char* name);

/// A new array with a copy of these numbers.
py::array array_of(const VectorXd& x);
py::array array_of(const Vector3& x);
/// Rows and columns as in the matrix.
py::array matrix_array_of(const MatrixXd& x);
/// The same, and writing to it is an error: for values that are set by assigning a whole array.
template <typename T>
py::array constant_array_of(const T& x) {
  py::array result = array_of(x);
  result.attr("setflags")(py::arg("write") = false);
  return result;
}

/// The shape of a result of one state: a number, a vector or a matrix.
struct ResultShape {
  int dimensions = 0;
  std::array<Py_intptr_t, 2> size{1, 1};
  /// The library stores entry (row, column) at row * by_row + column * by_column.
  Index by_row = 1, by_column = 1;

  [[nodiscard]] Index numbers() const noexcept { return size[0] * size[1]; }
};

/// The array that a result is written to: new, or the caller's `out`.
class ResultArray {
 public:
  /// With `states` < 0 a result of one state.
  void create(const ResultShape& shape, Index states);
  /// Throws a Python error if `out` is not a writable float64 array of this shape.
  void use(PyObject* out, const char* function, const ResultShape& shape, Index states);

  /// Writes the results of `count` states from `state` on, as the library stores them.
  void write(const double* numbers, Index state, Index count) const noexcept;

  /// The first and one past the last byte.
  [[nodiscard]] std::array<const char*, 2> bytes() const noexcept;
  /// A result that is one number.
  [[nodiscard]] double number() const noexcept {
    return *static_cast<const double*>(static_cast<const void*>(data_));
  }
  /// The array, as a new reference.
  [[nodiscard]] PyObject* release() noexcept { return array_.release().ptr(); }

 private:
  void attach(const ResultShape& shape, Index states) noexcept;

  py::object array_;
  char* data_ = nullptr;
  ResultShape shape_;
  Index states_ = 1;
  Py_intptr_t by_state_ = 0, by_row_ = 0, by_column_ = 0;  // bytes
  bool as_stored_ = false;  // one state after the other, in the library's order
};

}  // namespace spatial_dynamics::python

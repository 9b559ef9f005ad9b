#include "numpy_arrays.hpp"

#include <cstring>
#include <stdexcept>

#include "errors.hpp"

namespace spatial_dynamics::python {
namespace {

using Numpy = py::detail::npy_api;
constexpr Py_intptr_t kBytes = sizeof(double);

const Numpy* numpy = nullptr;
PyObject* float64 = nullptr;  // NumPy's descriptor

const py::detail::PyArray_Proxy& fields(PyObject* array) noexcept {
  return *py::detail::array_proxy(array);
}

bool is_array(PyObject* object) noexcept { return numpy->PyArray_Check_(object); }

/// Aligned numbers of the machine's byte order.
bool is_float64(PyObject* array) noexcept {
  const auto& type = *py::detail::array_descriptor_proxy(fields(array).descr);
  return type.type_num == Numpy::NPY_DOUBLE_ && type.byteorder == '=' &&
         py::detail::check_flags(array, Numpy::NPY_ARRAY_ALIGNED_);
}

std::string shape_text(const Py_intptr_t* shape, int dimensions) {
  std::string text = "(";
  for (int i = 0; i < dimensions; ++i) text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return text + (dimensions == 1 ? ",)" : ")");
}

std::string type_name(PyObject* array) {
  return py::str(py::handle(array).attr("dtype")).cast<std::string>();
}

/// A new array of this shape.
py::object new_array(int dimensions, const Py_intptr_t* shape) {
  Py_INCREF(float64);  // the call takes the reference
  PyObject* const array = numpy->PyArray_NewFromDescr_(numpy->PyArray_Type_, float64, dimensions,
                                                       shape, nullptr, nullptr, 0, nullptr);
  if (array == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(array);
}

double* numbers_of(const py::object& array) noexcept {
  return static_cast<double*>(static_cast<void*>(fields(array.ptr()).data));
}

}  // namespace

void load_numpy() {
  const auto version = py::module_::import("numpy").attr("__version__").cast<std::string>();
  constexpr bool kSupportsTwo = PYBIND11_VERSION_HEX >= 0x020C0000;
  if (!kSupportsTwo && std::stoi(version) >= 2) {
    const std::string ours =
        std::to_string(PYBIND11_VERSION_MAJOR) + "." + std::to_string(PYBIND11_VERSION_MINOR);
    throw py::import_error(
        "spatial_dynamics was built with pybind11 " + ours +
        ", which works with NumPy 1, but NumPy " + version +
        " is installed. Install numpy<2, or build spatial_dynamics with pybind11 "
        "2.12 or newer.");
  }
  numpy = &Numpy::get();
  float64 = numpy->PyArray_DescrFromType_(Numpy::NPY_DOUBLE_);
}

void ArrayArgument::describe() noexcept {
  const auto& array = fields(object_);
  data_ = static_cast<const double*>(static_cast<const void*>(array.data));
  shape_ = array.dimensions;
  dimensions_ = array.nd;
  stride_ = 1;
  for (int i = 1; i < dimensions_; ++i) stride_ *= shape_[i];
  if (dimensions_ > 1 && shape_[0] > 1) stride_ = array.strides[0] / kBytes;
}

bool ArrayArgument::usable(PyObject* object, int items) noexcept {
  if (!is_array(object) || !is_float64(object)) return false;
  const auto& array = fields(object);
  Py_intptr_t expected = kBytes;
  for (int i = array.nd - 1; i >= 0; --i) {
    const bool is_item = i >= array.nd - items;
    // Rows may have a distance, but may not overlap.
    const bool fits = is_item ? array.strides[i] == expected
                              : array.strides[i] >= expected && array.strides[i] % kBytes == 0;
    if (!fits && array.dimensions[i] > 1) return false;
    expected *= array.dimensions[i];
  }
  return true;
}

void ArrayArgument::convert(PyObject* object, const char* function, const char* name) {
  const auto steal = [](PyObject* array) {
    if (array == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::object>(array);
  };
  const py::object array =
      steal(numpy->PyArray_FromAny_(object, nullptr, 0, kLargestDimension, 0, nullptr));
  const char kind = py::detail::array_descriptor_proxy(fields(array.ptr()).descr)->kind;
  if (std::strchr("biuf", kind) == nullptr) {
    type_error(std::string(function) + "(): " + name +
               " must be an array of real numbers, but has "
               "the type " +
               type_name(array.ptr()) + ".");
  }
  Py_INCREF(float64);  // the call takes the reference
  copy_ = steal(numpy->PyArray_FromAny_(
      array.ptr(), float64, 0, 0,
      Numpy::NPY_ARRAY_C_CONTIGUOUS_ | Numpy::NPY_ARRAY_ALIGNED_ | Numpy::NPY_ARRAY_FORCECAST_,
      nullptr));
  object_ = copy_.ptr();
}

void ArrayArgument::read(PyObject* object, const char* function, const char* name, int items) {
  object_ = object;
  if (!usable(object, items)) convert(object, function, name);
  describe();
}

std::string ArrayArgument::shape() const { return shape_text(shape_, dimensions_); }

bool ArrayArgument::overlaps(const char* first, const char* last) const noexcept {
  Index numbers = 1;
  for (int i = 1; i < dimensions_; ++i) numbers *= shape_[i];
  const Index states = dimensions_ > 0 ? shape_[0] : 1;
  if (numbers == 0 || states == 0) return false;
  const auto* const begin = static_cast<const char*>(static_cast<const void*>(data_));
  const auto* const end =
      static_cast<const char*>(static_cast<const void*>(data_ + (states - 1) * stride_ + numbers));
  return begin < last && first < end;
}

void ArrayArgument::detach() {
  PyObject* const array = numpy->PyArray_NewCopy_(object_, 0);  // 0: C order
  if (array == nullptr) throw py::error_already_set();
  copy_ = py::reinterpret_steal<py::object>(array);
  object_ = array;
  describe();
}

VectorXd vector_of(const py::handle& object, const char* function, const char* name) {
  ArrayArgument array;
  array.read(object.ptr(), function, name);
  if (array.dimensions() != 1) {
    throw std::invalid_argument(std::string(function) + "(): " + name + " has the shape " +
                                array.shape() + ", expected one dimension.");
  }
  return Eigen::Map<const VectorXd>(array.data(), array.size(0));
}

py::array array_of(const VectorXd& x) {
  const std::array<Py_intptr_t, 1> shape{x.size()};
  py::object array = new_array(1, shape.data());
  std::memcpy(numbers_of(array), x.data(), to_size(x.size()) * sizeof(double));
  return py::reinterpret_borrow<py::array>(array);
}

py::array array_of(const Vector3& x) { return array_of(VectorXd(x)); }

py::array matrix_array_of(const MatrixXd& x) {
  const std::array<Py_intptr_t, 2> shape{x.rows(), x.cols()};
  py::object array = new_array(2, shape.data());
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<RowMajor>(numbers_of(array), x.rows(), x.cols()) = x;
  return py::reinterpret_borrow<py::array>(array);
}

void ResultArray::attach(const ResultShape& shape, Index states) noexcept {
  const auto& array = fields(array_.ptr());
  data_ = array.data;
  shape_ = shape;
  states_ = states < 0 ? 1 : states;
  const Py_intptr_t* strides = array.strides;
  if (states >= 0) by_state_ = *strides++;
  if (shape.dimensions > 0) by_row_ = *strides++;
  if (shape.dimensions > 1) by_column_ = *strides;
  const bool rows = shape.size[0] < 2 || by_row_ == shape.by_row * kBytes;
  const bool columns = shape.size[1] < 2 || by_column_ == shape.by_column * kBytes;
  as_stored_ = rows && columns && (states_ < 2 || by_state_ == shape.numbers() * kBytes);
}

void ResultArray::create(const ResultShape& shape, Index states) {
  std::array<Py_intptr_t, 3> sizes{states, shape.size[0], shape.size[1]};
  array_ = states < 0 ? new_array(shape.dimensions, shape.size.data())
                      : new_array(shape.dimensions + 1, sizes.data());
  attach(shape, states);
}

void ResultArray::use(PyObject* out, const char* function, const ResultShape& shape, Index states) {
  std::array<Py_intptr_t, 3> sizes{states, shape.size[0], shape.size[1]};
  const Py_intptr_t* const expected = states < 0 ? shape.size.data() : sizes.data();
  const int dimensions = shape.dimensions + (states < 0 ? 0 : 1);
  const std::string what = std::string(function) + "(): out ";
  if (!is_array(out)) type_error(what + "must be a NumPy array.");
  const auto& array = fields(out);
  if (array.nd != dimensions || !std::equal(expected, expected + dimensions, array.dimensions)) {
    throw std::invalid_argument(what + "has the shape " + shape_text(array.dimensions, array.nd) +
                                ", expected " + shape_text(expected, dimensions) + ".");
  }
  if (!is_float64(out)) {
    type_error(what + "has the type " + type_name(out) + ", expected aligned float64.");
  }
  if (!py::detail::check_flags(out, Numpy::NPY_ARRAY_WRITEABLE_)) {
    throw std::invalid_argument(what + "is read-only.");
  }
  array_ = py::reinterpret_borrow<py::object>(out);
  attach(shape, states);
}

void ResultArray::write(const double* numbers, Index state, Index count) const noexcept {
  const Index size = shape_.numbers();
  char* target = data_ + state * by_state_;
  if (as_stored_) {
    std::memcpy(target, numbers, to_size(size * count) * sizeof(double));
    return;
  }
  for (Index i = 0; i < count; ++i, target += by_state_, numbers += size) {
    for (Index r = 0; r < shape_.size[0]; ++r) {
      for (Index c = 0; c < shape_.size[1]; ++c) {
        const double* const from = numbers + r * shape_.by_row + c * shape_.by_column;
        std::memcpy(target + r * by_row_ + c * by_column_, from, sizeof(double));
      }
    }
  }
}

std::array<const char*, 2> ResultArray::bytes() const noexcept {
  const char* first = data_;
  const char* last = data_ + kBytes;
  const auto extend = [&](Py_intptr_t step, Index count) {
    (step < 0 ? first : last) += step * (count - 1);
  };
  extend(by_state_, states_);
  extend(by_row_, shape_.size[0]);
  extend(by_column_, shape_.size[1]);
  return {first, last};
}

}  // namespace spatial_dynamics::python

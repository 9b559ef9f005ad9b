// A call of a function of the library from Python: its arguments, for one state or for a batch.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model_object.hpp"
#include "numpy_arrays.hpp"
#include "spatial_dynamics/dynamics/derivatives.hpp"

namespace spatial_dynamics::python {

inline constexpr std::size_t kMostResults = 4;

/// The results of one call, where the library stores them.
struct Results {
  // NOLINTBEGIN(google-explicit-constructor): what the library's functions return
  Results(const double* numbers) : arrays{numbers} {}
  template <typename Derived>
  Results(const Eigen::PlainObjectBase<Derived>& x) : arrays{x.data()} {}
  Results(const BatchData::Result& x) : arrays{x.data()} {}
  Results(const std::vector<Force>& wrenches)
      : arrays{reinterpret_cast<const double*>(wrenches.data())} {}
  template <typename D, typename = decltype(D::dtau_dq)>
  Results(const D& d) : arrays{d.dtau_dq.data(), d.dtau_dv.data(), d.dtau_da.data()} {}
  template <typename D, typename = decltype(D::da_dq), typename = void>
  Results(const D& d) : arrays{d.da_dq.data(), d.da_dv.data(), d.da_dtau.data(), d.a.data()} {}
  // Values, which no Data stores.
  Results(double x) : few{x} {}
  Results(const Vector3& x) { few_numbers<3>() = x; }
  Results(const Motion& x) { few_numbers<6>() = x.vector(); }
  Results(const Force& x) { few_numbers<6>() = x.vector(); }
  /// As in batches: position, then quaternion x, y, z, w.
  Results(const Transform& pose) {
    few_numbers<7>() << pose.position(), Quaternion(pose.rotation()).coeffs();
  }
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] const double* at(std::size_t k) const noexcept {
    const double* const stored = arrays[k];
    return stored != nullptr ? stored : few.data();
  }

  std::array<const double*, kMostResults> arrays{};
  std::array<double, 7> few{};

 private:
  template <int kSize>
  Eigen::Map<Eigen::Matrix<double, kSize, 1>> few_numbers() noexcept {
    return Eigen::Map<Eigen::Matrix<double, kSize, 1>>(few.data());
  }
};

/// Arguments that do not depend on the number of states.
struct Options {
  Index link = 0;
  Frame frame = Frame::kLocalWorldAligned;
  double dt = 0.0;  ///< s
};

inline constexpr std::size_t kMostStates = 3;  ///< arguments like q, v and a

/// The arguments of a call for one state, as the library's functions expect them.
struct OneState {
  const Model& model;
  DataObject& object;
  Data& data;
  const std::array<ArrayArgument, kMostStates>& states;
  const ExternalForces& external;
  const Options& options;

  [[nodiscard]] Eigen::Map<const VectorXd> x(std::size_t k) const noexcept {
    return {states[k].data(), states[k].size(0)};
  }
};

/// The same for a piece of a batch: the states from `first` on.
struct ManyStates {
  const Model& model;
  Worker& worker;
  BatchData& data;
  const std::array<ArrayArgument, kMostStates>& states;
  const BatchForces& external;
  const Options& options;
  Index first, count;

  using View = StatesView::Map;
  [[nodiscard]] View x(std::size_t k) const noexcept {
    const ArrayArgument& a = states[k];
    return {a.data() + first * a.stride(), a.size(1), count, Eigen::OuterStride<>(a.stride())};
  }
};

/// Further arguments and properties of a function.
enum class Extra : unsigned {
  kNone = 0,
  kLink = 1,
  kFrame = 2,
  kExternal = 4,
  kDt = 8,
  kSingular = 16,  ///< some states have no unique result
};
constexpr Extra operator|(Extra a, Extra b) noexcept {
  return static_cast<Extra>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool has(Extra all, Extra one) noexcept {
  return (static_cast<unsigned>(all) & static_cast<unsigned>(one)) != 0;
}

/// The shape of each kind of result.
enum class ResultKind {
  kNone,
  kNumber,      ///< a number
  kPoint,       ///< 3
  kMotion,      ///< 6
  kPose,        ///< 7
  kPositions,   ///< nq
  kVelocities,  ///< nv
  kMatrix,      ///< nv x nv
  kJacobian,    ///< 6 x nv
  kRegressor,   ///< nv x 10 links
  kWrenches,    ///< bodies x 6
};
ResultShape shape_of(ResultKind kind, const Model& model) noexcept;

/// One function of the library, as a row of the table in functions.cpp.
struct Function {
  const char* name;
  std::array<const char*, kMostStates> states;  ///< names; those with q have nq numbers, others nv
  std::size_t required;                         ///< of the states
  Extra extras;
  Dense dense;  ///< what must be reserved
  std::array<ResultKind, kMostResults> results;
  Results (*one)(const OneState&);
  Results (*many)(const ManyStates&);
  const char* what;              ///< description
  const char* returns;           ///< units and shape of the result
  const char* tuple = nullptr;   ///< the type of several results
  const char* fields = nullptr;  ///< their names
};

/// What calls of one function need; made once, at import.
class Signature {
 public:
  enum Parameter : std::size_t {
    kModel,
    kState,
    kLink = kState + kMostStates,
    kFrame,
    kExternal,
    kDt,
    kOut,
    kData,
    kThreads,
    kParameterCount
  };

  Signature(const Function& function, py::module_& module);

  /// The value of each parameter, null if it is not given. Throws a Python TypeError.
  using Values = std::array<PyObject*, kParameterCount>;
  [[nodiscard]] Values values(PyObject* const* arguments, Py_ssize_t count,
                              PyObject* keywords) const;
  /// In the form that inspect.signature() reads, then the description.
  [[nodiscard]] std::string document() const;

  const Function& function;
  std::size_t result_count = 0;
  PyTypeObject* tuple = nullptr;  ///< of several results

 private:
  struct Entry {
    Parameter parameter;
    PyObject* name;       // interned
    const char* missing;  // the text of its default value; null if it is required
  };
  void add(Parameter parameter, const char* name, const char* missing);
  [[nodiscard]] const Entry* find(PyObject* name) const;

  std::vector<Entry> entries_;
  std::size_t positional_ = 0;  // the entries after these are given by name
};

/// Computes a function with the arguments of METH_FASTCALL | METH_KEYWORDS. Null, with a Python
/// error, if an argument is wrong.
PyObject* call_function(const Signature& signature, PyObject* const* arguments, Py_ssize_t count,
                        PyObject* keywords) noexcept;

}  // namespace spatial_dynamics::python

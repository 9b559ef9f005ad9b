// Arguments of the dynamics functions: views of numbers that the caller owns.
#pragma once

#include "spatial_dynamics/model/joint.hpp"

namespace spatial_dynamics {

/// A read-only vector argument: a pointer and a size, passed by value. Never copies, never
/// allocates.
///
/// Accepts vectors with contiguous numbers: VectorXd, fixed-size vectors, segments, columns of a
/// matrix, Map, Ref, and every vector that a function of this library returns. Everything else is a
/// compile-time error: an expression such as `2 * a` would need an allocated temporary, and the row
/// of a matrix has a stride.
class VectorView {
 public:
  template <typename Derived>
  VectorView(const Eigen::EigenBase<Derived>& x) noexcept  // NOLINT(google-explicit-constructor)
      : VectorView(Numbers<Derived>::of(x.derived())) {}

  [[nodiscard]] const double* data() const noexcept { return data_; }
  [[nodiscard]] Index size() const noexcept { return size_; }
  [[nodiscard]] Eigen::Map<const VectorXd> map() const noexcept { return {data_, size_}; }

 private:
  VectorView(const double* data, Index size) noexcept : data_(data), size_(size) {}

  template <typename Derived>
  struct Numbers {
    static VectorView of(const Derived& x) noexcept {
      using Traits = Eigen::internal::traits<Derived>;
      constexpr bool kStored = (Traits::Flags & Eigen::DirectAccessBit) != 0;
      constexpr bool kVector = Traits::RowsAtCompileTime == 1 || Traits::ColsAtCompileTime == 1;
      constexpr bool kDouble = std::is_same_v<typename Traits::Scalar, double>;
      static_assert(kStored,
                    "spatial_dynamics: this argument is an expression, which would be evaluated "
                    "into an allocated temporary. Assign it to a VectorXd first.");
      static_assert(kDouble, "spatial_dynamics: this argument must be a vector of double.");
      static_assert(kVector, "spatial_dynamics: this argument must be a vector, not a matrix.");
      if constexpr (kStored && kVector && kDouble) {
        constexpr bool kDense = Eigen::internal::inner_stride_at_compile_time<Derived>::ret == 1;
        static_assert(kDense,
                      "spatial_dynamics: the numbers of this argument are not stored one after the "
                      "other (a row of a matrix?). Assign it to a VectorXd first.");
        return {x.data(), x.size()};
      } else {
        return {nullptr, 0};
      }
    }
  };

  const double* data_;
  Index size_;
};

/// A read-only matrix argument with one state per column, passed by value. Never copies, never
/// allocates.
///
/// Accepts MatrixXd, blocks of columns or of rows, Map and Ref, with any distance between columns.
/// An expression, a transposed or row-major matrix and another scalar type are compile-time errors.
class StatesView {
 public:
  template <typename Derived>
  StatesView(const Eigen::EigenBase<Derived>& x) noexcept  // NOLINT(google-explicit-constructor)
      : StatesView(Numbers<Derived>::of(x.derived())) {}

  [[nodiscard]] const double* data() const noexcept { return data_; }
  [[nodiscard]] Index rows() const noexcept { return rows_; }
  [[nodiscard]] Index cols() const noexcept { return cols_; }
  /// Numbers from the start of a column to the start of the next.
  [[nodiscard]] Index stride() const noexcept { return stride_; }
  using Map = Eigen::Map<const MatrixXd, 0, Eigen::OuterStride<>>;
  [[nodiscard]] Map map() const noexcept {
    return {data_, rows_, cols_, Eigen::OuterStride<>(stride_)};
  }

 private:
  StatesView(const double* data, Index rows, Index cols, Index stride) noexcept
      : data_(data), rows_(rows), cols_(cols), stride_(stride) {}

  template <typename Derived>
  struct Numbers {
    static StatesView of(const Derived& x) noexcept {
      using Traits = Eigen::internal::traits<Derived>;
      constexpr bool kStored = (Traits::Flags & Eigen::DirectAccessBit) != 0;
      constexpr bool kByColumns = (Traits::Flags & Eigen::RowMajorBit) == 0;
      constexpr bool kDouble = std::is_same_v<typename Traits::Scalar, double>;
      static_assert(kStored,
                    "spatial_dynamics: this argument is an expression, which would be evaluated "
                    "into an allocated temporary. Assign it to a MatrixXd first.");
      static_assert(kDouble, "spatial_dynamics: this argument must be a matrix of double.");
      static_assert(kByColumns,
                    "spatial_dynamics: this argument must be stored column by column, one state "
                    "per column. Assign it to a MatrixXd first.");
      if constexpr (kStored && kByColumns && kDouble) {
        constexpr bool kDense = Eigen::internal::inner_stride_at_compile_time<Derived>::ret == 1;
        static_assert(kDense,
                      "spatial_dynamics: the numbers of a column of this argument are not stored "
                      "one after the other. Assign it to a MatrixXd first.");
        return {x.data(), x.rows(), x.cols(), x.outerStride()};
      } else {
        return {nullptr, 0, 0, 0};
      }
    }
  };

  const double* data_;
  Index rows_, cols_, stride_;
};

}  // namespace spatial_dynamics

// A product of small matrices; one has the zeros of a tree.
#pragma once

#include <cstddef>

#include "kernels/layout.hpp"
#include "long_lanes.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// sum -= A(row.., j) B(j, column..)
template <int kParts, typename V>
[[gnu::always_inline]] inline void subtract_outer(std::ptrdiff_t n, std::ptrdiff_t j,
                                                  const double* A, const double* B,
                                                  V (&sum)[kParts][kLanes]) noexcept {
#pragma GCC unroll 2
  for (int r = 0; r < kParts; ++r) {
    const V a = load<V>(A + n * j + kLength<V> * r);
#pragma GCC unroll 4
    for (int c = 0; c < kLanes; ++c) sum[r][c] -= a * B[n * c + j];
  }
}

/// The rows from `row` on, as many as kParts registers have, and columns `column` to column + 4 of
/// -A B. The non-zeros of B in these columns are in rows from `column` to `last` and on the path
/// from there to the base: the paths of the other columns are on that path too, or among these
/// rows, because a tree is numbered depth first.
template <int kParts, typename V>
[[gnu::always_inline]] inline void negative_block(const FactorRows& rows, std::ptrdiff_t row,
                                                  std::ptrdiff_t column, std::ptrdiff_t last,
                                                  const double* A, const double* B,
                                                  double* result) noexcept {
  const std::ptrdiff_t n = rows.count;
  V sum[kParts][kLanes] = {};  // in registers, once the loops over it are unrolled
  A += row;
  B += n * column;
  for (std::ptrdiff_t j = column; j <= last; ++j) subtract_outer(n, j, A, B, sum);
  for (std::ptrdiff_t j = rows.parent[column]; j >= 0; j = rows.parent[j]) {
    subtract_outer(n, j, A, B, sum);
  }
#pragma GCC unroll 2
  for (int r = 0; r < kParts; ++r) {
#pragma GCC unroll 4
    for (int c = 0; c < kLanes; ++c) {
      store(sum[r][c], result + n * (column + c) + row + kLength<V> * r);
    }
  }
}

/// Four columns: as many rows at once as are left, where blocks at the end overlap previous ones.
inline void negative_columns(const FactorRows& rows, std::ptrdiff_t column, const double* A,
                             const double* B, double* result) noexcept {
  constexpr std::ptrdiff_t kLong = kLength<LongLanes>;
  const std::ptrdiff_t n = rows.count;
  std::ptrdiff_t last = column;
  for (std::ptrdiff_t c = column; c < column + kLanes; ++c) {
    if (rows.last[c] > last) last = rows.last[c];
  }
  std::ptrdiff_t row = 0;
  for (; n - row > kLong && n >= 2 * kLong; row += 2 * kLong) {
    const std::ptrdiff_t start = row + 2 * kLong <= n ? row : n - 2 * kLong;
    negative_block<2, LongLanes>(rows, start, column, last, A, B, result);
  }
  for (; n - row > kLanes && n >= kLong; row += kLong) {
    const std::ptrdiff_t start = row + kLong <= n ? row : n - kLong;
    negative_block<1, LongLanes>(rows, start, column, last, A, B, result);
  }
  for (; row < n; row += kLanes) {
    const std::ptrdiff_t start = row + kLanes <= n ? row : n - kLanes;
    negative_block<1, Lanes>(rows, start, column, last, A, B, result);
  }
}

/// result = -A B, column by column, where B(k, i) is zero unless k is beyond i or i beyond k: the
/// columns from `begin` to before `end`, and maybe up to three more.
inline void negative_product(const FactorRows& rows, int begin, int end, const double* A,
                             const double* B, double* result) noexcept {
  const int n = rows.count;
  for (int c = begin; c < end && n >= kLanes; c += kLanes) {
    negative_columns(rows, c + kLanes <= n ? c : n - kLanes, A, B, result);
  }
  for (int c = begin; c < end && n < kLanes; ++c) {
    for (int r = 0; r < n; ++r) {
      double sum = 0.0;
      for (int j = 0; j < n; ++j) sum -= A[n * j + r] * B[n * c + j];
      result[n * c + r] = sum;
    }
  }
}

}  // namespace
}  // namespace spatial_dynamics::kernels

// A product of small matrices; one has the zeros of a tree.
#pragma once

#include <cstddef>

#include "kernels/layout.hpp"
#include "lanes.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// sum -= A(row.., j) B(j, column..)
template <int kRows>
[[gnu::always_inline]] inline void subtract_outer(std::ptrdiff_t n, std::ptrdiff_t j,
                                                  const double* A, const double* B,
                                                  Lanes (&sum)[kRows][kLanes]) noexcept {
#pragma GCC unroll 2
  for (int r = 0; r < kRows; ++r) {
    const Lanes a = load_lanes(A + n * j + kLanes * r);
#pragma GCC unroll 4
    for (int c = 0; c < kLanes; ++c) sum[r][c] -= a * B[n * c + j];
  }
}

/// Rows `row` to row + 4 kRows and columns `column` to column + 4 of -A B. The non-zeros of B in
/// these columns are in rows from `column` to `last` and on the path from there to the base: the
/// paths of the other columns are on that path too, or among these rows, because a tree is numbered
/// depth first.
template <int kRows>
[[gnu::always_inline]] inline void negative_block(const FactorRows& rows, std::ptrdiff_t row,
                                                  std::ptrdiff_t column, std::ptrdiff_t last,
                                                  const double* A, const double* B,
                                                  double* result) noexcept {
  const std::ptrdiff_t n = rows.count;
  Lanes sum[kRows][kLanes] = {};  // in registers, once the loops over it are unrolled
  A += row;
  B += n * column;
  for (std::ptrdiff_t j = column; j <= last; ++j) subtract_outer(n, j, A, B, sum);
  for (std::ptrdiff_t j = rows.parent[column]; j >= 0; j = rows.parent[j]) {
    subtract_outer(n, j, A, B, sum);
  }
#pragma GCC unroll 2
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int c = 0; c < kLanes; ++c) {
      store_lanes(sum[r][c], result + n * (column + c) + row + kLanes * r);
    }
  }
}
template <int kRows>
inline void negative_blocks(const FactorRows& rows, std::ptrdiff_t begin, std::ptrdiff_t end,
                            const double* A, const double* B, double* result) noexcept {
  constexpr std::ptrdiff_t kHeight = kLanes * kRows;
  const std::ptrdiff_t n = rows.count;
  for (std::ptrdiff_t column = begin; column < end; column += kLanes) {
    const std::ptrdiff_t left = column + kLanes <= n ? column : n - kLanes;
    std::ptrdiff_t last = left;
    for (std::ptrdiff_t c = left; c < left + kLanes; ++c) {
      if (rows.last[c] > last) last = rows.last[c];
    }
    for (std::ptrdiff_t row = 0; row < n; row += kHeight) {
      negative_block<kRows>(rows, row + kHeight <= n ? row : n - kHeight, left, last, A, B, result);
    }
  }
}

/// result = -A B, column by column, where B(k, i) is zero unless k is beyond i or i beyond k: the
/// columns from `begin` to before `end`, and maybe up to three more. Blocks at the edges overlap
/// the previous ones.
inline void negative_product(const FactorRows& rows, int begin, int end, const double* A,
                             const double* B, double* result) noexcept {
  const int n = rows.count;
  if (n >= 2 * kLanes) return negative_blocks<2>(rows, begin, end, A, B, result);
  if (n >= kLanes) return negative_blocks<1>(rows, begin, end, A, B, result);
  for (int c = begin; c < end; ++c) {
    for (int r = 0; r < n; ++r) {
      double sum = 0.0;
      for (int j = 0; j < n; ++j) sum -= A[n * j + r] * B[n * c + j];
      result[n * c + r] = sum;
    }
  }
}

}  // namespace
}  // namespace spatial_dynamics::kernels

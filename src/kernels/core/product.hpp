// A product of small matrices.
#pragma once

#include <cstddef>

#include "lanes.hpp"

namespace spatial_dynamics {
namespace {

/// Rows `row` to row + 4 kRows and columns `column` to column + 4 of -A B.
template <int kRows>
[[gnu::always_inline]] inline void negative_block(std::ptrdiff_t n, std::ptrdiff_t row,
                                                  std::ptrdiff_t column, const double* A,
                                                  const double* B, double* result) noexcept {
  Lanes sum[kRows][kLanes] = {};  // in registers, once the loops over it are unrolled
  for (std::ptrdiff_t j = 0; j < n; ++j) {
#pragma GCC unroll 2
    for (int r = 0; r < kRows; ++r) {
      const Lanes a = load_lanes(A + n * j + row + kLanes * r);
#pragma GCC unroll 4
      for (int c = 0; c < kLanes; ++c) sum[r][c] -= a * B[n * (column + c) + j];
    }
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
inline void negative_blocks(std::ptrdiff_t n, const double* A, const double* B,
                            double* result) noexcept {
  constexpr std::ptrdiff_t kHeight = kLanes * kRows;
  for (std::ptrdiff_t column = 0; column < n; column += kLanes) {
    const std::ptrdiff_t left = column + kLanes <= n ? column : n - kLanes;
    for (std::ptrdiff_t row = 0; row < n; row += kHeight) {
      negative_block<kRows>(n, row + kHeight <= n ? row : n - kHeight, left, A, B, result);
    }
  }
}

/// result = -A B, n x n, column by column. Blocks at the edges overlap the ones before.
inline void negative_product(int n, const double* A, const double* B, double* result) noexcept {
  if (n >= 2 * kLanes) return negative_blocks<2>(n, A, B, result);
  if (n >= kLanes) return negative_blocks<1>(n, A, B, result);
  for (int c = 0; c < n; ++c) {
    for (int r = 0; r < n; ++r) {
      double sum = 0.0;
      for (int j = 0; j < n; ++j) sum -= A[n * j + r] * B[n * c + j];
      result[n * c + r] = sum;
    }
  }
}

}  // namespace
}  // namespace spatial_dynamics

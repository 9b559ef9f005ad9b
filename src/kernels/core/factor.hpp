// M = L' D L, which preserves the zeros of a branching tree, and solutions with it.
//
// Row k of M is stored from the base to its diagonal: only the entries with coordinates on the path
// to the base; the others are zero and stay zero. The row of an ancestor is as long as the part of
// row k that it changes, so that elimination runs along contiguous numbers; and the rows that
// change row i are those of the coordinates beyond it, which follow it without a gap. Only U = D L
// is stored: L itself is not needed.
#pragma once

#include "kernels/layout.hpp"
#include "long_lanes.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// A pivot below this fraction of its magnitude without cancellation is rounding error, not
/// inertia.
constexpr double kLeastPivot = 1e-14;

inline bool is_pivot(double pivot, double before, double scale) noexcept {
  return pivot > kLeastPivot * before && pivot > kLeastPivot * scale;
}
/// In a batch every state has a pivot.
inline bool is_pivot(const Lanes& pivot, const Lanes& before, double scale) noexcept {
  return !any(~((pivot > kLeastPivot * before) & (pivot > kLeastPivot * scale)));
}

/// own -= sum over the rows k beyond i of U(k, i) / D_k U(k, .): entries `first` to first + 4
/// kWidth of row i. Rows are padded to a multiple of 4 numbers.
template <int kWidth>
[[gnu::always_inline]] inline void eliminate_block(const FactorRows& rows, int i, int first,
                                                   const double* inverse, double* packed) noexcept {
  double* const own = packed + rows.start[i] + first;
  const int depth = rows.depth[i];
  Lanes sum[kWidth];  // in registers, once the loops over it are unrolled
#pragma GCC unroll 2
  for (int b = 0; b < kWidth; ++b) sum[b] = load_lanes(own + kLanes * b);
  for (int k = rows.last[i]; k > i; --k) {
    const double* const other = packed + rows.start[k];
    const double l = other[depth] * inverse[k];
#pragma GCC unroll 2
    for (int b = 0; b < kWidth; ++b) sum[b] -= l * load_lanes(other + first + kLanes * b);
  }
#pragma GCC unroll 2
  for (int b = 0; b < kWidth; ++b) store_lanes(sum[b], own + kLanes * b);
}

/// Row i of U from row i of M, with 1/D_i and x_i, after the rows beyond it: the first 4 kWidth
/// entries. `next` is 1/D of row i + 1 if that is beyond i; it is available last and used last, so
/// that no other operation waits for it. Returns 1/D_i, or 0 if the pivot is rounding error.
template <int kWidth, bool kSolve>
[[gnu::always_inline]] inline double eliminate_row(const FactorRows& rows, int i, double next,
                                                   double* inverse, double* packed,
                                                   double* x) noexcept {
  double* const own = packed + rows.start[i];
  const int depth = rows.depth[i], last = rows.last[i];
  const double before = own[depth];
  double pivot = before, drive = kSolve ? x[i] : 0.0;
  if (last > i) {
    Lanes sum[kWidth];
#pragma GCC unroll 2
    for (int b = 0; b < kWidth; ++b) sum[b] = load_lanes(own + kLanes * b);
    const auto take = [&](int k, double inverse_k) {
      const double* const other = packed + rows.start[k];
      const double u = other[depth], l = u * inverse_k;
      if constexpr (kSolve) drive -= u * x[k];
#pragma GCC unroll 2
      for (int b = 0; b < kWidth; ++b) sum[b] -= l * load_lanes(other + kLanes * b);
      pivot -= l * u;
    };
    for (int k = last; k > i + 1; --k) take(k, inverse[k]);
    take(i + 1, next);
#pragma GCC unroll 2
    for (int b = 0; b < kWidth; ++b) store_lanes(sum[b], own + kLanes * b);
    int first = kLanes * kWidth;
    for (; first + kLanes <= depth; first += 2 * kLanes) {
      eliminate_block<2>(rows, i, first, inverse, packed);
    }
    if (first <= depth) eliminate_block<1>(rows, i, first, inverse, packed);
  }
  if (!is_pivot(pivot, before, rows.scale[i])) return 0.0;
  const double result = 1.0 / pivot;
  inverse[i] = result;
  if constexpr (kSolve) x[i] = drive * result;
  return result;
}

template <bool kSolve>
[[nodiscard]] bool factorise_numbers(const FactorRows& rows, double* packed, double* inverse,
                                     double* x) noexcept {
  double next = 0.0;
  for (int i = rows.count - 1; i >= 0; --i) {
    next = rows.depth[i] < kLanes ? eliminate_row<1, kSolve>(rows, i, next, inverse, packed, x)
                                  : eliminate_row<2, kSolve>(rows, i, next, inverse, packed, x);
    if (next == 0.0) return false;
  }
  return true;
}

/// x_i of D^-1 L'^-1 x, after those beyond it.
template <typename T>
[[gnu::always_inline]] inline T solve_row_inward(const FactorRows& rows, int i, const T* packed,
                                                 const T* inverse, const T* x) noexcept {
  T sum = x[i];
  const T* const column = packed + rows.depth[i];
  for (int k = rows.last[i]; k > i; --k) sum -= column[rows.start[k]] * x[k];
  return sum * inverse[i];
}

/// Overwrites the packed rows of M with U except for its diagonal, writes 1/D into `inverse`, and x
/// <- D^-1 L'^-1 x unless x is null. False if a pivot is rounding error; then the rest is not
/// computed.
template <typename T>
[[nodiscard]] bool factorise(const FactorRows& rows, T* packed, T* inverse, T* x) noexcept {
  for (int i = rows.count - 1; i >= 0; --i) {
    T* const own = packed + rows.start[i];
    const int depth = rows.depth[i];
    const T before = own[depth];
    for (int k = rows.last[i]; k > i; --k) {
      const T* const other = packed + rows.start[k];
      const T l = other[depth] * inverse[k];
      for (int e = 0; e <= depth; ++e) own[e] -= l * other[e];
    }
    if (!is_pivot(own[depth], before, rows.scale[i])) return false;
    inverse[i] = 1.0 / own[depth];
    if (x) x[i] = solve_row_inward(rows, i, packed, inverse, x);
  }
  return true;
}
[[nodiscard]] inline bool factorise(const FactorRows& rows, double* packed, double* inverse,
                                    double* x) noexcept {
  return x ? factorise_numbers<true>(rows, packed, inverse, x)
           : factorise_numbers<false>(rows, packed, inverse, nullptr);
}

/// x <- D^-1 L'^-1 x.
template <typename T>
void solve_inward(const FactorRows& rows, const T* packed, const T* inverse, T* x) noexcept {
  for (int i = rows.count - 1; i >= 0; --i) x[i] = solve_row_inward(rows, i, packed, inverse, x);
}
/// x <- L^-1 x, which completes M^-1 x. Each x_i is subtracted from all entries beyond it at once,
/// which are independent of each other; the first of them, which is used next, stays in a register.
template <typename T>
void solve_outward(const FactorRows& rows, const T* packed, const T* inverse, T* x) noexcept {
  T known = rows.count > 0 ? x[0] : T{};
  for (int i = 0; i + 1 < rows.count; ++i) {
    const T* const column = packed + rows.depth[i];
    const auto taken = [&](int k) { return x[k] - (column[rows.start[k]] * inverse[k]) * known; };
    const bool is_behind = rows.last[i] > i;
    const T next = is_behind ? taken(i + 1) : x[i + 1];
    if (is_behind) x[i + 1] = next;
    for (int k = i + 2; k <= rows.last[i]; ++k) x[k] = taken(k);
    known = next;
  }
}

/// Rows `first` and following of column k of X = M^-1, as many as kWidth registers have, from the
/// columns on the path from k to the base; few registers in two independent sums.
template <int kWidth, typename V>
[[gnu::always_inline]] inline void invert_block(const FactorRows& rows, std::int32_t k,
                                                std::int64_t first, const double* packed,
                                                double inverse, double* X) noexcept {
  const std::int64_t n = rows.count;
  V sum[2][kWidth] = {};  // in registers
  const double* u = packed + rows.diagonal(k);
  const auto take = [&](std::int32_t j, int part) {
    const double factor = *--u;
    const double* const other = X + n * j + first;
#pragma GCC unroll 4
    for (int b = 0; b < kWidth; ++b) sum[part][b] -= factor * load<V>(other + kLength<V> * b);
    return rows.parent[j];
  };
  for (std::int32_t j = rows.parent[k]; j >= 0;) {
    j = take(j, 0);
    if (j >= 0) j = take(j, 1);
  }
#pragma GCC unroll 4
  for (int b = 0; b < kWidth; ++b) {
    store(inverse * (sum[0][b] + sum[1][b]), X + n * k + first + kLength<V> * b);
  }
}
/// The same one by one.
inline void invert_rest(const FactorRows& rows, std::int32_t k, std::int64_t first,
                        const double* packed, double inverse, double* X) noexcept {
  const std::int64_t n = rows.count;
  for (std::int64_t i = first; i < k; ++i) {
    double sum = 0.0;
    const double* u = packed + rows.diagonal(k);
    for (std::int32_t j = rows.parent[k]; j >= 0; j = rows.parent[j]) sum -= *--u * X[n * j + i];
    X[n * k + i] = inverse * sum;
  }
}

/// X = M^-1 from the factor, both halves, column by column. L X = D^-1 L'^-1 has nothing below its
/// diagonal: for i < k X(k, i) = -1/D_k sum of U(k, j) X(j, i) over the j from k to the base, and
/// X(k, k) = 1/D_k (1 - sum of U(k, j) X(j, k)).
inline void invert(const FactorRows& rows, const double* packed, const double* inverse,
                   double* X) noexcept {
  constexpr std::int64_t kLong = kLength<LongLanes>;
  const std::int64_t n = rows.count;
  for (std::int32_t k = 0; k < rows.count; ++k) {
    // Blocks may extend past the diagonal and into the next columns, which are written later,
    // except in the last column.
    const std::int64_t end = k + 1 < n ? n * (n - k) : n;
    std::int64_t first = 0;
    while (k - first > 3 * kLong && first + 4 * kLong <= end) {
      invert_block<4, LongLanes>(rows, k, first, packed, inverse[k], X);
      first += 4 * kLong;
    }
    if (k - first > kLong && first + 2 * kLong <= end) {
      invert_block<2, LongLanes>(rows, k, first, packed, inverse[k], X);
      first += 2 * kLong;
    }
    if (k - first > kLanes && first + kLong <= end) {
      invert_block<1, LongLanes>(rows, k, first, packed, inverse[k], X);
      first += kLong;
    }
    while (k - first > 0 && first + kLanes <= end) {
      invert_block<1, Lanes>(rows, k, first, packed, inverse[k], X);
      first += kLanes;
    }
    invert_rest(rows, k, first, packed, inverse[k], X);
    double* const column = X + n * k;
    double sum = 1.0, other = 0.0;
    const double* u = packed + rows.diagonal(k);
    for (std::int32_t j = rows.parent[k]; j >= 0; j = rows.parent[j]) {
      sum -= *--u * column[j];
      j = rows.parent[j];
      if (j < 0) break;
      other -= *--u * column[j];
    }
    column[k] = inverse[k] * (sum + other);
    double* mirrored = X + k;
    std::int32_t i = 0;
    for (; i + kLanes <= k; i += kLanes, mirrored += kLanes * n) {
      const Lanes x = load_lanes(column + i);
      mirrored[0] = x[0];
      mirrored[n] = x[1];
      mirrored[2 * n] = x[2];
      mirrored[3 * n] = x[3];
    }
    for (; i < k; ++i, mirrored += n) *mirrored = column[i];
  }
}

}  // namespace
}  // namespace spatial_dynamics::kernels

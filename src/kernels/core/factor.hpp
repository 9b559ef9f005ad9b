// M = L' D L, which keeps the zeros of a branching tree, and what follows from it.
//
// Row k of M is stored from the base to its diagonal: only the entries with coordinates on the way to the base, the others
// are zero and stay so. The row of an ancestor is as long as the part of row k that it changes, so that elimination runs along
// contiguous numbers.
#pragma once

#include "lanes.hpp"
#include "spatial_dynamics/kernels/layout.hpp"

namespace spatial_dynamics {
namespace {

/// A pivot smaller than this share of what it could be is rounding error, not inertia.
constexpr double kLeastPivot = 1e-14;

inline bool is_pivot(double pivot, double before, double scale) noexcept {
  return pivot > kLeastPivot * before && pivot > kLeastPivot * scale;
}
/// Of a batch: every state has one of its own.
inline bool is_pivot(const Lanes& pivot, const Lanes& before, double scale) noexcept {
  return !any(~((pivot > kLeastPivot * before) & (pivot > kLeastPivot * scale)));
}

/// row -= l * other, over `count` entries and the room behind them, which makes every row a multiple of 4 long.
inline void subtract(double l, const double* other, int count, double* row) noexcept {
  for (int e = 0; e < count; e += kLanes) {
    store_lanes(load_lanes(row + e) - l * load_lanes(other + e), row + e);
  }
}
template <typename T>
inline void subtract(const T& l, const T* other, int count, T* row) noexcept {
  for (int e = 0; e < count; ++e) row[e] -= l * other[e];
}

/// row *= s, over `count` entries and the room behind them.
inline void scale(double s, int count, double* row) noexcept {
  for (int e = 0; e < count; e += kLanes) store_lanes(s * load_lanes(row + e), row + e);
}
template <typename T>
inline void scale(const T& s, int count, T* row) noexcept {
  for (int e = 0; e < count; ++e) row[e] *= s;
}

/// Writes L over the packed rows and 1/D into `inverse`, and x <- L'^-1 x unless x is null. False if a pivot is none; then the
/// rest is not computed.
template <typename T>
[[nodiscard]] bool factorise(const FactorRows& rows, T* packed, T* inverse, T* x) noexcept {
  for (int k = 0; k < rows.count; ++k) inverse[k] = packed[rows.diagonal[k]];
  for (int k = rows.count - 1; k >= 0; --k) {
    const int depth = rows.depth[k];
    T* const own = packed + rows.diagonal[k] - depth;
    if (!is_pivot(own[depth], inverse[k], rows.scale[k])) return false;
    const T per_pivot = 1.0 / own[depth];
    inverse[k] = per_pivot;
    int i = rows.parent[k];
    for (int e = depth - 1; e >= 0; --e, i = rows.parent[i]) {
      const T l = own[e] * per_pivot;
      subtract(l, own, e + 1, packed + rows.diagonal[i] - e);  // M(i, .) -= l M(k, .)
      if (x) x[i] -= l * x[k];
    }
    scale(per_pivot, depth, own);  // and perhaps the pivot itself, which is not needed again
  }
  return true;
}

/// x <- L'^-1 x.
template <typename T>
void solve_inward(const FactorRows& rows, const T* packed, T* x) noexcept {
  for (int k = rows.count - 1; k >= 0; --k) {
    const T* l = packed + rows.diagonal[k];
    const T known = x[k];
    for (int i = rows.parent[k]; i >= 0; i = rows.parent[i]) x[i] -= *--l * known;
  }
}
/// x <- L^-1 D^-1 x: then x has become M^-1 x.
template <typename T>
void solve_outward(const FactorRows& rows, const T* packed, const T* inverse, T* x) noexcept {
  for (int k = 0; k < rows.count; ++k) {
    const T* l = packed + rows.diagonal[k];
    T sum = x[k] * inverse[k];
    for (int i = rows.parent[k]; i >= 0; i = rows.parent[i]) sum -= *--l * x[i];
    x[k] = sum;
  }
}

/// X = M^-1 from the factor, both halves, column by column. L X = D^-1 L'^-1 has nothing below its diagonal: for i < k
/// X(k, i) = -sum of L(k, j) X(j, i) over the j from k to the base, and X(k, k) = 1/D_k - sum of L(k, j) X(j, k).
inline void invert(const FactorRows& rows, const double* packed, const double* inverse,
                   double* X) noexcept {
  const std::int64_t n = rows.count;
  for (std::int32_t k = 0; k < rows.count; ++k) {
    double* const column = X + n * k;
    for (std::int32_t i = 0; i < k; ++i) column[i] = 0.0;
    const double* l = packed + rows.diagonal[k];
    for (std::int32_t j = rows.parent[k]; j >= 0; j = rows.parent[j]) {
      const double factor = *--l;
      const double* other = X + n * j;
      std::int32_t i = 0;
      for (; i + kLanes <= k; i += kLanes) {
        store_lanes(load_lanes(column + i) - factor * load_lanes(other + i), column + i);
      }
      for (; i < k; ++i) column[i] -= factor * other[i];
    }
    column[k] = inverse[k];
    l = packed + rows.diagonal[k];
    for (std::int32_t j = rows.parent[k]; j >= 0; j = rows.parent[j]) column[k] -= *--l * column[j];
    for (std::int32_t i = 0; i < k; ++i) X[n * i + k] = column[i];
  }
}

}  // namespace
}  // namespace spatial_dynamics

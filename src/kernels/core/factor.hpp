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

/// Writes L over the packed rows and 1/D into `inverse`. False if a pivot is none; then the rest is not computed.
template <typename T>
[[nodiscard]] bool factorise(const FactorRows& rows, T* packed, T* inverse) noexcept {
  for (int k = 0; k < rows.count; ++k) inverse[k] = packed[rows.diagonal[k]];
  for (int k = rows.count - 1; k >= 0; --k) {
    T* const diagonal = packed + rows.diagonal[k];
    if (!is_pivot(*diagonal, inverse[k], rows.scale[k])) return false;
    inverse[k] = 1.0 / *diagonal;
    T* own = diagonal;
    for (int i = rows.parent[k]; i >= 0; i = rows.parent[i]) {
      const T l = *--own * inverse[k];
      T* other = packed + rows.diagonal[i];
      // M(i, .) -= l M(k, .) from coordinate i to the base
      T* from = own;
      for (int e = i; e >= 0; e = rows.parent[e]) *other-- -= l * *from--;
      *own = l;
    }
  }
  return true;
}

/// x <- M^-1 x.
template <typename T>
void solve(const FactorRows& rows, const T* packed, const T* inverse, T* x) noexcept {
  for (int k = rows.count - 1; k >= 0; --k) {  // L'^-1
    const T* l = packed + rows.diagonal[k];
    for (int i = rows.parent[k]; i >= 0; i = rows.parent[i]) x[i] -= *--l * x[k];
  }
  for (int k = 0; k < rows.count; ++k) {  // L^-1 D^-1
    const T* l = packed + rows.diagonal[k];
    T sum = x[k] * inverse[k];
    for (int i = rows.parent[k]; i >= 0; i = rows.parent[i]) sum -= *--l * x[i];
    x[k] = sum;
  }
}

}  // namespace
}  // namespace spatial_dynamics

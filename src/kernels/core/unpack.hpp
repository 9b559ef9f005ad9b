// The mass matrices of a batch, from packed rows to full columns.
#pragma once

#include "kernels/layout.hpp"
#include "transpose.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// The entries of coordinate c with `count` coordinates from i on, which are on its path to the
/// base, into its columns.
inline void unpack_run(const FactorRows& rows, std::int32_t c, std::int32_t i, std::int32_t count,
                       const Lanes* own, double* const* matrices) noexcept {
  const std::ptrdiff_t at = std::ptrdiff_t{rows.count} * c + i;
  double* const to[kLanes] = {matrices[0] + at, matrices[1] + at, matrices[2] + at,
                              matrices[3] + at};
  from_lanes(count, reinterpret_cast<const double*>(own), to);
}

/// Writes n x n entries to each of four matrices, column by column, except those between
/// coordinates on different branches. `column` is scratch space for one column of lanes.
inline void unpack(const FactorRows& rows, const double* packed, double* column,
                   double* const* matrices) noexcept {
  const auto* const entries = reinterpret_cast<const Lanes*>(packed);
  auto* const x = reinterpret_cast<Lanes*>(column);
  for (std::int32_t c = 0; c < rows.count; ++c) {
    const std::int32_t depth = rows.depth[c], last = rows.last[c];
    const Lanes* own = entries + rows.diagonal(c);
    for (std::int32_t k = c; k <= last; ++k) x[k] = entries[rows.start[k] + depth];
    if (depth == c) {  // all previous coordinates are on the path to the base
      for (std::int32_t i = 0; i < c; ++i) x[i] = own[i - c];
      unpack_run(rows, c, 0, last + 1, x, matrices);
      continue;
    }
    unpack_run(rows, c, c, last - c + 1, x + c, matrices);
    // The path, in runs of coordinates that follow each other.
    for (std::int32_t i = rows.parent[c]; i >= 0;) {
      std::int32_t first = i;
      while (first > 0 && rows.parent[first] == first - 1) --first;
      own -= i - first + 1;
      unpack_run(rows, c, first, i - first + 1, own, matrices);
      i = rows.parent[first];
    }
  }
}

}  // namespace
}  // namespace spatial_dynamics::kernels

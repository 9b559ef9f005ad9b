// The mass matrices of a batch, from packed rows to full columns.
#pragma once

#include "kernels/layout.hpp"
#include "transpose.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// Column c in lanes: the entries on the path to the base, those beyond c, and zeros.
inline void unpack_column(const FactorRows& rows, std::int32_t c, const Lanes* packed,
                          Lanes* x) noexcept {
  const Lanes* const own = packed + rows.start[c];
  const std::int32_t depth = rows.depth[c], last = rows.last[c];
  if (depth == c) {  // all previous coordinates are on the path
    for (std::int32_t i = 0; i <= c; ++i) x[i] = own[i];
  } else {
    for (std::int32_t i = 0; i < c; ++i) x[i] = Lanes{};
    const Lanes* entry = own + depth;
    for (std::int32_t i = c; i >= 0; i = rows.parent[i]) x[i] = *entry--;
  }
  for (std::int32_t k = c + 1; k <= last; ++k) x[k] = packed[rows.start[k] + depth];
  for (std::int32_t k = last + 1; k < rows.count; ++k) x[k] = Lanes{};
}

/// Writes n x n entries to each of four matrices, column by column. `column` is scratch space for
/// one column of lanes.
inline void unpack(const FactorRows& rows, const double* packed, double* column,
                   double* const* matrices) noexcept {
  double* at[kLanes] = {matrices[0], matrices[1], matrices[2], matrices[3]};
  for (std::int32_t c = 0; c < rows.count; ++c) {
    unpack_column(rows, c, reinterpret_cast<const Lanes*>(packed),
                  reinterpret_cast<Lanes*>(column));
    from_lanes(rows.count, column, at);
    for (double*& matrix : at) matrix += rows.count;
  }
}

}  // namespace
}  // namespace spatial_dynamics::kernels

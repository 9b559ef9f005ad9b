// Conversion between a model's coordinates and unreduced coordinates, in which every mimic joint
// has one.
#pragma once

#include <algorithm>
#include <cassert>

#include "kernel_table.hpp"
#include "kernels/workspace.hpp"

namespace spatial_dynamics::kernels {

/// x in unreduced coordinates: x itself, or written into `buffer`.
inline const double* to_unreduced(const CompactModel& model, VectorIn x, double* buffer) noexcept {
  assert(x.size() == model.nv());
  if (!model.reduced()) return x.data();
  for (Index k = 0; k < model.layout().coordinates; ++k) {
    buffer[k] = model.unreduced_ratio(k) * x(model.unreduced_index(k));
  }
  return buffer;
}

/// Where a kernel writes torques in unreduced coordinates, and their reduction to `tau`.
inline double* unreduced_buffer(const CompactModel& model, VectorXd& tau, double* buffer) noexcept {
  return model.reduced() ? buffer : tau.data();
}
inline void from_unreduced(const CompactModel& model, const double* unreduced,
                           VectorXd& tau) noexcept {
  if (!model.reduced()) return;
  tau.setZero();
  for (Index k = 0; k < model.layout().coordinates; ++k) {
    tau(model.unreduced_index(k)) += model.unreduced_ratio(k) * unreduced[k];
  }
}

/// Wrenches on bodies in compact frames, or null.
inline const double* to_compact_frames(const CompactModel& model, Workspace& workspace,
                                       const Force* external) noexcept {
  if (external == nullptr) return nullptr;
  double* out = workspace.external.data();
  for (Index i = 1; i < model.body_count(); ++i, out += 6) {
    const Force f = model.frame(i).apply_star(external[i]);
    Eigen::Map<Vector3>{out} = f.force;
    Eigen::Map<Vector3>{out + 3} = f.moment;
  }
  return workspace.external.data();
}

/// The packed mass matrix in the model's coordinates, or its factor, and its sparsity.
struct PackedMatrix {
  const FactorRows& rows;
  double* packed;
};
inline PackedMatrix packed_matrix(const CompactModel& model, Workspace& workspace) noexcept {
  if (model.reduced()) return {model.reduced_rows(), workspace.reduced.data()};
  return {model.layout().rows, workspace.memory.scratch().packed};
}

/// A row of the packed mass matrix, entry by entry from the diagonal to the base: visit(k, other
/// coordinate, entry).
template <typename Visit>
void for_each_entry(const FactorRows& rows, const double* packed, const Visit& visit) noexcept {
  for (std::int32_t k = 0; k < rows.count; ++k) {
    const double* entry = packed + rows.diagonal(k);
    for (std::int32_t i = k; i >= 0; i = rows.parent[i]) visit(k, i, *entry--);
  }
}

/// Reduces the packed mass matrix in unreduced coordinates to G' M G in the packed form of the
/// model's coordinates.
inline void reduce_rows(const CompactModel& model, const double* packed, VectorXd& full) noexcept {
  full.setZero();
  for_each_entry(model.layout().rows, packed, [&](Index k, Index i, double entry) {
    const Index a = std::max(model.unreduced_index(k), model.unreduced_index(i));
    const Index b = std::min(model.unreduced_index(k), model.unreduced_index(i));
    // An off-diagonal entry represents two, which both add to one diagonal entry for a joint and
    // its leader.
    const double times = a == b && k != i ? 2.0 : 1.0;
    full(model.reduced_rows().start[a] + b) +=
        times * model.unreduced_ratio(k) * model.unreduced_ratio(i) * entry;
  });
}

/// Computes the packed mass matrix in the model's coordinates.
inline PackedMatrix packed_mass_matrix(const CompactModel& model, Workspace& workspace,
                                       VectorIn q) noexcept {
  assert(q.size() == model.nq());
  workspace.factor = 0;
  const KernelScratch& scratch = workspace.memory.scratch();
  model.kernels().mass_rows(model.layout(), scratch, q.data());
  if (model.reduced()) reduce_rows(model, scratch.packed, workspace.reduced);
  return packed_matrix(model, workspace);
}

}  // namespace spatial_dynamics::kernels

// Between a model's coordinates and the kernels' own, in which every mimic joint has one.
#pragma once

#include <algorithm>
#include <cassert>

#include "kernel_table.hpp"
#include "spatial_dynamics/kernels/workspace.hpp"

namespace spatial_dynamics {

/// x in own coordinates: x itself, or written into `room`.
inline const double* to_own(const CompactModel& model, VectorIn x, double* room) noexcept {
  assert(x.size() == model.nv());
  if (!model.reduced()) return x.data();
  for (Index k = 0; k < model.layout().coordinates; ++k) {
    room[k] = model.own_ratio(k) * x(model.own_index(k));
  }
  return room;
}

/// Where a kernel shall write torques that become `tau`, and how they do.
inline double* own_room(const CompactModel& model, VectorXd& tau, double* room) noexcept {
  return model.reduced() ? room : tau.data();
}
inline void from_own(const CompactModel& model, const double* own, VectorXd& tau) noexcept {
  if (!model.reduced()) return;
  tau.setZero();
  for (Index k = 0; k < model.layout().coordinates; ++k) {
    tau(model.own_index(k)) += model.own_ratio(k) * own[k];
  }
}

/// Wrenches on bodies in compact frames, or null.
inline const double* to_own(const CompactModel& model, Workspace& workspace,
                            const Force* external) noexcept {
  if (external == nullptr) return nullptr;
  double* out = workspace.external.data();
  for (Index i = 1; i < model.body_count(); ++i, out += 6) {
    const Force f = model.frame(i).apply_star(external[i]);
    Eigen::Map<Vector3>{out} = f.force;
    Eigen::Map<Vector3>{out + 3} = f.couple;
  }
  return workspace.external.data();
}

/// Where the packed mass matrix in the model's coordinates lies, or its factor, and its shape.
struct PackedMatrix {
  const FactorRows& rows;
  double* packed;
};
inline PackedMatrix packed_matrix(const CompactModel& model, Workspace& workspace) noexcept {
  if (model.reduced()) return {model.reduced_rows(), workspace.reduced.data()};
  return {model.layout().rows, workspace.memory.scratch().packed};
}

/// A row of the packed mass matrix, entry by entry from the diagonal to the base: visit(k, other coordinate, entry).
template <typename Visit>
void for_each_entry(const FactorRows& rows, const double* packed, const Visit& visit) noexcept {
  for (std::int32_t k = 0; k < rows.count; ++k) {
    const double* entry = packed + rows.diagonal(k);
    for (std::int32_t i = k; i >= 0; i = rows.parent[i]) visit(k, i, *entry--);
  }
}

/// The packed mass matrix in own coordinates, as G' M G in the packed full form of the model's.
inline void reduce_rows(const CompactModel& model, const double* packed, VectorXd& full) noexcept {
  full.setZero();
  for_each_entry(model.layout().rows, packed, [&](Index k, Index i, double entry) {
    const Index a = std::max(model.own_index(k), model.own_index(i));
    const Index b = std::min(model.own_index(k), model.own_index(i));
    // An entry off the diagonal stands for two, and both fall on one where a joint meets its leader.
    const double times = a == b && k != i ? 2.0 : 1.0;
    full(model.reduced_rows().start[a] + b) +=
        times * model.own_ratio(k) * model.own_ratio(i) * entry;
  });
}

}  // namespace spatial_dynamics

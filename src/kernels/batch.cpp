#include "spatial_dynamics/kernels/batch.hpp"

#include "coordinates.hpp"
#include "spatial_dynamics/kernels/forward_dynamics.hpp"

namespace spatial_dynamics {
namespace {

constexpr Index kLanes = 4;

/// The column of lane l in the group that starts at `first`: behind the last column, the last once more.
Index column_of(Index first, Index l, Index count) noexcept {
  return std::min(first + l, count - 1);
}

/// Numbers of four columns side by side.
void to_lanes(const CompactModel& model, StatesIn x, Index first, double* room) noexcept {
  const double* columns[kLanes];
  for (Index l = 0; l < kLanes; ++l) columns[l] = x.col(column_of(first, l, x.cols())).data();
  model.kernels().to_lanes(static_cast<int>(x.rows()), columns, room);
}
/// The same in own coordinates.
void to_own_lanes(const CompactModel& model, StatesIn x, Index first, double* room) noexcept {
  if (!model.reduced()) return to_lanes(model, x, first, room);
  for (Index l = 0; l < kLanes; ++l) {
    const double* column = x.col(column_of(first, l, x.cols())).data();
    for (Index k = 0; k < model.layout().coordinates; ++k) {
      room[kLanes * k + l] = model.own_ratio(k) * column[model.own_index(k)];
    }
  }
}
void from_own_lanes(const CompactModel& model, const double* room, Index first,
                    StatesOut& x) noexcept {
  const Index lanes = std::min(kLanes, x.cols() - first);
  if (!model.reduced() && lanes == kLanes) {
    double* columns[kLanes];
    for (Index l = 0; l < kLanes; ++l) columns[l] = x.col(first + l).data();
    return model.kernels().from_lanes(static_cast<int>(x.rows()), room, columns);
  }
  for (Index l = 0; l < lanes; ++l) {
    x.col(first + l).setZero();
    for (Index k = 0; k < model.layout().coordinates; ++k) {
      x(model.own_index(k), first + l) += model.own_ratio(k) * room[kLanes * k + l];
    }
  }
}

/// Columns `first` to `last` one by one.
Index solve_singly(const CompactModel& model, Workspace& workspace, Index first, Index last,
                   StatesIn q, StatesIn v, StatesIn tau, StatesOut& a) noexcept {
  Index singular = 0;
  for (Index i = first; i < last; ++i) {
    a.col(i) = forward_dynamics(model, workspace, q.col(i), v.col(i), tau.col(i));
    if (workspace.singular) ++singular;
  }
  return singular;
}

}  // namespace

BatchWorkspace::BatchWorkspace(const CompactModel& model) : memory(model, 4), single(model) {}

void inverse_dynamics_batch(const CompactModel& model, BatchWorkspace& workspace, StatesIn q,
                            StatesIn v, StatesIn a, StatesOut tau) noexcept {
  assert(q.rows() == model.nq() && v.rows() == model.nv() && a.rows() == model.nv());
  assert(v.cols() == q.cols() && a.cols() == q.cols() && tau.cols() == q.cols());
  const ScratchMemory& memory = workspace.memory;
  const KernelState state{memory.vector(0), memory.vector(1), memory.vector(2), nullptr};
  for (Index first = 0; first < q.cols(); first += kLanes) {
    to_lanes(model, q, first, memory.vector(0));
    to_own_lanes(model, v, first, memory.vector(1));
    to_own_lanes(model, a, first, memory.vector(2));
    model.kernels().inverse_dynamics_batch(model.layout(), memory.scratch(), state,
                                           memory.vector(3));
    from_own_lanes(model, memory.vector(3), first, tau);
  }
}

Index forward_dynamics_batch(const CompactModel& model, BatchWorkspace& workspace, StatesIn q,
                             StatesIn v, StatesIn tau, StatesOut a) noexcept {
  assert(q.rows() == model.nq() && v.rows() == model.nv() && tau.rows() == model.nv());
  assert(v.cols() == q.cols() && tau.cols() == q.cols() && a.cols() == q.cols());
  if (model.reduced()) {
    return solve_singly(model, workspace.single, 0, q.cols(), q, v, tau, a);
  }
  const ScratchMemory& memory = workspace.memory;
  const KernelState state{memory.vector(0), memory.vector(1), memory.vector(2), nullptr};
  const auto kernel = model.prefers_articulated() ? model.kernels().articulated_dynamics_batch
                                                  : model.kernels().forward_dynamics_batch;
  Index singular = 0;
  for (Index first = 0; first < q.cols(); first += kLanes) {
    const Index last = std::min(first + kLanes, q.cols());
    to_lanes(model, q, first, memory.vector(0));
    to_lanes(model, v, first, memory.vector(1));
    to_lanes(model, tau, first, memory.vector(2));
    const bool regular = kernel(model.layout(), memory.scratch(), state, memory.vector(3));
    from_own_lanes(model, memory.vector(3), first, a);
    // One state without an answer must not take the others' away.
    if (!regular || !a.middleCols(first, last - first).allFinite()) {
      singular += solve_singly(model, workspace.single, first, last, q, v, tau, a);
    }
  }
  return singular;
}

void mass_matrix_batch(const CompactModel& model, BatchWorkspace& workspace, StatesIn q,
                       StatesOut M) noexcept {
  const Index n = model.nv();
  assert(q.rows() == model.nq() && M.rows() == n * n && M.cols() == q.cols());
  const ScratchMemory& memory = workspace.memory;
  M.setZero();
  for (Index first = 0; first < q.cols(); first += kLanes) {
    to_lanes(model, q, first, memory.vector(0));
    model.kernels().mass_matrix_batch(model.layout(), memory.scratch(), memory.vector(0));
    const Index lanes = std::min(kLanes, q.cols() - first);
    const FactorRows& rows = model.layout().rows;
    for (std::int32_t k = 0; k < rows.count; ++k) {
      const double* entry = memory.scratch().packed + kLanes * rows.diagonal(k);
      const Index row = model.own_index(k);
      for (std::int32_t i = k; i >= 0; i = rows.parent[i], entry -= kLanes) {
        const Index column = model.own_index(i);
        const double ratio = model.own_ratio(k) * model.own_ratio(i);
        for (Index l = 0; l < lanes; ++l) {
          M(column * n + row, first + l) += ratio * entry[l];
          if (i != k) M(row * n + column, first + l) += ratio * entry[l];
        }
      }
    }
  }
}

}  // namespace spatial_dynamics

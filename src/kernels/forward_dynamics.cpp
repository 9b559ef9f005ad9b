#include "spatial_dynamics/kernels/forward_dynamics.hpp"

#include "coordinates.hpp"

namespace spatial_dynamics {
namespace {

/// (G' M G) a = tau - G' (bias + friction) with mimic joints.
[[nodiscard]] bool solve_reduced(const CompactModel& model, Workspace& workspace, VectorIn q,
                                 VectorIn v, VectorIn tau, const Force* external) noexcept {
  const ScratchMemory& memory = workspace.memory;
  const KernelScratch& scratch = memory.scratch();
  const KernelTable& kernels = model.kernels();
  double* zero = memory.vector(1);
  std::fill_n(zero, model.layout().coordinates, 0.0);
  const KernelState state{q.data(), to_own(model, v, memory.vector(0)), zero,
                          to_own(model, workspace, external)};
  kernels.inverse_dynamics(model.layout(), scratch, state, memory.vector(2));
  from_own(model, memory.vector(2), workspace.acceleration);
  workspace.acceleration = tau - workspace.acceleration;
  kernels.mass_matrix(model.layout(), scratch, q.data());
  reduce_rows(model, scratch.packed, workspace.reduced);
  const FactorRows& rows = model.reduced_rows();
  if (!kernels.factorise(rows, workspace.reduced.data(), scratch.pivot)) return false;
  kernels.solve(rows, workspace.reduced.data(), scratch.pivot, workspace.acceleration.data());
  return true;
}

}  // namespace

const VectorXd& forward_dynamics(const CompactModel& model, Workspace& workspace, VectorIn q,
                                 VectorIn v, VectorIn tau, const Force* external) noexcept {
  assert(q.size() == model.nq() && v.size() == model.nv() && tau.size() == model.nv());
  VectorXd& a = workspace.acceleration;
  if (model.reduced()) {
    workspace.singular = !solve_reduced(model, workspace, q, v, tau, external);
  } else {
    const KernelState state{q.data(), v.data(), tau.data(), to_own(model, workspace, external)};
    const auto kernel = model.prefers_articulated() ? model.kernels().articulated_dynamics
                                                    : model.kernels().forward_dynamics;
    workspace.singular = !kernel(model.layout(), workspace.memory.scratch(), state, a.data());
  }
  // An inertia so small, or an effort so large, that the quotient overflows has no answer either.
  if (!a.allFinite()) workspace.singular = true;
  if (workspace.singular) a.setZero();
  return a;
}

}  // namespace spatial_dynamics

#include "kernels/forward_dynamics.hpp"

#include "coordinates.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// (G' M G) a = tau - G' (bias + friction) with mimic joints.
[[nodiscard]] bool solve_reduced(const CompactModel& model, Workspace& workspace, VectorIn q,
                                 VectorIn v, VectorIn tau, const Force* external,
                                 VectorXd& a) noexcept {
  const ScratchMemory& memory = workspace.memory;
  const KernelScratch& scratch = memory.scratch();
  const KernelTable& kernels = model.kernels();
  double* zero = memory.vector(1);
  std::fill_n(zero, model.layout().coordinates, 0.0);
  const KernelState state{q.data(), to_unreduced(model, v, memory.vector(0)), zero,
                          to_compact_frames(model, workspace, external)};
  kernels.inverse_dynamics(model.layout(), scratch, state, memory.vector(2));
  from_unreduced(model, memory.vector(2), a);
  a = tau - a;
  kernels.mass_rows(model.layout(), scratch, q.data());
  reduce_rows(model, scratch.packed, workspace.reduced);
  const FactorRows& rows = model.reduced_rows();
  if (!kernels.factorise(rows, workspace.reduced.data(), scratch.pivot)) return false;
  kernels.solve(rows, workspace.reduced.data(), scratch.pivot, a.data());
  return true;
}

}  // namespace

bool forward_dynamics(const CompactModel& model, Workspace& workspace, VectorIn q, VectorIn v,
                      VectorIn tau, const Force* external, VectorXd& a, bool keep_factor) noexcept {
  assert(q.size() == model.nq() && v.size() == model.nv() && tau.size() == model.nv());
  bool solved = false;
  workspace.factor = 0;
  if (model.reduced()) {
    solved = solve_reduced(model, workspace, q, v, tau, external, a);
  } else {
    const KernelState state{q.data(), v.data(), tau.data(),
                            to_compact_frames(model, workspace, external)};
    const bool articulated =
        !workspace.has_matrix() || (model.prefers_articulated() && !keep_factor);
    const auto kernel =
        articulated ? model.kernels().articulated_dynamics : model.kernels().forward_dynamics;
    solved = kernel(model.layout(), workspace.memory.scratch(), state, a.data());
  }
  // Overflow of a tiny inertia or a huge effort counts as singular, too.
  solved = solved && a.allFinite();
  if (!solved) a.setZero();
  return solved;
}

const VectorXd& forward_dynamics(const CompactModel& model, Workspace& workspace, VectorIn q,
                                 VectorIn v, VectorIn tau, const Force* external) noexcept {
  workspace.singular =
      !forward_dynamics(model, workspace, q, v, tau, external, workspace.acceleration, false);
  return workspace.acceleration;
}

}  // namespace spatial_dynamics::kernels

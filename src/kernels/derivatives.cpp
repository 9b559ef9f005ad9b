#include "spatial_dynamics/kernels/derivatives.hpp"

#include <algorithm>
#include <cmath>

#include "coordinates.hpp"
#include "spatial_dynamics/kernels/forward_dynamics.hpp"

namespace spatial_dynamics {
namespace {

/// d/dv of damping v + friction tanh(v / speed), mimic joints' at their leader.
void add_friction_slopes(const CompactModel& model, VectorIn v, MatrixXd& by_v) noexcept {
  const CompactLayout& m = model.layout();
  for (Index own = 0; own < m.coordinates; ++own) {
    const double ratio = model.own_ratio(own);
    const Index k = model.own_index(own);
    double rate = m.damping[own];
    if (m.friction[own] != 0.0) {
      const double share = std::tanh(ratio * v(k) / m.friction_speed);
      rate += m.friction[own] * (1.0 - share * share) / m.friction_speed;
    }
    by_v(k, k) += ratio * ratio * rate;
  }
}

/// own -> G' own G, where G gives every mimic joint its leader's motion.
void reduce(const CompactModel& model, const MatrixXd& own, MatrixXd& result) noexcept {
  result.setZero();
  for (Index i = 0; i < own.cols(); ++i) {
    for (Index k = 0; k < own.rows(); ++k) {
      result(model.own_index(k), model.own_index(i)) +=
          model.own_ratio(k) * model.own_ratio(i) * own(k, i);
    }
  }
}

/// by_q, by_v and, if asked for, M into by_effort.
void differentiate(const CompactModel& model, Derivatives& result, VectorIn q, VectorIn v,
                   VectorIn a, bool with_mass) noexcept {
  const ScratchMemory& memory = result.workspace.memory;
  const KernelState state{q.data(), to_own(model, v, memory.vector(0)),
                          to_own(model, a, memory.vector(1)), nullptr};
  MatrixXd* const all[] = {&result.by_q, &result.by_v, &result.by_effort};
  MatrixXd* own[3];
  const int count = with_mass ? 3 : 2;
  for (int i = 0; i < count; ++i) {
    own[i] = model.reduced() ? &result.own[i] : all[i];
    if (!model.is_chain()) std::fill_n(own[i]->data(), own[i]->size(), 0.0);
  }
  model.kernels().inverse_dynamics_slopes(model.layout(), memory.scratch(), state, own[0]->data(),
                                          own[1]->data(), with_mass ? own[2]->data() : nullptr);
  for (int i = 0; model.reduced() && i < count; ++i) reduce(model, *own[i], *all[i]);
  add_friction_slopes(model, v, result.by_v);
}

/// Forward dynamics by the factorised mass matrix, whose factor stays for M^-1.
[[nodiscard]] bool accelerate(const CompactModel& model, Workspace& workspace, VectorIn q,
                              VectorIn v, VectorIn tau) noexcept {
  VectorXd& a = workspace.acceleration;
  if (model.reduced()) {
    forward_dynamics(model, workspace, q, v, tau);
  } else {
    const KernelState state{q.data(), v.data(), tau.data(), nullptr};
    workspace.singular = !model.kernels().forward_dynamics(
        model.layout(), workspace.memory.scratch(), state, a.data());
  }
  if (!a.allFinite()) workspace.singular = true;
  if (workspace.singular) a.setZero();
  return !workspace.singular;
}

}  // namespace

Derivatives::Derivatives(const CompactModel& model)
    : by_q(model.nv(), model.nv()),
      by_v(model.nv(), model.nv()),
      by_effort(model.nv(), model.nv()),
      workspace(model) {
  if (!model.reduced()) return;
  for (MatrixXd& matrix : own)
    matrix.resize(model.layout().coordinates, model.layout().coordinates);
}

void inverse_dynamics_derivatives(const CompactModel& model, Derivatives& result, VectorIn q,
                                  VectorIn v, VectorIn a) noexcept {
  differentiate(model, result, q, v, a, true);
}

bool forward_dynamics_derivatives(const CompactModel& model, Derivatives& result, VectorIn q,
                                  VectorIn v, VectorIn tau) noexcept {
  Workspace& workspace = result.workspace;
  if (!accelerate(model, workspace, q, v, tau)) {
    result.by_q.setZero();
    result.by_v.setZero();
    result.by_effort.setZero();
    return false;
  }
  // ID(q, v, FD(q, v, tau)) = tau for all q and v: dFD = -M^-1 dID.
  differentiate(model, result, q, v, workspace.acceleration, false);
  const auto [rows, packed] = packed_matrix(model, workspace);
  model.kernels().invert(rows, packed, workspace.memory.scratch().pivot, result.by_effort.data());
  for (MatrixXd* slopes : {&result.by_q, &result.by_v}) {
    model.kernels().negative_product(rows, result.by_effort.data(), slopes->data(),
                                     workspace.M.data());
    slopes->swap(workspace.M);
  }
  workspace.has_zeros = false;
  return true;
}

}  // namespace spatial_dynamics

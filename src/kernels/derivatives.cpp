#include "kernels/derivatives.hpp"

#include <algorithm>
#include <cmath>

#include "coordinates.hpp"
#include "kernels/forward_dynamics.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// d/dv of damping v + friction tanh(v / speed), mimic joints at their leader.
void add_friction_derivatives(const CompactModel& model, VectorIn v, MatrixXd& by_v) noexcept {
  const CompactLayout& m = model.layout();
  for (Index i = 0; i < m.coordinates; ++i) {
    const double ratio = model.unreduced_ratio(i);
    const Index k = model.unreduced_index(i);
    double rate = m.damping[i];
    if (m.friction[i] != 0.0) {
      const double share = std::tanh(ratio * v(k) / m.friction_speed);
      rate += m.friction[i] * (1.0 - share * share) / m.friction_speed;
    }
    by_v(k, k) += ratio * ratio * rate;
  }
}

/// result = G' unreduced G, where G gives every mimic joint its leader's motion.
void reduce(const CompactModel& model, const MatrixXd& unreduced, MatrixXd& result) noexcept {
  result.setZero();
  for (Index i = 0; i < unreduced.cols(); ++i) {
    for (Index k = 0; k < unreduced.rows(); ++k) {
      result(model.unreduced_index(k), model.unreduced_index(i)) +=
          model.unreduced_ratio(k) * model.unreduced_ratio(i) * unreduced(k, i);
    }
  }
}

/// Writes by_q, by_v and, if requested, M into by_effort.
void differentiate(const CompactModel& model, Workspace& workspace, Derivatives& result, VectorIn q,
                   VectorIn v, VectorIn a, const Force* external, bool with_mass) noexcept {
  const ScratchMemory& memory = workspace.memory;
  const KernelState state{q.data(), to_unreduced(model, v, memory.vector(0)),
                          to_unreduced(model, a, memory.vector(1)),
                          to_compact_frames(model, workspace, external)};
  MatrixXd* const all[] = {&result.by_q, &result.by_v, &result.by_effort};
  MatrixXd* unreduced[3];
  const int count = with_mass ? 3 : 2;
  for (int i = 0; i < count; ++i) {
    unreduced[i] = model.reduced() ? &result.unreduced[i] : all[i];
    if (!model.is_chain()) std::fill_n(unreduced[i]->data(), unreduced[i]->size(), 0.0);
  }
  model.kernels().inverse_dynamics_derivatives(model.layout(), memory.scratch(), state,
                                               unreduced[0]->data(), unreduced[1]->data(),
                                               with_mass ? unreduced[2]->data() : nullptr);
  for (int i = 0; model.reduced() && i < count; ++i) reduce(model, *unreduced[i], *all[i]);
  add_friction_derivatives(model, v, result.by_v);
}

}  // namespace

Derivatives::Derivatives(const CompactModel& model)
    : by_q(model.nv(), model.nv()),
      by_v(model.nv(), model.nv()),
      by_effort(model.nv(), model.nv()),
      acceleration(VectorXd::Zero(model.nv())),
      product(model.nv(), model.nv()) {
  if (!model.reduced()) return;
  for (MatrixXd& matrix : unreduced)
    matrix.resize(model.layout().coordinates, model.layout().coordinates);
}

void inverse_dynamics_derivatives(const CompactModel& model, Workspace& workspace,
                                  Derivatives& result, VectorIn q, VectorIn v, VectorIn a,
                                  const Force* external) noexcept {
  differentiate(model, workspace, result, q, v, a, external, true);
}

bool forward_dynamics_derivatives(const CompactModel& model, Workspace& workspace,
                                  Derivatives& result, VectorIn q, VectorIn v, VectorIn tau,
                                  const Force* external) noexcept {
  if (!forward_dynamics(model, workspace, q, v, tau, external, result.acceleration, true)) {
    result.by_q.setZero();
    result.by_v.setZero();
    result.by_effort.setZero();
    return false;
  }
  // ID(q, v, FD(q, v, tau)) = tau for all q and v: dFD = -M^-1 dID.
  differentiate(model, workspace, result, q, v, result.acceleration, external, false);
  const auto [rows, packed] = packed_matrix(model, workspace);
  model.kernels().invert(rows, packed, workspace.memory.scratch().pivot, result.by_effort.data());
  for (MatrixXd* matrix : {&result.by_q, &result.by_v}) {
    model.kernels().negative_product(rows, result.by_effort.data(), matrix->data(),
                                     result.product.data());
    matrix->swap(result.product);
  }
  return true;
}

}  // namespace spatial_dynamics::kernels

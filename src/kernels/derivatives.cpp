#include "kernels/derivatives.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "coordinates.hpp"
#include "kernels/forward_dynamics.hpp"
#include "spatial_dynamics/spatial/rotation.hpp"

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

/// Writes by_q, by_v and, unless it is null, M. `has_zeros` belongs to these matrices.
void differentiate(const CompactModel& model, Workspace& workspace, Derivatives& result, VectorIn q,
                   VectorIn v, VectorIn a, const Force* external, MatrixXd& by_q, MatrixXd& by_v,
                   MatrixXd* M, bool& has_zeros) noexcept {
  const ScratchMemory& memory = workspace.memory;
  const KernelState state{q.data(), to_unreduced(model, v, memory.vector(0)),
                          to_unreduced(model, a, memory.vector(1)),
                          to_compact_frames(model, workspace, external)};
  MatrixXd* const results[] = {&by_q, &by_v, M};
  MatrixXd* written[] = {&by_q, &by_v, M};
  if (model.reduced()) {
    for (int i = 0; i < 3; ++i) written[i] = &result.unreduced[i];
  }
  bool& are_zero = model.reduced() ? result.unreduced_have_zeros : has_zeros;
  if (!std::exchange(are_zero, true) && !model.is_chain()) {
    for (MatrixXd* matrix : written) {
      if (matrix != nullptr) matrix->setZero();
    }
  }
  model.kernels().inverse_dynamics_derivatives(model.layout(), memory.scratch(), state,
                                               written[0]->data(), written[1]->data(),
                                               M != nullptr ? written[2]->data() : nullptr);
  for (int i = 0; model.reduced() && i < (M != nullptr ? 3 : 2); ++i) {
    reduce(model, *written[i], *results[i]);
  }
  add_friction_derivatives(model, v, by_v);
}

constexpr Index kBaseCoordinates = 6;

/// True if all bodies move with a floating base that has no resistance and no armature.
bool floats_freely(const CompactModel& model) noexcept {
  const CompactLayout& m = model.layout();
  if (model.reduced() || (m.flags[0] & (kFreeJoint | kPlanarJoint)) != kFreeJoint ||
      m.rows.last[0] != m.coordinates - 1) {
    return false;
  }
  for (Index k = 0; k < kBaseCoordinates; ++k) {
    if (m.damping[k] != 0.0 || m.friction[k] != 0.0 || m.armature[k] != 0.0) return false;
  }
  return true;
}

/// Column c of the rows of the base's linear acceleration is w x e_c.
void write_cross(const Vector3& w, Eigen::Ref<MatrixXd> columns) noexcept {
  columns.setZero();
  columns.middleRows<3>(3) = skew(w);
}

/// da = -M^-1 dtau. Of a robot that floats freely, position and linear velocity of the base change
/// no force between bodies: its rotation only rotates gravity g in the base's frame, da = g x, and
/// its linear velocity only the frame in which its rate is seen, da = -w x.
void multiply_derivatives(const CompactModel& model, const Workspace& workspace, VectorIn v,
                          Derivatives& result) noexcept {
  const FactorRows& rows = model.reduced() ? model.reduced_rows() : model.layout().rows;
  const auto multiply = [&](Index begin, Index end, const MatrixXd& by, MatrixXd& product) {
    model.kernels().negative_product(rows, static_cast<int>(begin), static_cast<int>(end),
                                     result.by_effort.data(), by.data(), product.data());
  };
  const bool floats = floats_freely(model);
  const Index n = rows.count;
  multiply(floats ? kBaseCoordinates : 0, n, result.torque_by_q, result.by_q);
  multiply(floats ? kBaseCoordinates : 0, n, result.torque_by_v, result.by_v);
  if (!floats) return;
  multiply(0, 3, result.torque_by_v, result.by_v);
  const Eigen::Map<const Matrix3> R(workspace.memory.scratch().rotation);
  const Eigen::Map<const Vector3> up(model.layout().base_acceleration);
  write_cross(-(R.transpose() * up), result.by_q.leftCols(3));
  result.by_q.middleCols(3, 3).setZero();
  write_cross(-v.head<3>(), result.by_v.middleCols(3, 3));
}

}  // namespace

Derivatives::Derivatives(const CompactModel& model)
    : by_q(model.nv(), model.nv()),
      by_v(model.nv(), model.nv()),
      by_effort(model.nv(), model.nv()),
      acceleration(VectorXd::Zero(model.nv())),
      torque_by_q(model.nv(), model.nv()),
      torque_by_v(model.nv(), model.nv()) {
  if (!model.reduced()) return;
  for (MatrixXd& matrix : unreduced)
    matrix.resize(model.layout().coordinates, model.layout().coordinates);
}

void inverse_dynamics_derivatives(const CompactModel& model, Workspace& workspace,
                                  Derivatives& result, VectorIn q, VectorIn v, VectorIn a,
                                  const Force* external) noexcept {
  differentiate(model, workspace, result, q, v, a, external, result.by_q, result.by_v,
                &result.by_effort, result.has_zeros);
}

bool forward_dynamics_derivatives(const CompactModel& model, Workspace& workspace,
                                  Derivatives& result, VectorIn q, VectorIn v, VectorIn tau,
                                  const Force* external) noexcept {
  result.has_zeros = false;
  if (!forward_dynamics(model, workspace, q, v, tau, external, result.acceleration, true)) {
    result.by_q.setZero();
    result.by_v.setZero();
    result.by_effort.setZero();
    return false;
  }
  // ID(q, v, FD(q, v, tau)) = tau for all q and v: dFD = -M^-1 dID.
  differentiate(model, workspace, result, q, v, result.acceleration, external, result.torque_by_q,
                result.torque_by_v, nullptr, result.torques_have_zeros);
  const auto [rows, packed] = packed_matrix(model, workspace);
  model.kernels().invert(rows, packed, workspace.memory.scratch().pivot, result.by_effort.data());
  multiply_derivatives(model, workspace, v, result);
  return true;
}

}  // namespace spatial_dynamics::kernels

#include "spatial_dynamics/kernels/derivatives.hpp"

#include <cmath>

#include "coordinates.hpp"
#include "spatial_dynamics/kernels/forward_dynamics.hpp"
#include "spatial_dynamics/kernels/mass_matrix.hpp"

namespace spatial_dynamics {
namespace {

constexpr Index kDirections = 4;
constexpr Index kRecord = 8;  // value, three of padding, four slopes

double& value(double* dual, Index i) noexcept { return dual[kRecord * i]; }
double& slope(double* dual, Index i, Index direction) noexcept {
  return dual[kRecord * i + kDirections + direction];
}

void fill(VectorIn x, double* dual) noexcept {
  std::fill_n(dual, kRecord * x.size(), 0.0);
  for (Index i = 0; i < x.size(); ++i) value(dual, i) = x(i);
}

/// The change of q while coordinate k of v is 1, as slopes of one direction.
void seed_position(const CompactModel& model, VectorIn q, Index k, Index direction,
                   double* dual) noexcept {
  const CompactLayout& m = model.layout();
  for (std::int32_t j = 0; j < m.joints; ++j) {
    const Index own = k - model.own_index(m.first[j]);
    if ((m.flags[j] & kFreeJoint) == 0) {
      // A mimic joint reads its leader's number in q, which is seeded with it.
      if (own == 0) slope(dual, m.q_index[j], direction) = 1.0;
      continue;
    }
    const bool planar = (m.flags[j] & kPlanarJoint) != 0;
    if (own < 0 || own >= (planar ? 3 : 6)) continue;
    if (planar) {
      const Index at = m.q_index[j] - 2;
      const double c = std::cos(q(at + 2)), s = std::sin(q(at + 2));
      const double rate[3][3] = {{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}};
      for (Index i = 0; i < 3; ++i) slope(dual, at + i, direction) = rate[own][i];
      continue;
    }
    const Index at = m.q_index[j];
    const Quaternion turn(q(at + 6), q(at + 3), q(at + 4), q(at + 5));
    const Vector3 unit = Vector3::Unit(own % 3);
    if (own >= 3) {  // the position moves along the body's axes
      const Vector3 rate = turn.normalized() * unit;
      for (Index i = 0; i < 3; ++i) slope(dual, at + i, direction) = rate(i);
    } else {  // q' = q (0, w) / 2
      const Quaternion rate = turn * Quaternion(0.0, unit.x(), unit.y(), unit.z());
      for (Index i = 0; i < 4; ++i) slope(dual, at + 3 + i, direction) = 0.5 * rate.coeffs()(i);
    }
  }
}

void seed_velocity(const CompactModel& model, Index k, Index direction, double* dual) noexcept {
  for (Index own = 0; own < model.layout().coordinates; ++own) {
    if (model.own_index(own) == k) slope(dual, own, direction) = model.own_ratio(own);
  }
}

/// Columns `first` and the next of a matrix of derivatives.
void read_columns(const CompactModel& model, double* dual, Index first,
                  MatrixXd& columns) noexcept {
  const Index count = std::min(kDirections, model.nv() - first);
  columns.middleCols(first, count).setZero();
  for (Index own = 0; own < model.layout().coordinates; ++own) {
    for (Index d = 0; d < count; ++d) {
      columns(model.own_index(own), first + d) += model.own_ratio(own) * slope(dual, own, d);
    }
  }
}

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

/// by_q and by_v of the torques without friction.
void differentiate(const CompactModel& model, Derivatives& result, VectorIn q, VectorIn v,
                   VectorIn a) noexcept {
  const ScratchMemory& memory = result.memory;
  double *q_dual = memory.vector(0), *v_dual = memory.vector(1), *a_dual = memory.vector(2),
         *tau_dual = memory.vector(3);
  const CompactLayout& m = model.layout();
  const KernelState state{q_dual, v_dual, a_dual, nullptr};
  double* room = result.workspace.memory.vector(0);
  const auto fill_own = [&](VectorIn x, double* dual) {
    fill(Eigen::Map<const VectorXd>(to_own(model, x, room), m.coordinates), dual);
  };
  fill_own(a, a_dual);
  for (Index first = 0; first < model.nv(); first += kDirections) {
    const Index last = std::min(first + kDirections, model.nv());
    fill(q, q_dual);
    fill_own(v, v_dual);
    for (Index k = first; k < last; ++k) seed_position(model, q, k, k - first, q_dual);
    model.kernels().inverse_dynamics_slopes(m, memory.scratch(), state, tau_dual);
    read_columns(model, tau_dual, first, result.by_q);
    fill(q, q_dual);
    for (Index k = first; k < last; ++k) seed_velocity(model, k, k - first, v_dual);
    model.kernels().inverse_dynamics_slopes(m, memory.scratch(), state, tau_dual);
    read_columns(model, tau_dual, first, result.by_v);
  }
  add_friction_slopes(model, v, result.by_v);
}

}  // namespace

Derivatives::Derivatives(const CompactModel& model)
    : by_q(model.nv(), model.nv()),
      by_v(model.nv(), model.nv()),
      by_effort(model.nv(), model.nv()),
      workspace(model),
      memory(model, static_cast<int>(kRecord)) {}

void inverse_dynamics_derivatives(const CompactModel& model, Derivatives& result, VectorIn q,
                                  VectorIn v, VectorIn a) noexcept {
  differentiate(model, result, q, v, a);
  result.by_effort = mass_matrix(model, result.workspace, q);
}

bool forward_dynamics_derivatives(const CompactModel& model, Derivatives& result, VectorIn q,
                                  VectorIn v, VectorIn tau) noexcept {
  Workspace& workspace = result.workspace;
  forward_dynamics(model, workspace, q, v, tau);
  if (workspace.singular || !inverse_mass_matrix(model, workspace, q, result.by_effort)) {
    result.by_q.setZero();
    result.by_v.setZero();
    result.by_effort.setZero();
    return false;
  }
  // ID(q, v, FD(q, v, tau)) = tau for all q and v: dFD = -M^-1 dID.
  differentiate(model, result, q, v, workspace.acceleration);
  for (MatrixXd* slopes : {&result.by_q, &result.by_v}) {
    workspace.M.noalias() = -result.by_effort.lazyProduct(*slopes);
    *slopes = workspace.M;
  }
  return true;
}

}  // namespace spatial_dynamics

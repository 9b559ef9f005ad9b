#include "simulation/motion_stepper.hpp"

#include "spatial_dynamics/dynamics/forward_dynamics.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/dynamics/mass_matrix.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "textbook/cholesky.hpp"

namespace spatial_dynamics {
namespace {

/// RK4 is stable for decays of up to 2.78 per step.
constexpr double kMostDecay = 2.0;

}  // namespace

/// The constants of a step.
struct MotionStepper::Problem {
  const Model& model;
  const VectorXd& q;
  const VectorXd& v;
  const VectorXd& effort;
  const ExternalForces& external;
  double h;
};

MotionStepper::MotionStepper(const Model& model, Integrator integrator, bool joint_stops)
    : integrator_(integrator),
      resistance_(model, joint_stops),
      solver_(model.nv()),
      prescribed_(model.nv()),
      data_(model, Dense::kMassMatrix),
      zero_(VectorXd::Zero(model.nv())),
      q_next_(VectorXd::Zero(model.nq())),
      v_next_(VectorXd::Zero(model.nv())),
      impulse_(VectorXd::Zero(model.nv())),
      v_scratch_(VectorXd::Zero(model.nv())),
      q_stage_(VectorXd::Zero(model.nq())),
      q_half_(VectorXd::Zero(model.nq())) {
  for (VectorXd& v : v_) v = VectorXd::Zero(model.nv());
  for (VectorXd& a : a_) a = VectorXd::Zero(model.nv());
  if (!resistance_.damping().isZero(0.0)) factor_.resize(model.nv(), model.nv());
}

bool MotionStepper::step(const Model& model, VectorXd& q, VectorXd& v, const VectorXd& effort,
                         const ExternalForces& external, double h) noexcept {
  const Problem problem{model, q, v, effort, external, h};
  const bool done =
      (integrator_ == Integrator::kRk4 && runge_kutta(problem)) || semi_implicit(problem);
  if (!done || !q_next_.allFinite() || !v_next_.allFinite()) return false;
  q = q_next_;
  v = v_next_;
  return true;
}

bool MotionStepper::semi_implicit(const Problem& p) noexcept {
  if (!resistance_.has_friction() && prescribed_.count == 0) {
    v_next_ = p.v + p.h * forward_dynamics(p.model, data_, p.q, p.v, p.effort, p.external);
    if (data_.singular()) return false;
    integrate(p.model, p.q, v_next_, p.h, q_next_);
    if (resistance_.is_within_stops(q_next_)) return true;
  }
  // impulse = M v + h (tau - bias + J' f); the solver adds friction.
  impulse_ = p.effort - rigid_body_torque(p.model, data_, p.q, p.v, zero_, p.external);
  impulse_ *= p.h;
  const MatrixXd& M = mass_matrix(p.model, data_, p.q);
  impulse_.noalias() += M.lazyProduct(p.v);
  v_next_ = p.v;
  if (!solver_.solve(resistance_, p.model.friction_speed(), M, impulse_, p.q, p.h, v_next_,
                     &prescribed_)) {
    return false;
  }
  integrate(p.model, p.q, v_next_, p.h, q_next_);
  return true;
}

bool MotionStepper::runge_kutta(const Problem& p) noexcept {
  return prescribed_.count == 0 && resistance_.is_sliding(p.model.friction_speed(), p.v, p.v) &&
         is_lightly_damped(p) && runge_kutta_stages(p) && is_smooth(p);
}

// Runge-Kutta method for q' = q v on a Lie group: increments are composed instead of added, in an
// order that keeps the fourth order (commutator-free method with four stages and a fifth
// exponential). For scalar coordinates it is the classical method.
bool MotionStepper::runge_kutta_stages(const Problem& p) noexcept {
  const double h = p.h;
  const auto accelerate = [&](const VectorXd& q, std::size_t stage) {
    a_[stage] = forward_dynamics(p.model, data_, q, v_[stage], p.effort, p.external);
    return !data_.singular();
  };
  v_[0] = p.v;
  if (!accelerate(p.q, 0)) return false;

  integrate(p.model, p.q, v_[0], 0.5 * h, q_half_);
  v_[1] = p.v + 0.5 * h * a_[0];
  if (!accelerate(q_half_, 1)) return false;

  integrate(p.model, p.q, v_[1], 0.5 * h, q_stage_);
  v_[2] = p.v + 0.5 * h * a_[1];
  if (!accelerate(q_stage_, 2)) return false;

  v_scratch_ = v_[2] - 0.5 * v_[0];
  integrate(p.model, q_half_, v_scratch_, h, q_stage_);
  v_[3] = p.v + h * a_[2];
  if (!accelerate(q_stage_, 3)) return false;

  v_scratch_ = (3.0 * v_[0] + 2.0 * (v_[1] + v_[2]) - v_[3]) / 12.0;
  integrate(p.model, p.q, v_scratch_, h, q_stage_);
  v_scratch_ = (3.0 * v_[3] + 2.0 * (v_[1] + v_[2]) - v_[0]) / 12.0;
  integrate(p.model, q_stage_, v_scratch_, h, q_next_);
  v_next_ = p.v + h / 6.0 * (a_[0] + 2.0 * (a_[1] + a_[2]) + a_[3]);
  return true;
}

bool MotionStepper::is_smooth(const Problem& p) const noexcept {
  const double friction_speed = p.model.friction_speed();
  for (const VectorXd& v : v_) {
    if (!resistance_.is_sliding(friction_speed, v, p.v)) return false;
  }
  return resistance_.is_sliding(friction_speed, v_next_, p.v) &&
         resistance_.is_within_stops(q_next_);
}

bool MotionStepper::is_lightly_damped(const Problem& p) noexcept {
  if (factor_.size() == 0) return true;
  factor_ = mass_matrix(p.model, data_, p.q);
  if (!textbook::factorise_in_place(factor_)) return false;
  // The fastest decay is at most the sum of all decays, trace(M^-1 D), because M^-1 D has no
  // negative eigenvalue.
  double decay = 0.0;
  for (Index k = 0; k < p.v.size(); ++k) {
    if (resistance_.damping()(k) == 0.0) continue;
    v_scratch_.setZero();
    v_scratch_(k) = 1.0;
    textbook::solve_in_place(factor_, v_scratch_);
    decay += resistance_.damping()(k) * v_scratch_(k);
  }
  return p.h * decay < kMostDecay;
}

}  // namespace spatial_dynamics

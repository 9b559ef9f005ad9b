#include "period_model.hpp"

#include <cmath>

#include "spatial_dynamics/model/configuration.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kLittleChange = 0.05;   // of a speed
constexpr double kAccurate = 0.002;      // of a speed: error of the prediction
constexpr double kLittleDamping = 0.01;  // of the inertia

/// True if this difference of accelerations changes a speed by more than a share.
bool changes(const VectorXd& before, const VectorXd& after, double duration_s,
             const VectorXd& speed, double share) noexcept {
  const double factor = share / duration_s;
  for (Index i = 0; i < speed.size(); ++i) {
    if (std::abs(after(i) - before(i)) > factor * speed(i)) return true;
  }
  return false;
}

}  // namespace

PeriodModel::PeriodModel(const Model& model, const Coordinates& coordinates)
    : floating_base_(coordinates.floating_base()),
      inverse_(model),
      effort_(VectorXd::Zero(coordinates.nv())),
      middle_q_(neutral_configuration(model)) {
  start_ = free_ = wanted_ = accurate_at_ = middle_v_ = end_v_ = friction_ = friction_change_ =
      damping_ = residual_ = change_ = effort_;
}

bool PeriodModel::begin(const Period& period, RobotDynamics& robot,
                        const VectorXd& torque) noexcept {
  robot_ = &robot;
  wanted_ = torque;
  set_effort(period, torque);
  damping_.setZero();
  known_ = inverse_.factorise(robot, period.q, damping_);
  if (!known_) return false;
  start_ = effort_ - robot.inverse_dynamics(period.q, period.v, robot.zero(), period.wrenches);
  inverse_.solve(start_);
  known_ = start_.allFinite();
  free_ = start_;
  accurate_at_.setZero();
  corrected_ = false;
  return known_;
}

void PeriodModel::set_effort(const Period& period, const VectorXd& torque) noexcept {
  effort_ = torque + period.hardware;
  if (floating_base_) effort_.head<6>().setZero();  // no motor drives the base
}

bool PeriodModel::leaves(const Period& period, const VectorXd& speed,
                         const VectorXd& acceleration) const noexcept {
  return changes(accurate_at_, acceleration, period.duration_s, speed, kLittleChange);
}

/// With the mean friction f of the period, the dynamics in the middle of the period give
///
///     r = torque - inverse dynamics(a) - f,   W = (M + T/2 S)^-1,   S = 2 (f - friction(v)) / (T
///     a),
///
/// and a + W r is correct if friction changes in proportion to a.
bool PeriodModel::correct(const Period& period, const VectorXd& speed, const VectorXd& torque,
                          const VectorXd& acceleration) noexcept {
  if (!leaves(period, speed, acceleration)) return false;
  const double T = period.duration_s;
  if (corrected_ && !changes(robot_->zero(), acceleration, T, speed, kLittleChange)) {
    // The model of the start is accurate.
    corrected_ = false;
    accurate_at_.setZero();
    damping_.setZero();
    free_ = start_;
    return inverse_.add(damping_);
  }
  accurate_at_ = acceleration;
  middle_v_ = period.v + 0.25 * T * acceleration;
  integrate(robot_->model(), period.q, middle_v_, 0.5 * T, middle_q_);
  middle_v_ = period.v + 0.5 * T * acceleration;
  mean_friction(period, acceleration);
  residual_ = torque + period.hardware - friction_;
  if (floating_base_) residual_.head<6>().setZero();
  residual_ -= robot_->torque(middle_q_, middle_v_, acceleration, period.wrenches);
  change_ = residual_;
  inverse_.solve(change_);
  if (!changes(robot_->zero(), change_, T, speed, kAccurate)) return false;

  estimate_damping(acceleration);
  if (!inverse_.add(damping_)) return false;
  change_ = residual_ - (torque - wanted_);
  inverse_.solve(change_);
  free_ = acceleration + change_;
  corrected_ = true;
  return free_.allFinite();
}

/// By Simpson's rule.
void PeriodModel::mean_friction(const Period& period, const VectorXd& acceleration) noexcept {
  end_v_ = period.v + period.duration_s * acceleration;
  friction_change_ = robot_->friction_torque(period.v, period.v);
  friction_ = (1.0 / 6.0) * friction_change_;
  friction_ += (2.0 / 3.0) * robot_->friction_torque(middle_v_, middle_v_);
  friction_ += (1.0 / 6.0) * robot_->friction_torque(end_v_, end_v_);
  friction_change_ = friction_ - friction_change_;
}

/// T/2 S, where it matters.
void PeriodModel::estimate_damping(const VectorXd& acceleration) noexcept {
  for (Index i = 0; i < damping_.size(); ++i) {
    const double a = acceleration(i), grows = friction_change_(i);
    const double damping = grows * a > 0.0 ? grows / a : 0.0;
    damping_(i) = damping * inverse_.least(i) > kLittleDamping ? damping : 0.0;
  }
}

void PeriodModel::note(const Period& period, const VectorXd& torque,
                       const VectorXd& acceleration) noexcept {
  if (corrected_) return;
  set_effort(period, torque);
  start_ = acceleration;
}

bool PeriodModel::start_acceleration(const VectorXd& effort, VectorXd& acceleration) noexcept {
  if (!known_) return false;
  acceleration = start_;
  if (effort == effort_) return true;
  damping_.setZero();
  if (!inverse_.add(damping_)) return false;
  change_ = effort - effort_;
  inverse_.solve(change_);
  acceleration += change_;
  return acceleration.allFinite();
}

}  // namespace spatial_dynamics

#include "spatial_dynamics/simulation/simulator.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "simulation/motion_stepper.hpp"
#include "spatial_dynamics/dynamics/energy.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/model/model_error.hpp"

namespace spatial_dynamics {
namespace {

void check(const SimulatorOptions& options) {
  if (options.substeps < 1) {
    throw std::invalid_argument("A simulator needs at least 1 substep, not " +
                                std::to_string(options.substeps) + ".");
  }
  if (options.delay_samples < 0) {
    throw std::invalid_argument("A simulator's delay must not be negative, but is " +
                                std::to_string(options.delay_samples) + " samples.");
  }
  for (const double noise :
       {options.position_noise, options.velocity_noise, options.effort_noise}) {
    if (!(noise >= 0.0) || std::isinf(noise)) {
      throw std::invalid_argument(
          "A standard deviation of a simulator's noise must be finite and not negative, not " +
          std::to_string(noise) + ".");
    }
  }
}

Model check(Model model) {
  if (!model.why_forward_dynamics_fails().empty()) {
    throw ModelError("model '" + model.name() + "'", model.why_forward_dynamics_fails());
  }
  return model;
}

/// Effort limit of each coordinate's motor: 0 for a floating joint, infinite without a limit in the
/// model (0 in a URDF).
VectorXd motor_limits(const Model& model, bool saturate) {
  VectorXd limits = VectorXd::Constant(model.nv(), kUnlimited);
  for (const Index i : model.coordinate_joints()) {
    const Joint& joint = model.joint(i);
    auto own = limits.segment(joint.v_index, joint.nv);
    if (joint.type == JointType::kFloating)
      own.setZero();
    else if (saturate && joint.limits.effort > 0.0)
      own.setConstant(joint.limits.effort);
  }
  return limits;
}

}  // namespace

const char* to_string(Integrator integrator) noexcept {
  return integrator == Integrator::kRk4 ? "rk4" : "semi_implicit";
}

Simulator::Simulator(Model model, const SimulatorOptions& options)
    : model_(check(std::move(model))),
      options_(options),
      stepper_(std::make_unique<MotionStepper>(model_, options.integrator, options.joint_stops)),
      data_(model_, Dense::kNone),
      effort_limit_(motor_limits(model_, options.saturate_effort)),
      at_rest_(VectorXd::Zero(model_.nv())),
      effort_(VectorXd::Zero(model_.nv())),
      a_(VectorXd::Zero(model_.nv())),
      drive_impulse_(VectorXd::Zero(model_.nv())),
      wrenches_(static_cast<std::size_t>(model_.link_count()), Force::Zero()),
      external_(model_),
      noise_(VectorXd::Zero(model_.nv())) {
  check(options);
  q_ = q_before_ = neutral_configuration(model_);
  v_ = v_before_ = effort_before_ = effort_;
  samples_.assign(static_cast<std::size_t>(options.delay_samples) + 1, {0.0, q_, v_, a_, effort_});
  reset(q_);
}

Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&& other) noexcept = default;
Simulator& Simulator::operator=(Simulator&& other) noexcept = default;

void Simulator::reset(const VectorXd& q) { reset(q, at_rest_); }

void Simulator::reset(const VectorXd& q, const VectorXd& v) {
  if (q.size() != model_.nq() || v.size() != model_.nv()) {
    throw std::invalid_argument(
        "The state of '" + model_.name() + "' has " + std::to_string(model_.nq()) +
        " positions and " + std::to_string(model_.nv()) + " velocities, not " +
        std::to_string(q.size()) + " and " + std::to_string(v.size()) + ".");
  }
  if (!q.allFinite() || !v.allFinite()) {
    throw std::invalid_argument("The state of '" + model_.name() + "' must be finite.");
  }
  q_ = q;
  v_ = v;
  effort_.setZero();
  a_.setZero();
  time_s_ = 0.0;
  clear_wrenches();
  random_.seed(options_.seed);
  normal_.reset();
  newest_ = 0;
  for (Measurement& sample : samples_) measure(sample);
}

bool Simulator::step(double dt, const VectorXd& effort) noexcept {
  if (paused_) return true;
  if (!(dt > 0.0) || !std::isfinite(dt)) return false;
  if (effort.size() != model_.nv() || !effort.allFinite()) return false;
  q_before_ = q_;
  v_before_ = v_;
  effort_before_ = effort_;
  effort_ = effort.cwiseMax(-effort_limit_).cwiseMin(effort_limit_);
  const PrescribedVelocities& driven = stepper_->prescribed();
  for (Index k = 0; driven.count > 0 && k < effort_.size(); ++k) {
    if (driven.prescribed[static_cast<std::size_t>(k)]) effort_(k) = 0.0;
  }
  drive_impulse_.setZero();
  const double h = dt / options_.substeps;
  for (int i = 0; i < options_.substeps; ++i) {
    if (stepper_->step(model_, q_, v_, effort_, external_, h)) {
      if (driven.count > 0) drive_impulse_ += driven.impulse;
      continue;
    }
    q_ = q_before_;
    v_ = v_before_;
    effort_ = effort_before_;
    return false;
  }
  a_ = (v_ - v_before_) / dt;
  if (driven.count > 0) effort_ += drive_impulse_ / dt;
  time_s_ += dt;
  newest_ = (newest_ + 1) % samples_.size();
  measure(samples_[newest_]);
  return true;
}

void Simulator::prescribe_velocity(Index coordinate, double velocity) noexcept {
  if (coordinate < 0 || coordinate >= model_.nv()) return;
  PrescribedVelocities& driven = stepper_->prescribed();
  const auto k = static_cast<std::size_t>(coordinate);
  const bool before = driven.prescribed[k];
  const bool now = !std::isnan(velocity);
  driven.prescribed[k] = now;
  driven.velocity(coordinate) = now ? velocity : 0.0;
  driven.impulse(coordinate) = 0.0;
  driven.count += static_cast<Index>(now) - static_cast<Index>(before);
}

void Simulator::set_wrench(Index link, const Force& wrench) {
  model_.require_link("Simulator::set_wrench", link);
  wrenches_[static_cast<std::size_t>(link)] = wrench;
  external_.clear();
  for (Index l = 0; l < model_.link_count(); ++l) {
    external_.add(model_, l, wrenches_[static_cast<std::size_t>(l)]);
  }
}

void Simulator::clear_wrenches() noexcept {
  std::fill(wrenches_.begin(), wrenches_.end(), Force::Zero());
  external_.clear();
}

double Simulator::energy() noexcept {
  return kinetic_energy(model_, data_, q_, v_) + potential_energy(model_, data_, q_);
}

void Simulator::draw_noise(double deviation) noexcept {
  for (double& number : noise_) number = deviation * normal_(random_);
}

void Simulator::measure(Measurement& sample) noexcept {
  sample.time_s = time_s_;
  sample.q = q_;
  sample.v = v_;
  sample.a = a_;
  sample.effort = effort_;
  if (options_.position_noise > 0.0) {
    draw_noise(options_.position_noise);
    integrate(model_, q_, noise_, 1.0, sample.q);
  }
  if (options_.velocity_noise > 0.0) {
    draw_noise(options_.velocity_noise);
    sample.v += noise_;
  }
  if (options_.effort_noise > 0.0) {
    draw_noise(options_.effort_noise);
    for (Index k = 0; k < noise_.size(); ++k) {
      if (effort_limit_(k) > 0.0) sample.effort(k) += noise_(k);
    }
  }
}

}  // namespace spatial_dynamics

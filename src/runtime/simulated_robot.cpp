#include "runtime/simulated_robot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {
namespace {

/// Of advance_by(): a step is at most this many periods long.
constexpr double kLongestStep = 1.5;
/// Of advance_by(). Controllers of ros2_control count the manager's period in full, so a simulation
/// that pauses for late cycles lags behind their trajectories. After longer gaps the manager was
/// stopped, as by a debugger.
constexpr double kLongestPeriodSeconds = 0.1;

constexpr double kNotDriven = std::numeric_limits<double>::quiet_NaN();

SimulatorOptions simulator_options(const SimulatorConfig& config) {
  SimulatorOptions options;
  options.integrator = config.integrator;
  options.substeps = config.substeps;
  options.joint_stops = config.joint_stops;
  options.position_noise = config.position_noise;
  options.velocity_noise = config.velocity_noise;
  options.effort_noise = config.effort_noise;
  options.delay_samples = static_cast<int>(std::lround(config.delay_s * config.rate_hz));
  options.seed = config.seed;
  return options;
}

}  // namespace

SimulatedRobot::SimulatedRobot(const Model& model, const SimulatorConfig& config,
                               const std::vector<std::string>& order)
    : coordinates_(model),
      names_(names_of(in_order(coordinates_.scalars(), order))),
      simulator_(model, simulator_options(config)),
      start_(resolve_initial_position(config, model, names_)),
      effort_(VectorXd::Zero(model.nv())),
      drives_(coordinates_.size(), Drive::kBrake),
      commands_(coordinates_.size(), 0.0),
      wrenches_(static_cast<std::size_t>(model.link_count()), Force::Zero()) {
  for (const ScalarCoordinate& coordinate : coordinates_) {
    const double limit = model.joint(coordinate.joint).limits.velocity;
    velocity_limit_.push_back(limit > 0.0 ? limit : kUnlimited);  // 0 in a URDF: none
  }
  reset();
}

void SimulatedRobot::reset() {
  simulator_.reset(start_);
  std::fill(wrenches_.begin(), wrenches_.end(), Force::Zero());
  brake();
}

void SimulatedRobot::brake() noexcept {
  for (std::size_t k = 0; k < drives_.size(); ++k) drive(k, Drive::kBrake, 0.0);
  hold_base(true);
  braked_ = true;
}

void SimulatedRobot::hold_base(bool hold) noexcept {
  if (!coordinates_.floating_base()) return;
  for (Index k = 0; k < 6; ++k) simulator_.prescribe_velocity(k, hold ? 0.0 : kNotDriven);
}

void SimulatedRobot::drive(std::size_t k, Drive drive, double command) noexcept {
  const ScalarCoordinate& coordinate = coordinates_[k];
  const bool known = std::isfinite(command);
  drives_[k] = drive;
  if (drive == Drive::kPosition) {
    commands_[k] = known ? command : simulator_.q()(coordinate.q);
  } else {
    commands_[k] = known ? command : 0.0;
  }
  effort_(coordinate.v) = drive == Drive::kEffort ? commands_[k] : 0.0;
  if (drive == Drive::kBrake || !braked_) return;
  braked_ = false;
  hold_base(false);
}

double SimulatedRobot::driven_velocity(std::size_t k, double remaining) const noexcept {
  const double limit = velocity_limit_[k];
  switch (drives_[k]) {
    case Drive::kBrake:
      return 0.0;
    case Drive::kEffort:
      return kNotDriven;
    case Drive::kVelocity:
      return std::clamp(commands_[k], -limit, limit);
    case Drive::kPosition:
      break;
  }
  const double way = commands_[k] - simulator_.q()(coordinates_[k].q);
  return std::clamp(way / remaining, -limit, limit);
}

void SimulatedRobot::set_world(const Wrenches& wrenches, const Payloads& payloads, std::int64_t now,
                               double timeout_s) {
  for (const LinkWrench& given : wrenches.links) {
    Force& present = wrenches_[static_cast<std::size_t>(given.link)];
    const Force wrench = is_fresh(now, given.received, timeout_s) ? given.wrench : Force::Zero();
    if (wrench.vector() == present.vector()) continue;
    present = wrench;
    simulator_.set_wrench(given.link, wrench);
  }
  if (payloads.generation == payload_generation_) return;
  payload_generation_ = payloads.generation;
  for (const LinkPayload& payload : payloads.links) {
    simulator_.set_payload(payload.link, payload.inertia);
  }
}

int SimulatedRobot::periods_due(double since_s, double rate_hz, double longest_s) noexcept {
  const double most = std::max(1.0, longest_s * rate_hz);
  return static_cast<int>(std::lround(std::clamp(since_s * rate_hz, 1.0, most)));
}

bool SimulatedRobot::advance(int steps, double dt) noexcept {
  for (int i = 0; i < steps; ++i) {
    for (std::size_t k = 0; k < drives_.size(); ++k) {
      simulator_.prescribe_velocity(coordinates_[k].v, driven_velocity(k, (steps - i) * dt));
    }
    if (!simulator_.step(dt, effort_)) return false;
  }
  return true;
}

bool SimulatedRobot::advance_by(double since_s, double rate_hz) noexcept {
  if (!(since_s > 0.0)) return true;
  const int steps = periods_due(since_s, rate_hz, kLongestPeriodSeconds);
  const double dt = std::min(since_s / steps, kLongestStep / rate_hz);
  return advance(steps, dt);
}

}  // namespace spatial_dynamics

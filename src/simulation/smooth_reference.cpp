#include "spatial_dynamics/simulation/smooth_reference.hpp"

#include <algorithm>
#include <cmath>

#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/model/coordinates.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kLargestAngle = 0.4;   // rad
constexpr double kLargestShift = 0.05;  // m
constexpr double kAngleSpeed = 0.3;     // rad/s
constexpr double kShiftSpeed = 0.05;    // m/s
constexpr double kPositionShare = 0.8;  // of the way from the centre to the nearer limit
constexpr double kVelocityShare = 0.5;  // of the limit
constexpr double kSteepest = 1.875;     // the largest e'(s)

/// Only revolute and prismatic joints have position limits.
JointLimits limits_of(const Joint& joint) {
  const bool stops = joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic;
  JointLimits limits = joint.limits;
  if (!stops) limits.lower = -(limits.upper = kUnlimited);
  return limits;
}

bool is_length(const Joint& joint, const ScalarCoordinate& coordinate) {
  return joint.type == JointType::kPrismatic ||
         (joint.type == JointType::kPlanar && !coordinate.wraps);
}

/// e(s) and its derivatives by s.
struct Amplitude {
  double e = 1.0, de = 0.0, dde = 0.0;
};
Amplitude amplitude(double s) {
  if (s >= 1.0) return {};
  if (s <= 0.0) return {0.0, 0.0, 0.0};
  return {s * s * s * (10.0 + s * (-15.0 + 6.0 * s)), 30.0 * s * s * (1.0 - s) * (1.0 - s),
          60.0 * s * (1.0 - s) * (1.0 - 2.0 * s)};
}

}  // namespace

std::vector<double> middle_posture(const Model& model) {
  std::vector<double> posture;
  for (const ScalarCoordinate& coordinate : scalar_coordinates(model)) {
    const JointLimits limits = limits_of(model.joint(coordinate.joint));
    const bool bounded = std::isfinite(limits.lower) && std::isfinite(limits.upper);
    posture.push_back(bounded ? 0.5 * (limits.lower + limits.upper)
                              : std::clamp(0.0, limits.lower, limits.upper));
  }
  return posture;
}

SmoothReference::SmoothReference(const Model& model, const VectorXd& effort_limit)
    : centre_(middle_posture(model)), present_(centre_) {
  const std::vector<ScalarCoordinate> coordinates = scalar_coordinates(model);
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const Joint& joint = model.joint(coordinates[k].joint);
    const JointLimits limits = limits_of(joint);
    // Periods from 4 to 14 s, none a multiple of another, so that the joints do not move in phase.
    const double w1 = 2.0 * M_PI * 0.07 * (1.0 + 0.17 * static_cast<double>(k % 5));
    const double w2 = 2.0 * M_PI * 0.16 * (1.0 + 0.07 * static_cast<double>(k % 7));
    const double range = std::min(centre_[k] - limits.lower, limits.upper - centre_[k]);
    const double fastest = 0.7 * w1 + 0.3 * w2 + kSteepest / kStartSeconds;  // of an amplitude of 1
    const double amplitude =
        std::min({is_length(joint, coordinates[k]) ? kLargestShift : kLargestAngle,
                  kPositionShare * range, kVelocityShare * limits.velocity / fastest});
    swings_.push_back({{{0.7 * amplitude, w1}, {0.3 * amplitude, w2}}});
    pace_.push_back(is_length(joint, coordinates[k]) ? kShiftSpeed : kAngleSpeed);
  }
  demand_ = largest_demand(model, effort_limit);
  for (int i = 0; i < 12 && demand_.share > kEffortShare; ++i) {
    for (Swing& swing : swings_) {
      for (Sine& sine : swing) sine.amplitude *= 0.7;
    }
    demand_ = largest_demand(model, effort_limit);
  }
  std::vector<Swing> swings(swings_.size());  // none
  swings.swap(swings_);
  holding_ = largest_demand(model, effort_limit);
  swings.swap(swings_);
}

void SmoothReference::begin(const std::vector<double>& present) {
  present_ = present;
  start_seconds_ = kStartSeconds;
  for (std::size_t k = 0; k < centre_.size(); ++k) {
    start_seconds_ = std::max(start_seconds_, std::abs(centre_[k] - present_[k]) / pace_[k]);
  }
}

void SmoothReference::sample(double t, MotionPoint& point) const {
  const std::size_t n = centre_.size();
  point.position.resize(n);
  point.velocity.resize(n);
  point.acceleration.resize(n);
  const Amplitude e = amplitude(t / start_seconds_);
  const double de = e.de / start_seconds_;
  const double dde = e.dde / (start_seconds_ * start_seconds_);
  for (std::size_t k = 0; k < n; ++k) {
    double y = centre_[k] - present_[k], dy = 0.0, ddy = 0.0;
    for (const Sine& sine : swings_[k]) {
      const double s = sine.amplitude * std::sin(sine.w * t);
      y += s;
      dy += sine.amplitude * sine.w * std::cos(sine.w * t);
      ddy -= sine.w * sine.w * s;
    }
    // The product rule, twice.
    point.position[k] = present_[k] + e.e * y;
    point.velocity[k] = de * y + e.e * dy;
    point.acceleration[k] = dde * y + 2.0 * de * dy + e.e * ddy;
  }
}

SmoothReference::Demand SmoothReference::largest_demand(const Model& model,
                                                        const VectorXd& effort_limit) const {
  constexpr int kSamples = 600;  // one minute at 10 Hz
  constexpr double kStepSeconds = 0.1;
  const std::vector<ScalarCoordinate> coordinates = scalar_coordinates(model);
  Data data(model, Dense::kNone);
  VectorXd q = neutral_configuration(model);
  VectorXd v = VectorXd::Zero(model.nv()), a = v;
  MotionPoint point;
  Demand largest;
  for (int i = 0; i < kSamples; ++i) {
    sample(i * kStepSeconds, point);
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      q(coordinates[k].q) = point.position[k];
      v(coordinates[k].v) = point.velocity[k];
      a(coordinates[k].v) = point.acceleration[k];
    }
    const VectorXd& torque = inverse_dynamics(model, data, q, v, a);
    for (const ScalarCoordinate& c : coordinates) {
      const double share = std::abs(torque(c.v)) / effort_limit(c.v);
      if (share > largest.share) largest = {share, c.name};
    }
  }
  return largest;
}

}  // namespace spatial_dynamics

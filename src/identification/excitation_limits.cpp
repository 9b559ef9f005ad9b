#include "identification/excitation_limits.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kSecondsToTopSpeed = 0.25;  // for joints without a limit of the acceleration
constexpr double kTopSpeed = 1.0;            // for joints without a limit of the velocity

/// The range of a joint, and of its followers as positions of the joint.
void tighten_by_followers(const Model& model, Index leader, ExcitationLimits& limits) {
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    if (joint.mimics != leader || joint.ratio == 0.0) continue;
    const double ends[] = {(joint.limits.lower - joint.offset) / joint.ratio,
                           (joint.limits.upper - joint.offset) / joint.ratio};
    limits.lower = std::max(limits.lower, std::min(ends[0], ends[1]));
    limits.upper = std::min(limits.upper, std::max(ends[0], ends[1]));
    limits.velocity = std::min(limits.velocity, joint.limits.velocity / std::abs(joint.ratio));
  }
}

void require_names(const std::vector<ScalarCoordinate>& coordinates, const std::string& name) {
  for (const ScalarCoordinate& c : coordinates) {
    if (c.name == name) return;
  }
  throw std::invalid_argument("the robot has no joint " + in_quotes(name) +
                              " that can move alone.");
}

}  // namespace

ExcitationLimits excitation_limits(const Model& model, const ScalarCoordinate& c,
                                   const ExcitationOptions& options) {
  const JointLimits& given = model.joint(c.joint).limits;
  ExcitationLimits limits{given.lower, given.upper, given.velocity, given.acceleration,
                          given.effort * options.effort_share};
  tighten_by_followers(model, c.joint, limits);
  const auto range = options.ranges.find(c.name);
  const auto still = options.still.find(c.name);
  const bool angle = c.type != JointType::kPrismatic;
  if (c.type == JointType::kContinuous || (angle && !std::isfinite(limits.upper - limits.lower))) {
    limits.lower = -M_PI;
    limits.upper = M_PI;
  }
  const bool planar = c.type == JointType::kPlanar;
  if (!planar && still == options.still.end() && range == options.ranges.end() &&
      !std::isfinite(limits.upper - limits.lower)) {
    throw std::invalid_argument(
        joint_element(c.name) +
        " has no position limits; give a range to keep, or let it stand still.");
  }
  const double margin = 0.5 * (1.0 - options.position_share) * (limits.upper - limits.lower);
  limits.lower += margin;
  limits.upper -= margin;
  if (range != options.ranges.end()) {
    limits.lower = range->second.first;
    limits.upper = range->second.second;
    if (!(limits.lower < limits.upper)) {
      throw std::invalid_argument("the range of " + joint_element(c.name) + " is empty.");
    }
  }
  if (planar || still != options.still.end()) {
    limits.lower = limits.upper = still != options.still.end() ? still->second : 0.0;
  }
  if (!std::isfinite(limits.velocity)) limits.velocity = kTopSpeed;
  limits.velocity *= options.velocity_share;
  const auto acceleration = options.accelerations.find(c.name);
  if (acceleration != options.accelerations.end()) {
    limits.acceleration = acceleration->second;
  } else if (!std::isfinite(limits.acceleration)) {
    limits.acceleration = limits.velocity / kSecondsToTopSpeed;
  } else {
    limits.acceleration *= options.acceleration_share;
  }
  return limits;
}

void require_known_joints(const std::vector<ScalarCoordinate>& coordinates,
                          const ExcitationOptions& options) {
  for (const auto& [name, position] : options.still) require_names(coordinates, name);
  for (const auto& [name, range] : options.ranges) require_names(coordinates, name);
  for (const auto& [name, limit] : options.accelerations) require_names(coordinates, name);
}

}  // namespace spatial_dynamics

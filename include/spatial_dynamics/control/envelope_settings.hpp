// The envelope: limits of position, velocity and power, and their values per joint of a model.
#pragma once

#include <string>
#include <vector>

#include "spatial_dynamics/model/coordinates.hpp"

namespace spatial_dynamics {

/// Settings of the envelope. docs/parameters.md describes each member as `envelope.<name>`.
struct EnvelopeSettings {
  bool enabled = true;
  /// Distance from a position limit at which a joint is to stop if the URDF gives no soft limit:
  /// rad or m; empty, one for all, or one per scalar coordinate. Empty: kDefaultMarginShare of the
  /// range, at most kLargestDefaultMargin. A margin is at most a quarter of the range.
  std::vector<double> margin;
  double velocity_scale = 1.0;  ///< of the URDF's velocity limits
  double power_limit = 0.0;     ///< W, of all motors together; 0: none
};

inline constexpr double kDefaultMarginShare = 0.01;    ///< of the range
inline constexpr double kLargestDefaultMargin = 0.02;  ///< rad or m

/// The envelope of one model: nv numbers each, infinite where there is no limit. The limits of a
/// mimic joint are limits of its leader. The rows of a floating base have no limits.
struct EnvelopeLimits {
  bool enabled = false;
  VectorXd soft_lower, soft_upper;  ///< where a joint is to stop, rad or m
  VectorXd hard_lower, hard_upper;  ///< the URDF's limits; at or beyond the soft ones
  VectorXd velocity;                ///< rad/s or m/s
  double power = kUnlimited;        ///< W
  /// Coordinates without a velocity cap, because the URDF gives none or 0.
  std::vector<std::string> without_velocity_limit;
  /// What is not limited, as a sentence for the log. Empty if everything is limited or the envelope
  /// is off.
  std::string missing;
};

}  // namespace spatial_dynamics

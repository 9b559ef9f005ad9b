// The data that the checks of a log's units use.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "spatial_dynamics/identification/log_samples.hpp"

namespace spatial_dynamics {

inline constexpr double kDegree = M_PI / 180.0;
inline constexpr double kTurn = 2.0 * M_PI;

/// A log with what several checks derive from it. Keeps references to the arguments.
struct LogEvidence {
  /// Allocates.
  LogEvidence(const Model& robot, const RobotLog& recorded, const LogSamples& sampled);

  /// How far the positions of a joint, times `scale`, exceed its limits; 0 without limits.
  [[nodiscard]] double excess(const ScalarCoordinate& c, double scale) const;
  /// The position limits of a joint: "-1 to 1 rad".
  [[nodiscard]] std::string limits_text(const ScalarCoordinate& c, const std::string& unit) const;
  /// The positions of a joint in the log: "-57 to 57".
  [[nodiscard]] std::string range_text(const ScalarCoordinate& c) const;

  const Model& model;
  const RobotLog& log;
  const LogSamples& samples;
  std::vector<ScalarCoordinate> coordinates;
  double step;  ///< median, in the log's unit of time
  /// Per coordinate: the rate of change of the position, divided by the velocity; empty without
  /// velocities or if the log does not determine it.
  std::vector<std::optional<double>> ratios;
};

bool is_angle(const ScalarCoordinate& c);
/// False for x and y of a planar joint, whose velocities are in the frame of the child.
bool velocity_is_rate(const ScalarCoordinate& c);

}  // namespace spatial_dynamics

// Compares a logged rate, such as a velocity, with the changes of the quantity whose rate it is.
#pragma once

#include <optional>

#include "spatial_dynamics/identification/log.hpp"

namespace spatial_dynamics {

/// Ratios that differ by less than this share are equal.
constexpr double kNear = 0.1;
bool is_near(double value, double expected);

/// The median time between two samples of a log with at least two, s.
double median_step(const RobotLog& log);

/// The rate of change of `value` divided by the logged rate: 1 in a correct log. Each has one
/// number per sample. Nothing if the log does not show one ratio: no motion, noise, few samples.
std::optional<double> rate_ratio(const RobotLog& log, const VectorXd& value, const VectorXd& rate);

/// True if most changes of an angle equal the integral of its rate, apart from whole turns: a fast
/// joint in a log that wraps angles.
bool equals_rate_but_for_turns(const RobotLog& log, const VectorXd& value, const VectorXd& rate);

}  // namespace spatial_dynamics

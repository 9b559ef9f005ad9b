// A robot with two joints and recordings of it.
#pragma once

#include <cmath>

#include "identification/log_problem.hpp"
#include "spatial_dynamics/identification/log.hpp"
#include "support/recordings.hpp"

namespace spatial_dynamics::test {

inline const std::vector<ScalarCoordinate> kTwoJoints{{"shoulder", 1, 0, 0, false},
                                                      {"elbow", 2, 1, 1, false}};

/// The i-th state of a recording at 100 Hz, joints in another order than the robot's, with one
/// more.
inline RecordedState recorded_state(int i, double begin = 100.0) {
  const double t = 0.01 * i;
  return {begin + t,
          {"elbow", "gripper", "shoulder"},
          {std::sin(t), 0.5, std::cos(t)},
          {std::cos(t), 0.0, -std::sin(t)},
          {2.0 * i, 0.25, 3.0 * i}};
}

/// What `function` throws; empty if nothing.
template <typename Error = LogError, typename Function>
std::string message_of(Function function) {
  try {
    (void)function();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace spatial_dynamics::test

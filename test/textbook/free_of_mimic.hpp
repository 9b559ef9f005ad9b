// The robots of all_robots() whose mass matrix has operator factors.
#pragma once

#include <algorithm>

#include "support/law_test.hpp"

namespace spatial_dynamics::test {

/// Robots without mimic joints.
inline std::vector<NamedRobot> robots_free_of_mimic() {
  std::vector<NamedRobot> robots = all_robots();
  robots.erase(
      std::remove_if(robots.begin(), robots.end(), [](const auto& robot) { return robot.mimic; }),
      robots.end());
  return robots;
}

/// Robots without mimic joints that are small enough for dense matrices of all bodies.
inline std::vector<NamedRobot> small_robots_free_of_mimic() {
  std::vector<NamedRobot> robots = robots_free_of_mimic();
  robots.erase(
      std::remove_if(robots.begin(), robots.end(), [](const auto& robot) { return robot.large; }),
      robots.end());
  return robots;
}

}  // namespace spatial_dynamics::test

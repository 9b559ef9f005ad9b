// The robots of all_robots() whose mass matrix has operator factors.
#pragma once

#include <algorithm>

#include "support/law_test.hpp"

namespace spatial_dynamics::test {

/// Those without mimic joints, of at most this many coordinates.
inline std::vector<NamedRobot> robots_free_of_mimic(Index largest_nv = 1000) {
  std::vector<NamedRobot> robots = all_robots();
  robots.erase(std::remove_if(robots.begin(), robots.end(),
                              [&](const NamedRobot& robot) {
                                const Model model = robot.make();
                                return model.has_mimic() || model.nv() > largest_nv;
                              }),
               robots.end());
  return robots;
}

}  // namespace spatial_dynamics::test

// An inbox of an arm, and messages for it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "faults/bench.hpp"
#include "runtime/inbox.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/constants.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {

class InboxTest : public ::testing::Test {
 protected:
  InboxTest()
      : model(load_urdf_file(shipped_urdf("arm7"))), coordinates(model), inbox(model, coordinates) {
    for (const ScalarCoordinate& c : coordinates) names.push_back(c.name);
    inbox.set_jump_factor(0.0);  // any state is accepted here; test_jump_filter.cpp tests the rule
  }
  JointStateView message() {
    return {
        stamp, {names.begin(), names.end()}, numbers(position), numbers(velocity), numbers(effort),
        1};
  }
  RejectionReason send() { return send(message()); }
  RejectionReason send(const JointStateView& m) {
    return inbox.on_joint_states(m, now, ros_now, missing_velocity);
  }
  const JointStates& received() {
    inbox.update();
    return inbox.inputs(settings, true).states;
  }
  const References& references() {
    inbox.update();
    return inbox.inputs(settings, true).references;
  }
  /// One point at time 0 for all joints.
  TrajectoryView setpoint() {
    return {0, {names.begin(), names.end()}, {{numbers(position), {}, {}, {}, 0}}};
  }

  Model model;
  Coordinates coordinates;
  Inbox inbox;
  Settings settings;
  std::vector<std::string> names;
  std::vector<double> position{1, 2, 3, 4, 5, 6, 7}, velocity{.1, .2, .3, .4, .5, .6, .7},
      effort{10, 20, 30, 40, 50, 60, 70};
  std::int64_t now = 100 * kSecond, ros_now = 5000 * kSecond, stamp = 5000 * kSecond;
  MissingVelocity missing_velocity = MissingVelocity::kZero;
};

}  // namespace spatial_dynamics::test

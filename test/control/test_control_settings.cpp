#include "spatial_dynamics/control/control_settings.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support/constants.hpp"

namespace spatial_dynamics::test {
namespace {

std::string rejected_parameter(const ControlSettings& settings) {
  try {
    check_settings(settings);
  } catch (const ParameterError& error) {
    return error.parameter();
  }
  return "";
}

TEST(ControlSettings, DefaultsAreValid) { EXPECT_EQ(rejected_parameter(ControlSettings()), ""); }

TEST(ControlSettings, NumberBeyondItsRangeIsRejectedByName) {
  ControlSettings settings;
  settings.ramp_s = 0.0;
  EXPECT_EQ(rejected_parameter(settings), "ramp_s");
  settings = ControlSettings();
  settings.rate_hz = kNaN;
  EXPECT_EQ(rejected_parameter(settings), "rate_hz");
  settings = ControlSettings();
  settings.kp = {1.0, -1.0};
  EXPECT_EQ(rejected_parameter(settings), "gains.kp");
}

TEST(ControlSettings, UnknownChoiceAndRepeatedJointAreRejected) {
  ControlSettings settings;
  settings.fallback = static_cast<Fallback>(99);
  EXPECT_EQ(rejected_parameter(settings), "fallback");
  settings = ControlSettings();
  settings.command_joints = {"elbow", "elbow"};
  EXPECT_EQ(rejected_parameter(settings), "command_joints");
}

}  // namespace
}  // namespace spatial_dynamics::test

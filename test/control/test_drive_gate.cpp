// The torque of ~/torque_array when the permission to drive changes.
#include "control/drive_gate.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "control/controller_harness.hpp"
#include "support/constants.hpp"

namespace spatial_dynamics::test {
namespace {

class DriveGateTest : public ::testing::Test {
 protected:
  void step(bool allowed) { gate.step(allowed, sent, 0.125, limit, rate, 0.001); }

  DriveGate gate{1};
  VectorXd sent = VectorXd::Constant(1, 10.0);
  VectorXd rate = VectorXd::Constant(1, kInfinity);
  VectorXd limit = VectorXd::Constant(1, kInfinity);
};

TEST_F(DriveGateTest, StartsWithSentTorque) {
  step(true);
  EXPECT_TRUE(gate.sends());
  EXPECT_EQ(gate.torque()(0), 10.0);
}

TEST_F(DriveGateTest, SendsNothingWhileNotAllowed) {
  step(false);
  EXPECT_FALSE(gate.sends());
  EXPECT_FALSE(gate.drives());
}

TEST_F(DriveGateTest, RampsToZeroSendsZeroThenNothing) {
  step(true);
  sent(0) = 1000.0;  // the sent torque may grow without its limit
  for (int i = 1; i <= 8; ++i) {
    step(false);
    ASSERT_TRUE(gate.sends());
    EXPECT_NEAR(gate.torque()(0), 10.0 - 1.25 * i, 1e-12) << i;
  }
  EXPECT_EQ(gate.torque()(0), 0.0);
  step(false);
  EXPECT_FALSE(gate.sends());
}

TEST_F(DriveGateTest, RampsFromZeroToSentTorque) {
  step(false);
  for (int i = 1; i <= 7; ++i) {
    step(true);
    EXPECT_NEAR(gate.torque()(0), 1.25 * i, 1e-12);
  }
  step(true);
  EXPECT_EQ(gate.torque()(0), 10.0);
  sent(0) = -20.0;
  step(true);
  EXPECT_EQ(gate.torque()(0), -20.0) << "there is no ramp";
}

TEST_F(DriveGateTest, RampsKeepRateLimit) {
  step(true);
  rate(0) = 100.0;  // 0.1 N m per step
  double before = gate.torque()(0);
  for (const bool allowed : {false, true}) {
    for (int i = 0; i < 200; ++i) {
      step(allowed);
      EXPECT_LE(std::abs(gate.torque()(0) - before), 0.1 + 1e-12);
      before = gate.torque()(0);
    }
    EXPECT_EQ(before, allowed ? 10.0 : 0.0);
  }
}

TEST_F(DriveGateTest, LoweredEffortLimitAppliesDuringRamp) {
  step(true);
  limit(0) = 2.0;
  step(false);
  EXPECT_EQ(gate.torque()(0), 2.0);
}

TEST_F(DriveGateTest, ReversesDuringRampWithoutStep) {
  step(true);
  for (int i = 0; i < 4; ++i) step(false);
  EXPECT_NEAR(gate.torque()(0), 5.0, 1e-12);
  step(true);
  EXPECT_NEAR(gate.torque()(0), 5.625, 1e-12);
}

/// A regression test: clearing the limits stepped the torque to zero within one message.
TEST_F(TorqueControllerTest, ClearedEffortLimitsRampTorqueArrayToZero) {
  settings.config.torque_mode = TorqueMode::kGravityCompensation;
  settings.config.torque_rate_limit = {20.0};
  resolve();
  repeat(3000, [&] { cycle(); });
  ASSERT_TRUE(out.send_drive);
  ASSERT_EQ(out.drive, out.torque);
  VectorXd before = out.drive;
  const auto allow = [&](bool allowed) {
    settings.joints.drive_rejection = allowed ? "" : "a joint has no effort limit";
    repeat(3000, [&] {
      cycle();
      if (!out.send_drive) return;
      EXPECT_LE((out.drive - before).cwiseAbs().maxCoeff(), 20.0 * 0.001 + 1e-12);
      before = out.drive;
    });
  };
  allow(false);
  EXPECT_TRUE(before.isZero(0.0)) << "the last message must be zero";
  EXPECT_FALSE(out.send_drive);
  allow(true);
  EXPECT_EQ(out.drive, out.torque);
}

}  // namespace
}  // namespace spatial_dynamics::test

// Rows 76 to 79: contacts, their acknowledgement, stiffness and references out of range.
#include <gtest/gtest.h>

#include "faults/bench.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

class Compliance : public ::testing::Test {
 protected:
  Bench bench{load_urdf_file(shipped_urdf("arm7"))};
};

/// The arm of the bench is pushed: it moves as no torque that is sent explains.
class TouchedArm : public Compliance {
 protected:
  TouchedArm() {
    bench.settings.config.torque_mode = TorqueMode::kJointImpedance;
    bench.q = {0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0};
    bench.out.external_torque.setZero();
  }
  void react(ContactReaction reaction) {
    bench.settings.config.contact.reaction = reaction;
    bench.resolve();
    bench.run(400);
    ASSERT_FALSE(bench.fault(Fault::kContact));
    for (int i = 0; i < 100; ++i) {  // 20 rad/s^2 of the first joint
      bench.v[0] += 0.02;
      bench.q[0] += 1e-3 * bench.v[0];
      run(1);
    }
    bench.v[0] = 0.0;
    run(20);
  }
  void run(int milliseconds) {
    for (int i = 0; i < milliseconds; ++i) {
      (void)bench.send();
      bench.now += kMillisecond;
      bench.ros_now += kMillisecond;
      bench.inbox.update();
      ControlView in = bench.inbox.inputs(bench.settings, bench.active);
      in.acknowledgement = acknowledgement;
      bench.controller.step(bench.now, in, bench.out);
    }
  }
  std::uint64_t acknowledgement = 0;
};

TEST_F(TouchedArm, Row76ContactStartsTheReactionAndIgnoresReferences) {
  react(ContactReaction::kHold);
  EXPECT_TRUE(bench.fault(Fault::kContact));
  EXPECT_EQ(bench.out.contact, 0);
  EXPECT_EQ(bench.out.phase, Phase::kRunning);
  const double before = bench.out.position_error(1);
  EXPECT_EQ(bench.refer({0.5, 0.5, 0.0, -1.0, 0.0, 1.0, 0.0}), RejectionReason::kNone);
  run(100);
  EXPECT_EQ(bench.out.position_error(1), before);
  acknowledgement = 1;
  run(10);
  EXPECT_FALSE(bench.fault(Fault::kContact));
  EXPECT_NEAR(bench.out.position_error(1), 0.0, 1e-12) << "the reference of before is discarded";
}

TEST_F(TouchedArm, Row76ContactStartsTheFallback) {
  react(ContactReaction::kFallback);
  EXPECT_EQ(bench.out.phase, Phase::kFallback);
  run(400);
  EXPECT_TRUE(bench.out.torque.isZero(0.0));
  EXPECT_TRUE(bench.fault(Fault::kContact));
}

TEST_F(TouchedArm, Row77WithoutAcknowledgementTheReactionStays) {
  acknowledgement = 5;  // of an earlier contact, or without one
  react(ContactReaction::kHold);
  ASSERT_TRUE(bench.fault(Fault::kContact));
  run(20'000);
  EXPECT_TRUE(bench.fault(Fault::kContact));
  bench.settings.config.contact.reaction = ContactReaction::kNone;
  bench.resolve();
  run(100);
  EXPECT_TRUE(bench.fault(Fault::kContact)) << "a parameter does not end it";
  acknowledgement = 6;
  run(1);
  EXPECT_FALSE(bench.fault(Fault::kContact));
  acknowledgement = 7;
  run(100);
  EXPECT_EQ(bench.out.phase, Phase::kRunning) << "without a contact it has no effect";
}

TEST_F(Compliance, Row78BadStiffnessChangesNothing) {
  bench.settings.config.torque_mode = TorqueMode::kJointImpedance;
  bench.resolve();
  bench.run(400);
  for (double& q : bench.q) q += 0.05;
  bench.run(400);
  const VectorXd good = bench.out.torque;
  std::vector<double> stiffness(7, 500.0);
  JointStateView m = bench.message();
  m.effort = numbers(stiffness);
  for (const double bad : {-1.0, kNaN, kInfinity}) {
    stiffness[2] = bad;
    EXPECT_EQ(bench.inbox.on_stiffness(m), RejectionReason::kBadStiffness);
  }
  bench.run(400);
  EXPECT_EQ(bench.out.torque, good);
  EXPECT_EQ(bench.inbox.count(RejectionReason::kBadStiffness), 3u);
}

TEST_F(Compliance, Row78GainsOutsideOfTheStableRangeAreReported) {
  bench.settings.config.torque_mode = TorqueMode::kJointImpedance;
  bench.settings.config.stiffness = {2000.0};
  bench.resolve();
  EXPECT_NE(bench.settings.joints.gain_warning.find("the damping of joint"), std::string::npos);
}

TEST_F(Compliance, Row79ReferencesBeyondTheLimitsAreClippedAndCounted) {
  bench.settings.config.torque_mode = TorqueMode::kComputedTorque;
  bench.resolve();
  bench.q = {0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0};
  bench.run(10);
  EXPECT_EQ(bench.refer({9.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0}), RejectionReason::kNone);
  bench.run(10);
  const double limit = bench.controller.model().joint(1).limits.upper;
  EXPECT_NEAR(bench.out.position_error(0), limit, 1e-12);
  EXPECT_EQ(bench.inbox.count(RejectionReason::kClippedReference), 1u);
  EXPECT_FALSE(drops(RejectionReason::kClippedReference));
}

}  // namespace
}  // namespace spatial_dynamics::test

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

#include "control/joint_locks.hpp"

#include <gtest/gtest.h>

#include "fuzz/robots.hpp"

namespace spatial_dynamics::test {
namespace {

/// A continuous hinge, a hinge and a slide.
class JointLocksTest : public ::testing::Test {
 protected:
  void cycle(double share) {
    locks.update_settings(wanted, RampStep{share, false});
    locks.update(coordinates, q);
  }
  Model model = load_urdf(fuzz::kThumb);
  Coordinates coordinates{model};
  JointLocks locks{3, 3};
  VectorXd q = VectorXd::Constant(3, 0.1), wanted = VectorXd::Zero(3);
};

TEST_F(JointLocksTest, LockedJointIsHeldWhereItWasLocked) {
  cycle(0.5);
  wanted(1) = 1.0;
  cycle(0.5);
  EXPECT_EQ(locks.weight()(1), 0.5);
  q << 0.7, 0.2, 0.3;
  cycle(0.5);
  EXPECT_EQ(locks.weight(), wanted);
  EXPECT_NEAR(locks.error()(1), -0.1, 1e-15);
  EXPECT_EQ(locks.error()(0), 0.0) << "free";
}

TEST_F(JointLocksTest, JointLockedAgainWhileItsReleaseIsRampedKeepsItsPosition) {
  cycle(1.0);
  wanted(1) = 1.0;
  cycle(1.0);
  wanted(1) = 0.0;
  q(1) = 0.4;
  cycle(0.5);
  wanted(1) = 1.0;
  cycle(0.5);
  EXPECT_NEAR(locks.error()(1), -0.3, 1e-15);
  wanted(1) = 0.0;
  cycle(1.0);
  wanted(1) = 1.0;
  cycle(1.0);
  EXPECT_NEAR(locks.error()(1), 0.0, 1e-15) << "it was free in between";
}

TEST_F(JointLocksTest, ReleaseLocksAnewWhereTheJointIs) {
  cycle(1.0);
  wanted(1) = 1.0;
  cycle(1.0);
  q(1) = 0.4;
  locks.release();
  locks.update(coordinates, q);
  EXPECT_EQ(locks.weight()(1), 0.0);
  cycle(0.5);
  EXPECT_EQ(locks.weight()(1), 0.5);
  EXPECT_EQ(locks.error()(1), 0.0);
}

TEST_F(JointLocksTest, ErrorOfAContinuousJointDoesNotJumpByTurns) {
  cycle(1.0);
  wanted(0) = 1.0;
  for (int i = 0; i <= 50; ++i) {
    q(0) = std::remainder(0.1 + 0.1 * i, kTurn);
    cycle(1.0);
    EXPECT_NEAR(locks.error()(0), -0.1 * i, 1e-12);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test

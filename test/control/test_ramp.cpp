#include "control/ramp.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

TEST(Ramp, IsLinearAndArrivesExactly) {
  Ramp ramp(2);
  ramp.jump(Eigen::Vector2d(1.0, 2.0));
  const Eigen::Vector2d target(3.0, -2.0);
  for (int i = 1; i <= 4; ++i) {
    ramp.move(target, 0.25);
    EXPECT_NEAR(ramp.now()(0), 1.0 + 0.5 * i, 1e-12);
    EXPECT_NEAR(ramp.now()(1), 2.0 - 1.0 * i, 1e-12);
  }
  EXPECT_EQ(ramp.now(), target);
  ramp.move(target, 0.25);
  EXPECT_EQ(ramp.now(), target);
}

TEST(Ramp, NewTargetStartsFromPresentValue) {
  Ramp ramp(1);
  ramp.jump(VectorXd::Zero(1));
  ramp.move(VectorXd::Constant(1, 10.0), 0.5);
  EXPECT_DOUBLE_EQ(ramp.now()(0), 5.0);
  ramp.move(VectorXd::Zero(1), 0.5);
  EXPECT_DOUBLE_EQ(ramp.now()(0), 2.5);
  ramp.move(VectorXd::Zero(1), 0.5);
  EXPECT_EQ(ramp.now()(0), 0.0);
}

TEST(Towards, IsLimitedByLengthAndTarget) {
  const Vector3 from(1.0, 0.0, 0.0), to(1.0, 4.0, 3.0);
  EXPECT_TRUE(towards(from, to, 1.0).isApprox(Vector3(1.0, 0.8, 0.6)));
  EXPECT_EQ(towards(from, to, 5.0), to);
  EXPECT_EQ(towards(from, from, 0.0), from);
  EXPECT_EQ(towards(from, to, 0.0), from);
}

}  // namespace
}  // namespace spatial_dynamics::test

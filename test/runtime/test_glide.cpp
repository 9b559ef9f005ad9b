#include "spatial_dynamics/runtime/glide.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

TEST(Glide, GoesStraightAndArrivesExactly) {
  Glide glide(2);
  glide.jump(Eigen::Vector2d(1.0, 2.0));
  const Eigen::Vector2d target(3.0, -2.0);
  for (int i = 1; i <= 4; ++i) {
    glide.move(target, 0.25);
    EXPECT_NEAR(glide.now()(0), 1.0 + 0.5 * i, 1e-12);
    EXPECT_NEAR(glide.now()(1), 2.0 - 1.0 * i, 1e-12);
  }
  EXPECT_EQ(glide.now(), target);
  glide.move(target, 0.25);
  EXPECT_EQ(glide.now(), target);
}

TEST(Glide, AChangeOfMindStartsFromWhereItIs) {
  Glide glide(1);
  glide.jump(VectorXd::Zero(1));
  glide.move(VectorXd::Constant(1, 10.0), 0.5);
  EXPECT_DOUBLE_EQ(glide.now()(0), 5.0);
  glide.move(VectorXd::Zero(1), 0.5);
  EXPECT_DOUBLE_EQ(glide.now()(0), 2.5);
  glide.move(VectorXd::Zero(1), 0.5);
  EXPECT_EQ(glide.now()(0), 0.0);
}

TEST(Towards, GoesNoFurtherThanItMayAndNoFurtherThanTheTarget) {
  const Vector3 from(1.0, 0.0, 0.0), to(1.0, 4.0, 3.0);
  EXPECT_TRUE(towards(from, to, 1.0).isApprox(Vector3(1.0, 0.8, 0.6)));
  EXPECT_EQ(towards(from, to, 5.0), to);
  EXPECT_EQ(towards(from, from, 0.0), from);
  EXPECT_EQ(towards(from, to, 0.0), from);
}

}  // namespace
}  // namespace spatial_dynamics::test

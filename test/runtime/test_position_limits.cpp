#include "runtime/position_limits.hpp"

#include <gtest/gtest.h>

#include "fuzz/robots.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/constants.hpp"

namespace spatial_dynamics::test {
namespace {

/// The joints of fuzz::kFinger: turn is continuous, bend is within 2 rad, slide from 0 to 0.2 m.
class PositionLimitsTest : public ::testing::Test {
 protected:
  Knot clipped(std::size_t k, double position) {
    Knot knot{0.5, position, 1.0, 2.0, 3.0};
    is_clipped = limits.clip(k, knot);
    return knot;
  }
  Model model = load_urdf(fuzz::kFinger);
  PositionLimits limits{model, Coordinates(model)};
  bool is_clipped = false;
};

TEST_F(PositionLimitsTest, PositionBeyondALimitIsClippedAndComesToRest) {
  const Knot knot = clipped(1, 2.5);
  EXPECT_TRUE(is_clipped);
  EXPECT_EQ(knot.position, 2.0);
  EXPECT_EQ(knot.velocity, 0.0);
  EXPECT_EQ(knot.acceleration, 0.0);
  EXPECT_EQ(knot.effort, 3.0);
  EXPECT_EQ(knot.time_s, 0.5);
  EXPECT_EQ(clipped(2, -0.1).position, 0.0);
}

TEST_F(PositionLimitsTest, PositionWithinTheLimitsStays) {
  EXPECT_EQ(clipped(1, 2.0).velocity, 1.0);
  EXPECT_FALSE(is_clipped);
  EXPECT_EQ(clipped(0, 50.0).position, 50.0) << "continuous";
  EXPECT_FALSE(is_clipped);
  EXPECT_TRUE(std::isnan(clipped(1, kNaN).position));
  EXPECT_FALSE(is_clipped);
}

}  // namespace
}  // namespace spatial_dynamics::test

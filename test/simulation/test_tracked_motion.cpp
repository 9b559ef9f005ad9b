#include "simulation/tracked_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(TrackedMotion, WithoutReferenceTheTargetIsTheStart) {
  TrackedMotion motion(2, std::nullopt);
  motion.begin({1.0, 2.0});
  EXPECT_EQ(motion.measure(0.5, {9.0, 9.0}), (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(motion.count(), 0U) << "the robot is still settling";
  motion.measure(1.5, {1.3, 2.0});
  motion.measure(1.6, {1.4, 1.9});
  EXPECT_EQ(motion.count(), 2U);
  EXPECT_NEAR(motion.rms(0), std::sqrt((0.09 + 0.16) / 2.0), 1e-15);
  EXPECT_NEAR(motion.largest(1), 0.1, 1e-15);
  EXPECT_NEAR(motion.largest(0), 0.4, 1e-15);
  motion.reset_errors();
  EXPECT_EQ(motion.rms(0), 0.0);
}

TEST(TrackedMotion, PiecesBeginInThePastAndFollowTheReference) {
  const Model model = load_urdf(urdf_text("arm7"));
  SmoothReference reference(model, VectorXd::Constant(model.nv(), kUnlimited));
  TrackedMotion motion(middle_posture(model).size(), reference);
  ASSERT_TRUE(motion.has_reference());
  std::size_t knots = 0;
  motion.for_each_knot(3.0, [&](std::size_t i, double ahead, const MotionPoint& point) {
    MotionPoint expected;
    reference.sample(3.0 - SmoothReference::kPastSeconds + ahead, expected);
    EXPECT_EQ(point.position, expected.position) << i;
    EXPECT_EQ(i, knots++);
  });
  EXPECT_EQ(knots, SmoothReference::kKnots);
}

}  // namespace
}  // namespace spatial_dynamics::test

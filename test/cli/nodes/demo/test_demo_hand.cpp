#include "cli/nodes/demo/demo_hand.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(DemoHand, ActsOnlyInModesThatYield) {
  const Model model = load_urdf_file(shipped_urdf("arm7"));
  EXPECT_FALSE(cli::DemoHand::of(TorqueMode::kComputedTorque, model));
  EXPECT_FALSE(cli::DemoHand::of(TorqueMode::kGravityCompensation, model));
  const auto hand = cli::DemoHand::of(TorqueMode::kHandGuiding, model);
  ASSERT_TRUE(hand);
  EXPECT_EQ(hand->link(), model.link(model.link_count() - 1).name);
}

TEST(DemoHand, ForceDoesNotStepAndReleasesTheArmBetweenPushes) {
  const Model model = load_urdf_file(shipped_urdf("arm7"));
  for (const TorqueMode mode : {TorqueMode::kHandGuiding, TorqueMode::kJointImpedance}) {
    const auto hand = cli::DemoHand::of(mode, model);
    ASSERT_TRUE(hand);
    Vector3 before = hand->force(0.0), largest = Vector3::Zero();
    double released_s = 0.0;
    for (double t = 0.0; t < 24.0; t += 0.01) {
      const Vector3 force = hand->force(t);
      EXPECT_LE((force - before).norm(), 1.0) << t;
      largest = largest.cwiseMax(force.cwiseAbs());
      if (force.isZero(0.0)) released_s += 0.01;
      before = force;
    }
    EXPECT_GT(largest.minCoeff(), 5.0) << "along each axis";
    EXPECT_GT(released_s, 5.0);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test

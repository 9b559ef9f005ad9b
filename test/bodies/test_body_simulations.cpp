#include "bodies/body_simulations.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

TEST(BodySimulations, TumblingConservesMomentumAndReverses) {
  const TumblingBody result = simulate_tumbling_body({20.0, 1e-3});
  EXPECT_LT(result.error.momentum, 1e-12);
  EXPECT_GT(result.reversals, 0);
  const TumblingBody finer = simulate_tumbling_body({20.0, 5e-4});
  EXPECT_LT(finer.error.energy, result.error.energy) << "the integrator is of first order";
}

TEST(BodySimulations, StiffSpringsAreCloseToARigidBody) {
  const double soft = simulate_spring_body(2e3, {1.0, 1e-4}).farthest;
  const double stiff = simulate_spring_body(2e5, {1.0, 1e-4}).farthest;
  EXPECT_LT(stiff, 0.1 * soft);
}

TEST(BodySimulations, LongestSpringStepIsStable) {
  const double longest = longest_spring_step(2e3);
  EXPECT_LT(simulate_spring_body(2e3, {2.0, 0.5 * longest}).farthest, 0.1);
  EXPECT_NEAR(longest_spring_step(8e3), 0.5 * longest, 1e-12);
}

TEST(BodySimulations, APushedPairConservesMomentumAfterThePush) {
  const PushedPair result = simulate_pushed_pair({2.0, 1e-3});
  EXPECT_TRUE(result.was_free);
  EXPECT_LT(result.error.momentum, 1e-6);
  EXPECT_FALSE(simulate_pushed_pair({0.25, 1e-3}).was_free);
}

}  // namespace
}  // namespace spatial_dynamics::test

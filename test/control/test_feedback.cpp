#include "control/feedback.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace spatial_dynamics::test {
namespace {

TEST(ErrorDecayRate, IsSlowRootIfOverdampedAndAtMostHalfFrequency) {
  EXPECT_DOUBLE_EQ(error_decay_rate(100.0, 20.0), 5.0);  // critical: w / 2
  EXPECT_DOUBLE_EQ(error_decay_rate(100.0, 1.0), 5.0);
  EXPECT_DOUBLE_EQ(error_decay_rate(100.0, 0.0), 5.0);
  EXPECT_DOUBLE_EQ(error_decay_rate(0.0, 20.0), 0.0);
  EXPECT_DOUBLE_EQ(error_decay_rate(0.0, 0.0), 0.0);
  // s^2 + 1000 s + 100 = 0
  EXPECT_NEAR(error_decay_rate(100.0, 1000.0), 500.0 - std::sqrt(500.0 * 500.0 - 100.0), 1e-4);
}

}  // namespace
}  // namespace spatial_dynamics::test

#include "runtime/joint_filter.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace spatial_dynamics::test {
namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kFilterPeriod = 1'000'000;
constexpr double kJumpFactor = 3.0;

class JointFilterTest : public ::testing::Test {
 protected:
  JointFilterTest() {
    states.q = states.v = states.effort = VectorXd::Zero(1);
    states.received = {0};
    states.has_effort = {0};
  }
  JointFilter::Missing accept(const JointReading& reading,
                              MissingVelocity policy = MissingVelocity::kZero) {
    now += kFilterPeriod;
    return filter.accept(reading, {now, false, 0}, policy, kJumpFactor, coordinate, 0, states);
  }

  ScalarCoordinate coordinate;
  JointFilter filter{2.0, false};
  JointStates states;
  std::int64_t now = 1'000'000'000;
};

TEST_F(JointFilterTest, ReportsMissingParts) {
  EXPECT_FALSE(accept({0.1, 0.2, 0.3}).velocity);
  const JointFilter::Missing missing = accept({0.1, kAbsent, kAbsent});
  EXPECT_TRUE(missing.velocity);
  EXPECT_TRUE(missing.effort);
}

TEST_F(JointFilterTest, SingleMissingVelocityIsDifferentiated) {
  accept({0.1, 0.5, kAbsent});
  accept({0.101, kAbsent, kAbsent});
  EXPECT_NEAR(states.v(0), 1.0, 1e-9);
}

TEST_F(JointFilterTest, DifferenceIsBoundedByVelocityLimit) {
  accept({0.1, 0.5, kAbsent});
  accept({0.2, kAbsent, kAbsent});  // 100 rad/s
  EXPECT_EQ(states.v(0), kJumpFactor * 2.0);
}

TEST_F(JointFilterTest, EffortStaysKnownForTenthOfSecond) {
  accept({0.1, 0.0, 5.0});
  now += 98 * kFilterPeriod;
  accept({0.1, 0.0, kAbsent});
  EXPECT_EQ(states.effort(0), 5.0);
  EXPECT_EQ(states.has_effort[0], 1);
  now += 10 * kFilterPeriod;
  accept({0.1, 0.0, kAbsent});
  EXPECT_EQ(states.has_effort[0], 0);
  EXPECT_EQ(states.effort(0), 0.0);
}

TEST_F(JointFilterTest, RestartDiscardsPosition) {
  accept({0.1, 0.5, kAbsent});
  filter.restart();
  EXPECT_FALSE(filter.known());
  EXPECT_EQ(filter.judge({3.0, 0.0, kAbsent}, {now, false, 0}, kJumpFactor),
            JumpFilter::Verdict::kGood);
  accept({3.0, kAbsent, kAbsent});
  EXPECT_EQ(states.v(0), 0.0);
}

TEST_F(JointFilterTest, ContinuationKeepsReadingsOfOther) {
  accept({0.1, 0.5, kAbsent});
  JointFilter next(2.0, false);
  next.continue_from(filter);
  EXPECT_TRUE(next.known());
  EXPECT_TRUE(next.had_velocity());
  EXPECT_EQ(next.judge({3.0, 0.0, kAbsent}, {now + kFilterPeriod, false, 0}, kJumpFactor),
            JumpFilter::Verdict::kJump);
}

}  // namespace
}  // namespace spatial_dynamics::test

#include "runtime/jump_filter.hpp"
#include "support/constants.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace spatial_dynamics::test {
namespace {

using Verdict = JumpFilter::Verdict;

/// A joint with a velocity limit of 2 rad/s, sampled at 1 kHz.
class JumpFilterTest : public ::testing::Test {
 protected:
  Verdict send(double position, double velocity = 0.0, std::int64_t after = kMillisecond,
               std::int64_t stamped_gap = 0) {
    now += after;
    const JointSample sample{position, velocity, true, now, stamped_gap};
    const Verdict verdict = filter.judge(sample, factor);
    if (verdict != Verdict::kJump) filter.accept(sample);
    return verdict;
  }

  JumpFilter filter{2.0, false};
  double factor = 3.0;
  std::int64_t now = 1000 * kMillisecond;
};

TEST_F(JumpFilterTest, TheFirstSampleMayBeAnywhere) { EXPECT_EQ(send(100.0), Verdict::kGood); }

TEST_F(JumpFilterTest, MotionAtTheVelocityLimitIsGood) {
  double q = 0.0;
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(send(q += 0.002, 2.0), Verdict::kGood);
}

TEST_F(JumpFilterTest, OneImpossiblePositionIsDropped) {
  send(0.0);
  EXPECT_EQ(send(0.5), Verdict::kJump);
  EXPECT_EQ(send(0.001), Verdict::kGood);
  // 3 x 2 rad/s x 10 ms, the shortest time that counts, and the resolution: 0.061 rad
  EXPECT_EQ(send(0.001 + 0.060), Verdict::kGood);
  EXPECT_EQ(send(0.061 + 0.062), Verdict::kJump);
}

TEST_F(JumpFilterTest, OneImpossibleVelocityIsDropped) {
  send(0.0);
  EXPECT_EQ(send(0.0, 5.9), Verdict::kGood);
  EXPECT_EQ(send(0.0, -6.1), Verdict::kJump);
  EXPECT_EQ(send(0.0, 1000.0), Verdict::kJump);
  EXPECT_EQ(send(0.0, 0.0), Verdict::kGood);
  filter.restart();
  EXPECT_EQ(send(0.0, 1000.0), Verdict::kJump) << "of the first sample too";
}

TEST_F(JumpFilterTest, FiveConsistentJumpsAreReal) {
  send(0.0);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(send(1.0 + 0.002 * i), Verdict::kJump) << i;
  EXPECT_EQ(send(1.01), Verdict::kRealJump);
  EXPECT_EQ(send(1.01), Verdict::kGood);
  EXPECT_EQ(send(0.0), Verdict::kJump) << "the old position is now a jump";
}

TEST_F(JumpFilterTest, DisagreeingJumpsAreRejected) {
  send(0.0);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(send(i % 2 == 0 ? 1.0 : 2.0), Verdict::kJump) << i;
  for (int i = 0; i < 20; ++i) {
    const Verdict expected = i % 4 == 3 ? Verdict::kGood : Verdict::kJump;
    EXPECT_EQ(send(i % 4 == 3 ? 0.0 : 1.0), expected) << "a good sample restarts the count " << i;
  }
}

TEST_F(JumpFilterTest, FastJointIsFollowedAfterFiveSamples) {
  double q = 0.0;
  send(q);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(send(q += 0.008, 8.0), Verdict::kJump) << i;
  EXPECT_EQ(send(q += 0.008, 8.0), Verdict::kRealJump);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(send(q += 0.008, 8.0), Verdict::kGood) << i;
  EXPECT_EQ(send(q, 1.0), Verdict::kGood);
  EXPECT_EQ(send(q, 8.0), Verdict::kJump);
}

TEST_F(JumpFilterTest, TheBoundGrowsWithTheElapsedTime) {
  send(0.0);
  EXPECT_EQ(send(0.59, 0.0, 100 * kMillisecond), Verdict::kGood);  // 0.601 rad in 100 ms
  EXPECT_EQ(send(1.25, 0.0, 100 * kMillisecond), Verdict::kJump);
  EXPECT_EQ(send(1.25, 0.0, kMillisecond, 200 * kMillisecond), Verdict::kGood)
      << "stamps count too";
}

TEST_F(JumpFilterTest, AcceptsLateMessages) {
  // At 50 Hz and at the velocity limit; one is late by 15 ms, the next is punctual.
  send(0.00, 2.0, 20 * kMillisecond);
  send(0.04, 2.0, 20 * kMillisecond);
  EXPECT_EQ(send(0.08, 2.0, 35 * kMillisecond), Verdict::kGood);
  EXPECT_EQ(send(0.16, 2.0, 5 * kMillisecond), Verdict::kGood) << "as much as two periods";
}

TEST_F(JumpFilterTest, WholeTurnsOfAContinuousJointAreNoJumps) {
  filter = JumpFilter(2.0, true);
  send(M_PI - 0.001);
  EXPECT_EQ(send(-M_PI + 0.001), Verdict::kGood);
  EXPECT_EQ(send(0.0), Verdict::kJump);
}

TEST_F(JumpFilterTest, WithoutALimitOrAFactorNothingIsAJump) {
  for (const double limit : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    filter = JumpFilter(limit, false);
    send(0.0);
    EXPECT_EQ(send(1000.0, 1e5), Verdict::kGood) << limit;
  }
  filter = JumpFilter(2.0, false);
  factor = 0.0;
  send(0.0);
  EXPECT_EQ(send(1000.0, 1e5), Verdict::kGood);
}

}  // namespace
}  // namespace spatial_dynamics::test

#include <gtest/gtest.h>

#include <cmath>

#include "identification/recorded_log.hpp"
#include "identification/two_joints.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr const char* kPendulumUrdf =
    "<robot name=\"p\"><link name=\"base\"/><link name=\"arm\"><inertial><mass value=\"1\"/>"
    "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
    "<joint name=\"hinge\" type=\"revolute\"><parent link=\"base\"/><child link=\"arm\"/>"
    "<axis xyz=\"0 1 0\"/><limit lower=\"-3\" upper=\"3\" effort=\"10\" "
    "velocity=\"2\"/></joint></robot>";

/// A sine with the given amplitude of the effort, 10 s at 200 Hz.
RobotLog sine_log(double effort) {
  RobotLog log;
  log.q.resize(1, 2000);
  log.effort.resize(1, 2000);
  log.has_effort = {true};
  for (Index i = 0; i < 2000; ++i) {
    const double t = 0.005 * static_cast<double>(i);
    log.time.push_back(t);
    log.q(0, i) = std::sin(t);
    log.effort(0, i) = effort * std::sin(3.0 * t);
  }
  return log;
}
LogExclusions exclusions_of(RobotLog& log) {
  exclude_bad_samples(load_urdf(kPendulumUrdf), log);
  return log.exclusions;
}

TEST(LogExclusionsTest, KeepsAGoodLog) {
  RobotLog log = sine_log(9.5);
  const LogExclusions found = exclusions_of(log);
  EXPECT_EQ(found.saturated + found.jumps, 0U);
  EXPECT_TRUE(log.excluded.empty());
}

TEST(LogExclusionsTest, ExcludesEffortsAtTheLimit) {
  RobotLog log = sine_log(20.0);
  log.effort = log.effort.cwiseMax(-10.0).cwiseMin(10.0);
  std::size_t clipped = 0;
  for (Index i = 0; i < log.size(); ++i) clipped += std::abs(log.effort(0, i)) >= 9.99 ? 1U : 0U;
  ASSERT_GT(clipped, 1000U);
  EXPECT_EQ(exclusions_of(log).saturated, clipped);
  for (Index i = 0; i < log.size(); ++i) {
    EXPECT_EQ(log.excluded[to_size(i)], std::abs(log.effort(0, i)) >= 9.99);
  }
}

TEST(LogExclusionsTest, ExcludesTheEndOfASensorsRange) {
  RobotLog log = sine_log(6.0);
  log.effort = log.effort.cwiseMax(-4.0).cwiseMin(4.0);
  const std::size_t clipped = exclusions_of(log).saturated;
  EXPECT_EQ(clipped, static_cast<std::size_t>((log.effort.cwiseAbs().array() == 4.0).count()));
}

TEST(LogExclusionsTest, ACoarseSensorIsNotSaturated) {
  RobotLog log = sine_log(6.0);
  log.effort = (log.effort / 0.5).array().round() * 0.5;
  EXPECT_EQ(exclusions_of(log).saturated, 0U);
}

TEST(LogExclusionsTest, EffortsInAnotherUnitAreNotSaturated) {
  RobotLog log = sine_log(9500.0);
  EXPECT_EQ(exclusions_of(log).saturated, 0U);
}

TEST(LogExclusionsTest, ExcludesSpikesAndSteps) {
  RobotLog log = sine_log(5.0);
  log.q(0, 500) += 0.5;                                          // a spike
  for (Index i = 1000; i < log.size(); ++i) log.q(0, i) -= 0.3;  // a lost count
  EXPECT_EQ(exclusions_of(log).jumps, 5U);
  for (const std::size_t i : {499U, 500U, 501U, 999U, 1000U}) EXPECT_TRUE(log.excluded[i]) << i;
}

TEST(LogExclusionsTest, FastMotionAndDegreesAreNoJumps) {
  RobotLog fast = sine_log(5.0);
  for (Index i = 0; i < fast.size(); ++i) fast.q(0, i) = std::sin(40.0 * fast.time[to_size(i)]);
  EXPECT_EQ(exclusions_of(fast).jumps, 0U);
  RobotLog degrees = sine_log(5.0);
  degrees.q *= 180.0 / M_PI;
  EXPECT_EQ(exclusions_of(degrees).jumps, 0U);
}

TEST(LogExclusionsTest, AFilterDoesNotReachExcludedSamplesOrOtherSegments) {
  RobotLog log = sine_log(5.0);
  log.q(0, 500) += 0.5;
  log.segments = {{0, 0}, {1200, 1}};
  for (Index i = 1200; i < log.size(); ++i) {
    log.q(0, i) = 0.5;  // another pose, 5 ms later
    log.effort(0, i) = 1.0;
  }
  (void)exclusions_of(log);
  EXPECT_EQ(log.exclusions.jumps, 3U);  // the border is no jump
  const LogSamples samples = make_samples(log, 0.05);
  for (Index i = 0; i < samples.size(); ++i) {
    const double t = samples.time[to_size(i)];
    // the quadratic's error: w^2 window^2 / 10 of the amplitude
    EXPECT_NEAR(samples.v(0, i), t < 5.9975 ? std::cos(t) : 0.0, 1e-3) << t;
  }
  ASSERT_EQ(samples.segments.size(), 2U);
  EXPECT_EQ(samples.segments[1].source, 1U);
  EXPECT_EQ(samples.time[to_size(samples.segments[1].first)], log.time[1200 + 4]);
  EXPECT_EQ(samples.exclusions.beside, to_size(log.size() - samples.size()) - 3U);
}

TEST(LogExclusionsTest, ALogWithItsOwnRatesLosesOnlyTheBadSamples) {
  RobotLog log = sine_log(20.0);
  log.effort = log.effort.cwiseMax(-10.0).cwiseMin(10.0);
  log.v = log.a = log.q;
  (void)exclusions_of(log);
  const LogSamples samples = make_samples(log, 0.0);
  EXPECT_EQ(to_size(samples.size()), to_size(log.size()) - log.exclusions.saturated);
  EXPECT_LT(samples.effort.cwiseAbs().maxCoeff(), 10.0);
  EXPECT_EQ(samples.exclusions.beside, 0U);
}

TEST(LogExclusionsTest, WithoutLimitsNothingIsAtALimit) {
  RobotLog log = sine_log(5.0);
  exclude_bad_samples(pendulum(), log);  // a continuous joint without <limit>
  EXPECT_TRUE(log.excluded.empty());
}

TEST(LogExclusionsTest, TextNamesEachReason) {
  LogExclusions none;
  none.beside = 24;
  EXPECT_EQ(exclusions_text(none), "");
  const LogExclusions all{3, 1, 12, 5, 40, 2, 1};
  EXPECT_EQ(
      exclusions_text(all),
      "3 rows without a number that is needed, 1 row with a repeated or late time, 12 samples "
      "with an effort at its limit, 5 samples beside a jump of a position, 40 samples too close "
      "to these or to an end for the filter; the log is split at 2 gaps and 1 jump of the clock");
}

}  // namespace
}  // namespace spatial_dynamics::test

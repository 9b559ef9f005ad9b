#include "spatial_dynamics/identification/log_samples.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace spatial_dynamics::test {
namespace {

/// q = 1 + 2 t + 3 t^2 at times that are not quite regular.
RobotLog parabola(bool with_velocity) {
  RobotLog log;
  const Index n = 400;
  log.q.resize(1, n);
  log.effort.resize(1, n);
  if (with_velocity) log.v.resize(1, n);
  for (Index i = 0; i < n; ++i) {
    const double t = 0.002 * static_cast<double>(i) + 0.0005 * std::sin(static_cast<double>(i));
    log.time.push_back(t);
    log.q(0, i) = 1.0 + 2.0 * t + 3.0 * t * t;
    if (with_velocity) log.v(0, i) = 2.0 + 6.0 * t;
    log.effort(0, i) = 5.0 - t;
  }
  log.has_effort = {true};
  return log;
}

TEST(LogSamplesTest, DifferentiatesAParabolaExactly) {
  for (const bool with_velocity : {true, false}) {
    const LogSamples samples = make_samples(parabola(with_velocity), 0.0);
    ASSERT_GT(samples.size(), 350);
    for (Index i = 0; i < samples.size(); ++i) {
      const double t = samples.time[to_size(i)];
      EXPECT_NEAR(samples.q(0, i), 1.0 + 2.0 * t + 3.0 * t * t, 1e-12);
      EXPECT_NEAR(samples.v(0, i), 2.0 + 6.0 * t, 1e-10);
      EXPECT_NEAR(samples.a(0, i), 6.0, 1e-7);
      EXPECT_NEAR(samples.effort(0, i), 5.0 - t, 1e-12);
      EXPECT_NEAR(samples.effort_rate(0, i), -1.0, 1e-9);
    }
    EXPECT_NE(samples.filter.find(with_velocity ? "velocities" : "positions"), std::string::npos);
    EXPECT_NE(samples.filter.find("50 ms"), std::string::npos) << samples.filter;
  }
}

TEST(LogSamplesTest, ReturnsTheLogItselfIfItHasAccelerations) {
  RobotLog log = parabola(true);
  log.a = MatrixXd::Constant(1, log.size(), 6.5);
  const LogSamples samples = make_samples(log, 0.0);
  EXPECT_EQ(samples.a, log.a);
  EXPECT_EQ(samples.q, log.q);
  EXPECT_EQ(samples.filter, "none");
  EXPECT_NEAR(make_samples(log, 0.04).a(0, 10), 6.0, 1e-9);  // a window asks for the filter
}

TEST(LogSamplesTest, DoesNotFilterAcrossGaps) {
  RobotLog log = parabola(true);
  for (std::size_t i = 200; i < log.time.size(); ++i) log.time[i] += 10.0;  // another motion
  for (Index i = 200; i < log.size(); ++i) log.v(0, i) = -50.0;
  const LogSamples samples = make_samples(log, 0.05);
  for (Index i = 0; i < samples.size(); ++i) {
    EXPECT_NEAR(samples.a(0, i), samples.time[to_size(i)] < 5.0 ? 6.0 : 0.0, 1e-9);
  }
}

TEST(LogSamplesTest, RejectsTooShortOrTooSlowLogs) {
  RobotLog log = parabola(true);
  EXPECT_THROW((void)make_samples(log, 0.003), LogError);
  log.time.resize(1);
  EXPECT_THROW((void)make_samples(log, 0.0), LogError);
}

}  // namespace
}  // namespace spatial_dynamics::test

#include "identification/rate_ratio.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace spatial_dynamics::test {
namespace {

/// 500 samples at 100 Hz without joints.
RobotLog five_seconds() {
  RobotLog log;
  for (int i = 0; i < 500; ++i) log.time.push_back(0.01 * i);
  return log;
}
VectorXd sampled(const RobotLog& log, double (*function)(double)) {
  VectorXd values(log.size());
  for (Index i = 0; i < log.size(); ++i) values(i) = function(log.time[to_size(i)]);
  return values;
}
double sine(double t) { return std::sin(2.0 * t); }
double rate_of_sine(double t) { return 2.0 * std::cos(2.0 * t); }

TEST(RateRatio, IsTheFactorBetweenTheUnits) {
  const RobotLog log = five_seconds();
  const VectorXd q = sampled(log, sine), v = sampled(log, rate_of_sine);
  EXPECT_NEAR(rate_ratio(log, q, v).value(), 1.0, 0.01);
  EXPECT_NEAR(rate_ratio(log, 57.3 * q, v).value(), 57.3, 0.5);
  EXPECT_NEAR(rate_ratio(log, q, -v).value(), -1.0, 0.01);
}

TEST(RateRatio, IsUnknownWithoutMotionAndInNoise) {
  const RobotLog log = five_seconds();
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise;
  VectorXd q(log.size()), v(log.size());
  for (Index i = 0; i < log.size(); ++i) {
    q(i) = noise(random);
    v(i) = noise(random);
  }
  EXPECT_FALSE(rate_ratio(log, q, v).has_value());
  const VectorXd zero = VectorXd::Zero(log.size());
  EXPECT_FALSE(rate_ratio(log, zero, zero).has_value());
  EXPECT_FALSE(rate_ratio(log, zero, VectorXd::Ones(log.size())).has_value());
}

TEST(RateRatio, IgnoresGaps) {
  RobotLog log = five_seconds();
  const VectorXd q = sampled(log, sine), v = sampled(log, rate_of_sine);
  for (std::size_t i = 0; i < log.time.size(); ++i) {
    log.time[i] += 100.0 * static_cast<double>(i / 25);
  }
  EXPECT_NEAR(rate_ratio(log, q, v).value(), 1.0, 0.01);
}

TEST(RateRatio, WrappedAnglesOfAFastJointEqualTheirRate) {
  const RobotLog log = five_seconds();
  const VectorXd v = VectorXd::Constant(log.size(), 400.0);  // 4 rad per sample
  VectorXd q(log.size());
  for (Index i = 0; i < log.size(); ++i) {
    q(i) = std::remainder(400.0 * log.time[to_size(i)], 2.0 * M_PI);
  }
  EXPECT_TRUE(equals_rate_but_for_turns(log, q, v));
  EXPECT_FALSE(equals_rate_but_for_turns(log, q, 0.7 * v));
}

TEST(RateRatio, MedianStepIgnoresPauses) {
  RobotLog log = five_seconds();
  log.time.back() += 1e6;
  EXPECT_NEAR(median_step(log), 0.01, 1e-9);
}

}  // namespace
}  // namespace spatial_dynamics::test

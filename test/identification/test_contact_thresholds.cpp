#include "identification/contact_thresholds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace spatial_dynamics::test {
namespace {

/// Gaussian noise through a first-order filter with the time constant 20 ms.
VectorXd filtered_noise(Index count, double dt, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  VectorXd x(count);
  double state = 0.0, state2 = 0.0;
  for (Index i = 0; i < count; ++i) {
    state += dt / 0.02 * (normal(random) - state);
    state2 += dt / 0.02 * (state - state2);  // smooth enough for Rice's formula
    x(i) = state2;
  }
  return x;
}

FitSamples times(Index count, double dt) {
  FitSamples samples;
  for (Index i = 0; i < count; ++i) {
    samples.time.push_back(static_cast<double>(i) * dt);
    samples.run.push_back(0);
  }
  return samples;
}

TEST(ContactThresholdsTest, NoiseCrossesThemAboutAsOftenAsStated) {
  constexpr double kDt = 0.002, kPerHour = 60.0;
  const Index brief = 30000;  // a minute
  const VectorXd threshold =
      contact_thresholds(times(brief, kDt), filtered_noise(brief, kDt, 1).transpose(), kPerHour);
  const Index hour = 1800000;
  int alarms = 0;
  const VectorXd noise = filtered_noise(hour, kDt, 2);
  for (Index i = 1; i < hour; ++i) {
    if (std::abs(noise(i - 1)) < threshold(0) && std::abs(noise(i)) >= threshold(0)) ++alarms;
  }
  EXPECT_GT(alarms, 10);
  EXPECT_LT(alarms, 180);
}

TEST(ContactThresholdsTest, FewerFalseAlarmsNeedHigherThresholds) {
  const Index count = 30000;
  const MatrixXd noise = filtered_noise(count, 0.002, 3).transpose();
  EXPECT_GT(contact_thresholds(times(count, 0.002), noise, 0.01)(0),
            contact_thresholds(times(count, 0.002), noise, 10.0)(0));
}

TEST(ContactThresholdsTest, AreAboveEveryResidualOfTheLog) {
  const Index count = 5000;
  MatrixXd noise = filtered_noise(count, 0.002, 4).transpose();
  noise(0, 2500) = -3.0;  // not Gaussian
  EXPECT_GE(contact_thresholds(times(count, 0.002), noise, 0.1)(0), 3.3);
}

}  // namespace
}  // namespace spatial_dynamics::test

#include "identification/fit_samples.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace spatial_dynamics::test {
namespace {

constexpr double kW = 2.0 * M_PI;  // 1 Hz

/// One joint on a sine; the effort is its acceleration, `lag_s` late.
RobotLog sine_log(double seconds, double rate_hz, double lag_s = 0.0) {
  RobotLog log;
  const auto n = static_cast<Index>(seconds * rate_hz);
  log.q.resize(1, n);
  log.effort.resize(1, n);
  log.has_effort = {true};
  for (Index i = 0; i < n; ++i) {
    const double t = static_cast<double>(i) / rate_hz;
    log.time.push_back(t);
    log.q(0, i) = std::sin(kW * t);
    log.effort(0, i) = -kW * kW * std::sin(kW * (t - lag_s));
  }
  return log;
}

TEST(FitSamplesTest, DerivativesOfASineOfOneHertzAreWithinAThousandth) {
  const RobotLog log = sine_log(5.0, 500.0);
  const double window = fit_window(log);
  EXPECT_EQ(window, 0.1);
  const DerivedStates states = derive_states(log, window);
  EXPECT_GT(states.size(), 2300);
  for (Index i = 0; i < states.size(); ++i) {
    const double t = log.time[to_size(states.sample[to_size(i)])];
    EXPECT_NEAR(states.q(0, i), std::sin(kW * t), 1e-6);
    EXPECT_NEAR(states.v(0, i), kW * std::cos(kW * t), 1e-3 * kW);
    EXPECT_NEAR(states.a(0, i), -kW * kW * std::sin(kW * t), 1e-3 * kW * kW);
  }
}

TEST(FitSamplesTest, LeavesOutTheNeighboursOfGapsAndOfExcludedSamples) {
  RobotLog log = sine_log(4.0, 500.0);
  for (std::size_t i = 1000; i < log.time.size(); ++i) log.time[i] += 3.0;
  log.excluded.assign(log.time.size(), false);
  for (std::size_t i = 400; i < 450; ++i) log.excluded[i] = true;  // 0.1 s
  const DerivedStates states = derive_states(log, 0.1);
  for (const Index sample : states.sample) {
    EXPECT_FALSE(sample > 380 && sample < 470) << sample;
    EXPECT_FALSE(sample > 980 && sample < 1020) << sample;
  }
  const FitSamples fit = make_fit_samples(log, states, 0.1, 1e-3, 0.0);
  for (Index i = 1; i < fit.size(); ++i) {
    if (fit.run[to_size(i)] == fit.run[to_size(i - 1)]) {
      EXPECT_NEAR(fit.time[to_size(i)] - fit.time[to_size(i - 1)], 0.025, 0.003);
    }
  }
  EXPECT_EQ(fit.run.back() - fit.run.front(), 2);
}

TEST(FitSamplesTest, SegmentsDoNotMix) {
  RobotLog log = sine_log(4.0, 500.0);
  log.segments = {{0, 0}, {1000, 1}};
  const FitSamples fit = make_fit_samples(log, derive_states(log, 0.1), 0.1, 1e-3, 0.0);
  for (Index i = 0; i < fit.size(); ++i) {
    const double t = fit.time[to_size(i)];
    EXPECT_EQ(fit.source[to_size(i)], t < 2.0 ? 0U : 1U);
    EXPECT_GT(std::abs(t - 2.0), 0.09);  // two half windows
  }
}

TEST(FitSamplesTest, TakesEffortsLater) {
  const RobotLog log = sine_log(4.0, 500.0, 0.004);
  const FitSamples fit = make_fit_samples(log, derive_states(log, 0.1), 0.1, 1e-3, 0.004);
  for (Index i = 0; i < fit.size(); ++i) {
    EXPECT_NEAR(fit.effort(0, i), -kW * kW * std::sin(kW * fit.time[to_size(i)]), 1e-3);
  }
}

TEST(FitSamplesTest, UnequalIntervalsGiveTheSameDerivatives) {
  RobotLog log = sine_log(4.0, 500.0);
  for (std::size_t i = 0; i < log.time.size(); ++i) {
    log.time[i] += 4e-4 * std::sin(7.0 * static_cast<double>(i));
    log.q(0, static_cast<Index>(i)) = std::sin(kW * log.time[i]);
  }
  const DerivedStates states = derive_states(log, 0.1);
  for (Index i = 0; i < states.size(); ++i) {
    const double t = log.time[to_size(states.sample[to_size(i)])];
    EXPECT_NEAR(states.a(0, i), -kW * kW * std::sin(kW * t), 1e-3 * kW * kW);
  }
}

TEST(FitSamplesTest, SlowLogsHaveAWiderWindow) {
  EXPECT_NEAR(fit_window(sine_log(10.0, 50.0)), 0.3, 1e-9);
  EXPECT_THROW(derive_states(sine_log(0.05, 100.0), 0.15), LogError);
}

}  // namespace
}  // namespace spatial_dynamics::test

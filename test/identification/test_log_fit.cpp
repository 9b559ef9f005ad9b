// Finds known payloads and friction in logs of a simulated arm.
#include "spatial_dynamics/identification/log_fit.hpp"

#include <gtest/gtest.h>

#include "identification/recorded_log.hpp"
#include "spatial_dynamics/identification/fitted_payload.hpp"
#include "spatial_dynamics/model/configuration.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(LogFitTest, IntervalsContainTheTruthIn95PercentOfCases) {
  // 30 logs with four numbers each: 95 % of 120 are 114. Fewer than 102 inside has a probability of
  // 1e-5.
  constexpr int kLogs = 30;
  const Vector3 com(0.01, 0.0, 0.07);
  int inside = 0;
  double widest = 0.0;
  for (int seed = 1; seed <= kLogs; ++seed) {
    Recording recording = noisy_sensors(static_cast<std::uint64_t>(seed));
    recording.seconds = 8.0;
    recording.rate_hz = 250.0;
    const RobotLog log = record(arm7_with(1.2, com), arm7(), recording);
    const FittedPayload payload =
        fitted_payload(fit_log(arm7(), make_samples(log, 0.0), payload_on_flange()), false);
    inside += std::abs(payload.mass - 1.2) < 2.0 * payload.mass_deviation ? 1 : 0;
    for (Index i = 0; i < 3; ++i) {
      inside += std::abs(payload.com(i) - com(i)) < 2.0 * payload.com_deviation(i) ? 1 : 0;
    }
    widest = std::max(widest, payload.mass_deviation);
  }
  EXPECT_GE(inside, 102);
  EXPECT_LT(widest, 0.02);  // and the intervals are narrow
}

TEST(LogFitTest, FindsFrictionAndOffsets) {
  RobotLog log = record(arm7(), arm7(), noisy_sensors(1));
  log.effort.row(0) += (1.5 * (log.v.row(0).array() / 1e-3).tanh()).matrix();
  log.effort.row(1) += 4.0 * log.v.row(1);
  log.effort.row(3).array() -= 0.7;
  LogFitOptions options;
  options.friction = options.offset = true;
  const LogFit fit = fit_log(arm7(), make_samples(log, 0.0), options);
  const auto value = [&](const std::string& name) {
    for (const FitParameter& p : fit.parameters) {
      if (p.name == name) return p.value;
    }
    ADD_FAILURE() << name;
    return 0.0;
  };
  EXPECT_NEAR(value("friction of joint 'shoulder_yaw'"), 1.5, 0.05);
  EXPECT_NEAR(value("damping of joint 'shoulder_yaw'"), 0.0, 0.2);
  EXPECT_NEAR(value("damping of joint 'shoulder_pitch'"), 4.0, 0.2);
  EXPECT_NEAR(value("effort offset of joint 'elbow'"), -0.7, 0.02);
  EXPECT_NEAR(value("effort offset of joint 'wrist_pitch'"), 0.0, 0.02);
}

/// The base's six rows have no friction and no offset of their own.
TEST(LogFitTest, FitsFrictionOfAFloatingRobotPerScalarCoordinate) {
  LoadOptions load;
  load.floating_base = true;
  const Model model = load_urdf_file(shipped_urdf("double_pendulum"), load);
  LogSamples samples;
  constexpr Index kCount = 40;
  samples.q = neutral_configuration(model).replicate(1, kCount);
  samples.v = MatrixXd::Zero(model.nv(), kCount);
  samples.v.bottomRows(2) = MatrixXd::Random(2, kCount);
  samples.a = MatrixXd::Zero(model.nv(), kCount);
  samples.effort = MatrixXd::Zero(model.nv(), kCount);
  for (Index i = 0; i < kCount; ++i) samples.time.push_back(0.01 * static_cast<double>(i));
  samples.has_effort.assign(to_size(model.nv()), true);
  LogFitOptions options;
  options.friction = options.offset = true;
  EXPECT_EQ(fit_log(model, samples, options).parameters.size(), 6u);
}

TEST(LogFitTest, FindsMomentsOfPayloadOfUndeterminedMass) {
  // A pendulum about y determines m x, m z and iyy (about its axis) and nothing else.
  const Model model = pendulum(), loaded = pendulum_with(0.5, Vector3(0, 0, -1));
  LogFitOptions options;
  options.link = model.find_link("rod");
  options.rotational = true;
  const LogFit fit = fit_log(model, make_samples(swing(loaded), 0.0), options);
  const FittedPayload payload = fitted_payload(fit, true);
  EXPECT_FALSE(fit.parameters[0].determined);
  EXPECT_FALSE(payload.significant);
  EXPECT_TRUE(payload.present);
  EXPECT_FALSE(payload.without_effect);
  EXPECT_TRUE(fit.parameters[3].determined);
  EXPECT_NEAR(fit.parameters[3].value, -0.5, 0.01);
  EXPECT_NEAR(fit.parameters[7].value, 0.5, 0.02);
}

TEST(LogFitTest, SeparatesLagOfEffortsFromDamping) {
  const Model model = pendulum();
  const LogSamples late = make_samples(swing(model, 0.006), 0.0);
  LogFitOptions options;
  options.friction = true;
  EXPECT_GT(std::abs(fit_log(model, late, options).parameters[0].value), 0.02);
  options.lag = true;
  const LogFit fit = fit_log(model, late, options);
  ASSERT_TRUE(fit.has_lag);
  // Smoothing the jump of friction at zero speed leaves about 0.2 ms and 0.003 N m s/rad.
  EXPECT_NEAR(fit.parameters.back().value, 0.006, 4e-4);
  EXPECT_LT(std::abs(fit.parameters[0].value), 5e-3);
}

TEST(LogFitTest, IntervalsIncludeTheErrorOfTheFilter) {
  // Without noise the only error is the smoothed jump of friction at zero speed.
  const Model model = pendulum();
  const RobotLog log = swing(model);
  LogFitOptions options;
  options.friction = options.lag = true;
  LogFit fit = fit_log(model, make_samples(log, 0.05), options);
  add_filter_error(fit, fit_log(model, make_samples(log, 0.05 * kWiderWindow), options));
  for (const FitParameter& p : fit.parameters) {
    EXPECT_LT(std::abs(p.value), 2.0 * p.deviation) << p.name;
    EXPECT_LT(p.deviation, 0.01) << p.name;  // and the intervals are narrow
  }
}

TEST(LogFitTest, IntervalsAreRoundedToTwoDigitsOfTheirHalfWidth) {
  const FitInterval interval = interval_95(1.50123, 0.00055);
  EXPECT_NEAR(interval.half_width, 0.0011, 1e-15);
  EXPECT_NEAR(interval.value, 1.5012, 1e-13);
  EXPECT_EQ(interval_95(1.50123, 0.0).value, 1.50123);
}

TEST(LogFitTest, ReportsUndeterminedParameters) {
  // At rest in one posture, gravity acts along one direction, along which the position of the mass
  // has no effect.
  const Model robot = arm7_with(1.0, Vector3(0, 0, 0.1)), known = arm7();
  textbook::Data data(robot);
  RobotLog log;
  const std::vector<double> middle = middle_posture(known);
  const VectorXd q = Eigen::Map<const VectorXd>(middle.data(), 7);
  log.q = q.replicate(1, 100);
  log.v = log.a = MatrixXd::Zero(7, 100);
  log.effort = gravity_torque(robot, data, q).replicate(1, 100);
  log.has_effort.assign(7, true);
  for (int i = 0; i < 100; ++i) log.time.push_back(0.01 * i);
  const LogFit fit = fit_log(known, make_samples(log, 0.0), payload_on_flange());
  EXPECT_FALSE(fitted_payload(fit, false).determined);
  EXPECT_FALSE(fitted_payload(fit, false).without_effect);
  for (const FitParameter& p : fit.parameters) EXPECT_TRUE(std::isfinite(p.value)) << p.name;
  EXPECT_LT(fit.rms_after.maxCoeff(), 1e-6);  // the fitted values explain the log
}

TEST(LogFit, ReportsItsProgress) {
  const LogSamples samples = make_samples(swing(pendulum()), 0.0);
  LogFitOptions options;
  options.friction = true;
  double last = 0.0;
  Index calls = 0;
  (void)fit_log(pendulum(), samples, options, [&](double share) {
    EXPECT_GT(share, last);
    last = share;
    ++calls;
  });
  EXPECT_EQ(last, 1.0);
  EXPECT_EQ(calls, samples.size());
}

}  // namespace
}  // namespace spatial_dynamics::test

// Logs with a known error.
#include "identification/log_comparison.hpp"

#include <gtest/gtest.h>

#include "identification/recorded_log.hpp"
#include "spatial_dynamics/identification/fitted_payload.hpp"
#include "spatial_dynamics/identification/log_fit.hpp"

namespace spatial_dynamics::test {
namespace {

LogComparison comparison_of(const RobotLog& log) {
  return compare_log(arm7(), make_samples(log, 0.0));
}
bool hints_at(const LogComparison& result, const std::string& words) {
  return result.hints.size() == 1 && result.hints[0].find(words) != std::string::npos;
}
std::string all(const LogComparison& result) {
  std::string text;
  for (const std::string& hint : result.hints) text += hint + "\n";
  return text;
}
Recording noisy() {
  Recording recording;
  recording.sensors.position_noise = 1e-5;
  recording.sensors.velocity_noise = 1e-3;
  recording.sensors.effort_noise = 0.05;
  return recording;
}

TEST(LogComparisonTest, CorrectModelHasNoHints) {
  const LogComparison result = comparison_of(record(arm7(), arm7()));
  EXPECT_TRUE(result.hints.empty()) << all(result);
  for (const JointResidual& joint : result.joints) {
    EXPECT_LT(joint.residual_rms, 0.05)
        << joint.name;  // the filter smooths the jump of friction at zero speed
  }
}

TEST(LogComparisonTest, JudgesEachJoint) {
  RobotLog log = record(arm7(), arm7(), noisy());
  log.effort.row(6) *= 3.0;  // the joint with the smallest efforts
  const LogComparison result = comparison_of(log);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NE(result.joints[k].explanation(), Explanation::kNo) << result.joints[k].name;
  }
  EXPECT_EQ(result.joints[6].explanation(), Explanation::kNo) << result.joints[6].share();
  EXPECT_FALSE(result.hints.empty());
}

TEST(LogComparisonTest, ResidualsBelowTheResolutionAreSmall) {
  JointResidual joint;
  joint.effort_rms = 1.0;
  joint.residual_rms = 0.09;
  joint.resolution = 0.2;
  EXPECT_EQ(joint.explanation(), Explanation::kYes);
  joint.residual_rms = 0.19;
  EXPECT_EQ(joint.explanation(), Explanation::kSmall);
  joint.residual_rms = 0.21;
  EXPECT_EQ(joint.explanation(), Explanation::kNo);
  joint.effort_rms = 0.0;  // a driver that reports zeros
  EXPECT_EQ(joint.explanation(), Explanation::kNo);
}

TEST(LogComparisonTest, UsesTheGravityOfAWallMountedArm) {
  Model arm = arm7();
  arm.set_gravity(Vector3(9.81, 0, 0));
  const RobotLog log = record(arm, arm, noisy());
  EXPECT_TRUE(compare_log(arm, make_samples(log, 0.0)).hints.empty());
  const LogComparison floor = comparison_of(log);
  EXPECT_TRUE(hints_at(floor, "on a wall or a ceiling? Then give --gravity 9.81,0,0."))
      << all(floor);
  Model loaded = arm;
  loaded.set_payload(arm.find_link("flange"),
                     Inertia::from_com(1.5, Vector3(0, 0, 0.06), Matrix3::Zero()));
  LogFitOptions options;
  options.link = arm.find_link("flange");
  const LogFit fit = fit_log(arm, make_samples(record(loaded, arm, noisy()), 0.0), options);
  EXPECT_NEAR(fitted_payload(fit, false).mass, 1.5, 0.02);
}

TEST(LogComparisonTest, FindsAPayload) {
  const LogComparison result =
      comparison_of(record(arm7_with(1.5, Vector3(0, 0, 0.06)), arm7(), noisy()));
  EXPECT_TRUE(hints_at(result, "a payload of 1.5 kg on link 'flange'")) << all(result);
}

TEST(LogComparisonTest, FindsPayloadOfUndeterminedMass) {
  // The efforts are 1.4 times as large; but a payload explains what is left of them, too.
  const RobotLog log = swing(pendulum_with(0.5, Vector3(0, 0, -1)));
  const LogComparison result = compare_log(pendulum(), make_samples(log, 0.0));
  EXPECT_TRUE(
      hints_at(result, "a payload on link 'rod', whose mass this motion does not determine"))
      << all(result);
  EXPECT_TRUE(hints_at(result, "identify --inertia")) << all(result);
}

TEST(LogComparisonTest, DistinguishesAWrongTorqueConstantFromAPayload) {
  RobotLog log = swing(pendulum());
  log.effort *= 1.4;
  const LogComparison result = compare_log(pendulum(), make_samples(log, 0.0));
  EXPECT_TRUE(hints_at(result, "measures 1.4 times what is predicted")) << all(result);
}

TEST(LogComparisonTest, AsksForASensorWhereEveryEffortIsZero) {
  RobotLog log = record(arm7(), arm7());
  log.effort.setZero();
  EXPECT_TRUE(hints_at(comparison_of(log), "every effort of 'shoulder_yaw'"))
      << all(comparison_of(log));
}

TEST(LogComparisonTest, FindsAConstantOffset) {
  RobotLog log = record(arm7(), arm7(), noisy());
  log.effort.row(3).array() += 1.2;
  const LogComparison result = comparison_of(log);
  EXPECT_TRUE(hints_at(result, "joint 'elbow' is off by a constant 1.2 N m")) << all(result);
}

TEST(LogComparisonTest, FindsUnmodelledFriction) {
  RobotLog log = record(arm7(), arm7(), noisy());
  log.effort.row(0) += (2.0 * (log.v.row(0).array() / 1e-3).tanh()).matrix();
  const LogComparison result = comparison_of(log);
  EXPECT_TRUE(hints_at(result, "joint 'shoulder_yaw' is off by 2 N m in the direction of motion"))
      << all(result);
}

TEST(LogComparisonTest, FindsDamping) {
  RobotLog log = record(arm7(), arm7(), noisy());
  log.effort.row(1) += 8.0 * log.v.row(1);
  const LogComparison result = comparison_of(log);
  EXPECT_TRUE(hints_at(result, "joint 'shoulder_pitch' is off by 8 N m s/rad times its speed"))
      << all(result);
}

TEST(LogComparisonTest, FindsAWrongTorqueConstant) {
  RobotLog log = record(arm7(), arm7(), noisy());
  log.effort.row(1) *= 1.3;
  const LogComparison result = comparison_of(log);
  EXPECT_TRUE(hints_at(result, "joint 'shoulder_pitch' measures 1.3 times what is predicted"))
      << all(result);
}

TEST(LogComparisonTest, FindsAnOppositeSign) {
  RobotLog log = record(arm7(), arm7(), noisy());
  log.effort.row(3) *= -1.0;
  const LogComparison result = comparison_of(log);
  EXPECT_TRUE(hints_at(result, "efforts of 'elbow' have the opposite sign")) << all(result);
}

/// On a ceiling most efforts have the opposite sign.
TEST(LogComparisonTest, DistinguishesACeilingMountFromOppositeSigns) {
  Model arm = arm7();
  arm.set_gravity(Vector3(0, 0, 9.80665));
  const LogComparison ceiling = comparison_of(record(arm, arm, noisy()));
  EXPECT_TRUE(hints_at(ceiling, "give --gravity 0,0,9.81.")) << all(ceiling);
  RobotLog log = record(arm7(), arm7(), noisy());
  log.effort *= -1.0;
  const LogComparison signs = comparison_of(log);
  EXPECT_TRUE(hints_at(signs, "have the opposite sign")) << all(signs);
}

/// In kgf m, efforts are so small that they seem to lack gravity.
TEST(LogComparisonTest, FindsAnotherUnitOfAllEfforts) {
  for (const double factor : {1.0 / 9.80665, 8.85}) {
    RobotLog log = record(arm7(), arm7(), noisy());
    log.effort *= factor;
    const LogComparison result = comparison_of(log);
    EXPECT_TRUE(hints_at(result, "times the predicted ones: are they in another unit"))
        << all(result);
    EXPECT_TRUE(result.fit_is_meaningless);
  }
}

TEST(LogComparisonTest, AFitIsMeaninglessOnlyIfEffortsOrMountAreWrong) {
  EXPECT_FALSE(comparison_of(record(arm7(), arm7(), noisy())).fit_is_meaningless);
  const RobotLog loaded = record(arm7_with(1.5, Vector3(0, 0, 0.06)), arm7(), noisy());
  EXPECT_FALSE(comparison_of(loaded).fit_is_meaningless);
  RobotLog log = record(arm7(), arm7(), noisy());
  log.effort *= -1.0;
  EXPECT_TRUE(comparison_of(log).fit_is_meaningless);
  log.effort.setZero();
  EXPECT_TRUE(comparison_of(log).fit_is_meaningless);
  Model arm = arm7();
  arm.set_gravity(Vector3(9.81, 0, 0));
  EXPECT_TRUE(comparison_of(record(arm, arm, noisy())).fit_is_meaningless);
}

TEST(LogComparisonTest, FindsGravityCompensationByHardware) {
  RobotLog log = record(arm7(), arm7(), noisy());
  const Model model = arm7();
  textbook::Data data(model);
  for (Index i = 0; i < log.size(); ++i) {
    const VectorXd q = log.q.col(i);
    log.effort.col(i) -= gravity_torque(model, data, q);
  }
  const LogComparison result = comparison_of(log);
  EXPECT_TRUE(hints_at(result, "compensated_by_hardware: [gravity]")) << all(result);
}

TEST(LogComparisonTest, RecommendsToIdentifyAllIfSeveralJointsAreWrong) {
  RobotLog log = record(arm7(), arm7(), noisy());
  log.effort.row(1) *= 1.3;
  const std::string one = all(comparison_of(log));
  EXPECT_EQ(one.find("--all"), std::string::npos) << one;
  for (Index i = 0; i < log.size(); ++i) {
    // An error that no simple cause explains.
    log.effort(3, i) += 5.0 * std::sin(7.0 * log.q(1, i)) * std::cos(3.0 * log.q(3, i));
  }
  const LogComparison several = comparison_of(log);
  ASSERT_EQ(several.hints.size(), 3U) << all(several);
  EXPECT_NE(several.hints[2].find("`spatial_dynamics identify ROBOT.urdf LOG --all`"),
            std::string::npos);
}

TEST(LogComparisonTest, RecognisesNoiseBehindTheFilter) {
  Recording recording;
  recording.sensors.effort_noise = 5.0;
  RobotLog log = record(arm7(), arm7(), recording);
  const std::string filtered = all(comparison_of(log));
  EXPECT_NE(
      filtered.find("joint 'wrist_roll' differs by noise only: the residuals of samples 50 ms "
                    "apart are unrelated."),
      std::string::npos)
      << filtered;
  EXPECT_EQ(filtered.find("--all"), std::string::npos) << filtered;
}

/// Hints use a part of the samples, and find the same.
TEST(LogComparison, LargeLogsHaveTheSameHints) {
  Recording recording;
  recording.rate_hz = 2000.0;
  const Model arm = arm7();
  const LogSamples samples =
      make_samples(record(arm7_with(1.5, Vector3(0, 0, 0.06)), arm, recording), 0.0);
  ASSERT_GT(samples.size(), 3 * kMostForHints);
  const LogComparison result = compare_log(arm, samples);
  EXPECT_TRUE(hints_at(result, "a payload of 1.5 kg on link 'flange'")) << all(result);
}

}  // namespace
}  // namespace spatial_dynamics::test

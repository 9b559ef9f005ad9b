// What `replay` says about logs whose fault is known.
#include "cli/replay_analysis.hpp"

#include <gtest/gtest.h>

#include "recorded_log.hpp"

namespace spatial_dynamics::cli {
namespace {

using test::arm7;
using test::arm7_with;
using test::record;
using test::Recording;

Replay replay_of(const Log& log) { return replay(arm7(), make_samples(log, 0.0)); }
bool says(const Replay& result, const std::string& words) {
  return result.hints.size() == 1 && result.hints[0].find(words) != std::string::npos;
}
std::string all(const Replay& result) {
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

TEST(ReplayAnalysis, AModelThatIsRightExplainsItsLog) {
  const Replay result = replay_of(record(arm7(), arm7()));
  EXPECT_TRUE(result.hints.empty()) << all(result);
  for (const JointResidual& joint : result.joints) {
    EXPECT_LT(joint.residual_rms, 0.05)
        << joint.name;  // the filter rounds off where friction turns
  }
}

TEST(ReplayAnalysis, FindsAPayload) {
  const Replay result = replay_of(record(arm7_with(1.5, Vector3(0, 0, 0.06)), arm7(), noisy()));
  EXPECT_TRUE(says(result, "a payload of 1.5 kg on link 'flange'")) << all(result);
}

TEST(ReplayAnalysis, FindsAPayloadWhoseMassTheMotionDoesNotTell) {
  // The efforts are 1.4 times as large; but a payload explains what is left of them, too.
  const Log log = test::swing(test::pendulum_with(0.5, Vector3(0, 0, -1)));
  const Replay result = replay(test::pendulum(), make_samples(log, 0.0));
  EXPECT_TRUE(says(result, "a payload on link 'rod', whose mass this motion does not tell"))
      << all(result);
  EXPECT_TRUE(says(result, "identify --inertia")) << all(result);
}

TEST(ReplayAnalysis, TellsAWrongTorqueConstantFromAPayload) {
  Log log = test::swing(test::pendulum());
  log.effort *= 1.4;
  const Replay result = replay(test::pendulum(), make_samples(log, 0.0));
  EXPECT_TRUE(says(result, "measures 1.4 times what is predicted")) << all(result);
}

TEST(ReplayAnalysis, AsksForASensorWhereEveryEffortIsZero) {
  Log log = record(arm7(), arm7());
  log.effort.setZero();
  EXPECT_TRUE(says(replay_of(log), "every effort of 'shoulder_yaw'")) << all(replay_of(log));
}

TEST(ReplayAnalysis, FindsAConstantOffset) {
  Log log = record(arm7(), arm7(), noisy());
  log.effort.row(3).array() += 1.2;
  const Replay result = replay_of(log);
  EXPECT_TRUE(says(result, "joint 'elbow' is off by a constant 1.2 N m")) << all(result);
}

TEST(ReplayAnalysis, FindsFrictionThatTheModelLacks) {
  Log log = record(arm7(), arm7(), noisy());
  log.effort.row(0) += (2.0 * (log.v.row(0).array() / 1e-3).tanh()).matrix();
  const Replay result = replay_of(log);
  EXPECT_TRUE(says(result, "joint 'shoulder_yaw' is off by 2 N m in the direction of motion"))
      << all(result);
}

TEST(ReplayAnalysis, FindsDamping) {
  Log log = record(arm7(), arm7(), noisy());
  log.effort.row(1) += 8.0 * log.v.row(1);
  const Replay result = replay_of(log);
  EXPECT_TRUE(says(result, "joint 'shoulder_pitch' is off by 8 N m s/rad times its speed"))
      << all(result);
}

TEST(ReplayAnalysis, FindsAWrongTorqueConstant) {
  Log log = record(arm7(), arm7(), noisy());
  log.effort.row(1) *= 1.3;
  const Replay result = replay_of(log);
  EXPECT_TRUE(says(result, "joint 'shoulder_pitch' measures 1.3 times what is predicted"))
      << all(result);
}

TEST(ReplayAnalysis, FindsAnOppositeSign) {
  Log log = record(arm7(), arm7(), noisy());
  log.effort.row(3) *= -1.0;
  const Replay result = replay_of(log);
  EXPECT_TRUE(says(result, "efforts of 'elbow' have the opposite sign")) << all(result);
}

TEST(ReplayAnalysis, FindsHardwareThatCompensatesGravity) {
  Log log = record(arm7(), arm7(), noisy());
  const Model model = arm7();
  Data data(model);
  for (Index i = 0; i < log.size(); ++i) {
    const VectorXd q = log.q.col(i);
    log.effort.col(i) -= gravity_torque(model, data, q);
  }
  const Replay result = replay_of(log);
  EXPECT_TRUE(says(result, "compensated_by_hardware: [gravity]")) << all(result);
}

}  // namespace
}  // namespace spatial_dynamics::cli

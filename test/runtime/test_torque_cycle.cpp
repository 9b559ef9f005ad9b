#include "runtime/torque_cycle.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "runtime/config.hpp"
#include "runtime/parameters_table.hpp"
#include "support/constants.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

/// A cycle between an end and a deactivation would take the changed command for an activation,
/// which ends a latched stop.
TEST(TorqueCycle, EndDeactivatesInOneOperation) {
  TorqueCycle cycle(Trigger::kTimer);
  cycle.activate();
  ASSERT_TRUE(cycle.active());
  cycle.end();
  EXPECT_FALSE(cycle.active());
  EXPECT_TRUE(cycle.ended());
}

TEST(TorqueCycle, ActivationAfterEndNeedsRestart) {
  TorqueCycle cycle(Trigger::kTimer);
  cycle.end();
  cycle.activate();
  EXPECT_FALSE(cycle.active());
  cycle.restart();
  cycle.activate();
  EXPECT_TRUE(cycle.active());
}

/// A double pendulum at rest, with a simulated clock. States arrive in every cycle.
class TorqueCycleTest : public ::testing::Test {
 protected:
  void load(double rate_hz, double ramp_s = 0.3) {
    ParameterSet parameters(parameter_table());
    parameters.set("rate_hz", rate_hz);
    parameters.set("ramp_s", ramp_s);
    config = make_config(parameters);
    cycle.set_config(config);
    offer();
    cycle.activate();
  }
  void offer() {
    ModelReport report;
    Model model = load_robot(urdf_text("double_pendulum"), config, &report);
    robot = std::make_shared<Robot>(std::move(model), std::move(report), config);
    cycle.robots().offer(robot);
  }
  void tick(int ms) {
    const std::int64_t now = ms * kMillisecond;
    const std::vector<double> q(2, 0.3), v(2, 0.0);
    robot->inbox.on_joint_states(
        {now, {robot->names.begin(), robot->names.end()}, {q.data(), 2}, {v.data(), 2}, {}, 1}, now,
        now, MissingVelocity::kZero);
    cycle.tick(now);
  }
  /// Runs cycles of 10 ms and fetches each torque, like a publisher. True if each cycle sent a
  /// torque.
  bool sends(int from_ms, int to_ms) {
    bool all = true;
    for (int ms = from_ms; ms < to_ms; ms += 10) {
      if (rival_sends) cycle.gate().note_torque(7, ms * kMillisecond);
      tick(ms);
      all = robot->outputs.update() && robot->outputs.read().send_torque && all;
    }
    return all;
  }

  Config config;
  TorqueCycle cycle{Trigger::kTimer};
  std::shared_ptr<Robot> robot;
  bool rival_sends = false;
};

TEST_F(TorqueCycleTest, CountsTorquesReplacedBeforeTheyWereFetched) {
  load(1000.0);
  ASSERT_TRUE(sends(1000, 1100));
  EXPECT_EQ(cycle.torques_replaced(), 0u);
  for (int ms = 1100; ms < 1105; ++ms) tick(ms);
  EXPECT_EQ(cycle.torques_replaced(), 4u);
  EXPECT_TRUE(robot->outputs.update());
  tick(1105);
  EXPECT_EQ(cycle.torques_replaced(), 4u);
}

/// The next robot continues from the old one's last step. If this step ends in zero, the next one
/// is inactive from the start, and only the old one can send the zero.
TEST_F(TorqueCycleTest, ReplacementInCycleOfDeactivationSendsZero) {
  load(100.0, 0.01);  // a ramp takes one cycle
  ASSERT_TRUE(sends(1000, 1100));
  const std::shared_ptr<Robot> old = robot;
  ASSERT_FALSE(old->outputs.read().torque.isZero(0.0));
  offer();
  cycle.deactivate();
  VectorXd last;
  for (int ms = 1100; ms < 1200; ms += 10) {
    tick(ms);
    cycle.robots().serve([&last](Robot& served) {
      if (served.outputs.update() && served.outputs.read().send_torque) {
        last = served.outputs.read().torque;
      }
    });
  }
  EXPECT_TRUE(cycle.idle());
  ASSERT_EQ(last.size(), 2);
  EXPECT_TRUE(last.isZero(0.0)) << last.transpose();
}

TEST_F(TorqueCycleTest, PausedNodePassesTheGateAgain) {
  load(100.0);
  cycle.gate().set_publishers({{7, "/dynamics/torque", "/x", true, false}});
  ASSERT_TRUE(sends(1000, 4000)) << "it is established";
  rival_sends = true;  // has replaced the node during a pause of six seconds
  (void)sends(10'000, 11'000);
  EXPECT_TRUE(cycle.waits_at_gate());
  EXPECT_FALSE(sends(11'000, 12'000));
  EXPECT_TRUE(robot->outputs.read().torque.isZero(0.0)) << "the last one after the ramp";
  rival_sends = false;
  (void)sends(12'000, 12'600);
  EXPECT_TRUE(sends(12'600, 13'000));
}

TEST_F(TorqueCycleTest, PausedNodeThatIsAloneContinues) {
  load(100.0);
  ASSERT_TRUE(sends(1000, 4000));
  const VectorXd torque = robot->outputs.read().torque;
  (void)sends(10'000, 11'000);
  EXPECT_TRUE(sends(11'000, 12'000));
  EXPECT_LT((robot->outputs.read().torque - torque).norm(), 1e-9);
}

TEST_F(TorqueCycleTest, PeriodOfASlowLoopIsNotAPause) {
  load(1.0);
  tick(1000);
  for (int ms = 2000; ms < 9000; ms += 1000) {
    tick(ms);
    EXPECT_FALSE(cycle.waits_at_gate()) << ms;
  }
}

}  // namespace
}  // namespace spatial_dynamics::test

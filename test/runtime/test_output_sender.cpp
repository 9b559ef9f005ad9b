// Handing outputs to the front end: order, the last zero, direct cycles.
#include "runtime/output_sender.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/config.hpp"
#include "runtime/parameters_table.hpp"
#include "support/constants.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

/// Records what is published. Read it after OutputSender::stop().
class Records : public FrontEnd {
 public:
  bool publish(const Robot& robot, const ControlOutput& out) override {
    if (fails) throw std::runtime_error("no memory");
    sent.push_back({&robot, out.send_torque, out.torque});
    return accepts;
  }
  void publish_report(const Diagnostics&, const std::vector<Metric>&) override {}
  void log(LogLevel, const std::string& line) override { lines.push_back(line); }
  [[nodiscard]] std::int64_t ros_now() const override { return 1; }

  struct Sent {
    const Robot* robot;
    bool has_torque;
    VectorXd torque;
  };
  bool fails = false, accepts = true;
  std::vector<Sent> sent;
  std::vector<std::string> lines;
};

/// A double pendulum at rest, whose cycles this thread runs with a simulated clock.
class OutputSenderTest : public ::testing::Test {
 protected:
  explicit OutputSenderTest(Trigger trigger = Trigger::kTimer) : cycle(trigger) {
    config = make_config(ParameterSet(parameter_table()));
    cycle.set_config(config);
    robot = offer("double_pendulum");
    cycle.activate();
  }
  std::shared_ptr<Robot> offer(const std::string& name) {
    ModelReport report;
    Model model = load_robot(urdf_text(name), config, &report);
    auto next = std::make_shared<Robot>(std::move(model), std::move(report), config);
    cycle.robots().offer(next);
    return next;
  }
  void deliver_state(int ms) {
    const std::int64_t now = ms * kMillisecond;
    const std::vector<double> q(2, 0.3), v(2, 0.0);
    robot->inbox.on_joint_states(
        {now, {robot->names.begin(), robot->names.end()}, {q.data(), 2}, {v.data(), 2}, {}, 1}, now,
        now, MissingVelocity::kZero);
  }
  void run_cycle(int ms) {
    deliver_state(ms);
    cycle.tick(ms * kMillisecond);
  }

  Config config;
  TorqueCycle cycle;
  std::shared_ptr<Robot> robot;
  Records front_end;
  OutputSender sender{front_end, cycle};
};

TEST_F(OutputSenderTest, StopSendsWhatWasComputedBefore) {
  sender.start(config.realtime);
  run_cycle(1000);
  sender.stop();
  ASSERT_EQ(front_end.sent.size(), 1u);
  EXPECT_EQ(front_end.sent[0].robot, robot.get());
  EXPECT_TRUE(front_end.sent[0].has_torque);
  EXPECT_EQ(sender.torques_sent(), 1u);
}

TEST_F(OutputSenderTest, CutToZeroSendsOneZeroToTheRobotThatMoved) {
  run_cycle(1000);
  ASSERT_TRUE(sender.cut_to_zero());  // the waiting torque, then zero
  ASSERT_EQ(front_end.sent.size(), 2u);
  EXPECT_GT(front_end.sent[0].torque.norm(), 1.0);
  EXPECT_EQ(front_end.sent[1].torque, VectorXd::Zero(2));
  EXPECT_EQ(front_end.lines.size(), 1u);
}

TEST_F(OutputSenderTest, CutToZeroSendsNothingWithoutTorque) {
  EXPECT_FALSE(sender.cut_to_zero());
  EXPECT_TRUE(front_end.sent.empty());
}

TEST_F(OutputSenderTest, TorqueThatIsNotSentIsNotCounted) {
  front_end.accepts = false;
  sender.start(config.realtime);
  run_cycle(1000);
  sender.stop();
  EXPECT_EQ(front_end.sent.size(), 1u);
  EXPECT_EQ(sender.torques_sent(), 0u);
}

TEST_F(OutputSenderTest, FailedPublicationIsLoggedAndTheNextIsTried) {
  front_end.fails = true;
  sender.start(config.realtime);
  run_cycle(1000);
  sender.stop();
  ASSERT_EQ(front_end.lines.size(), 1u);
  EXPECT_EQ(front_end.lines[0], "publishing failed: no memory");
  front_end.fails = false;
  sender.start(config.realtime);
  run_cycle(1001);
  sender.stop();
  EXPECT_EQ(sender.torques_sent(), 1u);
}

class StateTriggerTest : public OutputSenderTest {
 protected:
  StateTriggerTest() : OutputSenderTest(Trigger::kState) {}
  void step(int ms) {
    deliver_state(ms);
    sender.step_directly(ms * kMillisecond);
  }
};

TEST_F(StateTriggerTest, StatesRunCyclesOnlyBetweenAcceptStatesAndStop) {
  step(1000);
  sender.start(config.realtime);
  step(1010);
  EXPECT_EQ(sender.torques_sent(), 0u);
  sender.accept_states();
  step(1020);
  EXPECT_EQ(sender.torques_sent(), 1u);
  sender.stop();
  step(1030);
  EXPECT_EQ(sender.torques_sent(), 1u);
}

}  // namespace
}  // namespace spatial_dynamics::test

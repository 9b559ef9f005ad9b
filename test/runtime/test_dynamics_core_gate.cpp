// A core beside other nodes that publish its torque topics.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <thread>

#include "runtime/dynamics_core.hpp"
#include "runtime/parameters_table.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

using std::chrono::milliseconds;

class Counter : public FrontEnd {
 public:
  bool publish(const Robot&, const ControlOutput& out) override {
    if (out.send_torque) {
      if (torques++ == 0) first = steady_now_ns();
      const double torque = out.torque.cwiseAbs().maxCoeff();
      largest_step = std::max(largest_step.load(), last_torque - torque);
      last_torque = torque;
    }
    return true;
  }
  void publish_report(const Diagnostics&, const std::vector<Metric>&) override {}
  void log(LogLevel, const std::string&) override {}
  [[nodiscard]] std::int64_t ros_now() const override { return system_now_ns(); }

  bool reaches(double torque) const {
    for (int i = 0; i < 10000 && last_torque < torque; ++i) {
      std::this_thread::sleep_for(milliseconds(1));
    }
    return last_torque >= torque;
  }

  std::atomic<int> torques{0};
  std::atomic<std::int64_t> first{0};
  std::atomic<double> last_torque{0.0};   // N m, the largest of all joints
  std::atomic<double> largest_step{0.0};  // downwards, from one message to the next
};

/// A double pendulum whose states arrive every 2 ms, and another node (source 7) that may send
/// torques.
class CoreGateTest : public ::testing::Test {
 protected:
  void start(bool yields = true) {
    ParameterSet parameters(parameter_table());
    parameters.set("realtime.lock_memory", false);
    parameters.set("realtime.priority", std::int64_t{0});
    parameters.set("rate_hz", 200.0);
    parameters.set("yield_to_active_node", yields);
    core.emplace(front_end, parameters);
    std::ifstream file(shipped_urdf("double_pendulum"));
    core->set_robot(std::string(std::istreambuf_iterator<char>(file), {}));
    core->start();
    feeder = std::thread([this] {
      const std::vector<std::string> names = core->robot()->names;
      const std::vector<double> q{0.3, 0.3}, v{0.0, 0.0};
      while (feeding) {
        core->on_joint_states(
            {system_now_ns(), {names.begin(), names.end()}, {q.data(), 2}, {v.data(), 2}, {}, 1});
        if (rival_sends) core->note_foreign_torque(7);
        std::this_thread::sleep_for(milliseconds(2));
      }
    });
  }
  ~CoreGateTest() override {
    feeding = false;
    if (feeder.joinable()) feeder.join();
  }
  void meet_rival(bool precedes_us = false) {
    core->set_foreign_publishers({{7, "/dynamics/torque", "/x", true, precedes_us}});
    rival_sends = true;
    std::this_thread::sleep_for(milliseconds(50));
  }
  bool eventually(const std::function<bool()>& is_true) const {
    for (int i = 0; i < 10000 && !is_true(); ++i) std::this_thread::sleep_for(milliseconds(1));
    return is_true();
  }
  bool sends() {
    const int before = front_end.torques;
    return eventually([&] { return front_end.torques > before + 3; });
  }
  [[nodiscard]] std::string message() const { return core->diagnostics().message; }

  Counter front_end;
  std::optional<DynamicsCore> core;
  std::atomic<bool> feeding{true}, rival_sends{false};
  std::thread feeder;
};

TEST_F(CoreGateTest, SendsNothingWhileAnotherNodeSendsAndStartsAfterIt) {
  start();
  meet_rival();
  core->activate();
  std::this_thread::sleep_for(milliseconds(700));
  EXPECT_EQ(front_end.torques, 0);
  EXPECT_NE(message().find("activation waits: node /x sends on /dynamics/torque"),
            std::string::npos)
      << message();
  rival_sends = false;
  const std::int64_t ended = steady_now_ns();
  EXPECT_TRUE(sends());
  EXPECT_GE(front_end.first - ended, ActivationGate::kRecent - 20'000'000);  // its last was before
  EXPECT_EQ(message().find("activation waits"), std::string::npos) << message();
}

TEST_F(CoreGateTest, AnActiveNodeNeverYields) {
  start();
  core->activate();
  ASSERT_TRUE(sends());
  meet_rival();
  EXPECT_TRUE(sends());
  core->deactivate();
  ASSERT_TRUE(core->wait_until_idle(milliseconds(5000)));
  core->activate();  // again: now it waits
  std::this_thread::sleep_for(milliseconds(50));
  const int before = front_end.torques;
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_EQ(front_end.torques, before);
}

TEST_F(CoreGateTest, RampsToZeroForLowerNodeStartedSimultaneously) {
  start();
  core->activate();
  ASSERT_TRUE(sends());
  const double held = front_end.last_torque;
  ASSERT_GT(held, 1.0);
  meet_rival(true);
  EXPECT_TRUE(eventually([&] { return front_end.last_torque == 0.0; }));
  EXPECT_LT(front_end.largest_step, held / 2);  // a ramp, not a step
  const int before = front_end.torques;
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_EQ(front_end.torques, before);
  EXPECT_NE(message().find("activation waits: node /x sends"), std::string::npos) << message();
  rival_sends = false;
  EXPECT_TRUE(sends());  // it replaces the other when that one is silent
}

TEST_F(CoreGateTest, NeverYieldsToALowerNodeOnceItHasSettled) {
  start();
  core->activate();
  ASSERT_TRUE(sends());
  std::this_thread::sleep_for(std::chrono::nanoseconds(ActivationGate::kSettling));
  meet_rival(true);
  front_end.largest_step = 0.0;
  std::this_thread::sleep_for(milliseconds(500));
  EXPECT_TRUE(sends());
  EXPECT_EQ(front_end.largest_step, 0.0);
}

/// Two cores that send to one robot and receive each other's torques.
class TwoCores : public ::testing::Test {
 protected:
  class Side : public Counter {
   public:
    bool publish(const Robot& robot, const ControlOutput& out) override {
      const bool went = Counter::publish(robot, out);
      if (out.send_torque && other != nullptr) other.load()->note_foreign_torque(7);
      return went;
    }
    std::atomic<DynamicsCore*> other{nullptr};
  };

  void start(double rate_limit) {
    for (std::size_t i = 0; i < 2; ++i) {
      ParameterSet parameters(parameter_table());
      parameters.set("realtime.lock_memory", false);
      parameters.set("realtime.priority", std::int64_t{0});
      parameters.set("rate_hz", 200.0);
      parameters.set("torque_rate_limit", std::vector<double>{rate_limit});
      parameters.set("state_timeout_s", 5.0);  // a busy machine delays the feeder
      cores[i].emplace(sides[i], parameters);
      std::ifstream file(shipped_urdf("double_pendulum"));
      cores[i]->set_robot(std::string(std::istreambuf_iterator<char>(file), {}));
      cores[i]->start();
      cores[i]->activate();
    }
    feeder = std::thread([this] {
      const std::vector<std::string> names = cores[0]->robot()->names;
      const std::vector<double> q{0.3, 0.3}, v{0.0, 0.0};
      while (feeding) {
        for (auto& core : cores) {
          core->on_joint_states(
              {system_now_ns(), {names.begin(), names.end()}, {q.data(), 2}, {v.data(), 2}, {}, 1});
        }
        std::this_thread::sleep_for(milliseconds(2));
      }
    });
  }
  void discover_each_other() {
    for (std::size_t i = 0; i < 2; ++i) {
      cores[i]->set_foreign_publishers({{7, "/dynamics/torque", "/x", true, i == 1}});
      sides[i].other = &*cores[1 - i];
    }
  }
  ~TwoCores() override {
    feeding = false;
    if (feeder.joinable()) feeder.join();
    for (auto& core : cores) core->stop();
  }
  bool becomes_silent(std::size_t i) {
    for (int tries = 0; tries < 100; ++tries) {
      const int before = sides[i].torques;
      std::this_thread::sleep_for(milliseconds(100));
      if (sides[i].torques == before) return true;
    }
    return false;
  }

  std::array<Side, 2> sides;
  std::array<std::optional<DynamicsCore>, 2> cores;
  std::atomic<bool> feeding{true};
  std::thread feeder;
};

TEST_F(TwoCores, LowerContinuesWhileHigherRampsDown) {
  start(5.0);  // N m/s: the ramp from 8.6 N m takes 1.7 s
  ASSERT_TRUE(sides[0].reaches(8.5) && sides[1].reaches(8.5));
  sides[0].largest_step = 0.0;
  discover_each_other();
  EXPECT_TRUE(becomes_silent(1));
  EXPECT_EQ(sides[1].last_torque, 0.0);
  std::this_thread::sleep_for(milliseconds(1000));
  EXPECT_TRUE(sides[0].reaches(8.5));
  EXPECT_EQ(sides[0].largest_step, 0.0) << "the lower one yielded too";
}

TEST_F(TwoCores, HigherResumesDuringRampIfLowerEnds) {
  start(5.0);
  ASSERT_TRUE(sides[0].reaches(8.5) && sides[1].reaches(8.5));
  discover_each_other();
  std::this_thread::sleep_for(milliseconds(300));
  cores[0]->stop();  // as if it had crashed, while the other still ramps
  sides[1].other = nullptr;
  EXPECT_TRUE(sides[1].reaches(8.5));
  // One foreign torque, of a node with a higher identifier, changes nothing.
  cores[1]->set_foreign_publishers({{8, "/dynamics/torque", "/y", true, false}});
  sides[1].largest_step = 0.0;
  cores[1]->note_foreign_torque(8);
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_EQ(sides[1].largest_step, 0.0);
}

TEST_F(CoreGateTest, WithoutYieldingItSendsAtOnce) {
  start(false);
  meet_rival();
  core->look_around();
  core->activate();
  EXPECT_TRUE(sends());
  EXPECT_NE(message().find("node /x also publishes /dynamics/torque"), std::string::npos);
}

TEST_F(CoreGateTest, LooksAroundBeforeItsFirstTorque) {
  start();
  const std::int64_t begun = steady_now_ns();
  core->look_around();
  core->activate();
  ASSERT_TRUE(sends());
  EXPECT_GE(front_end.first - begun, ActivationGate::kLookAround);
}

}  // namespace
}  // namespace spatial_dynamics::test

// The node's threads with a front end that only takes notes.
#include "spatial_dynamics/runtime/dynamics_core.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <fstream>
#include <iterator>

#include "spatial_dynamics/algorithms/inverse_dynamics.hpp"
#include "spatial_dynamics/runtime/clock.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

using std::chrono::milliseconds;
// A shared machine may stall a thread for a while; nothing here depends on how fast it is.
constexpr milliseconds kPatience(10000);

std::string urdf_text(const std::string& name) {
  std::ifstream file(shipped_urdf(name));
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class Notes : public FrontEnd {
 public:
  void publish(const Robot& robot, const EngineOutputs& out) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (out.send_torque) {
      torque = out.torque;
      names = robot.names;
      stamp = out.stamp;
      phase = out.phase;
      ++torques;
    }
    changed_.notify_all();
  }
  void publish_report(const Diagnostics& d, const std::vector<Metric>& m) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    diagnostics = d;
    metrics = m;
    ++reports;
    changed_.notify_all();
  }
  void log(LogLevel, const std::string&) override {}
  [[nodiscard]] std::int64_t ros_now() const override { return system_now_ns(); }

  /// Waits until `condition` holds, which is asked under the lock whenever something comes in.
  template <typename Condition>
  bool wait(Condition&& condition) {
    std::unique_lock<std::mutex> lock(mutex_);
    return changed_.wait_for(lock, kPatience, condition);
  }

  VectorXd torque;
  std::vector<std::string> names;
  std::int64_t stamp = 0;
  Phase phase = Phase::kInactive;
  int torques = 0, reports = 0;
  Diagnostics diagnostics;
  std::vector<Metric> metrics;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
};

class CoreTest : public ::testing::Test {
 protected:
  void make(std::vector<std::pair<std::string, ParameterValue>> parameters = {}) {
    ParameterSet set(parameter_table());
    set.set("realtime.lock_memory", false);
    for (const auto& [name, value] : parameters) set.set(name, value);
    core = std::make_unique<DynamicsCore>(notes, set);
    core->start();
  }
  ~CoreTest() override {
    feeding = false;
    if (feeder.joinable()) feeder.join();
  }

  /// Sends the same state every few milliseconds, so that it never gets stale.
  void feed(const std::vector<std::string>& names, double position) {
    feeding = false;
    if (feeder.joinable()) feeder.join();
    feeding = true;
    feeder = std::thread([this, names, position] {
      const std::vector<double> q(names.size(), position), zero(names.size(), 0.0);
      while (feeding) {
        core->on_joint_states({system_now_ns(),
                               {names.begin(), names.end()},
                               {q.data(), q.size()},
                               {zero.data(), zero.size()},
                               {},
                               1});
        std::this_thread::sleep_for(milliseconds(2));
      }
    });
  }
  VectorXd gravity(const std::string& robot, double position) {
    const Model model = load_urdf(urdf_text(robot));
    Data data(model);
    return gravity_torque(model, data, VectorXd::Constant(model.nq(), position));
  }
  bool wait_for_torque(const VectorXd& expected) {
    return notes.wait([&] {
      return notes.torque.size() == expected.size() && (notes.torque - expected).norm() < 1e-9;
    });
  }

  Notes notes;
  std::atomic<bool> feeding{false};
  std::thread feeder;
  std::unique_ptr<DynamicsCore> core;
};

TEST_F(CoreTest, AnswersStatesWithTheTorqueOfItsModel) {
  make({{"torque_mode", std::string("gravity_compensation")}});
  core->set_robot(urdf_text("arm7"));
  core->activate();
  feed(core->robot()->names, 0.3);
  EXPECT_TRUE(wait_for_torque(gravity("arm7", 0.3)));
  EXPECT_EQ(notes.names, core->robot()->names);
}

TEST_F(CoreTest, SendsNothingWithoutARobotOrWhileInactive) {
  make();
  core->activate();
  EXPECT_TRUE(notes.wait([&] { return notes.reports > 0; }));
  EXPECT_EQ(notes.diagnostics.level, Diagnostics::Level::kWarning);
  EXPECT_NE(notes.diagnostics.message.find("no robot yet"), std::string::npos);
  core->deactivate();
  core->set_robot(urdf_text("arm7"));
  feed(core->robot()->names, 0.0);
  const int before = notes.reports;
  EXPECT_TRUE(notes.wait([&] { return notes.reports > before + 1; }));
  EXPECT_EQ(notes.torques, 0);
}

TEST_F(CoreTest, DeactivationEndsOnAZeroTorque) {
  make();
  core->set_robot(urdf_text("arm7"));
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(notes.wait([&] { return notes.torques > 10; }));
  ASSERT_FALSE(notes.torque.isZero(0.0));
  core->deactivate();
  EXPECT_TRUE(core->wait_until_idle(kPatience));
  core->stop();
  EXPECT_TRUE(notes.torque.isZero(0.0));
}

TEST_F(CoreTest, AStateThatStopsIsNoticedByTheLoopItself) {
  make();
  core->set_robot(urdf_text("arm7"));
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(notes.wait([&] { return notes.torques > 10; }));
  feeding = false;
  EXPECT_TRUE(notes.wait([&] { return notes.phase == Phase::kFallback; }));
  EXPECT_TRUE(notes.wait([&] { return notes.torque.isZero(0.0); }));
  EXPECT_TRUE(notes.wait([&] { return notes.diagnostics.level == Diagnostics::Level::kError; }));
  feed(core->robot()->names, 0.3);
  EXPECT_TRUE(notes.wait([&] { return notes.phase == Phase::kRunning; }));
}

TEST_F(CoreTest, ARobotWithTheSameJointsTakesOverWhileRunning) {
  make({{"torque_mode", std::string("gravity_compensation")},
        {"effort_limits", std::vector<double>{1000.0}}});
  std::string urdf = urdf_text("arm7");
  core->set_robot(urdf);
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(wait_for_torque(gravity("arm7", 0.3)));
  // The same arm with heavier links: one more digit in front of every mass.
  for (std::size_t at = 0; (at = urdf.find("<mass value=\"", at)) != std::string::npos; at += 14) {
    urdf.insert(at + 13, "1");
  }
  const Model heavy = load_urdf(urdf);
  Data data(heavy);
  core->set_robot(urdf);
  EXPECT_TRUE(wait_for_torque(gravity_torque(heavy, data, VectorXd::Constant(7, 0.3))));
}

TEST_F(CoreTest, ARobotWithOtherJointsComesInAfterTheTorqueWasZero) {
  make({{"torque_mode", std::string("gravity_compensation")}});
  core->set_robot(urdf_text("arm7"));
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(wait_for_torque(gravity("arm7", 0.3)));
  core->set_robot(urdf_text("double_pendulum"));
  EXPECT_TRUE(notes.wait([&] { return notes.torque.size() == 7 && notes.torque.isZero(0.0); }));
  feed(core->robot()->names, 0.3);
  EXPECT_TRUE(wait_for_torque(gravity("double_pendulum", 0.3)));
}

TEST_F(CoreTest, ABadRobotIsRefusedAndTheOldOneStays) {
  make({{"torque_mode", std::string("gravity_compensation")}});
  core->set_robot(urdf_text("arm7"));
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(wait_for_torque(gravity("arm7", 0.3)));
  EXPECT_THROW(core->set_robot("<robot"), ModelError);
  const int before = notes.torques;
  EXPECT_TRUE(notes.wait([&] { return notes.torques > before + 100; }));
  EXPECT_NE(core->diagnostics().message.find("refused"), std::string::npos);
}

TEST_F(CoreTest, LiveParametersChangeAtOnceAndOthersAreRefused) {
  make({{"torque_mode", std::string("gravity_compensation")}});
  core->set_robot(urdf_text("arm7"));
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(wait_for_torque(gravity("arm7", 0.3)));
  EXPECT_THROW(core->set_parameter("urdf_file", std::string("x")), ParameterError);
  EXPECT_THROW(core->set_parameter("torque_mode", std::string("dance")), ParameterError);
  EXPECT_THROW(core->set_parameters({{"effort_limit_scale", 0.5}, {"ramp_s", -1.0}}),
               ParameterError);
  EXPECT_EQ(core->config().effort_limit_scale, 1.0);
  core->set_parameter("effort_limits", std::vector<double>{1.0});
  EXPECT_TRUE(notes.wait([&] { return notes.torque.cwiseAbs().maxCoeff() <= 1.0; }));
}

TEST_F(CoreTest, TriggeredByStatesItAnswersEachOnTheThreadThatBroughtIt) {
  make({{"torque_mode", std::string("gravity_compensation")}, {"trigger", std::string("state")}});
  core->set_robot(urdf_text("arm7"));
  core->activate();
  const std::vector<std::string>& names = core->robot()->names;
  const std::vector<double> q(7, 0.3);
  // The watchdog may be the one to see the first state; afterwards each state is answered before on_joint_states returns.
  for (int i = 1; i <= 20; ++i) {
    const std::int64_t stamp = system_now_ns();
    core->on_joint_states({stamp, {names.begin(), names.end()}, {q.data(), q.size()}, {}, {}, 1});
    EXPECT_EQ(notes.stamp, stamp);
    std::this_thread::sleep_for(milliseconds(3));
  }
  EXPECT_LT((notes.torque - gravity("arm7", 0.3)).norm(), 1e-9);
  EXPECT_TRUE(notes.wait([&] { return notes.torque.isZero(0.0); }));  // the watchdog's work
}

TEST_F(CoreTest, ReportsItsFiguresOnceASecond) {
  make();
  core->set_robot(urdf_text("arm7"));
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(notes.wait([&] { return notes.reports > 2; }));
  ASSERT_EQ(notes.metrics.size(), 5u);
  EXPECT_EQ(notes.metrics[2].name, "compute_time");
  EXPECT_GT(notes.metrics[2].count, 10u);
  EXPECT_GT(notes.metrics[2].p50, 0.0);
}

}  // namespace
}  // namespace spatial_dynamics::test

// Rows 51 to 67: latched stops, replaced robots, descriptions, slow writes.
#include <gtest/gtest.h>

#include "faults/bench.hpp"
#include "runtime/core_harness.hpp"
#include "runtime/parameters_table.hpp"
#include "support/thread_time.hpp"

namespace spatial_dynamics::test {
namespace {

using std::chrono::milliseconds;
using Parameters = std::vector<std::pair<std::string, ParameterValue>>;

/// A chain of pendulums with joints j0, j1, …, each held against its weight.
std::string chain_urdf(int joints, const std::string& name = "chain", double mass = 0.5) {
  const std::string inertial =
      "<inertial><origin xyz='0.1 0 0'/><mass value='" + std::to_string(mass) +
      "'/><inertia ixx='0.01' ixy='0' ixz='0' iyy='0.01' iyz='0' izz='0.01'/></inertial>";
  std::string text = "<robot name='" + name + "'><link name='l0'/>";
  for (int i = 0; i < joints; ++i) {
    const std::string from = std::to_string(i), to = std::to_string(i + 1);
    text += "<link name='l" + to + "'>" + inertial + "</link><joint name='j" + from +
            "' type='revolute'><parent link='l" + from + "'/><child link='l" + to +
            "'/><axis xyz='0 1 0'/><origin xyz='0.2 0 0'/><limit lower='-9' upper='9' "
            "effort='1000' velocity='100'/></joint>";
  }
  return text + "</robot>";
}

constexpr double kRodMass = 16.406;  // kg: a chain of one rod at 0.3 rad needs -15.37 N m

class ExchangedRobots : public CoreTest {
 protected:
  void start(const Parameters& more = {}, const std::string& urdf = urdf_text("arm7")) {
    Parameters parameters{{"torque_mode", std::string("gravity_compensation")}};
    parameters.insert(parameters.end(), more.begin(), more.end());
    make(parameters);
    core->set_robot(urdf);
    core->activate();
    joints = core->robot()->names;
    feed(joints, 0.3);
  }
  bool phase_becomes(Phase phase) {
    return notes.wait([&] { return core->phase() == phase; });
  }
  std::string value(const std::string& key) const {
    for (const auto& [name, text] : core->diagnostics().values) {
      if (name == key) return text;
    }
    return "";
  }
  std::vector<std::string> joints;
};

// ---- latched stops

TEST_F(ExchangedRobots, Row52StopStaysLatchedWhenRobotsAreReplaced) {
  start({{"fallback", std::string("stop")}});
  ASSERT_TRUE(phase_becomes(Phase::kRunning));
  feeding = false;
  ASSERT_TRUE(phase_becomes(Phase::kStopped));
  const int sent = notes.read(&Notes::torques);
  for (const char* robot : {"double_pendulum", "arm7", "double_pendulum"}) {
    core->set_robot(urdf_text(robot));
    feed(core->robot()->names, 0.3);
    ASSERT_TRUE(notes.wait([&] { return value("robot") == core->robot()->report.name; }));
    std::this_thread::sleep_for(milliseconds(50));  // about fifty cycles with fresh states
    EXPECT_EQ(core->phase(), Phase::kStopped) << robot;
  }
  EXPECT_EQ(notes.read(&Notes::torques), sent);
  core->activate();
  EXPECT_TRUE(wait_for_torque(gravity("double_pendulum", 0.3)));
}

TEST_F(ExchangedRobots, Row52ActivationWhileActiveEndsALatchedStop) {
  start({{"fallback", std::string("stop")}});
  ASSERT_TRUE(phase_becomes(Phase::kRunning));
  feeding = false;
  ASSERT_TRUE(phase_becomes(Phase::kStopped));
  EXPECT_NE(core->diagnostics().message.find("stopped until the next activation"),
            std::string::npos);
  feed(joints, 0.3);
  ASSERT_TRUE(core->active());
  core->activate();
  EXPECT_TRUE(wait_for_torque(gravity("arm7", 0.3)));
}

// ---- the end

/// finish() answered "ramped" before a cycle that had begun while active sent its torque.
TEST_F(ExchangedRobots, Row54NoTorqueFollowsFinish) {
  int tries_with_torque = 0;
  for (int i = 0; i < 200; ++i) {
    make({{"torque_mode", std::string("gravity_compensation")},
          {"rate_hz", 2000.0},
          {"ramp_s", 0.02}});
    core->set_robot(chain_urdf(60));
    feed(core->robot()->names, 0.01);
    std::this_thread::sleep_for(milliseconds(5));
    core->activate();
    std::this_thread::sleep_for(std::chrono::microseconds(25 * (i % 40)));
    ASSERT_TRUE(core->finish(kPatience));
    feeding = false;
    feeder.join();
    if (notes.torques > 0) {
      ++tries_with_torque;
      ASSERT_TRUE(notes.read(&Notes::torque).isZero(0.0))
          << "the last torque was not zero, try " << i;
    }
    notes.torques = 0;
  }
  EXPECT_GT(tries_with_torque, 0);
}

TEST_F(ExchangedRobots, Row54ActivationDuringTheEndHasNoEffect) {
  start();
  ASSERT_TRUE(wait_for_torque(gravity("arm7", 0.3)));
  std::atomic<bool> going{true};
  std::thread supervisor([&] {
    while (going) core->activate();
  });
  EXPECT_TRUE(core->finish(kPatience));
  EXPECT_TRUE(notes.read(&Notes::torque).isZero(0.0));
  going = false;
  supervisor.join();
  EXPECT_FALSE(core->active());
}

TEST(BeforeTheStart, Row54StateTriggerSendsNoTorque) {
  Notes notes;
  ParameterSet parameters(parameter_table());
  parameters.set("realtime.lock_memory", false);
  parameters.set("trigger", std::string("state"));
  DynamicsCore core(notes, parameters);
  core.set_robot(chain_urdf(1));
  core.activate();
  const std::vector<double> q{0.3};
  const auto send = [&] {
    core.on_joint_states({system_now_ns(), {"j0"}, {q.data(), 1}, {}, {}, 1});
  };
  for (int i = 0; i < 5; ++i) {
    send();
    std::this_thread::sleep_for(milliseconds(2));
  }
  EXPECT_EQ(notes.read(&Notes::torques), 0) << "start() may still fail after a torque was sent";
  core.start();
  for (int i = 0; i < 1000 && notes.read(&Notes::torques) == 0; ++i) {
    send();
    std::this_thread::sleep_for(milliseconds(2));
  }
  EXPECT_GT(notes.read(&Notes::torques), 0);
}

/// Publishing takes three periods: the buffer of the old robot is read late.
TEST_F(ExchangedRobots, Row55TheLastTorqueOfEveryReplacedRobotIsZero) {
  notes.records = true;
  start({{"ramp_s", 0.02}});
  ASSERT_TRUE(wait_for_torque(gravity("arm7", 0.3)));
  notes.publish_takes = milliseconds(3);
  std::vector<std::string> both = joints;  // the arm has an elbow, too
  both.emplace_back("shoulder");
  feed(both, 0.3);
  for (int i = 0; i < 10; ++i) {
    core->set_robot(urdf_text("double_pendulum"));
    ASSERT_TRUE(wait_for_torque(gravity("double_pendulum", 0.3)));
    core->set_robot(urdf_text("arm7"));
    ASSERT_TRUE(wait_for_torque(gravity("arm7", 0.3)));
  }
  core->stop();
  int changes = 0;
  for (std::size_t i = 1; i < notes.record.size(); ++i) {
    if (notes.record[i].names == notes.record[i - 1].names) continue;
    ++changes;
    EXPECT_TRUE(notes.record[i - 1].torque.isZero(0.0)) << "exchange " << changes;
  }
  EXPECT_EQ(changes, 20);
}

TEST_F(ExchangedRobots, Row55WhileInactiveExchangesDoNotWaitForAReport) {
  make();
  core->set_robot(urdf_text("arm7"));
  ASSERT_TRUE(notes.wait([&] { return value("robot") == "arm7"; }));
  const std::int64_t begin = steady_now_ns();
  for (int i = 0; i < 10; ++i) {
    for (const char* robot : {"double_pendulum", "arm7"}) {
      core->set_robot(urdf_text(robot));
      while (value("robot") != core->robot()->report.name) {
        ASSERT_LT(to_seconds(steady_now_ns() - begin), 10.0);
        std::this_thread::sleep_for(milliseconds(1));
      }
    }
  }
  EXPECT_LT(to_seconds(steady_now_ns() - begin), 5.0) << "each waited for the next report";
}

// ---- the old robot during an exchange

TEST_F(ExchangedRobots, Row57OldRobotFollowsStatesUntilZeroTorque) {
  notes.records = true;
  start({{"ramp_s", 0.3}}, chain_urdf(1, "rod", kRodMass));
  ASSERT_TRUE(notes.wait([&] { return notes.torque.size() == 1 && notes.torque(0) < -15.36; }));
  const double before = notes.read(&Notes::torque)(0);
  core->set_robot(urdf_text("double_pendulum"));
  feed(joints, 0.3 - M_PI);  // the weight acts in the opposite direction
  ASSERT_TRUE(notes.wait([&] { return notes.torque.size() == 1 && notes.torque.isZero(0.0); }));
  core->stop();
  double opposite = 0.0;
  for (const Notes::Sent& sent : notes.record) {
    if (sent.names == joints) opposite = std::max(opposite, sent.torque(0));
  }
  EXPECT_GT(opposite, -0.2 * before) << "the ramp did not follow the state";
}

TEST_F(ExchangedRobots, Row57OldRobotObeysLimitsUntilZeroTorque) {
  start({{"ramp_s", 2.0}, {"torque_rate_limit", std::vector<double>{0.1}}}, chain_urdf(1));
  ASSERT_TRUE(notes.wait([&] { return notes.torque.size() == 1 && notes.torque(0) < -0.2; }));
  core->set_robot(urdf_text("double_pendulum"));
  core->set_parameter("effort_limits", std::vector<double>{0.05});
  EXPECT_TRUE(notes.wait(
      [&] { return notes.torque.size() == 1 && std::abs(notes.torque(0)) <= 0.05 + 1e-12; }));
  EXPECT_EQ(value("robot"), "chain") << "diagnostics name the robot that is driven";
  EXPECT_EQ(value("next robot"), "double_pendulum");
}

/// The next robot continues with the difference of the models over its ramp, not with the noise of
/// one state.
TEST_F(ExchangedRobots, Row60NoiseOfOneStateAtAnExchangeIsNotKept) {
  const std::string first = urdf_text("double_pendulum");
  std::string second = first;
  second.replace(second.find("<robot"), 6, "<!-- the same --><robot");
  make({{"torque_mode", std::string("computed_torque")},
        {"trigger", std::string("state")},
        {"gains.kd", std::vector<double>{50.0}}});
  core->set_robot(first);
  core->activate();
  const std::vector<std::string> names = core->robot()->names;
  const auto send = [&](double velocity) {
    const std::vector<double> q(2, 0.3), v(2, velocity);
    std::this_thread::sleep_for(milliseconds(2));
    core->on_joint_states(
        {system_now_ns(), {names.begin(), names.end()}, {q.data(), 2}, {v.data(), 2}, {}, 1});
  };
  for (int i = 0; i < 300; ++i) send(0.0);  // past the ramp of feedback
  const VectorXd held = notes.read(&Notes::torque);
  ASSERT_GT(held.norm(), 1.0);
  core->set_robot(second);
  send(0.3);  // 15 N m of damping, for this state only
  EXPECT_GT((notes.read(&Notes::torque) - held).norm(), 5.0);
  for (int i = 0; i < 25; ++i) send(0.0);  // 50 ms: the rate limit lets the torque return
  EXPECT_LT((notes.read(&Notes::torque) - held).norm(), 1e-6)
      << "the noise is ramped out over 0.3 s";
}

TEST_F(ExchangedRobots, Row51UnsentTorquesAreReportedWithSlowStates) {
  make({{"torque_mode", std::string("gravity_compensation")},
        {"trigger", std::string("state")},
        {"state_timeout_s", 1.0}});
  core->set_robot(urdf_text("arm7"));
  core->activate();
  notes.rejects = true;
  const std::vector<std::string> names = core->robot()->names;
  const std::vector<double> q(7, 0.3), v(7, 0.0);
  const auto reported = [&] {
    return core->diagnostics().message.find("do not leave the process") != std::string::npos;
  };
  for (int i = 0; i < 20 && !reported(); ++i) {
    std::this_thread::sleep_for(milliseconds(150));
    core->on_joint_states(
        {system_now_ns(), {names.begin(), names.end()}, {q.data(), 7}, {v.data(), 7}, {}, 1});
  }
  EXPECT_TRUE(reported());
}

// ---- descriptions

TEST_F(ExchangedRobots, Row60AnIdenticalDescriptionChangesNothing) {
  start();
  ASSERT_TRUE(wait_for_torque(gravity("arm7", 0.3)));
  const std::shared_ptr<Robot> before = core->robot();
  EXPECT_FALSE(core->set_robot(urdf_text("arm7")));
  EXPECT_EQ(core->robot(), before);
  EXPECT_THROW(core->set_robot("<robot"), ModelError);
  EXPECT_FALSE(core->set_robot(urdf_text("arm7")));
  EXPECT_EQ(core->diagnostics().message.find("rejected"), std::string::npos)
      << "the present robot is confirmed";
}

TEST_F(ExchangedRobots, Row65LargeRejectedDescriptionsDelayNoState) {
  start();
  ASSERT_TRUE(wait_for_torque(gravity("arm7", 0.3)));
  std::string large = chain_urdf(4000);
  ASSERT_GT(large.size(), 1'000'000u);
  large.replace(large.rfind("</robot>"), 8, "<nonsense>");
  std::int64_t longest = 0;
  const std::int64_t begin = steady_now_ns();
  int submitted = 0;
  while (to_seconds(steady_now_ns() - begin) < 2.0) {
    large[14] = static_cast<char>('a' + submitted % 26);  // a different one each time
    const std::int64_t before = thread_time_ns();
    core->on_robot_description(large);
    longest = std::max(longest, thread_time_ns() - before);
    ++submitted;
    std::this_thread::sleep_for(milliseconds(2));
  }
  ASSERT_GT(submitted, 20);
  EXPECT_EQ(core->phase(), Phase::kRunning);
  const auto log = notes.read(&Notes::lines);
  const auto lines = std::count_if(log.begin(), log.end(), [](const auto& line) {
    return line.find("robot_description rejected") != std::string::npos;
  });
  EXPECT_GE(lines, 1);
  EXPECT_LE(lines, LineLimiter::kAtOnce + 3) << "of " << submitted;
  EXPECT_LT(to_seconds(longest), 0.02) << "the thread that reads states waited for a load";
}

// ---- time

/// The median of nine attempts. An attempt in which the machine delayed the loop or this thread by
/// more than kStall is repeated.
TEST_F(ExchangedRobots, Row67StalenessIsDetectedWithinTwoPeriodsForEachTrigger) {
  constexpr std::int64_t kStall = 1'000'000;  // ns
  constexpr std::size_t kTries = 9;
  for (const char* trigger : {"timer", "state"}) {
    std::vector<double> times;  // s
    const std::int64_t begin = steady_now_ns();
    while (times.size() < kTries) {
      if (to_seconds(steady_now_ns() - begin) > 60.0) GTEST_SKIP() << "the machine is too busy";
      make({{"trigger", std::string(trigger)}, {"state_timeout_s", 0.01}});
      core->set_robot(urdf_text("arm7"));
      core->activate();
      const std::vector<std::string> names = core->robot()->names;
      const std::vector<double> q(7, 0.3);
      std::int64_t last = 0, returned = 0;
      for (int k = 0; k < 20; ++k) {
        last = steady_now_ns();
        core->on_joint_states(
            {system_now_ns(), {names.begin(), names.end()}, {q.data(), 7}, {q.data(), 7}, {}, 1});
        returned = steady_now_ns();
        std::this_thread::sleep_for(milliseconds(2));
      }
      const HistogramSnapshot before = core->loop_statistics().wakeup_jitter.snapshot();
      std::int64_t stall = returned - last, previous = steady_now_ns();
      while (core->phase() == Phase::kRunning) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        const std::int64_t now = steady_now_ns();
        stall = std::max(stall, now - previous);
        previous = now;
      }
      const HistogramSnapshot late = core->loop_statistics().wakeup_jitter.snapshot().since(before);
      if (late.count() > 0) stall = std::max(stall, late.max());
      if (stall <= kStall) times.push_back(to_seconds(previous - last));
    }
    std::nth_element(times.begin(), times.begin() + kTries / 2, times.end());
    // The timeout, two periods, and this loop.
    EXPECT_LT(times[kTries / 2], 0.010 + 2 * 0.001 + to_seconds(kStall)) << trigger;
  }
}

TEST_F(ExchangedRobots, Row51UnsentTorquesAreReported) {
  start();
  ASSERT_TRUE(wait_for_torque(gravity("arm7", 0.3)));
  notes.publish_takes = milliseconds(3000);
  EXPECT_TRUE(notes.wait([&] {
    return notes.diagnostics.level == Diagnostics::Level::kError &&
           notes.diagnostics.message.find("do not leave the process") != std::string::npos;
  }));
  notes.publish_takes = milliseconds(0);
}

TEST(ClearedLimits, Row58TheArrayRampsAndKeepsItsRateLimit) {
  Bench bench(load_urdf(chain_urdf(1, "rod", kRodMass)));
  bench.settings.config.torque_rate_limit = {20.0};
  bench.resolve();
  bench.run(1000);
  ASSERT_TRUE(bench.out.send_drive);
  ASSERT_NEAR(bench.out.drive(0), -15.37, 0.01);
  double before = bench.out.drive(0);
  const auto run = [&](const char* rejection) {
    bench.settings.joints.drive_rejection = rejection;
    for (int i = 0; i < 1000; ++i) {
      bench.run(1);
      if (!bench.out.send_drive) continue;
      EXPECT_LE(std::abs(bench.out.drive(0) - before), 0.02 + 1e-12);
      before = bench.out.drive(0);
    }
  };
  run("a joint has no effort limit");
  EXPECT_EQ(before, 0.0) << "the last command is zero";
  EXPECT_FALSE(bench.out.send_drive);
  run("");
  EXPECT_EQ(bench.out.drive, bench.out.torque);
}

}  // namespace
}  // namespace spatial_dynamics::test

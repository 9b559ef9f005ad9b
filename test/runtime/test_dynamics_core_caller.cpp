// A core whose cycles are run by a caller, such as a controller manager.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/core_harness.hpp"
#include "runtime/parameters_table.hpp"
#include "support/constants.hpp"
#include "support/malloc_hook.hpp"
#include "support/mutex_hook.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr std::int64_t kCallerPeriod = 1'000'000;  // ns
constexpr double kUnread = std::numeric_limits<double>::quiet_NaN();

class CallerCore : public ::testing::Test {
 protected:
  void make(std::vector<std::pair<std::string, ParameterValue>> parameters = {},
            const char* robot = "arm7") {
    ParameterSet set(parameter_table());
    set.set("robot_description", urdf_text(robot));
    set.set("yield_to_active_node", false);
    for (const auto& [name, value] : parameters) set.set(name, value);
    core = std::make_unique<DynamicsCore>(notes, set, Loop::kCaller);
    core->set_robot(urdf_text(robot));
    core->start();
    const TorqueController& controller = core->robot()->controller;
    input = std::make_unique<CallerInput>(controller.model(), controller.coordinates());
    q = VectorXd::Constant(controller.model().nq(), 0.3);
    v = VectorXd::Constant(controller.model().nv(), 0.01);
  }
  [[nodiscard]] std::size_t joints() const { return static_cast<std::size_t>(q.size()); }
  const ControlOutput& cycle() {
    now += kCallerPeriod;
    for (std::size_t k = 0; k < joints(); ++k) {
      const auto i = static_cast<Index>(k);
      input->set_reading(k, {q(i), v(i), kUnread});
    }
    return *core->step(now, now, *input);
  }
  const ControlOutput& cycles(int n) {
    for (int i = 1; i < n; ++i) cycle();
    return cycle();
  }
  void set_references(double position, double velocity) {
    for (std::size_t k = 0; k < joints(); ++k) {
      input->set_reference(k, now + kCallerPeriod, {0.0, position, velocity, 0.0, kUnread});
    }
  }

  Notes notes;
  std::unique_ptr<DynamicsCore> core;
  std::unique_ptr<CallerInput> input;
  VectorXd q, v;
  std::int64_t now = steady_now_ns();
};

TEST_F(CallerCore, TorquesEqualThoseOfTorqueControllerBitForBit) {
  make({{"torque_mode", std::string("computed_torque")}});
  ControlSettings settings;
  settings.torque_mode = TorqueMode::kComputedTorque;
  settings.compute = {true, true, false};
  TorqueController other(load_urdf(urdf_text("arm7")), settings);
  ControlInput in = other.make_input();
  ControlOutput expected = other.make_output();
  core->resume(now);
  input->follow_caller(core->discard_references(0));
  VectorXd reference = q, zero = VectorXd::Zero(q.size());
  for (int i = 0; i < 1000; ++i) {
    q.setConstant(0.3 + 1e-4 * std::sin(0.01 * i));
    reference.setConstant(0.3 + 1e-3 * i);
    if (i > 20 && i < 700) {  // then the reference times out
      const VectorXd velocity = VectorXd::Ones(q.size());
      in.set_reference(now + kCallerPeriod, reference, velocity, zero);
      set_references(reference(0), 1.0);
    }
    const bool readable = i < 400 || i > 600;  // states are stale meanwhile
    if (readable) in.set_state(now + kCallerPeriod, q, v);
    const VectorXd position = q;
    if (!readable) q.setConstant(kUnread);
    const ControlOutput& out = cycle();
    q = position;
    other.step(now, in, expected);
    ASSERT_EQ(out.phase, expected.phase) << i;
    ASSERT_EQ(out.send_torque, expected.send_torque) << i;
    ASSERT_EQ(out.faults, expected.faults) << i;
    ASSERT_TRUE(out.torque == expected.torque) << i;
    ASSERT_TRUE(out.drive == expected.drive) << i;
    ASSERT_EQ(out.send_acceleration, expected.send_acceleration) << i;
    ASSERT_TRUE(!out.send_acceleration || out.acceleration == expected.acceleration) << i;
    ASSERT_EQ(out.send_external_torque, expected.send_external_torque) << i;
    ASSERT_TRUE(!out.send_external_torque || out.external_torque == expected.external_torque) << i;
  }
  EXPECT_EQ(core->phase(), Phase::kRunning);
}

TEST_F(CallerCore, ContactIsReportedWithItsJointUntilItIsAcknowledged) {
  make(
      {{"torque_mode", std::string("joint_impedance")}, {"contact.reaction", std::string("hold")}});
  core->resume(now);
  v.setZero();
  cycles(400);
  EXPECT_FALSE(core->on_acknowledge()) << "there is no contact";
  for (int i = 0; i < 100; ++i) {  // a motion that the torque does not explain
    v(0) += 0.02;
    q(0) += 1e-3 * v(0);
    cycle();
  }
  v.setZero();
  EXPECT_TRUE(has(cycles(20).faults, Fault::kContact));
  const std::string message = core->diagnostics().message;
  EXPECT_NE(message.find("contact: the reaction stays until it is acknowledged (topic "
                         "~/acknowledge), joint 'shoulder_yaw'"),
            std::string::npos)
      << message;
  EXPECT_TRUE(core->on_acknowledge());
  EXPECT_FALSE(has(cycle().faults, Fault::kContact));
}

TEST_F(CallerCore, RepeatedReferenceIsDiscardedWithAContact) {
  make(
      {{"torque_mode", std::string("joint_impedance")}, {"contact.reaction", std::string("hold")}});
  core->resume(now);
  input->follow_caller(0);
  v.setZero();
  const auto repeat = [&](int n) -> const ControlOutput& {
    for (int i = 1; i < n; ++i) {
      set_references(0.3, 0.0);
      cycle();
    }
    set_references(0.3, 0.0);
    return cycle();
  };
  repeat(400);
  for (int i = 0; i < 100; ++i) {  // a motion that the torque does not explain
    v(0) += 0.02;
    q(0) += 1e-3 * v(0);
    repeat(1);
  }
  v.setZero();
  ASSERT_TRUE(has(repeat(20).faults, Fault::kContact));
  ASSERT_TRUE(core->on_acknowledge());
  EXPECT_NEAR(repeat(50).position_error(0), 0.0, 1e-9) << "the position is held";
  set_references(0.25, 0.0);
  EXPECT_NEAR(cycle().position_error(0), 0.25 - q(0), 1e-9) << "a changed reference is followed";
}

TEST_F(CallerCore, ContinuousJointThatIsPushedFarIsPulledBackTheSameWay) {
  make({{"torque_mode", std::string("joint_impedance")}}, "double_pendulum");
  core->resume(now);
  input->follow_caller(0);
  q.setZero();
  v.setZero();
  v(0) = 5.0;
  for (; q(0) < 4.0; q(0) += 5e-3) {
    set_references(0.0, 0.0);
    ASSERT_NEAR(cycle().position_error(0), -q(0), 1e-9);
  }
}

TEST_F(CallerCore, StepsDoNotAllocateOrLock) {
  make({{"torque_mode", std::string("computed_torque")}, {"publish.torque_terms", true}});
  core->resume(now);
  input->follow_caller(0);
  cycles(10);
  const HeapWatch heap;
  const LockWatch locks;
  for (int i = 0; i < 500; ++i) {
    set_references(0.3, 0.0);
    if (i == 200) q.setConstant(kUnread);
    if (i == 400) q.setConstant(0.3);
    cycle();
  }
  EXPECT_EQ(heap.count(), 0u);
  EXPECT_EQ(locks.count(), 0u);
}

TEST_F(CallerCore, TorquesArePublishedOnAnotherThread) {
  make();
  core->resume(now);
  cycle();
  EXPECT_TRUE(notes.wait([&] { return notes.torques > 0 && notes.stamp == now; }));
}

TEST_F(CallerCore, IsInactiveUntilResumed) {
  make();
  EXPECT_FALSE(core->active());
  EXPECT_TRUE(core->idle());
  EXPECT_FALSE(core->resume(now));
  EXPECT_TRUE(core->active());
  EXPECT_EQ(cycle().phase, Phase::kRunning);
}

TEST_F(CallerCore, ContinuesWithinFivePeriods) {
  make({{"torque_mode", std::string("computed_torque")}});
  core->resume(now);
  cycles(1000);
  v.setZero();
  q(1) += 0.01;  // feedback acts; a new activation would hold the new position
  const VectorXd before = cycles(10).torque;
  core->suspend(now);
  EXPECT_FALSE(core->active());
  EXPECT_EQ(core->phase(), Phase::kInactive);
  now += 4 * kCallerPeriod;
  EXPECT_TRUE(core->resume(now + kCallerPeriod));
  const ControlOutput& out = cycle();
  EXPECT_EQ(out.phase, Phase::kRunning);
  EXPECT_TRUE(out.torque.isApprox(before, 1e-12));
}

TEST_F(CallerCore, StartsAnewAfterFivePeriods) {
  make({{"torque_mode", std::string("computed_torque")}});
  core->resume(now);
  cycles(1000);
  v.setZero();
  q(1) += 0.01;
  cycles(10);
  core->suspend(now);
  now += 6 * kCallerPeriod;
  EXPECT_FALSE(core->resume(now));
  const ControlOutput& out = cycle();
  EXPECT_EQ(out.phase, Phase::kRunning);
  EXPECT_EQ(out.position_error(1), 0.0);
}

TEST_F(CallerCore, SwitchOfCallerMayTakeATenthOfASecond) {
  make();
  core->resume(now);
  cycles(10);
  core->suspend(now);
  EXPECT_TRUE(core->resume(now + 100'000'000, true));
  core->suspend(now);
  EXPECT_FALSE(core->resume(now + 101'000'000, true));
}

/// A regression test: switches of 150 ms and longer counted as an explicit activation.
TEST_F(CallerCore, LatchedStopSurvivesSwitchOfAnyDuration) {
  make({{"fallback", std::string("stop")}});
  core->resume(now);
  cycles(10);
  q.setConstant(kUnread);
  cycles(1000);
  ASSERT_EQ(core->phase(), Phase::kStopped);
  q.setConstant(0.3);
  for (const std::int64_t duration : {150 * kMillisecond, 3600 * kSecond}) {
    core->suspend(now);
    now += duration;
    EXPECT_FALSE(core->resume(now, true));
    EXPECT_FALSE(cycle().send_torque);
    EXPECT_EQ(cycles(500).phase, Phase::kStopped);
  }
  core->suspend(now);
  now += 150 * kMillisecond;
  EXPECT_FALSE(core->resume(now));
  EXPECT_EQ(cycle().phase, Phase::kRunning) << "an explicit activation";
}

TEST_F(CallerCore, StopThatStillRampsSurvivesLongSwitch) {
  make({{"fallback", std::string("stop")}, {"ramp_s", 1.0}});
  core->resume(now);
  cycles(10);
  q.setConstant(kUnread);
  cycles(400);
  ASSERT_EQ(core->phase(), Phase::kFallback);
  q.setConstant(0.3);
  core->suspend(now);
  now += 150 * kMillisecond;
  EXPECT_FALSE(core->resume(now, true));
  EXPECT_EQ(cycle().phase, Phase::kStopped);
}

TEST_F(CallerCore, LongSwitchStartsAnew) {
  make({{"torque_mode", std::string("computed_torque")}});
  core->resume(now);
  cycles(1000);
  v.setZero();
  q(1) += 0.01;
  cycles(10);
  core->suspend(now);
  now += 150 * kMillisecond;
  EXPECT_FALSE(core->resume(now, true));
  const ControlOutput& out = cycle();
  EXPECT_EQ(out.phase, Phase::kRunning);
  EXPECT_EQ(out.position_error(1), 0.0);
}

TEST_F(CallerCore, LatchedStopEndsOnlyByLateResume) {
  make({{"fallback", std::string("stop")}});
  core->resume(now);
  cycles(10);
  q.setConstant(kUnread);
  cycles(1000);
  ASSERT_EQ(core->phase(), Phase::kStopped);
  q.setConstant(0.3);
  core->suspend(now);
  EXPECT_TRUE(core->resume(now + 5 * kCallerPeriod));
  EXPECT_EQ(cycle().phase, Phase::kStopped);
  core->suspend(now);
  now += 10 * kCallerPeriod;
  EXPECT_FALSE(core->resume(now));
  EXPECT_EQ(cycle().phase, Phase::kRunning);
}

TEST_F(CallerCore, DeactivationRampsToZeroAndStaysReleased) {
  make();
  core->resume(now);
  cycles(10);
  core->deactivate();
  cycle();
  EXPECT_FALSE(core->idle());
  cycles(400);
  EXPECT_TRUE(core->idle());
  EXPECT_FALSE(cycle().send_torque);
  core->suspend(now);
  EXPECT_TRUE(core->resume(now));
  EXPECT_FALSE(cycle().send_torque);  // a change of chained mode does not activate
  core->suspend(now);
  now += 150 * kMillisecond;
  EXPECT_FALSE(core->resume(now, true));
  EXPECT_FALSE(cycle().send_torque);
  core->suspend(now);
  now += 10 * kCallerPeriod;
  EXPECT_FALSE(core->resume(now));
  EXPECT_TRUE(cycle().send_torque);
}

TEST_F(CallerCore, SuspendedCoreRejectsActivationByTopic) {
  make();
  core->on_set_active(true, "a test");
  EXPECT_FALSE(core->active());
  EXPECT_FALSE(core->resume(now));
  core->on_set_active(false, "a test");
  EXPECT_FALSE(core->active());
}

TEST_F(CallerCore, DiscardedReferencesAreNotFollowed) {
  make({{"torque_mode", std::string("computed_torque")}, {"reference_timeout_s", 3600.0}});
  core->resume(now);
  cycles(10);
  const std::vector<std::string> names = core->robot()->names;
  const std::vector<double> target(names.size(), 0.5);
  const auto send = [&] {
    core->on_reference(
        {0, {names.begin(), names.end()}, {{{target.data(), target.size()}, {}, {}, {}, 0}}});
  };
  send();
  now = std::max(now, steady_now_ns());
  EXPECT_NEAR(cycle().position_error(0), 0.2, 1e-9);
  const std::uint64_t last = core->discard_references(0);
  input->follow_caller(last);
  set_references(0.4, 0.0);
  EXPECT_NEAR(cycle().position_error(0), 0.1, 1e-9);
  core->discard_references(input->generation());
  input->follow_topic();
  EXPECT_NEAR(cycle().position_error(0), 0.1, 1e-9);  // the last position is held
  send();
  now = std::max(now, steady_now_ns());
  EXPECT_NEAR(cycle().position_error(0), 0.2, 1e-9);
}

TEST_F(CallerCore, DiagnosticsNameTheJointWithoutState) {
  make();
  core->resume(now);
  q(3) = kUnread;
  cycles(3);
  const std::string waiting = core->diagnostics().message;
  EXPECT_NE(waiting.find("'elbow'"), std::string::npos) << waiting;
  EXPECT_EQ(waiting.find("'wrist_roll'"), std::string::npos) << waiting;
  q(3) = 0.3;
  cycles(3);
  q(3) = kUnread;
  cycles(400);  // longer than state_timeout_s
  const std::string stale = core->diagnostics().message;
  EXPECT_NE(stale.find("'elbow'"), std::string::npos) << stale;
  EXPECT_EQ(stale.find("'wrist_roll'"), std::string::npos) << stale;
}

TEST_F(CallerCore, JointStatesOfTopicDoNotStep) {
  make();
  core->resume(now);
  const std::uint64_t before = core->cycle_statistics().cycles;
  const std::vector<std::string> names = core->robot()->names;
  const std::vector<double> position(names.size(), 0.1);
  core->on_joint_states({system_now_ns(),
                         {names.begin(), names.end()},
                         {position.data(), position.size()},
                         {},
                         {},
                         1});
  EXPECT_EQ(core->cycle_statistics().cycles, before);
  cycle();
  EXPECT_EQ(core->cycle_statistics().cycles, before + 1);
}

}  // namespace
}  // namespace spatial_dynamics::test

// The plug-in TorqueController.
#include "ros2_control/torque_controller.hpp"

#include <rcutils/logging.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <pluginlib/class_loader.hpp>

#include "plugin_fixture.hpp"
#include "spatial_dynamics/control/torque_controller.hpp"
#include "support/malloc_hook.hpp"
#include "support/mutex_hook.hpp"

namespace spatial_dynamics_ros2_control {
namespace {

class TorqueControllerPlugin : public PluginFixture {};

TEST_F(TorqueControllerPlugin, IsFoundByPluginlib) {
  pluginlib::ClassLoader<ci::ChainableControllerInterface> loader(
      "controller_interface", "controller_interface::ChainableControllerInterface");
  if (!loader.isClassAvailable("spatial_dynamics/TorqueController")) {
    GTEST_SKIP() << "the package is not installed in a sourced prefix";
  }
  EXPECT_TRUE(loader.createSharedInstance("spatial_dynamics/TorqueController")->is_chainable());
}

TEST_F(TorqueControllerPlugin, WritesGravityTorqueAndExportsIt) {
  ASSERT_EQ(configure({kGravity}), State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  set_arm(0.3);
  const VectorXd expected = gravity(0.3);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  EXPECT_NEAR(command("elbow"), expected(3), 1e-9) << "brakes are released with the first command";
  ASSERT_EQ(update(), ci::return_type::OK);
  for (std::size_t k = 0; k < kArm.size(); ++k) {
    EXPECT_NEAR(command(kArm[k]), expected(static_cast<Eigen::Index>(k)), 1e-9) << kArm[k];
  }
  EXPECT_NEAR(exported_value("elbow/gravity_torque"), expected(3), 1e-9);
  EXPECT_TRUE(std::isfinite(exported_value("elbow/external_torque")));
  EXPECT_TRUE(std::isfinite(exported_value("elbow/acceleration")));
  deactivate();
  EXPECT_TRUE(std::isnan(exported_value("elbow/gravity_torque")));
}

TEST_F(TorqueControllerPlugin, DeactivationWritesZeroAndEarlyActivationRestores) {
  ASSERT_EQ(configure({kGravity}, spatial_dynamics::test::urdf_text("arm7"), 100),
            State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  set_arm(0.3);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  update();
  const double before = command("shoulder_pitch");
  ASSERT_NE(before, 0.0);
  deactivate();
  EXPECT_EQ(command("shoulder_pitch"), 0.0);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);  // within five periods of 10 ms
  EXPECT_EQ(command("shoulder_pitch"), before);
  set_arm(0.4);
  deactivate();
  std::this_thread::sleep_for(60ms);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  EXPECT_NEAR(command("shoulder_pitch"), gravity(0.4)(1), 1e-9) << "an activation of its own";
}

TEST_F(TorqueControllerPlugin, ChangeOfChainedModeMayTakeLonger) {
  ASSERT_EQ(configure({kComputed}), State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  set_arm(0.3);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  update();
  const double before = command("shoulder_pitch");
  for (const bool chained : {true, false}) {
    set_arm(chained ? 0.4 : 0.5);
    deactivate();
    controller->set_chained_mode(chained);
    std::this_thread::sleep_for(20ms);  // 20 periods, on a busy machine
    ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
    EXPECT_EQ(command("shoulder_pitch"), before);
  }
  deactivate();
  std::this_thread::sleep_for(20ms);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  EXPECT_NE(command("shoulder_pitch"), before) << "an activation of its own";
}

TEST_F(TorqueControllerPlugin, LatchedStopSurvivesEarlyActivation) {
  ASSERT_EQ(configure({kGravity, {"fallback", "stop"}, {"ramp_s", 0.02}},
                      spatial_dynamics::test::urdf_text("arm7"), 50),
            State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  set_arm(0.3);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  update();
  set("elbow/position", kNan);
  run(400ms);
  EXPECT_EQ(command("shoulder_pitch"), 0.0);
  set_arm(0.3);
  deactivate();
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  run(20ms);
  EXPECT_EQ(command("shoulder_pitch"), 0.0);
  deactivate();
  std::this_thread::sleep_for(150ms);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  run(20ms);
  EXPECT_NE(command("shoulder_pitch"), 0.0);
}

/// The manager's calls for a change of chained mode, on a thread that was delayed.
TEST_F(TorqueControllerPlugin, LatchedStopSurvivesLongChangeOfChainedMode) {
  ASSERT_EQ(configure({kGravity, {"fallback", "stop"}, {"ramp_s", 0.02}}),
            State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  set_arm(0.3);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  update();
  set("elbow/position", kNan);
  run(400ms);
  ASSERT_EQ(command("shoulder_pitch"), 0.0);
  set_arm(0.3);
  for (const bool chained : {true, false}) {
    deactivate();
    controller->set_chained_mode(chained);
    std::this_thread::sleep_for(150ms);
    ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
    run(20ms);
    EXPECT_EQ(command("shoulder_pitch"), 0.0) << chained;
  }
  deactivate();
  std::this_thread::sleep_for(150ms);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  run(20ms);
  EXPECT_NE(command("shoulder_pitch"), 0.0) << "an explicit activation";
}

/// The controller before it stops and starts, too; the mode is the same as before.
TEST_F(TorqueControllerPlugin, LatchedStopEndsByActivationOfWholeChain) {
  ASSERT_EQ(configure({kGravity, {"fallback", "stop"}, {"ramp_s", 0.02}}),
            State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  set_arm(0.3);
  controller->set_chained_mode(true);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  update();
  set("elbow/position", kNan);
  run(400ms);
  ASSERT_EQ(command("shoulder_pitch"), 0.0);
  set_arm(0.3);
  deactivate();
  controller->set_chained_mode(false);
  std::this_thread::sleep_for(150ms);
  controller->set_chained_mode(true);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  run(20ms);
  EXPECT_NE(command("shoulder_pitch"), 0.0);
}

TEST_F(TorqueControllerPlugin, StateThatIsNaNIsStaleAfterTimeout) {
  ASSERT_EQ(configure({kGravity, {"ramp_s", 0.02}}), State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  set_arm(0.3);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  run(20ms);
  const double before = command("shoulder_pitch");
  set("elbow/position", kNan);
  update();
  EXPECT_EQ(command("shoulder_pitch"), before);
  run(250ms);
  EXPECT_EQ(command("shoulder_pitch"), 0.0);
  set_arm(0.3);
  run(100ms);
  EXPECT_NEAR(command("shoulder_pitch"), before, 1e-6);
}

TEST_F(TorqueControllerPlugin, WaitsForFirstState) {
  ASSERT_EQ(configure({kGravity}), State::PRIMARY_STATE_INACTIVE);
  offer_arm();  // all NaN
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  run(20ms);
  EXPECT_EQ(command("shoulder_pitch"), 0.0);
  set_arm(0.3);
  update();
  EXPECT_NEAR(command("shoulder_pitch"), gravity(0.3)(1), 1e-9);
}

TEST_F(TorqueControllerPlugin, ConfigureFailsForWrongParameters) {
  EXPECT_EQ(configure({{"joints", std::vector<std::string>{"nose"}}}),
            State::PRIMARY_STATE_UNCONFIGURED);
  controller = std::make_shared<TorqueController>();
  EXPECT_EQ(configure({}, "<robot"), State::PRIMARY_STATE_UNCONFIGURED);
  controller = std::make_shared<TorqueController>();
  EXPECT_EQ(configure({{"ramp_s", -1.0}}), State::PRIMARY_STATE_UNKNOWN);
}

TEST_F(TorqueControllerPlugin, ChainedTorquesAreThoseOfInverseDynamics) {
  ASSERT_EQ(configure({}), State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  set_arm(0.3, 0.2);
  controller->set_chained_mode(true);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  for (const std::string& joint : kArm) {
    set_reference(joint + "/position", 0.3);
    set_reference(joint + "/velocity", 0.2);
    set_reference(joint + "/acceleration", 0.5);
  }
  update();
  spatial_dynamics::TorqueController other(
      spatial_dynamics::load_urdf(spatial_dynamics::test::urdf_text("arm7")));
  auto in = other.make_input();
  auto out = other.make_output();
  const VectorXd q = VectorXd::Constant(7, 0.3), v = VectorXd::Constant(7, 0.2),
                 a = VectorXd::Constant(7, 0.5);
  in.set_state(1000, q, v);
  in.set_reference(1000, q, v, a);
  other.step(1000, in, out);
  for (std::size_t k = 0; k < kArm.size(); ++k) {
    EXPECT_EQ(command(kArm[k]), out.drive(static_cast<Eigen::Index>(k))) << kArm[k];
  }
}

std::atomic<std::size_t> lines_of_watched_thread{0};
thread_local bool watched_thread = false;

void count_lines(const rcutils_log_location_t*, int, const char*, rcutils_time_point_value_t,
                 const char*, va_list*) {
  if (watched_thread) ++lines_of_watched_thread;
}

TEST_F(TorqueControllerPlugin, UpdateDoesNotAllocateLockOrLog) {
  ASSERT_EQ(configure({kComputed}), State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  set_arm(0.3);
  controller->set_chained_mode(true);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  run(20ms);
  std::size_t heap_calls = 0, locks = 0;
  const rcutils_logging_output_handler_t handler = rcutils_logging_get_output_handler();
  rcutils_logging_set_output_handler(count_lines);
  watched_thread = true;
  RCLCPP_INFO(controller->get_node()->get_logger(), "counted");
  ASSERT_EQ(lines_of_watched_thread.exchange(0), 1u);
  for (int i = 0; i < 300; ++i) {
    if (i % 10 == 0) set_reference("elbow/position", 0.3 + 1e-5 * i);
    if (i == 100) set("elbow/position", kNan);
    if (i == 250) set("elbow/position", 0.3);
    {
      const spatial_dynamics::test::HeapWatch heap;
      const spatial_dynamics::test::LockWatch lock;
      update();
      heap_calls += heap.count();
      locks += lock.count();
    }
    std::this_thread::sleep_for(1ms);
  }
  watched_thread = false;
  rcutils_logging_set_output_handler(handler);
  EXPECT_EQ(heap_calls, 0u);
  EXPECT_EQ(locks, 0u);
  EXPECT_EQ(lines_of_watched_thread, 0u);
}

TEST_F(TorqueControllerPlugin, MedianOfUpdateTimesIsBelowTenMicroseconds) {
  ASSERT_EQ(configure({kComputed}), State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  set_arm(0.3, 0.1);
  controller->set_chained_mode(true);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  // The best of several medians: other programs share the processor and its caches. Rounds are
  // shorter than a scheduler's time slice, so that some are not interrupted, and after a slow one
  // the other programs get time.
  std::chrono::nanoseconds best = 1s, worst = 0ns;
  for (int round = 0; round < 300 && (round < 10 || best >= 10us); ++round) {
    std::vector<std::chrono::nanoseconds> times;
    for (int i = 0; i < 100; ++i) {
      for (const std::string& joint : kArm) set_reference(joint + "/position", 0.3 + 1e-6 * i);
      const auto start = std::chrono::steady_clock::now();
      update();
      times.push_back(std::chrono::steady_clock::now() - start);
    }
    std::sort(times.begin(), times.end());
    best = std::min(best, times[times.size() / 2]);
    if (best >= 10us) std::this_thread::sleep_for(20ms);
    worst = std::max(worst, times[times.size() * 99 / 100]);
  }
  std::cout << "update: p50 " << best.count() << " ns, p99 " << worst.count() << " ns\n";
  EXPECT_LT(best, 10us);
}

TEST_F(TorqueControllerPlugin, StateThatCanNotBeReadIsStaleAfterTimeout) {
  ASSERT_EQ(configure({kGravity, {"ramp_s", 0.02}}), State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  set_arm(0.3);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  run(20ms);
  const double before = command("shoulder_pitch");
  {
    const std::unique_lock<std::shared_mutex> lock(hardware.at("elbow/position")->get_mutex());
    update();
    EXPECT_EQ(command("shoulder_pitch"), before);
    run(250ms);
    EXPECT_EQ(command("shoulder_pitch"), 0.0);
  }
  run(100ms);
  EXPECT_NEAR(command("shoulder_pitch"), before, 1e-6);
}

TEST_F(TorqueControllerPlugin, UpdateFailsIfCommandsCanNotBeWritten) {
  ASSERT_EQ(configure({kGravity, {"state_timeout_s", 0.05}}), State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  set_arm(0.3);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  const std::unique_lock<std::shared_mutex> lock(commands.at("elbow/effort")->get_mutex());
  EXPECT_EQ(update(), ci::return_type::OK);
  std::this_thread::sleep_for(60ms);
  EXPECT_EQ(update(), ci::return_type::ERROR);
}

TEST_F(TorqueControllerPlugin, BoundOfUnwrittenCommandsFollowsLiveTimeout) {
  ASSERT_EQ(configure({kGravity, {"state_timeout_s", 0.05}}), State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  set_arm(0.3);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  ASSERT_TRUE(controller->get_node()->set_parameter({"state_timeout_s", 60.0}).successful);
  const std::unique_lock<std::shared_mutex> lock(commands.at("elbow/effort")->get_mutex());
  std::this_thread::sleep_for(60ms);
  EXPECT_EQ(update(), ci::return_type::OK);
}

TEST_F(TorqueControllerPlugin, CycleAfterDeactivationWritesNoTorque) {
  ASSERT_EQ(configure({kGravity}), State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  set_arm(0.3);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  update();
  ASSERT_NE(command("shoulder_pitch"), 0.0);
  controller->get_node()->deactivate();  // the manager's thread, while an asynchronous cycle waits
  update();
  EXPECT_EQ(command("shoulder_pitch"), 0.0);
}

std::atomic<bool> names_elbow{false};

TEST_F(TorqueControllerPlugin, DeactivationThatCanNotWriteZeroIsLogged) {
  ASSERT_EQ(configure({kGravity}), State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  set_arm(0.3);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  const rcutils_logging_output_handler_t handler = rcutils_logging_get_output_handler();
  rcutils_logging_set_output_handler([](const rcutils_log_location_t*, int severity, const char*,
                                        rcutils_time_point_value_t, const char* format,
                                        va_list* values) {
    char text[400];
    va_list copy;
    va_copy(copy, *values);
    (void)std::vsnprintf(text, sizeof(text), format, copy);
    va_end(copy);
    if (severity == RCUTILS_LOG_SEVERITY_ERROR &&
        std::string(text).find("'elbow' could not be set to zero") != std::string::npos) {
      names_elbow = true;
    }
  });
  {
    const std::unique_lock<std::shared_mutex> lock(commands.at("elbow/effort")->get_mutex());
    deactivate();
  }
  const auto end = std::chrono::steady_clock::now() + 10s;
  while (!names_elbow && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
  rcutils_logging_set_output_handler(handler);
  EXPECT_TRUE(names_elbow);
}

TEST_F(TorqueControllerPlugin, LiveParametersChangeMode) {
  ASSERT_EQ(configure({kGravity, {"ramp_s", 0.02}}), State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  set_arm(0.3, 0.5);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  run(20ms);
  const double before = command("elbow");
  EXPECT_TRUE(controller->get_node()->set_parameter(kComputed).successful);
  run(100ms);
  EXPECT_GT(std::abs(command("elbow") - before), 1e-3);
  EXPECT_FALSE(controller->get_node()->set_parameter({"torque_mode", "none"}).successful);
  EXPECT_FALSE(controller->get_node()
                   ->set_parameter({"joints", std::vector<std::string>{"elbow"}})
                   .successful);
}

}  // namespace
}  // namespace spatial_dynamics_ros2_control

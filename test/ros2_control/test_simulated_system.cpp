// SimulatedSystem through its handles, without a controller manager.
#include "ros2_control/simulated_system.hpp"

#include <gtest/gtest.h>
#include <rcutils/logging.h>

#include <atomic>
#include <cmath>
#include <geometry_msgs/msg/inertia_stamped.hpp>
#include <geometry_msgs/msg/wrench_stamped.hpp>
#include <hardware_interface/component_parser.hpp>
#include <limits>
#include <pluginlib/class_loader.hpp>
#include <rclcpp/rclcpp.hpp>
#include <thread>

#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/malloc_hook.hpp"
#include "support/mutex_hook.hpp"

namespace spatial_dynamics_ros2_control {
namespace {

namespace hw = hardware_interface;
using spatial_dynamics::VectorXd;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A pendulum of two links, a finger that follows the elbow, and a slider that is passive.
constexpr const char* kLinksAndJoints = R"(
  <link name="base"/>
  <link name="upper"><inertial><origin xyz="0.2 0 0"/><mass value="2"/>
    <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="lower"><inertial><origin xyz="0.2 0 0"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="finger"><inertial><origin xyz="0.05 0 0"/><mass value="0.1"/>
    <inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="weight"><inertial><mass value="0.5"/>
    <inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" velocity="4" effort="100"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/>
    <origin xyz="0.4 0 0"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" velocity="4" effort="50"/>
    <dynamics damping="0.1" friction="0.2"/></joint>
  <joint name="knuckle" type="revolute"><parent link="lower"/><child link="finger"/>
    <origin xyz="0.4 0 0"/><axis xyz="0 1 0"/><mimic joint="elbow" multiplier="-0.5" offset="0.1"/>
    <limit lower="-2" upper="2" velocity="4" effort="50"/></joint>
  <joint name="slide" type="prismatic"><parent link="base"/><child link="weight"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="4" effort="50"/></joint>
)";

std::string joint_tag(const std::string& name, const std::string& commands) {
  std::string text = "<joint name=\"" + name + "\">";
  for (const char* command : {"effort", "velocity", "position"}) {
    if (commands.find(command) == std::string::npos) continue;
    text += std::string("<command_interface name=\"") + command + "\"/>";
  }
  for (const char* state : {"position", "velocity", "effort", "acceleration"}) {
    text += std::string("<state_interface name=\"") + state + "\"/>";
  }
  return text + "</joint>";
}

std::string standard_joints() {
  return joint_tag("shoulder", "effort velocity position") +
         joint_tag("elbow", "effort velocity position") + joint_tag("knuckle", "") +
         joint_tag("slide", "");
}

std::string robot(const std::string& parameters, const std::string& joints) {
  return std::string("<robot name=\"arm\">") + kLinksAndJoints +
         "<ros2_control name=\"Arm\" type=\"system\" rw_rate=\"1000\"><hardware><plugin>"
         "spatial_dynamics/SimulatedSystem</plugin>" +
         parameters + "</hardware>" + joints + "</ros2_control></robot>";
}

std::string param(const std::string& name, const std::string& value) {
  return "<param name=\"" + name + "\">" + value + "</param>";
}

std::string bent_start() {
  return param("initial_position.shoulder", "0.5") + param("initial_position.elbow", "-0.3");
}

class SimulatedSystemTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { rclcpp::init(0, nullptr); }
  static void TearDownTestSuite() { rclcpp::shutdown(); }

  hw::CallbackReturn init(const std::string& parameters, std::string joints = standard_joints()) {
    hw::HardwareComponentParams params;
    params.hardware_info = hw::parse_control_resources_from_urdf(robot(parameters, joints)).at(0);
    params.logger = rclcpp::get_logger("test");
    params.clock = std::make_shared<rclcpp::Clock>();
    executor_ = std::make_shared<rclcpp::executors::SingleThreadedExecutor>();
    params.executor = executor_;
    const auto result = system_.init(params);
    if (result != hw::CallbackReturn::SUCCESS) return result;
    for (const auto& handle : system_.on_export_state_interfaces()) states_.push_back(handle);
    commands_ = system_.on_export_command_interfaces();
    return result;
  }
  void start(const std::string& parameters, std::string joints = standard_joints()) {
    ASSERT_EQ(init(parameters, std::move(joints)), hw::CallbackReturn::SUCCESS);
    ASSERT_EQ(system_.on_configure(unknown_), hw::CallbackReturn::SUCCESS);
    ASSERT_EQ(system_.on_activate(unknown_), hw::CallbackReturn::SUCCESS);
  }
  void claim(const std::vector<std::string>& start, const std::vector<std::string>& stop = {}) {
    ASSERT_EQ(system_.prepare_command_mode_switch(start, stop), hw::return_type::OK);
    ASSERT_EQ(system_.perform_command_mode_switch(start, stop), hw::return_type::OK);
  }
  double state(const std::string& name) const {
    for (const auto& handle : states_) {
      if (handle->get_name() == name) return handle->get_optional().value();
    }
    throw std::out_of_range(name);
  }
  double position(const std::string& joint) const { return state(joint + "/position"); }
  hw::CommandInterface& command_handle(const std::string& name) {
    for (const auto& handle : commands_) {
      if (handle->get_name() == name) return *handle;
    }
    throw std::out_of_range(name);
  }
  void command(const std::string& name, double value) {
    ASSERT_TRUE(command_handle(name).set_value(value));
  }
  void run(int cycles, double period = 1e-3) {
    for (int i = 0; i < cycles; ++i) {
      ASSERT_EQ(system_.write(now_, rclcpp::Duration::from_seconds(period)), hw::return_type::OK);
      ASSERT_EQ(system_.read(now_, rclcpp::Duration::from_seconds(period)), hw::return_type::OK);
    }
  }

  SimulatedSystem system_;
  rclcpp::executors::SingleThreadedExecutor::SharedPtr executor_;
  std::vector<hw::StateInterface::ConstSharedPtr> states_;
  std::vector<hw::CommandInterface::SharedPtr> commands_;
  rclcpp_lifecycle::State unknown_;
  rclcpp::Time now_;
};

TEST_F(SimulatedSystemTest, StatesAreReadableOnceConfigured) {
  ASSERT_EQ(init(bent_start()), hw::CallbackReturn::SUCCESS);
  ASSERT_EQ(system_.on_configure(unknown_), hw::CallbackReturn::SUCCESS);
  EXPECT_EQ(position("shoulder"), 0.5);
  EXPECT_EQ(position("elbow"), -0.3);
  EXPECT_EQ(state("shoulder/velocity"), 0.0);
  EXPECT_EQ(state("shoulder/acceleration"), 0.0);
}

TEST_F(SimulatedSystemTest, BrakesHoldEveryJointUntilItsFirstCommand) {
  start(bent_start());
  run(100);
  EXPECT_EQ(position("shoulder"), 0.5);
  EXPECT_GT(std::abs(state("shoulder/effort")), 1.0) << "the brake carries the weight";
  claim({"shoulder/effort", "elbow/effort"});
  run(100);
  EXPECT_EQ(position("shoulder"), 0.5) << "claimed, but without a command";
  EXPECT_EQ(position("slide"), 0.0);
  command("elbow/effort", 0.0);
  run(100);
  EXPECT_EQ(position("shoulder"), 0.5);
  EXPECT_GT(position("elbow"), -0.29) << "falls";
  EXPECT_LT(position("slide"), -0.01) << "a passive joint falls";
}

TEST_F(SimulatedSystemTest, GravityTorqueHoldsTheArm) {
  start(bent_start());
  claim({"shoulder/effort", "elbow/effort"});
  auto model = spatial_dynamics::load_urdf(robot("", standard_joints()));
  spatial_dynamics::Data data(model);
  VectorXd q(3);
  for (int i = 0; i < 500; ++i) {
    q << position("shoulder"), position("elbow"), position("slide");
    const VectorXd gravity = gravity_torque(model, data, q);
    command("shoulder/effort", gravity(0));
    command("elbow/effort", gravity(1));
    run(1);
  }
  EXPECT_NEAR(position("shoulder"), 0.5, 1e-9);
  EXPECT_NEAR(position("elbow"), -0.3, 1e-9);
}

TEST_F(SimulatedSystemTest, StoppedControllerLeavesTheJointToTheBrake) {
  start(bent_start());
  claim({"elbow/effort"});
  command("elbow/effort", 0.0);
  run(50);
  claim({}, {"elbow/effort"});
  const double before = position("elbow");
  run(50);
  EXPECT_EQ(position("elbow"), before);
  EXPECT_EQ(state("elbow/velocity"), 0.0);
}

TEST_F(SimulatedSystemTest, WithoutBrakesAStoppedControllerLeavesTheJointToGravity) {
  start(bent_start() + param("brake_unclaimed", "false"));
  run(50);
  EXPECT_EQ(position("elbow"), -0.3) << "brakes hold until the first command";
  claim({"elbow/effort"});
  command("elbow/effort", -10.0);
  run(1);
  claim({}, {"elbow/effort"});
  run(100);
  EXPECT_EQ(state("elbow/effort"), 0.0) << "the last command does not act any more";
  EXPECT_GT(std::abs(position("elbow") + 0.3), 1e-3);
}

// The manager restarts a chainable controller in this way when its mode changes.
TEST_F(SimulatedSystemTest, StopAndStartInOneSwitchIsNoChange) {
  start(bent_start());
  claim({"elbow/effort"});
  command("elbow/effort", -2.0);
  run(1);
  claim({"elbow/effort"}, {"elbow/effort"});
  run(1);
  EXPECT_EQ(state("elbow/effort"), -2.0);
}

TEST_F(SimulatedSystemTest, CommandOfAnEarlierControllerDoesNotAct) {
  start(bent_start());
  claim({"elbow/effort"});
  command("elbow/effort", 20.0);
  run(1);
  claim({}, {"elbow/effort"});
  run(1);
  const double before = position("elbow");
  claim({"elbow/effort"});
  run(10);
  EXPECT_EQ(position("elbow"), before);
}

TEST_F(SimulatedSystemTest, PositionAndVelocityCommandsMoveAnIdealServo) {
  start(bent_start());
  claim({"shoulder/position", "elbow/velocity"});
  for (int i = 1; i <= 100; ++i) {
    command("shoulder/position", 0.5 + 0.001 * i);
    command("elbow/velocity", 0.2);
    run(1);
    ASSERT_NEAR(position("shoulder"), 0.5 + 0.001 * i, 1e-12);
    ASSERT_NEAR(state("elbow/velocity"), 0.2, 1e-12);
  }
  EXPECT_NEAR(position("elbow"), -0.3 + 0.02, 1e-12);
  EXPECT_NEAR(state("shoulder/velocity"), 1.0, 1e-9);
  EXPECT_NEAR(state("shoulder/acceleration"), 0.0, 1e-6);
}

TEST_F(SimulatedSystemTest, PositionTakesPrecedenceOverVelocity) {
  start(bent_start());
  claim({"elbow/position", "elbow/velocity"});
  command("elbow/velocity", 3.0);
  command("elbow/position", -0.299);
  run(5);
  EXPECT_NEAR(position("elbow"), -0.299, 1e-12);
}

TEST_F(SimulatedSystemTest, EffortTogetherWithAServoIsRejected) {
  start(bent_start());
  claim({"elbow/effort"});
  EXPECT_EQ(system_.prepare_command_mode_switch({"elbow/position"}, {}), hw::return_type::ERROR);
  EXPECT_EQ(system_.prepare_command_mode_switch({"elbow/position"}, {"elbow/effort"}),
            hw::return_type::OK);
  EXPECT_EQ(system_.prepare_command_mode_switch({"shoulder/velocity"}, {}), hw::return_type::OK);
}

TEST_F(SimulatedSystemTest, SwitchFromEffortToPositionHoldsUntilTheCommand) {
  start(bent_start());
  claim({"elbow/effort"});
  command("elbow/effort", 0.0);
  run(50);
  claim({"elbow/position"}, {"elbow/effort"});
  const double before = position("elbow");
  run(10);
  EXPECT_EQ(position("elbow"), before);
  command("elbow/position", before + 0.001);
  run(1);
  EXPECT_NEAR(position("elbow"), before + 0.001, 1e-12);
}

TEST_F(SimulatedSystemTest, NanCommandIsNoEffort) {
  start(bent_start());
  claim({"elbow/effort"});
  command("elbow/effort", 5.0);
  run(1);
  command("elbow/effort", kNan);
  run(1);
  EXPECT_EQ(state("elbow/effort"), 0.0);
  EXPECT_TRUE(std::isfinite(position("elbow")));
}

TEST_F(SimulatedSystemTest, MimicJointFollowsItsLeader) {
  start(bent_start());
  claim({"elbow/velocity"});
  command("elbow/velocity", 0.4);
  run(20);
  EXPECT_NEAR(position("knuckle"), -0.5 * position("elbow") + 0.1, 1e-12);
  EXPECT_NEAR(state("knuckle/velocity"), -0.2, 1e-12);
  EXPECT_EQ(state("knuckle/effort"), 0.0);
}

TEST_F(SimulatedSystemTest, StopsHoldEffortsAndServos) {
  start(bent_start());
  claim({"shoulder/effort", "elbow/position"});
  command("shoulder/effort", 90.0);
  command("elbow/position", 5.0);
  run(2000);
  EXPECT_NEAR(position("shoulder"), 2.0, 1e-6);
  EXPECT_NEAR(position("elbow"), 2.0, 1e-6);
}

TEST_F(SimulatedSystemTest, SamePeriodsAndCommandsGiveTheSameStates) {
  const std::string noisy = bent_start() + param("noise.position", "1e-3") +
                            param("noise.velocity", "1e-2") + param("delay_s", "0.003");
  start(noisy);
  claim({"shoulder/effort", "elbow/effort"});
  std::vector<double> first;
  const auto record = [&] {
    std::vector<double> values;
    for (int i = 0; i < 50; ++i) {
      command("shoulder/effort", 0.1 * i);
      command("elbow/effort", 0.2);
      run(1, i % 7 == 0 ? 1.3e-3 : 1e-3);
      values.push_back(position("shoulder"));
      values.push_back(state("elbow/velocity"));
    }
    return values;
  };
  first = record();
  ASSERT_EQ(system_.on_deactivate(unknown_), hw::CallbackReturn::SUCCESS);
  ASSERT_EQ(system_.on_configure(unknown_), hw::CallbackReturn::SUCCESS);
  ASSERT_EQ(system_.on_activate(unknown_), hw::CallbackReturn::SUCCESS);
  EXPECT_EQ(record(), first);
}

TEST_F(SimulatedSystemTest, DelayedStatesAreThoseOfEarlierCycles) {
  start(bent_start() + param("delay_s", "0.005"));
  claim({"elbow/velocity"});
  command("elbow/velocity", 1.0);
  run(5);
  EXPECT_EQ(position("elbow"), -0.3);
  run(1);
  EXPECT_NEAR(position("elbow"), -0.299, 1e-12);
}

TEST_F(SimulatedSystemTest, LateCycleIsSimulatedInFullAndLongGapIsAPause) {
  start(bent_start());
  claim({"elbow/velocity"});
  command("elbow/velocity", 1.0);
  run(1, 4e-3);
  EXPECT_NEAR(position("elbow"), -0.296, 1e-12);
  run(1, 0.03);
  EXPECT_NEAR(position("elbow"), -0.266, 1e-12);
  run(1, 5.0);
  EXPECT_LT(position("elbow"), -0.266 + 0.16);
  run(1, 0.0);
}

TEST_F(SimulatedSystemTest, InitialValueOfThePositionInterfaceIsTheStart) {
  start("",
        "<joint name=\"shoulder\"><command_interface name=\"effort\"/><state_interface "
        "name=\"position\"><param name=\"initial_value\">0.7</param></state_interface></joint>");
  EXPECT_EQ(position("shoulder"), 0.7);
}

TEST_F(SimulatedSystemTest, JointThatIsNotInTheTagStaysWhereItStarts) {
  start(bent_start(), joint_tag("elbow", "effort"));
  claim({"elbow/effort"});
  command("elbow/effort", 30.0);
  const double before = state("elbow/effort");
  run(200);
  // The shoulder does not move, so the elbow's motion is that of one joint: it reaches its stop.
  EXPECT_NEAR(position("elbow"), 2.0, 1e-6);
  EXPECT_NE(before, 30.0);
}

TEST_F(SimulatedSystemTest, BadParametersAreRejected) {
  for (const char* name : {"substeps", "delay_s", "integrator", "initial_position.nobody",
                           "initial_position.elbow", "nan_states"}) {
    EXPECT_EQ(init(param(name, "-99")), hw::CallbackReturn::ERROR) << name;
  }
}

TEST_F(SimulatedSystemTest, UnknownParameterIsIgnored) {
  EXPECT_EQ(init(param("robot_ip", "192.168.0.1")), hw::CallbackReturn::SUCCESS);
}

TEST_F(SimulatedSystemTest, InterfaceThatIsNotSimulatedIsRejected) {
  EXPECT_EQ(init("",
                 "<joint name=\"elbow\"><command_interface name=\"acceleration\"/>"
                 "<state_interface name=\"position\"/></joint>"),
            hw::CallbackReturn::ERROR);
}

TEST_F(SimulatedSystemTest, CommandsOfAMimicJointAreRejected) {
  EXPECT_EQ(init("", joint_tag("elbow", "effort") +
                         "<joint name=\"knuckle\" mimic=\"false\"><command_interface "
                         "name=\"effort\"/><state_interface name=\"position\"/></joint>"),
            hw::CallbackReturn::ERROR);
}

TEST_F(SimulatedSystemTest, WrenchAndPayloadArriveByTopic) {
  start(bent_start());
  const auto node = std::make_shared<rclcpp::Node>("test");
  const auto wrench =
      node->create_publisher<geometry_msgs::msg::WrenchStamped>("/arm/external_wrench", 10);
  const auto payload =
      node->create_publisher<geometry_msgs::msg::InertiaStamped>("/arm/payload", 10);
  run(1);
  const double held = state("shoulder/effort");
  const auto wait_for_change = [&](const auto& publish, double from) {
    for (int i = 0; i < 500 && std::abs(state("shoulder/effort") - from) < 0.5; ++i) {
      publish();
      executor_->spin_some();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      run(1);
    }
    return state("shoulder/effort");
  };
  geometry_msgs::msg::WrenchStamped push;
  push.header.frame_id = "lower";
  push.wrench.force.z = -20.0;
  const double pushed = wait_for_change([&] { wrench->publish(push); }, held);
  EXPECT_GT(std::abs(pushed - held), 0.5);
  EXPECT_NEAR(wait_for_change([] {}, pushed), held, 1e-9) << "after wrench_timeout_s";
  geometry_msgs::msg::InertiaStamped load;
  load.header.frame_id = "lower";
  load.inertia.m = 3.0;
  EXPECT_GT(std::abs(wait_for_change([&] { payload->publish(load); }, held) - held), 0.5);
}

TEST_F(SimulatedSystemTest, NanStatesAreAParameterOfTheNode) {
  start(bent_start());
  const auto node = system_.get_node();
  const auto set = [&](const std::vector<std::string>& joints) {
    return node->set_parameter(rclcpp::Parameter("nan_states", joints));
  };
  EXPECT_TRUE(set({"elbow"}).successful);
  run(1);
  EXPECT_TRUE(std::isnan(position("elbow")));
  EXPECT_TRUE(std::isnan(state("elbow/velocity")));
  EXPECT_EQ(position("shoulder"), 0.5);
  EXPECT_FALSE(set({"nobody"}).successful);
  EXPECT_TRUE(set({}).successful);
  run(1);
  EXPECT_EQ(position("elbow"), -0.3);
}

TEST_F(SimulatedSystemTest, DivergenceIsAnError) {
  start(bent_start() + param("joint_stops", "false"));
  claim({"shoulder/effort", "elbow/effort"});
  command("shoulder/effort", 1e300);
  command("elbow/effort", -1e300);
  auto result = hw::return_type::OK;
  for (int i = 0; i < 100 && result == hw::return_type::OK; ++i) {
    std::ignore = system_.write(now_, rclcpp::Duration::from_seconds(1e-3));
    result = system_.read(now_, rclcpp::Duration::from_seconds(1e-3));
  }
  EXPECT_EQ(result, hw::return_type::ERROR);
  EXPECT_EQ(system_.on_error(unknown_), hw::CallbackReturn::SUCCESS);
  ASSERT_EQ(system_.on_configure(unknown_), hw::CallbackReturn::SUCCESS);
  EXPECT_EQ(position("shoulder"), 0.5);
}

std::thread::id watched_thread;
std::atomic<int> lines_of_watched_thread{0}, lines_of_others{0};

void count_lines(const rcutils_log_location_t*, int, const char*, rcutils_time_point_value_t,
                 const char*, va_list*) {
  ++(std::this_thread::get_id() == watched_thread ? lines_of_watched_thread : lines_of_others);
}

/// The manager may call these on the thread of its loop.
TEST_F(SimulatedSystemTest, ThreadOfTheLoopDoesNotLog) {
  start(bent_start());
  const rcutils_logging_output_handler_t handler = rcutils_logging_get_output_handler();
  watched_thread = std::this_thread::get_id();
  rcutils_logging_set_output_handler(count_lines);
  EXPECT_EQ(system_.prepare_command_mode_switch({"elbow/effort", "elbow/position"}, {}),
            hw::return_type::ERROR);
  EXPECT_EQ(system_.on_error(unknown_), hw::CallbackReturn::SUCCESS);
  for (int i = 0; i < 10000 && lines_of_others < 2; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  rcutils_logging_set_output_handler(handler);
  EXPECT_EQ(lines_of_watched_thread, 0);
  EXPECT_EQ(lines_of_others, 2);
}

TEST_F(SimulatedSystemTest, CyclesDoNotAllocateOrLock) {
  start(bent_start() + param("noise.position", "1e-4"));
  const std::vector<std::string> first{"shoulder/effort", "elbow/effort"};
  const std::vector<std::string> second{"shoulder/position", "elbow/velocity"};
  const std::vector<std::string> none;
  claim(first);
  command("shoulder/effort", 1.0);
  command("elbow/effort", 1.0);
  std::size_t heap_calls = 0;
  std::size_t locks = 0;
  {
    const spatial_dynamics::test::HeapWatch heap;
    const spatial_dynamics::test::LockWatch lock;
    run(20);
    std::ignore = system_.perform_command_mode_switch(second, first);
    run(20);
    heap_calls = heap.count();
    locks = lock.count();
  }
  EXPECT_EQ(heap_calls, 0U);
  EXPECT_EQ(locks, 0U);
}

TEST(SimulatedSystemPlugin, IsFoundByItsName) {
  pluginlib::ClassLoader<hw::SystemInterface> loader("hardware_interface",
                                                     "hardware_interface::SystemInterface");
  EXPECT_TRUE(loader.isClassAvailable("spatial_dynamics/SimulatedSystem"));
  EXPECT_NE(loader.createUniqueInstance("spatial_dynamics/SimulatedSystem"), nullptr);
}

}  // namespace
}  // namespace spatial_dynamics_ros2_control

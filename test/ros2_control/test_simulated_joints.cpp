// SimulatedJoints with handles of its own, without a hardware component.
#include "ros2_control/simulated_joints.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <shared_mutex>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/model/model_error.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics_ros2_control {
namespace {

namespace hw = hardware_interface;
using spatial_dynamics::SimulatedRobot;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPeriod = 1e-3;

hw::InterfaceInfo interface_info(const std::string& name) {
  hw::InterfaceInfo info;
  info.name = name;
  info.data_type = "double";
  return info;
}

hw::ComponentInfo joint_info(const std::string& name, const std::vector<std::string>& commands,
                             const std::vector<std::string>& states) {
  hw::ComponentInfo info;
  info.name = name;
  for (const std::string& each : commands) info.command_interfaces.push_back(interface_info(each));
  for (const std::string& each : states) info.state_interfaces.push_back(interface_info(each));
  return info;
}

/// The double pendulum: shoulder and elbow, which gravity moves from where they start.
class SimulatedJointsTest : public ::testing::Test {
 protected:
  SimulatedJointsTest()
      : robot(spatial_dynamics::load_urdf_file(
                  spatial_dynamics::test::shipped_urdf("double_pendulum")),
              bent()) {}

  static spatial_dynamics::SimulatorConfig bent() {
    spatial_dynamics::SimulatorConfig config;
    config.initial_position = {0.8};
    return config;
  }
  void use(const std::vector<hw::ComponentInfo>& tag) {
    joints = SimulatedJoints(tag, robot);
    for (const hw::ComponentInfo& joint : tag) {
      for (const hw::InterfaceInfo& each : joint.command_interfaces) {
        const hw::InterfaceDescription description(joint.name, each);
        commands[description.get_name()] = std::make_shared<hw::CommandInterface>(description);
      }
      for (const hw::InterfaceInfo& each : joint.state_interfaces) {
        const hw::InterfaceDescription description(joint.name, each);
        states[description.get_name()] = std::make_shared<hw::StateInterface>(description);
      }
    }
    joints.connect([this](const std::string& name) { return commands.at(name); },
                   [this](const std::string& name) {
                     const auto found = states.find(name);
                     return found == states.end() ? nullptr : found->second;
                   });
  }
  void use_both() {
    use({joint_info("shoulder", {"effort", "position"}, {"position", "velocity"}),
         joint_info("elbow", {"effort", "position"}, {"position"})});
  }
  void command(const std::string& name, double value) {
    ASSERT_TRUE(commands.at(name)->set_value(value));
  }
  double state(const std::string& name) { return states.at(name)->get_optional().value(); }
  void run(int cycles, bool brake_unclaimed = true) {
    for (int i = 0; i < cycles; ++i) {
      joints.drive(robot, brake_unclaimed);
      ASSERT_TRUE(robot.advance(1, kPeriod));
    }
    joints.publish_states(robot);
  }

  SimulatedRobot robot;
  SimulatedJoints joints;
  std::map<std::string, hw::CommandInterface::SharedPtr> commands;
  std::map<std::string, hw::StateInterface::SharedPtr> states;
};

TEST_F(SimulatedJointsTest, StatesThatTheTagLeavesOutAreNotWritten) {
  use_both();
  run(1);
  EXPECT_EQ(state("shoulder/position"), 0.8);
  EXPECT_EQ(state("shoulder/velocity"), 0.0);
  EXPECT_EQ(states.count("elbow/velocity"), 0U);
}

TEST_F(SimulatedJointsTest, ConflictNamesTheJointThatWouldHaveEffortAndAServo) {
  use_both();
  EXPECT_EQ(joints.conflict({"shoulder/effort", "elbow/position"}, {}), "");
  EXPECT_EQ(joints.conflict({"elbow/effort", "elbow/position"}, {}), "elbow");
  joints.switch_claims({"elbow/effort"}, {});
  EXPECT_EQ(joints.conflict({"elbow/position"}, {}), "elbow");
  EXPECT_EQ(joints.conflict({"elbow/position"}, {"elbow/effort"}), "");
}

TEST_F(SimulatedJointsTest, EachJointIsBrakedUntilItsOwnCommand) {
  use_both();
  joints.switch_claims({"shoulder/effort", "elbow/effort"}, {});
  command("elbow/effort", 0.0);
  run(100);
  EXPECT_EQ(state("shoulder/position"), 0.8) << "has no command yet";
  EXPECT_GT(std::abs(state("elbow/position") - 0.8), 1e-3) << "falls";
}

TEST_F(SimulatedJointsTest, CommandThatCanNotBeReadKeepsTheLast) {
  use_both();
  joints.switch_claims({"shoulder/position", "elbow/position"}, {});
  command("shoulder/position", 0.8001);
  command("elbow/position", 0.8);
  run(10);
  ASSERT_NEAR(state("shoulder/position"), 0.8001, 1e-12);
  command("shoulder/position", 0.8002);
  {
    const std::unique_lock<std::shared_mutex> other(commands.at("shoulder/position")->get_mutex());
    run(10);
  }
  EXPECT_NEAR(state("shoulder/position"), 0.8001, 1e-12);
  run(10);
  EXPECT_NEAR(state("shoulder/position"), 0.8002, 1e-12);
}

TEST_F(SimulatedJointsTest, NewClaimErasesTheCommandOfTheLastController) {
  use_both();
  joints.switch_claims({"elbow/effort"}, {});
  command("elbow/effort", 5.0);
  joints.switch_claims({}, {"elbow/effort"});
  joints.switch_claims({"elbow/effort"}, {});
  EXPECT_TRUE(std::isnan(commands.at("elbow/effort")->get_optional().value()));
}

TEST_F(SimulatedJointsTest, ReleasedJointsAreBrakedAgainAfterBrake) {
  use_both();
  joints.switch_claims({"elbow/effort"}, {});
  command("elbow/effort", 0.0);
  run(50);
  joints.switch_claims({}, {"elbow/effort"});
  run(50, false);
  const double falling = state("elbow/position");
  run(50, false);
  EXPECT_NE(state("elbow/position"), falling) << "no brake: only the first command released it";
  joints.brake();
  run(1, false);
  const double held = state("elbow/position");
  run(50, false);
  EXPECT_EQ(state("elbow/position"), held);
}

TEST_F(SimulatedJointsTest, NanStatesAreThoseOfTheNamedJoints) {
  use_both();
  EXPECT_EQ(joints.unknown({"elbow", ""}), "");
  EXPECT_EQ(joints.unknown({"elbow", "wrist"}), "wrist");
  joints.set_nan({"shoulder"});
  run(1);
  EXPECT_TRUE(std::isnan(state("shoulder/position")));
  EXPECT_EQ(state("elbow/position"), 0.8);
  joints.set_nan({""});
  run(1);
  EXPECT_EQ(state("shoulder/position"), 0.8);
}

TEST_F(SimulatedJointsTest, JointsAndInterfacesThatCanNotBeSimulatedAreNamed) {
  const auto error_of = [this](const hw::ComponentInfo& joint) {
    try {
      SimulatedJoints({joint}, robot);
    } catch (const spatial_dynamics::ModelError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_NE(error_of(joint_info("wrist", {}, {})).find("'wrist' is fixed or not in the URDF"),
            std::string::npos);
  EXPECT_NE(
      error_of(joint_info("elbow", {"current"}, {})).find("'current', which is not simulated"),
      std::string::npos);
  EXPECT_NE(error_of(joint_info("elbow", {}, {"torque"})).find("'torque', which is not simulated"),
            std::string::npos);
}

}  // namespace
}  // namespace spatial_dynamics_ros2_control

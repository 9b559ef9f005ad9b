// The interfaces that TorqueController reads, commands and exports.
#include "ros2_control/joint_interfaces.hpp"

#include "plugin_fixture.hpp"

namespace spatial_dynamics_ros2_control {
namespace {

class TorqueInterfaces : public PluginFixture {};

TEST_F(TorqueInterfaces, ClaimsEffortsAndReadsStates) {
  ASSERT_EQ(configure({kGravity}), State::PRIMARY_STATE_INACTIVE);
  const auto claimed = controller->command_interface_configuration();
  EXPECT_EQ(claimed.type, ci::interface_configuration_type::INDIVIDUAL);
  ASSERT_EQ(claimed.names.size(), 7u);
  EXPECT_EQ(claimed.names[3], "elbow/effort");
  const auto read = controller->state_interface_configuration();
  EXPECT_EQ(read.type, ci::interface_configuration_type::INDIVIDUAL_BEST_EFFORT);
  EXPECT_EQ(read.names.size(), 21u);
  EXPECT_EQ(references.size(), 28u);
  EXPECT_EQ(exported.size(), 21u);
}

TEST_F(TorqueInterfaces, WorksWithPositionsAlone) {
  ASSERT_EQ(configure({kComputed}), State::PRIMARY_STATE_INACTIVE);
  offer_arm({"position"});
  set_arm(0.3);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  update();
  EXPECT_NEAR(command("shoulder_pitch"), gravity(0.3)(1), 1e-9);
}

TEST_F(TorqueInterfaces, ActivationFailsWithoutNeededInterfaces) {
  ASSERT_EQ(configure({kGravity}), State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  hardware.erase("elbow/position");
  EXPECT_EQ(activate(), State::PRIMARY_STATE_INACTIVE);
  offer("elbow", {"position"}, "bool");
  EXPECT_EQ(activate(), State::PRIMARY_STATE_INACTIVE);
  offer("elbow", {"position"});
  commands.erase("elbow/effort");
  EXPECT_EQ(activate(), State::PRIMARY_STATE_INACTIVE);
}

TEST_F(TorqueInterfaces, SubsetReadsOrHoldsOtherJoints) {
  const std::vector<std::string> two{"elbow", "shoulder_pitch"};
  ASSERT_EQ(configure({kGravity, {"joints", two}, {"held_position.wrist_pitch", 0.9}}),
            State::PRIMARY_STATE_INACTIVE);
  EXPECT_EQ(controller->command_interface_configuration().names,
            (std::vector<std::string>{"elbow/effort", "shoulder_pitch/effort"}));
  for (const std::string joint : {"elbow", "shoulder_pitch", "shoulder_yaw"}) {
    offer(joint, {"position", "velocity"});
    set(joint + "/position", 0.3);
    set(joint + "/velocity", 0.0);
  }
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  update();
  const auto model = spatial_dynamics::load_urdf(spatial_dynamics::test::urdf_text("arm7"));
  spatial_dynamics::Data data(model);
  VectorXd q = VectorXd::Zero(7);
  q << 0.3, 0.3, 0.0, 0.3, 0.0, 0.9, 0.0;
  const VectorXd expected = spatial_dynamics::gravity_torque(model, data, q);
  EXPECT_NEAR(command("elbow"), expected(3), 1e-9);
  EXPECT_NEAR(command("shoulder_pitch"), expected(1), 1e-9);
}

TEST_F(TorqueInterfaces, MimicJointsAreNotClaimedAndTheirWeightIsCompensated) {
  const std::string urdf = spatial_dynamics::test::urdf_text("gripper");
  ASSERT_EQ(configure({kGravity}, urdf), State::PRIMARY_STATE_INACTIVE);
  EXPECT_EQ(controller->command_interface_configuration().names,
            (std::vector<std::string>{"wrist/effort", "finger_left/effort"}));
  for (const std::string joint : {"wrist", "finger_left"}) {
    offer(joint, {"position", "velocity"});
    set(joint + "/position", 0.02);
    set(joint + "/velocity", 0.0);
  }
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  const auto model = spatial_dynamics::load_urdf(urdf);
  spatial_dynamics::Data data(model);
  const VectorXd q = VectorXd::Constant(2, 0.02);
  const VectorXd expected = spatial_dynamics::gravity_torque(model, data, q);
  EXPECT_NEAR(command("wrist"), expected(0), 1e-12);
  EXPECT_NEAR(command("finger_left"), expected(1), 1e-12);
}

TEST_F(TorqueInterfaces, ReferencesAreNaNUntilGiven) {
  ASSERT_EQ(configure({kComputed}), State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  set_arm(0.3);
  EXPECT_TRUE(std::isnan(reference("elbow/position")));
  controller->set_chained_mode(true);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  run(20ms);
  EXPECT_TRUE(std::isnan(reference("elbow/position")));
  EXPECT_NEAR(command("elbow"), gravity(0.3)(3), 1e-6);  // holds its position
  set_reference("elbow/position", 0.31);
  run(20ms);
  EXPECT_GT(std::abs(command("elbow") - gravity(0.3)(3)), 1e-4);
  deactivate();
  EXPECT_TRUE(std::isnan(reference("elbow/position")));
  set_reference("elbow/position", 0.31);
  controller->set_chained_mode(true);
  EXPECT_TRUE(std::isnan(reference("elbow/position")));
}

TEST_F(TorqueInterfaces, ReferenceThatCanNotBeReadKeepsItsValue) {
  ASSERT_EQ(configure({kComputed}), State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  set_arm(0.3);
  controller->set_chained_mode(true);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  set_reference("elbow/position", 0.31);
  run(600ms);  // gains are ramped
  const double before = command("elbow");
  const std::unique_lock<std::shared_mutex> lock(
      references.at("torque_controller/elbow/position")->get_mutex());
  set_reference("elbow/velocity", 0.0);  // without the position, a setpoint of a velocity alone
  update();
  EXPECT_NEAR(command("elbow"), before, 1e-9);
}

}  // namespace
}  // namespace spatial_dynamics_ros2_control

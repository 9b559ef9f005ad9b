// Per-joint parameters against robots.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <utility>

#include "runtime/rejection_of.hpp"
#include "runtime/simulator_config.hpp"
#include "spatial_dynamics/textbook/data.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

using Texts = std::vector<std::string>;

JointDescription joint_of(const std::string& name, JointType type, const std::string& parent,
                          const std::string& child, double effort) {
  JointDescription joint;
  joint.name = name;
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  joint.axis = Vector3::UnitY();
  joint.limits.effort = effort;
  return joint;
}

/// A planar base, a revolute arm whose limit is 0, a continuous wrist without one, and a finger
/// that mimics the arm.
Model mixed_robot(bool floating_base = false) {
  MassProperties mass;
  mass.mass = 1.0;
  mass.com = Vector3(0.1, 0.0, 0.2);
  mass.inertia_about_com = 0.01 * Matrix3::Identity();
  ModelBuilder builder("mixed");
  for (const char* link : {"root", "cart", "arm", "wrist", "finger"}) builder.add_link(link, mass);
  builder.add_joint(joint_of("slide", JointType::kPlanar, "root", "cart", 30.0));
  JointDescription arm = joint_of("arm", JointType::kRevolute, "cart", "arm", 0.0);
  arm.limits.lower = 0.5;
  arm.limits.upper = 2.0;
  builder.add_joint(arm);
  builder.add_joint(joint_of("wrist", JointType::kContinuous, "arm", "wrist", kUnlimited));
  JointDescription finger = joint_of("finger", JointType::kRevolute, "arm", "finger", 5.0);
  finger.mimic = MimicDescription{"arm", -1.0, 0.0};
  builder.add_joint(finger);
  BuildOptions options;
  options.floating_base = floating_base;
  return builder.build(options);
}

TEST(LoadRobot, ArmatureStandsOnTheDiagonalOfTheMassMatrix) {
  const std::string urdf = urdf_text("double_pendulum");
  Config config;
  const Model plain = load_robot(urdf, config);
  config.armature = {0.25, 0.5};
  ModelReport report;
  const Model geared = load_robot(urdf, config, &report);
  textbook::Data plain_data(plain);
  textbook::Data geared_data(geared);
  const VectorXd q = VectorXd::Constant(2, 0.3);
  const MatrixXd difference =
      mass_matrix(geared, geared_data, q) - mass_matrix(plain, plain_data, q);
  EXPECT_TRUE(difference.isApprox(Eigen::Vector2d(0.25, 0.5).asDiagonal().toDenseMatrix(), 1e-12))
      << difference;
  ASSERT_EQ(report.joints.size(), 2U) << "the report is of the second reading alone";
  EXPECT_EQ(report.joints[1].armature, 0.5);
}

TEST(LoadRobot, LockedJointIsNoCoordinate) {
  Config config;
  config.locked = {{"elbow", 0.5}};
  const Model model = load_robot(urdf_text("double_pendulum"), config);
  EXPECT_EQ(model.nv(), 1);
  config.armature = {0.25};  // of the shoulder
  EXPECT_NO_THROW((void)load_robot(urdf_text("double_pendulum"), config));
  config.locked = {{"knee", 0.5}};
  EXPECT_THROW((void)load_robot(urdf_text("double_pendulum"), config), ModelError);
}

TEST(LoadRobot, ArmatureOfAnotherLengthIsRejectedWithTheJoints) {
  Config config;
  config.armature = {0.1, 0.2, 0.3};
  const std::string sentence =
      rejection_of("armature", [&] { load_robot(urdf_text("double_pendulum"), config); });
  EXPECT_EQ(sentence,
            "parameter 'armature' has 3 values, but the robot has 2 joints ('shoulder', 'elbow'); "
            "give one value for all or one per joint, in this order.");
}

TEST(LoadRobot, FloatingBaseAndGravityAreApplied) {
  Config config;
  config.floating_base = true;
  config.gravity = Vector3(0.0, 0.0, -1.62);
  const Model model = load_robot(urdf_text("double_pendulum"), config);
  EXPECT_EQ(model.nv(), 8);
  EXPECT_EQ(model.gravity(), config.gravity);
}

TEST(JointSettings, OneNumberServesAllJoints) {
  const Model model = load_urdf_file(shipped_urdf("arm7"));
  const JointSettings settings = resolve_joint_settings(Config{}, model);
  EXPECT_EQ(settings.kp, VectorXd::Constant(7, 100.0));
  EXPECT_EQ(settings.kd, VectorXd::Constant(7, 20.0));
  EXPECT_EQ(settings.command_joints, model.joint_names());
}

TEST(JointSettings, NumbersFollowTheOrderOfCoordinates) {
  const Model model = mixed_robot(true);  // 6 of the base, 3 of the plane, arm, wrist
  Config config;
  config.kp = {1.0, 2.0, 3.0, 4.0, 5.0};
  config.torque_rate_limit = {10.0, 0.0, 30.0, 40.0, 50.0};
  const JointSettings settings = resolve_joint_settings(config, model);
  VectorXd kp(11);
  kp << VectorXd::Zero(6), 1.0, 2.0, 3.0, 4.0, 5.0;
  EXPECT_EQ(settings.kp, kp);
  EXPECT_EQ(settings.torque_rate_limit.head(6), VectorXd::Constant(6, kUnlimited));
  EXPECT_EQ(settings.torque_rate_limit[6], 10.0);
  EXPECT_EQ(settings.torque_rate_limit[7], kUnlimited) << "0 means none";
  EXPECT_EQ(settings.torque_rate_limit[10], 50.0);
}

TEST(JointSettings, WithoutGainsNothingIsFedBack) {
  Config config;
  config.kp = {};
  config.kd = {};
  const JointSettings settings =
      resolve_joint_settings(config, load_urdf_file(shipped_urdf("double_pendulum")));
  EXPECT_EQ(settings.kp, VectorXd::Zero(2));
  EXPECT_EQ(settings.kd, VectorXd::Zero(2));
}

TEST(JointSettings, DefaultRateIsTheEffortLimitInTwentyMilliseconds) {
  const Model model = mixed_robot();  // limits of 30 for the plane, none for arm and wrist
  Config config;
  config.effort_limit_scale = 0.5;
  JointSettings settings = resolve_joint_settings(config, model);
  EXPECT_EQ(settings.torque_rate_limit[0], 15.0 / 0.02);
  EXPECT_EQ(settings.torque_rate_limit[3], kUnlimited) << "no effort limit, no rate limit";
  EXPECT_EQ(settings.rate_is_default, (std::vector<std::uint8_t>(5, 1)));
  config.by_joint["torque_rate_limit"] = {{"slide/x", 0.0}, {"arm", 7.0}};
  settings = resolve_joint_settings(config, model);
  EXPECT_EQ(settings.torque_rate_limit[0], kUnlimited) << "0 means none";
  EXPECT_EQ(settings.torque_rate_limit[3], 7.0);
  EXPECT_EQ(settings.rate_is_default, (std::vector<std::uint8_t>{0, 1, 1, 0, 1}));
}

TEST(JointSettings, OtherLengthsAreRejectedByName) {
  const Model model = mixed_robot();
  using Member = std::vector<double> Config::*;
  const std::vector<std::pair<const char*, Member>> members = {
      {"gains.kp", &Config::kp},
      {"gains.kd", &Config::kd},
      {"effort_limits", &Config::effort_limits},
      {"torque_rate_limit", &Config::torque_rate_limit},
      {"following_error_limit", &Config::following_error_limit}};
  for (const auto& [name, member] : members) {
    Config config;
    config.*member = {1.0, 2.0};
    const std::string sentence =
        rejection_of(name, [&] { (void)resolve_joint_settings(config, model); });
    EXPECT_NE(sentence.find("has 2 values, but the robot has 5 joints ('slide/x', 'slide/y', "
                            "'slide/theta', 'arm', 'wrist')"),
              std::string::npos)
        << sentence;
  }
}

TEST(JointSettings, EffortLimitsComeFromTheUrdfUnlessGiven) {
  const Model model = mixed_robot();
  Config config;
  JointSettings settings = resolve_joint_settings(config, model);
  VectorXd expected(5);
  expected << 30.0, 30.0, 30.0, kUnlimited, kUnlimited;
  EXPECT_EQ(settings.effort_limit, expected);
  EXPECT_EQ(settings.without_effort_limit, (Texts{"arm", "wrist"}));

  config.effort_limits = {0.0, 0.0, 12.0, 13.0, 0.0};
  config.effort_limit_scale = 0.5;
  settings = resolve_joint_settings(config, model);
  expected << 15.0, 15.0, 6.0, 6.5, kUnlimited;
  EXPECT_EQ(settings.effort_limit, expected);
  EXPECT_EQ(settings.without_effort_limit, Texts{"wrist"});
}

TEST(JointSettings, GivenEffortLimitsOnlyLowerTheUrdfs) {
  const Model model = mixed_robot();
  Config config;
  config.effort_limits = {50.0};
  config.effort_limit_scale = 0.5;
  JointSettings settings = resolve_joint_settings(config, model);
  VectorXd expected(5);
  expected << 15.0, 15.0, 15.0, 25.0,
      25.0;  // the URDF has 30 for the plane and none for the others
  EXPECT_EQ(settings.effort_limit, expected);
  EXPECT_NE(settings.ignored_limits.find("'slide/x' (50 instead of 30)"), std::string::npos)
      << settings.ignored_limits;
  EXPECT_NE(settings.ignored_limits.find("'effort_limits'"), std::string::npos);
  EXPECT_NE(settings.ignored_limits.find("'allow_effort_above_urdf'"), std::string::npos);
  EXPECT_EQ(settings.ignored_limits.find("'arm'"), std::string::npos);
  config.allow_effort_above_urdf = true;
  settings = resolve_joint_settings(config, model);
  EXPECT_EQ(settings.effort_limit, VectorXd::Constant(5, 25.0));
  EXPECT_EQ(settings.ignored_limits, "");
}

TEST(JointSettings, NamesOverrideTheArray) {
  const Model model = mixed_robot();
  Config config;
  config.kp = {1.0};
  config.by_joint["gains.kp"] = {{"arm", 5.0}, {"slide/y", 3.0}};
  config.by_joint["effort_limits"] = {{"wrist", 4.0}};
  config.by_joint["following_error_limit"] = {{"arm", 0.2}};
  const JointSettings settings = resolve_joint_settings(config, model);
  EXPECT_EQ(settings.kp, (VectorXd(5) << 1.0, 3.0, 1.0, 5.0, 1.0).finished());
  EXPECT_EQ(settings.effort_limit[4], 4.0);
  EXPECT_EQ(settings.following_error_limit[3], 0.2);
  EXPECT_EQ(settings.following_error_limit[4], kUnlimited);
}

TEST(JointSettings, UnknownJointNamesAreRejectedWithTheRobotsNames) {
  Config config;
  config.by_joint["gains.kd"] = {{"elbow", 5.0}};
  const std::string sentence =
      rejection_of("gains.kd.elbow", [&] { (void)resolve_joint_settings(config, mixed_robot()); });
  EXPECT_NE(sentence.find("'gains.kd.elbow'"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("'arm', 'wrist'"), std::string::npos) << sentence;
}

TEST(JointSettings, ArraysFollowTheGivenOrderIfItHasTheSameNames) {
  const Model model = mixed_robot();
  Config config;
  config.kp = {1.0, 2.0, 3.0, 4.0, 5.0};
  const Texts order = {"wrist", "arm", "slide/theta", "slide/y", "slide/x"};
  JointSettings settings = resolve_joint_settings(config, model, order);
  EXPECT_EQ(settings.kp, (VectorXd(5) << 5.0, 4.0, 3.0, 2.0, 1.0).finished());
  EXPECT_EQ(settings.command_joints, order);
  EXPECT_EQ(settings.command_indices, (std::vector<Index>{4, 3, 2, 1, 0}));
  for (const Texts& other :
       {Texts{"wrist"}, Texts{"wrist", "arm", "wrist", "slide/y", "slide/x"}}) {
    settings = resolve_joint_settings(config, model, other);
    EXPECT_EQ(settings.kp[0], 1.0) << "not an order of these joints";
  }
}

TEST(LoadRobot, ArmatureFollowsTheOrderAndNames) {
  const std::string urdf = urdf_text("double_pendulum");
  Config config;
  config.armature = {0.1, 0.2};
  const Texts joints = load_robot(urdf, config).joint_names();
  const Model turned = load_robot(urdf, config, nullptr, {joints[1], joints[0]});
  EXPECT_EQ(turned.joint(1).armature, 0.2);
  config.armature = {};
  config.by_joint["armature"] = {{joints[1], 0.3}};
  const Model named = load_robot(urdf, config);
  EXPECT_EQ(named.joint(1).armature, 0.0);
  EXPECT_EQ(named.joint(2).armature, 0.3);
}

TEST(JointSettings, ScaleOfZeroGivesZeroLimitsAndNoNan) {
  Config config;
  config.effort_limit_scale = 0.0;
  const JointSettings settings = resolve_joint_settings(config, mixed_robot());
  EXPECT_EQ(settings.effort_limit[0], 0.0);
  EXPECT_EQ(settings.effort_limit[4], kUnlimited);
}

TEST(JointSettings, TheArrayDrivesNoJointWithoutALimit) {
  const Model model = mixed_robot();
  Config config;
  EXPECT_NE(resolve_joint_settings(config, model).drive_rejection.find("'arm', 'wrist'"),
            std::string::npos);
  config.effort_limits = {10.0};
  EXPECT_EQ(resolve_joint_settings(config, model).drive_rejection, "");
  config.effort_limits = {};
  config.allow_unlimited_effort = true;
  EXPECT_EQ(resolve_joint_settings(config, model).drive_rejection, "");
  config.allow_unlimited_effort = false;
  config.command_joints = {"slide/theta"};
  EXPECT_EQ(resolve_joint_settings(config, model).drive_rejection, "") << "it is not driven";
}

TEST(JointSettings, CommandJointsKeepTheirOrder) {
  const Model model = mixed_robot(true);
  Config config;
  config.command_joints = {"wrist", "slide/x"};
  const JointSettings settings = resolve_joint_settings(config, model);
  EXPECT_EQ(settings.command_joints, config.command_joints);
  EXPECT_EQ(settings.command_indices, (std::vector<Index>{10, 6}));
}

TEST(JointSettings, CommandJointsWithoutTorqueAreRejected) {
  const Model model = mixed_robot(true);
  const auto sentence = [&](const char* joint) {
    Config config;
    config.command_joints = {joint};
    return rejection_of("command_joints", [&] { (void)resolve_joint_settings(config, model); });
  };
  EXPECT_NE(sentence("knee").find("'knee', which the robot does not have; choose among 'slide/x'"),
            std::string::npos);
  EXPECT_NE(sentence("finger").find("follows 'arm'"), std::string::npos);
  EXPECT_NE(sentence("floating_base").find("does not have"), std::string::npos);
}

TEST(InitialPosition, WithoutNumbersJointsStartAtZeroOrTheNearestSoftLimit) {
  const Model model = mixed_robot(true);
  const VectorXd q = resolve_initial_position(SimulatorConfig{}, model);
  VectorXd expected(12);
  expected << 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5 + 0.01 * 1.5, 0.0;
  EXPECT_EQ(q, expected);
}

TEST(InitialPosition, BeyondAStopIsRejected) {
  const Model model = mixed_robot();
  SimulatorConfig config;
  config.initial_position = {1.0, 2.0, 3.0, 1.5, 4.0};
  const VectorXd q = resolve_initial_position(config, model);
  EXPECT_EQ(q, Eigen::Map<const VectorXd>(config.initial_position.data(), 5));
  config.initial_position = {1.0};
  EXPECT_EQ(resolve_initial_position(config, model), VectorXd::Ones(5));
  config.initial_position = {0.0};
  EXPECT_EQ(
      rejection_of("initial_position", [&] { (void)resolve_initial_position(config, model); }),
      "parameter 'initial_position' is 0 for 'arm', whose limits are 0.5 and 2; start between "
      "them, or set 'joint_stops' to false.");
  config.joint_stops = false;
  EXPECT_EQ(resolve_initial_position(config, model), VectorXd::Zero(5));
}

TEST(JointSettings, BrakingNeedsVelocityLimitAndJumpFilter) {
  const auto braking_speed = [](const char* velocity, double jump_factor) {
    Config config;
    config.state_jump_factor = jump_factor;
    const Model model = load_urdf(
        std::string("<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/>"
                    "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>"
                    "<joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
                    "<limit lower='-1' upper='1' effort='10' velocity='") +
        velocity + "'/></joint></robot>");
    return resolve_joint_settings(config, model).braking_speed(0);
  };
  EXPECT_EQ(braking_speed("2", 3.0), 0.02);
  EXPECT_EQ(braking_speed("2", 0.0), kUnlimited) << "the filter is off";
  EXPECT_EQ(braking_speed("0", 3.0), kUnlimited) << "the filter has no limit to judge by";
}

}  // namespace
}  // namespace spatial_dynamics::test

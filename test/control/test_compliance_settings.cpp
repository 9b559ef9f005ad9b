#include "control/compliance_settings.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "control/closed_loop.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/constants.hpp"
#include "support/random_tree.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

std::string rejection(const ControlSettings& settings, const Model& model) {
  try {
    check_settings(settings);
    (void)resolve_joint_settings(settings, model);
  } catch (const ParameterError& error) {
    return error.what();
  }
  return "";
}

class SpringSettings : public ::testing::Test {
 protected:
  SpringSettings() { settings.torque_mode = TorqueMode::kJointImpedance; }
  std::string warning() const { return resolve_joint_settings(settings, model).gain_warning; }

  Model model = load_urdf_file(shipped_urdf("arm7"));
  ControlSettings settings;
};

TEST_F(SpringSettings, DampingOfOneJointReplacesItsRatioOnly) {
  const std::string name = scalar_coordinates(model)[2].name;
  const JointSettings joints =
      resolve_joint_settings(settings, model, {}, {{"impedance.damping", {{name, 5.0}}}});
  EXPECT_EQ(joints.damping(2), 5.0);
  EXPECT_EQ(joints.damping_ratio(2), 0.0);
  EXPECT_EQ(joints.damping(1), 0.0);
  EXPECT_EQ(joints.damping_ratio(1), 0.7);
}

TEST_F(SpringSettings, BadNumbersAreRejectedByName) {
  for (const double bad : {-1.0, kNaN, kInfinity}) {
    for (const auto member : {&ControlSettings::stiffness, &ControlSettings::damping,
                              &ControlSettings::damping_ratio}) {
      ControlSettings changed = settings;
      changed.*member = {bad};
      EXPECT_NE(rejection(changed, model).find("impedance."), std::string::npos) << bad;
    }
  }
  settings.stiffness = {1.0, 2.0};
  EXPECT_NE(rejection(settings, model).find("'impedance.stiffness' has 2 values"),
            std::string::npos);
}

TEST_F(SpringSettings, StableGainsCauseNoWarning) {
  EXPECT_EQ(warning(), "") << "the defaults";
  settings.stiffness = {20.0, 40.0, 10.0, 20.0, 5.0, 5.0, 1.0};
  EXPECT_EQ(warning(), "");
}

TEST_F(SpringSettings, GainsOutsideOfTheStableRangeAreReportedWithTheJoint) {
  settings.damping = {1.0, 1.0, 1.0, 1.0, 0.1, 0.1, 50.0};
  EXPECT_NE(warning().find("the damping of joint '" + scalar_coordinates(model)[6].name + "'"),
            std::string::npos)
      << warning();
  settings.damping = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.0};
  EXPECT_NE(warning().find("too small for its stiffness"), std::string::npos) << warning();
  settings.torque_mode = TorqueMode::kComputedTorque;
  EXPECT_EQ(warning(), "") << "no springs";
}

TEST_F(SpringSettings, GainsAreReportedWhereverSpringsAct) {
  settings.stiffness = {1e5};
  const std::string joint = scalar_coordinates(model)[3].name;
  const auto reported = [this] { return warning().find("the damping of joint") == 0; };
  settings.torque_mode = TorqueMode::kGravityCompensation;
  EXPECT_FALSE(reported());
  settings.contact.reaction = ContactReaction::kRetreat;
  EXPECT_TRUE(reported()) << "the reaction holds with springs";
  settings.torque_mode = TorqueMode::kComputedTorque;
  EXPECT_FALSE(reported()) << "this mode holds positions itself";
  settings.contact.reaction = ContactReaction::kNone;
  settings.torque_mode = TorqueMode::kHandGuiding;
  EXPECT_FALSE(reported());
  settings.hand_guiding.locked_joints = {joint};
  EXPECT_NE(warning().find("the damping of joint '" + joint + "' is up to"), std::string::npos)
      << warning();
}

TEST_F(SpringSettings, FloatingAfterAContactNeedsWhatStopsTheArm) {
  settings.torque_mode = TorqueMode::kComputedTorque;
  settings.hand_guiding.damping = 1000.0;
  EXPECT_EQ(warning(), "");
  settings.contact.reaction = ContactReaction::kFloat;
  EXPECT_NE(warning().find("'hand_guiding.damping' 1000 1/s is too high"), std::string::npos)
      << warning();
}

TEST_F(SpringSettings, UnknownLockedJointIsRejectedWithTheRobotsJoints) {
  settings.hand_guiding.locked_joints = {"nobody"};
  EXPECT_NE(rejection(settings, model)
                .find("names 'nobody', which the robot does not have; choose "
                      "among 'shoulder_yaw', "),
            std::string::npos);
  settings.hand_guiding.locked_joints = {scalar_coordinates(model)[3].name};
  EXPECT_EQ(resolve_joint_settings(settings, model).locked, VectorXd::Unit(7, 3));
}

TEST_F(SpringSettings, GuidingWithoutFrictionAndDampingIsReported) {
  settings.torque_mode = TorqueMode::kHandGuiding;
  EXPECT_EQ(warning(), "");
  settings.hand_guiding.damping = 0.0;
  EXPECT_EQ(warning(), "") << "arm7 has friction";
  LoadOptions options;
  options.friction = false;
  model = load_urdf_file(shipped_urdf("arm7"), options);
  EXPECT_NE(warning().find("'shoulder_yaw' has neither friction nor damping"), std::string::npos)
      << warning();
  for (const ScalarCoordinate& c : scalar_coordinates(model)) {
    settings.hand_guiding.locked_joints.push_back(c.name);
  }
  EXPECT_EQ(warning(), "") << "all joints are locked";
}

TEST_F(SpringSettings, GuidingDampingTooHighForTheRateIsReported) {
  settings.torque_mode = TorqueMode::kHandGuiding;
  settings.rate_hz = 40.0;
  EXPECT_NE(warning().find("'hand_guiding.damping' 10 1/s is too high"), std::string::npos);
  settings.rate_hz = 50.0;
  EXPECT_EQ(warning(), "");
}

TEST_F(SpringSettings, BadNumbersOfGuidingAreRejected) {
  for (const double bad : {-1.0, kNaN, kInfinity}) {
    ControlSettings changed = settings;
    changed.hand_guiding.damping = bad;
    EXPECT_NE(rejection(changed, model).find("'hand_guiding.damping'"), std::string::npos);
    changed = settings;
    changed.hand_guiding.friction_share = bad;
    EXPECT_NE(rejection(changed, model).find("'hand_guiding.friction_share'"), std::string::npos);
  }
  settings.hand_guiding.friction_share = 1.0;
  EXPECT_NE(rejection(settings, model), "") << "friction must remain";
}

/// A frictionless copy of a robot.
Model without_friction(const std::string& name) {
  LoadOptions options;
  options.friction = false;
  return load_urdf_file(shipped_urdf(name), options);
}

std::vector<Model> frictionless_robots() {
  std::vector<Model> robots;
  for (const char* name : {"double_pendulum", "arm6", "arm7", "gripper", "quadruped"}) {
    robots.push_back(without_friction(name));
  }
  Random random(17);
  for (const int joints : {1, 2, 5}) {
    RandomTreeOptions options;
    options.joints = joints;
    options.dissipation = false;
    robots.push_back(random_tree(random, options));
  }
  return robots;
}

TEST(SampledSprings, GainLessThanOnePerCentOfTheirEnergyInsideTheStableRange) {
  Random random(23);
  double largest = -1.0;
  for (Model& model : frictionless_robots()) {
    model.set_gravity(Vector3::Zero());
    for (int i = 0; i < 6; ++i) {
      const double period_s = i % 2 == 0 ? 0.001 : 0.004;
      ClosedLoop loop(model, model, period_s);
      const VectorXd start = random_configuration(random, model);
      RobotDynamics robot(model);
      loop.set(stable_gains(robot.mass_matrix(start), period_s, uniform(random, 0.05, 1.0),
                            i == 0 ? 1.0 : uniform(random, 0.05, 1.0), 0.5));
      loop.hold(start);
      loop.start(start + 0.2 * random_vector(random, model.nv()), VectorXd::Zero(model.nv()));
      const double gain = largest_energy_gain(loop, 400);
      EXPECT_LT(gain, 0.01) << model.name();
      largest = std::max(largest, gain);
    }
  }
  RecordProperty("largest gain", std::to_string(largest));
}

TEST(SampledSprings, GainLessThanOnePerCentWithTheDefaultDampingRatioAndGravity) {
  Random random(29);
  for (const char* name : {"double_pendulum", "arm6", "arm7"}) {
    const Model model = without_friction(name);
    ControlSettings settings;
    settings.torque_mode = TorqueMode::kJointImpedance;
    ClosedLoop loop(model, model, 0.001);
    loop.set(settings);
    const VectorXd start = random_configuration(random, model);
    loop.hold(start);
    loop.start(start + 0.3 * random_vector(random, model.nv()), VectorXd::Zero(model.nv()));
    EXPECT_LT(largest_energy_gain(loop, 3000), 0.01) << name;
    EXPECT_LT(loop.energy(), 1e-3) << name << " comes to rest";
  }
}

TEST(SampledSprings, DampingFarAboveTheRangeGainsEnergy) {
  const Model model = without_friction("double_pendulum");
  ClosedLoop loop(model, model, 0.001);
  const VectorXd start = VectorXd::Constant(2, 0.4);
  RobotDynamics robot(model);
  loop.set(stable_gains(robot.mass_matrix(start), 0.001, 1.0, 1.0, 40.0));
  loop.hold(start);
  loop.start(start + VectorXd::Constant(2, 0.1), VectorXd::Zero(2));
  EXPECT_GT(largest_energy_gain(loop, 200), 0.01);
}

}  // namespace
}  // namespace spatial_dynamics::test

#include "spatial_dynamics/runtime/config.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "spatial_dynamics/algorithms/data.hpp"
#include "spatial_dynamics/algorithms/mass_matrix.hpp"
#include "spatial_dynamics/runtime/coordinates.hpp"
#include "spatial_dynamics/runtime/simulator_config.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

ParameterSet node_parameters() { return ParameterSet(parameter_table()); }

std::string text_of_shipped(const std::string& robot) {
  std::ifstream file(shipped_urdf(robot));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The sentence of the ParameterError that `call` throws.
template <typename Call>
std::string refusal_of(const char* parameter, const Call& call) {
  try {
    call();
    ADD_FAILURE() << parameter << " was accepted";
  } catch (const ParameterError& error) {
    EXPECT_EQ(error.parameter(), parameter);
    return error.what();
  }
  return "";
}

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

/// A planar base, a revolute arm whose limit is 0, a continuous wrist without one, and a finger that mimics the arm.
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

void expect_same(const Config& a, const Config& b) {
  EXPECT_EQ(a.robot_description, b.robot_description);
  EXPECT_EQ(a.urdf_file, b.urdf_file);
  EXPECT_EQ(a.floating_base, b.floating_base);
  EXPECT_EQ(a.strict, b.strict);
  EXPECT_EQ(a.armature, b.armature);
  EXPECT_EQ(a.friction_speed, b.friction_speed);
  EXPECT_EQ(a.gravity, b.gravity);
  EXPECT_EQ(a.rate_hz, b.rate_hz);
  EXPECT_EQ(a.trigger, b.trigger);
  EXPECT_EQ(a.autostart, b.autostart);
  EXPECT_EQ(a.use_sim_time, b.use_sim_time);
  EXPECT_EQ(a.torque_mode, b.torque_mode);
  EXPECT_EQ(a.kp, b.kp);
  EXPECT_EQ(a.kd, b.kd);
  EXPECT_EQ(a.compensated_by_hardware.gravity, b.compensated_by_hardware.gravity);
  EXPECT_EQ(a.compensated_by_hardware.coriolis, b.compensated_by_hardware.coriolis);
  EXPECT_EQ(a.compensated_by_hardware.friction, b.compensated_by_hardware.friction);
  EXPECT_EQ(a.friction_compensation, b.friction_compensation);
  EXPECT_EQ(a.effort_source, b.effort_source);
  EXPECT_EQ(a.missing_velocity, b.missing_velocity);
  EXPECT_EQ(a.observer_gain, b.observer_gain);
  EXPECT_EQ(a.state_timeout_s, b.state_timeout_s);
  EXPECT_EQ(a.reference_timeout_s, b.reference_timeout_s);
  EXPECT_EQ(a.on_reference_timeout, b.on_reference_timeout);
  EXPECT_EQ(a.fallback, b.fallback);
  EXPECT_EQ(a.gravity_only_s, b.gravity_only_s);
  EXPECT_EQ(a.ramp_s, b.ramp_s);
  EXPECT_EQ(a.effort_limits, b.effort_limits);
  EXPECT_EQ(a.effort_limit_scale, b.effort_limit_scale);
  EXPECT_EQ(a.allow_unlimited_effort, b.allow_unlimited_effort);
  EXPECT_EQ(a.torque_rate_limit, b.torque_rate_limit);
  EXPECT_EQ(a.command_joints, b.command_joints);
  EXPECT_EQ(a.publish.torque_terms, b.publish.torque_terms);
  EXPECT_EQ(a.publish.external_torque, b.publish.external_torque);
  EXPECT_EQ(a.publish.mass_matrix, b.publish.mass_matrix);
  EXPECT_EQ(a.publish.torque_array, b.publish.torque_array);
  EXPECT_EQ(a.realtime.priority, b.realtime.priority);
  EXPECT_EQ(a.realtime.cpu, b.realtime.cpu);
  EXPECT_EQ(a.realtime.lock_memory, b.realtime.lock_memory);
  EXPECT_EQ(a.realtime.required, b.realtime.required);
}

TEST(Config, ADefaultConfigIsTheTablesDefaults) {
  expect_same(Config{}, make_config(node_parameters()));
}

TEST(Config, EveryParameterReachesItsField) {
  ParameterSet p = node_parameters();
  Config expected;
  const auto set = [&](const char* name, const ParameterValue& value, auto& field, auto content) {
    EXPECT_NE(p.get(name), value) << name;
    p.set(name, value);
    field = content;
  };
  const std::string file = "robot.urdf";
  set("urdf_file", file, expected.urdf_file, file);
  set("floating_base", true, expected.floating_base, true);
  set("strict", true, expected.strict, true);
  set("armature", Numbers{0.1}, expected.armature, Numbers{0.1});
  set("friction_speed", 0.02, expected.friction_speed, 0.02);
  set("gravity", Numbers{1.0, 2.0, 3.0}, expected.gravity, Vector3(1.0, 2.0, 3.0));
  set("rate_hz", 500.0, expected.rate_hz, 500.0);
  set("trigger", std::string("state"), expected.trigger, Trigger::kState);
  set("autostart", false, expected.autostart, false);
  set("use_sim_time", true, expected.use_sim_time, true);
  set("torque_mode", std::string("computed_torque"), expected.torque_mode,
      TorqueMode::kComputedTorque);
  set("gains.kp", Numbers{1.0, 2.0}, expected.kp, Numbers{1.0, 2.0});
  set("gains.kd", Numbers{3.0, 4.0}, expected.kd, Numbers{3.0, 4.0});
  set("friction_compensation", false, expected.friction_compensation, false);
  set("forward.effort_source", std::string("command"), expected.effort_source,
      EffortSource::kCommand);
  set("missing_velocity", std::string("differentiate"), expected.missing_velocity,
      MissingVelocity::kDifferentiate);
  set("observer_gain", 7.0, expected.observer_gain, 7.0);
  set("state_timeout_s", 0.2, expected.state_timeout_s, 0.2);
  set("reference_timeout_s", 0.7, expected.reference_timeout_s, 0.7);
  set("on_reference_timeout", std::string("fallback"), expected.on_reference_timeout,
      ReferenceTimeout::kFallback);
  set("fallback", std::string("stop"), expected.fallback, Fallback::kStop);
  set("gravity_only_s", 8.0, expected.gravity_only_s, 8.0);
  set("ramp_s", 0.9, expected.ramp_s, 0.9);
  set("effort_limits", Numbers{10.0}, expected.effort_limits, Numbers{10.0});
  set("effort_limit_scale", 0.5, expected.effort_limit_scale, 0.5);
  set("allow_unlimited_effort", true, expected.allow_unlimited_effort, true);
  set("torque_rate_limit", Numbers{100.0}, expected.torque_rate_limit, Numbers{100.0});
  set("command_joints", Texts{"b", "a"}, expected.command_joints, Texts{"b", "a"});
  set("publish.torque_terms", true, expected.publish.torque_terms, true);
  set("publish.external_torque", true, expected.publish.external_torque, true);
  set("publish.mass_matrix", true, expected.publish.mass_matrix, true);
  set("publish.torque_array", false, expected.publish.torque_array, false);
  set("realtime.priority", std::int64_t{7}, expected.realtime.priority, 7);
  set("realtime.cpu", std::int64_t{3}, expected.realtime.cpu, 3);
  set("realtime.lock_memory", false, expected.realtime.lock_memory, false);
  set("require_realtime", true, expected.realtime.required, true);
  p.set("compensated_by_hardware", Texts{"friction", "gravity"});
  expected.compensated_by_hardware = {true, false, true};
  expect_same(make_config(p), expected);

  p.set("urdf_file", std::string());
  p.set("robot_description", std::string("<robot/>"));
  EXPECT_EQ(make_config(p).robot_description, "<robot/>");
  // What this test does not name was left at its default.
  std::size_t untouched = 0;
  for (const auto& row : p.table()) untouched += p.get(row.name) == row.default_value ? 1 : 0;
  EXPECT_EQ(untouched, 1U) << "urdf_file; does the table have a new parameter?";
}

TEST(Config, EnumeratorsAreSpelledAsTheTableDoes) {
  EXPECT_STREQ(to_string(TorqueMode::kInverseDynamics), "inverse_dynamics");
  EXPECT_STREQ(to_string(TorqueMode::kGravityCompensation), "gravity_compensation");
  EXPECT_STREQ(to_string(TorqueMode::kComputedTorque), "computed_torque");
  EXPECT_STREQ(to_string(Fallback::kZero), "zero");
  EXPECT_STREQ(to_string(Fallback::kGravityOnly), "gravity_only");
  EXPECT_STREQ(to_string(Fallback::kStop), "stop");
  EXPECT_STREQ(to_string(ReferenceTimeout::kHold), "hold");
  EXPECT_STREQ(to_string(ReferenceTimeout::kFallback), "fallback");
  EXPECT_STREQ(to_string(EffortSource::kAuto), "auto");
  EXPECT_STREQ(to_string(EffortSource::kMeasured), "measured");
  EXPECT_STREQ(to_string(EffortSource::kCommand), "command");
  EXPECT_STREQ(to_string(EffortSource::kOwn), "own");
  EXPECT_STREQ(to_string(MissingVelocity::kZero), "zero");
  EXPECT_STREQ(to_string(MissingVelocity::kDifferentiate), "differentiate");
  EXPECT_STREQ(to_string(Trigger::kTimer), "timer");
  EXPECT_STREQ(to_string(Trigger::kState), "state");
  EXPECT_STREQ(to_string(Integrator::kSemiImplicit), "semi_implicit");
  EXPECT_STREQ(to_string(Integrator::kRk4), "rk4");
}

TEST(Config, TwoRobotsAreRefused) {
  ParameterSet p = node_parameters();
  p.set("urdf_file", std::string("a.urdf"));
  p.set("robot_description", std::string("<robot/>"));
  EXPECT_NE(refusal_of("urdf_file", [&] { make_config(p); }).find("give one of them"),
            std::string::npos);
}

TEST(Config, ComputedTorqueWithoutAnyGainIsRefused) {
  ParameterSet p = node_parameters();
  p.set("torque_mode", std::string("computed_torque"));
  EXPECT_NO_THROW(make_config(p)) << "the defaults are gains";
  p.set("gains.kp", Numbers{0.0, 0.0});
  EXPECT_NO_THROW(make_config(p)) << "damping alone is feedback";
  p.set("gains.kd", Numbers{});
  EXPECT_NE(refusal_of("gains.kp", [&] { make_config(p); }).find("computed_torque"),
            std::string::npos);
  p.set("torque_mode", std::string("inverse_dynamics"));
  EXPECT_NO_THROW(make_config(p)) << "nothing uses them";
}

TEST(Config, DefaultGainsDampCritically) {
  const Config config;
  EXPECT_EQ(config.kd.at(0), 2.0 * std::sqrt(config.kp.at(0)));
}

TEST(Config, CommandJointsAreNamedOnce) {
  ParameterSet p = node_parameters();
  p.set("command_joints", Texts{"elbow", "elbow"});
  EXPECT_NE(refusal_of("command_joints", [&] { make_config(p); }).find("'elbow' twice"),
            std::string::npos);
  p.set("command_joints", Texts{"elbow", ""});
  EXPECT_NE(refusal_of("command_joints", [&] { make_config(p); }).find("empty name"),
            std::string::npos);
}

TEST(Config, LoadOptionsCarryWhatTheLoaderNeeds) {
  Config config;
  config.floating_base = true;
  config.strict = true;
  config.friction_speed = 0.5;
  config.gravity = Vector3(1.0, 2.0, 3.0);
  const LoadOptions options = load_options(config);
  EXPECT_TRUE(options.floating_base);
  EXPECT_TRUE(options.strict);
  EXPECT_EQ(options.friction_speed, 0.5);
  EXPECT_EQ(options.gravity, config.gravity);
  EXPECT_FALSE(options.require_forward_dynamics);
}

TEST(LoadRobot, ArmatureStandsOnTheDiagonalOfTheMassMatrix) {
  const std::string urdf = text_of_shipped("double_pendulum");
  Config config;
  const Model plain = load_robot(urdf, config);
  config.armature = {0.25, 0.5};
  ModelReport report;
  const Model geared = load_robot(urdf, config, &report);
  Data plain_data(plain);
  Data geared_data(geared);
  const VectorXd q = VectorXd::Constant(2, 0.3);
  const MatrixXd difference =
      mass_matrix(geared, geared_data, q) - mass_matrix(plain, plain_data, q);
  EXPECT_TRUE(difference.isApprox(Eigen::Vector2d(0.25, 0.5).asDiagonal().toDenseMatrix(), 1e-12))
      << difference;
  ASSERT_EQ(report.joints.size(), 2U) << "the report is of the second reading alone";
  EXPECT_EQ(report.joints[1].armature, 0.5);
}

TEST(LoadRobot, ArmatureOfAnotherLengthIsRefusedWithTheJoints) {
  Config config;
  config.armature = {0.1, 0.2, 0.3};
  const std::string sentence =
      refusal_of("armature", [&] { load_robot(text_of_shipped("double_pendulum"), config); });
  EXPECT_EQ(sentence,
            "parameter 'armature' has 3 values, but the robot has 2 joints ('shoulder', 'elbow'); "
            "give one value for all or one per joint, in this order.");
}

TEST(LoadRobot, FloatingBaseAndGravityAreApplied) {
  Config config;
  config.floating_base = true;
  config.gravity = Vector3(0.0, 0.0, -1.62);
  const Model model = load_robot(text_of_shipped("double_pendulum"), config);
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

TEST(JointSettings, WithoutNumbersNothingIsFedBackOrLimited) {
  Config config;
  config.kp = {};
  config.kd = {};
  const JointSettings settings =
      resolve_joint_settings(config, load_urdf_file(shipped_urdf("double_pendulum")));
  EXPECT_EQ(settings.kp, VectorXd::Zero(2));
  EXPECT_EQ(settings.kd, VectorXd::Zero(2));
  EXPECT_EQ(settings.torque_rate_limit, VectorXd::Constant(2, kUnlimited));
}

TEST(JointSettings, OtherLengthsAreRefusedByName) {
  const Model model = mixed_robot();
  using Member = std::vector<double> Config::*;
  const std::vector<std::pair<const char*, Member>> members = {
      {"gains.kp", &Config::kp},
      {"gains.kd", &Config::kd},
      {"effort_limits", &Config::effort_limits},
      {"torque_rate_limit", &Config::torque_rate_limit}};
  for (const auto& [name, member] : members) {
    Config config;
    config.*member = {1.0, 2.0};
    const std::string sentence =
        refusal_of(name, [&] { (void)resolve_joint_settings(config, model); });
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

TEST(JointSettings, AScaleOfZeroAllowsNothingAndMakesNoNan) {
  Config config;
  config.effort_limit_scale = 0.0;
  const JointSettings settings = resolve_joint_settings(config, mixed_robot());
  EXPECT_EQ(settings.effort_limit[0], 0.0);
  EXPECT_EQ(settings.effort_limit[4], kUnlimited);
}

TEST(JointSettings, TheArrayDrivesNoJointWithoutALimit) {
  const Model model = mixed_robot();
  Config config;
  EXPECT_NE(resolve_joint_settings(config, model).drive_refusal.find("'arm', 'wrist'"),
            std::string::npos);
  config.effort_limits = {10.0};
  EXPECT_EQ(resolve_joint_settings(config, model).drive_refusal, "");
  config.effort_limits = {};
  config.allow_unlimited_effort = true;
  EXPECT_EQ(resolve_joint_settings(config, model).drive_refusal, "");
  config.allow_unlimited_effort = false;
  config.command_joints = {"slide/theta"};
  EXPECT_EQ(resolve_joint_settings(config, model).drive_refusal, "") << "it is not driven";
}

TEST(JointSettings, CommandJointsKeepTheirOrder) {
  const Model model = mixed_robot(true);
  Config config;
  config.command_joints = {"wrist", "slide/x"};
  const JointSettings settings = resolve_joint_settings(config, model);
  EXPECT_EQ(settings.command_joints, config.command_joints);
  EXPECT_EQ(settings.command_indices, (std::vector<Index>{10, 6}));
}

TEST(JointSettings, CommandJointsThatHaveNoTorqueAreRefused) {
  const Model model = mixed_robot(true);
  const auto sentence = [&](const char* joint) {
    Config config;
    config.command_joints = {joint};
    return refusal_of("command_joints", [&] { (void)resolve_joint_settings(config, model); });
  };
  EXPECT_NE(sentence("knee").find("'knee', which the robot does not have; choose among 'slide/x'"),
            std::string::npos);
  EXPECT_NE(sentence("finger").find("follows 'arm'"), std::string::npos);
  EXPECT_NE(sentence("floating_base").find("does not have"), std::string::npos);
}

TEST(SimulatorConfig, ADefaultConfigIsTheTablesDefaults) {
  const SimulatorConfig a = make_simulator_config(ParameterSet(simulator_parameter_table()));
  const SimulatorConfig b;
  EXPECT_EQ(a.gravity, b.gravity);
  EXPECT_EQ(a.friction_speed, b.friction_speed);
  EXPECT_EQ(a.initial_position, b.initial_position);
  EXPECT_EQ(a.joint_stops, b.joint_stops);
  EXPECT_EQ(a.rate_hz, b.rate_hz);
  EXPECT_EQ(a.integrator, b.integrator);
  EXPECT_EQ(a.substeps, b.substeps);
  EXPECT_EQ(a.real_time_factor, b.real_time_factor);
  EXPECT_EQ(a.publish_clock, b.publish_clock);
  EXPECT_EQ(a.effort_timeout_s, b.effort_timeout_s);
  EXPECT_EQ(a.position_noise, b.position_noise);
  EXPECT_EQ(a.velocity_noise, b.velocity_noise);
  EXPECT_EQ(a.effort_noise, b.effort_noise);
  EXPECT_EQ(a.delay_s, b.delay_s);
  EXPECT_EQ(a.seed, b.seed);
}

TEST(SimulatorConfig, EveryParameterReachesItsField) {
  ParameterSet p(simulator_parameter_table());
  p.set("urdf_file", std::string("r.urdf"));
  p.set("floating_base", true);
  p.set("initial_position", Numbers{0.1, 0.2});
  p.set("joint_stops", false);
  p.set("rate_hz", std::int64_t{250});
  p.set("integrator", std::string("rk4"));
  p.set("substeps", std::int64_t{9});
  p.set("real_time_factor", 0.5);
  p.set("publish_clock", true);
  p.set("effort_timeout_s", 0.3);
  p.set("noise.position", 0.01);
  p.set("noise.velocity", 0.02);
  p.set("noise.effort", 0.03);
  p.set("delay_s", 0.004);
  p.set("seed", std::int64_t{4294967295});
  const SimulatorConfig c = make_simulator_config(p);
  EXPECT_EQ(c.urdf_file, "r.urdf");
  EXPECT_TRUE(c.floating_base);
  EXPECT_EQ(c.initial_position, (Numbers{0.1, 0.2}));
  EXPECT_FALSE(c.joint_stops);
  EXPECT_EQ(c.rate_hz, 250.0);
  EXPECT_EQ(c.integrator, Integrator::kRk4);
  EXPECT_EQ(c.substeps, 9);
  EXPECT_EQ(c.real_time_factor, 0.5);
  EXPECT_TRUE(c.publish_clock);
  EXPECT_EQ(c.effort_timeout_s, 0.3);
  EXPECT_EQ(c.position_noise, 0.01);
  EXPECT_EQ(c.velocity_noise, 0.02);
  EXPECT_EQ(c.effort_noise, 0.03);
  EXPECT_EQ(c.delay_s, 0.004);
  EXPECT_EQ(c.seed, 4294967295U);
}

TEST(InitialPosition, WithoutNumbersJointsStartAtZeroOrTheNearestLimit) {
  const Model model = mixed_robot(true);
  const VectorXd q = resolve_initial_position(SimulatorConfig{}, model);
  VectorXd expected(12);
  expected << 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.0;
  EXPECT_EQ(q, expected);
}

TEST(InitialPosition, ThatIsBeyondAStopIsRefused) {
  const Model model = mixed_robot();
  SimulatorConfig config;
  config.initial_position = {1.0, 2.0, 3.0, 1.5, 4.0};
  const VectorXd q = resolve_initial_position(config, model);
  EXPECT_EQ(q, Eigen::Map<const VectorXd>(config.initial_position.data(), 5));
  config.initial_position = {1.0};
  EXPECT_EQ(resolve_initial_position(config, model), VectorXd::Ones(5));
  config.initial_position = {0.0};
  EXPECT_EQ(
      refusal_of("initial_position", [&] { (void)resolve_initial_position(config, model); }),
      "parameter 'initial_position' is 0 for 'arm', whose limits are 0.5 and 2; start between "
      "them, or set 'joint_stops' to false.");
  config.joint_stops = false;
  EXPECT_EQ(resolve_initial_position(config, model), VectorXd::Zero(5));
}

}  // namespace
}  // namespace spatial_dynamics::test

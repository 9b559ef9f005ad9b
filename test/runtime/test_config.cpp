#include "runtime/config.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/parameters_table.hpp"
#include "runtime/rejection_of.hpp"
#include "runtime/simulator_config.hpp"

namespace spatial_dynamics::test {
namespace {

using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

ParameterSet node_parameters() { return ParameterSet(parameter_table()); }

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
  EXPECT_EQ(a.deadline_s, b.deadline_s);
  EXPECT_EQ(a.autostart, b.autostart);
  EXPECT_EQ(a.use_sim_time, b.use_sim_time);
  EXPECT_EQ(a.yield_to_active_node, b.yield_to_active_node);
  EXPECT_EQ(a.torque_mode, b.torque_mode);
  EXPECT_EQ(a.kp, b.kp);
  EXPECT_EQ(a.kd, b.kd);
  EXPECT_EQ(a.stiffness, b.stiffness);
  EXPECT_EQ(a.damping, b.damping);
  EXPECT_EQ(a.damping_ratio, b.damping_ratio);
  EXPECT_EQ(a.hand_guiding.friction_share, b.hand_guiding.friction_share);
  EXPECT_EQ(a.hand_guiding.damping, b.hand_guiding.damping);
  EXPECT_EQ(a.hand_guiding.locked_joints, b.hand_guiding.locked_joints);
  EXPECT_EQ(a.contact.reaction, b.contact.reaction);
  EXPECT_EQ(a.contact.threshold, b.contact.threshold);
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
  EXPECT_EQ(a.allow_effort_above_urdf, b.allow_effort_above_urdf);
  EXPECT_EQ(a.state_jump_factor, b.state_jump_factor);
  EXPECT_EQ(a.following_error_limit, b.following_error_limit);
  EXPECT_EQ(a.reset_world_on_activation, b.reset_world_on_activation);
  EXPECT_EQ(a.envelope.enabled, b.envelope.enabled);
  EXPECT_EQ(a.envelope.margin, b.envelope.margin);
  EXPECT_EQ(a.envelope.velocity_scale, b.envelope.velocity_scale);
  EXPECT_EQ(a.envelope.power_limit, b.envelope.power_limit);
  ASSERT_EQ(a.payloads.size(), b.payloads.size());
  for (std::size_t i = 0; i < a.payloads.size(); ++i) {
    EXPECT_EQ(a.payloads[i].link, b.payloads[i].link);
    EXPECT_EQ(a.payloads[i].mass_properties.mass, b.payloads[i].mass_properties.mass);
    EXPECT_EQ(a.payloads[i].mass_properties.com, b.payloads[i].mass_properties.com);
    EXPECT_EQ(a.payloads[i].mass_properties.inertia_about_com,
              b.payloads[i].mass_properties.inertia_about_com);
  }
  EXPECT_EQ(a.locked, b.locked);
  EXPECT_EQ(a.by_joint, b.by_joint);
  EXPECT_EQ(a.command_joints, b.command_joints);
  EXPECT_EQ(a.compute.torque_terms, b.compute.torque_terms);
  EXPECT_EQ(a.compute.external_torque, b.compute.external_torque);
  EXPECT_EQ(a.compute.mass_matrix, b.compute.mass_matrix);
  EXPECT_EQ(a.publish.torque_array, b.publish.torque_array);
  EXPECT_EQ(a.realtime.priority, b.realtime.priority);
  EXPECT_EQ(a.realtime.cpu, b.realtime.cpu);
  EXPECT_EQ(a.realtime.lock_memory, b.realtime.lock_memory);
  EXPECT_EQ(a.realtime.required, b.realtime.required);
}

/// The node checks parameters by its table, the library by check_settings(): the same ranges.
TEST(ConfigRanges, AreThoseOfCheckSettings) {
  const std::vector<std::pair<std::string, double ControlSettings::*>> numbers{
      {"rate_hz", &ControlSettings::rate_hz},
      {"state_timeout_s", &ControlSettings::state_timeout_s},
      {"reference_timeout_s", &ControlSettings::reference_timeout_s},
      {"gravity_only_s", &ControlSettings::gravity_only_s},
      {"ramp_s", &ControlSettings::ramp_s},
      {"observer_gain", &ControlSettings::observer_gain},
      {"effort_limit_scale", &ControlSettings::effort_limit_scale},
      {"state_jump_factor", &ControlSettings::state_jump_factor}};
  for (const auto& [name, member] : numbers) {
    const ParameterDescription& row = *find_parameter(parameter_table(), name);
    for (const double value : {row.lower, row.upper}) {
      ControlSettings settings;
      settings.*member = value;
      EXPECT_NO_THROW(check_settings(settings)) << name;
      settings.*member = std::nextafter(value, value == row.lower ? -1e300 : 1e300);
      EXPECT_THROW(check_settings(settings), ParameterError) << name;
    }
  }
  for (const std::string name :
       {"gains.kp", "gains.kd", "impedance.stiffness", "impedance.damping", "effort_limits",
        "torque_rate_limit", "following_error_limit", "envelope.margin", "envelope.power_limit"}) {
    const ParameterDescription& row = *find_parameter(parameter_table(), name);
    EXPECT_EQ(row.lower, 0.0);
    EXPECT_EQ(row.upper, kHighestSetting);
  }
}

TEST(Config, ADefaultConfigIsTheTablesDefaults) {
  expect_same(Config{}, make_config(node_parameters()));
}

TEST(Config, TorquesAreOfferedWithFivePeriodsAsDeadline) {
  Config c;
  c.rate_hz = 200.0;
  EXPECT_DOUBLE_EQ(torque_deadline_s(c), 0.025);
  c.trigger = Trigger::kState;
  EXPECT_EQ(torque_deadline_s(c), 0.0);
  c.deadline_s = 0.3;
  EXPECT_EQ(torque_deadline_s(c), 0.3);
  c.trigger = Trigger::kTimer;
  EXPECT_EQ(torque_deadline_s(c), 0.3);
}

TEST(Config, ADeadlineShorterThanTwoPeriodsIsRejected) {
  ParameterSet p = node_parameters();
  p.set("deadline_s", 0.0019);
  EXPECT_EQ(rejection_of("deadline_s", [&] { (void)make_config(p); }),
            "parameter 'deadline_s' is 0.0019 s, but must be at least two periods of 'rate_hz' "
            "(1000.0 Hz); give a longer deadline or a higher rate.");
  p.set("deadline_s", 0.002);
  EXPECT_EQ(make_config(p).deadline_s, 0.002);
  p.set("deadline_s", 0.001);
  p.set("trigger", std::string("state"));  // whose period is the robot's
  EXPECT_EQ(make_config(p).deadline_s, 0.001);
}

TEST(Config, LiveRateBelowOfferedDeadlineIsRejected) {
  Config c;
  const double offered = torque_deadline_s(c);
  c.rate_hz = 400.0;
  check_live_rate(c, offered);
  c.rate_hz = 20000.0;
  check_live_rate(c, offered);
  c.rate_hz = 399.0;
  EXPECT_EQ(
      rejection_of("rate_hz", [&] { check_live_rate(c, offered); }),
      "parameter 'rate_hz' can't be 399.0 while the node runs: torques are offered with a "
      "deadline of 0.005 s, which needs at least 400.0 Hz; restart the node with that rate, or "
      "with a longer 'deadline_s'.");
  check_live_rate(c, 0.0);
  c.trigger = Trigger::kState;
  check_live_rate(c, offered);
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
  set("deadline_s", 0.05, expected.deadline_s, 0.05);
  set("autostart", false, expected.autostart, false);
  set("use_sim_time", true, expected.use_sim_time, true);
  set("yield_to_active_node", false, expected.yield_to_active_node, false);
  set("torque_mode", std::string("computed_torque"), expected.torque_mode,
      TorqueMode::kComputedTorque);
  set("gains.kp", Numbers{1.0, 2.0}, expected.kp, Numbers{1.0, 2.0});
  set("gains.kd", Numbers{3.0, 4.0}, expected.kd, Numbers{3.0, 4.0});
  set("impedance.stiffness", Numbers{5.0, 6.0}, expected.stiffness, Numbers{5.0, 6.0});
  set("impedance.damping", Numbers{7.0, 8.0}, expected.damping, Numbers{7.0, 8.0});
  set("impedance.damping_ratio", Numbers{0.9}, expected.damping_ratio, Numbers{0.9});
  set("hand_guiding.friction_share", 0.25, expected.hand_guiding.friction_share, 0.25);
  set("hand_guiding.damping", 3.0, expected.hand_guiding.damping, 3.0);
  set("hand_guiding.locked_joints", Texts{"elbow"}, expected.hand_guiding.locked_joints,
      Texts{"elbow"});
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
  set("allow_effort_above_urdf", true, expected.allow_effort_above_urdf, true);
  set("state_jump_factor", 5.0, expected.state_jump_factor, 5.0);
  set("following_error_limit", Numbers{0.1}, expected.following_error_limit, Numbers{0.1});
  set("contact.reaction", std::string("retreat"), expected.contact.reaction,
      ContactReaction::kRetreat);
  set("contact.threshold", Numbers{4.0}, expected.contact.threshold, Numbers{4.0});
  set("reset_world_on_activation", true, expected.reset_world_on_activation, true);
  set("envelope.enabled", false, expected.envelope.enabled, false);
  set("envelope.margin", Numbers{0.05}, expected.envelope.margin, Numbers{0.05});
  set("envelope.velocity_scale", 0.5, expected.envelope.velocity_scale, 0.5);
  set("envelope.power_limit", 80.0, expected.envelope.power_limit, 80.0);
  p.set("payloads.links", Texts{"hand", "arm"});
  p.set("payloads.masses", Numbers{1.5, 2.5});
  p.set("payloads.centers", Numbers{1.0, 2.0, 3.0, 4.0, 5.0, 6.0});
  p.set("payloads.inertias", Numbers{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  expected.payloads = {{"hand", {1.5, Vector3(1.0, 2.0, 3.0), Matrix3::Zero()}},
                       {"arm", {2.5, Vector3(4.0, 5.0, 6.0), Matrix3::Zero()}}};
  expected.payloads[0].mass_properties.inertia_about_com << 1, 4, 5, 4, 2, 6, 5, 6, 3;
  expected.payloads[1].mass_properties.inertia_about_com << 7, 10, 11, 10, 8, 12, 11, 12, 9;
  p.set("locked.joints", Texts{"wrist", "base"});
  p.set("locked.positions", Numbers{0.5, -1.0});
  expected.locked = {{"wrist", 0.5}, {"base", -1.0}};
  p.set("gains.kp.elbow", 7.0);
  expected.by_joint["gains.kp"]["elbow"] = 7.0;
  set("command_joints", Texts{"b", "a"}, expected.command_joints, Texts{"b", "a"});
  set("publish.torque_terms", true, expected.compute.torque_terms, true);
  set("publish.external_torque", true, expected.compute.external_torque, true);
  set("publish.mass_matrix", true, expected.compute.mass_matrix, true);
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

TEST(Config, PayloadsAreAPointMassAtTheOriginByDefault) {
  ParameterSet p = node_parameters();
  p.set("payloads.links", std::string("hand"));
  p.set("payloads.masses", 1.5);
  const Config config = make_config(p);
  ASSERT_EQ(config.payloads.size(), 1U);
  EXPECT_EQ(config.payloads[0].link, "hand");
  EXPECT_EQ(config.payloads[0].mass_properties.mass, 1.5);
  EXPECT_TRUE(config.payloads[0].mass_properties.com.isZero(0.0));
  EXPECT_TRUE(config.payloads[0].mass_properties.inertia_about_com.isZero(0.0));
}

TEST(Config, PayloadsAndLockedJointsNeedOneEntryPerName) {
  const auto rejection = [](const char* name, const ParameterChanges& changes) {
    return rejection_of(name, [&] {
      ParameterSet p = node_parameters();
      for (const auto& [key, value] : changes) p.set(key, value);
      (void)make_config(p);
    });
  };
  const std::pair<std::string, ParameterValue> two{"payloads.links", Texts{"a", "b"}};
  const std::pair<std::string, ParameterValue> masses{"payloads.masses", Numbers{1.0, 2.0}};
  EXPECT_EQ(rejection("payloads.masses", {two, {"payloads.masses", 1.0}}),
            "parameter 'payloads.masses' has 1 number, but 'payloads.links' has 2 names; give 1 "
            "number per name.");
  EXPECT_EQ(rejection("payloads.centers", {two, masses, {"payloads.centers", Numbers{0, 0, 1}}}),
            "parameter 'payloads.centers' has 3 numbers, but 'payloads.links' has 2 names; give 3 "
            "numbers per name.");
  EXPECT_NE(rejection("payloads.inertias", {two, masses, {"payloads.inertias", 1.0}}), "");
  EXPECT_NE(rejection("payloads.masses", {{"payloads.masses", 1.0}}), "")
      << "a mass without a link";
  EXPECT_NE(rejection("payloads.masses", {two, {"payloads.masses", Numbers{1.0, -1.0}}}), "");
  EXPECT_NE(rejection("locked.positions", {{"locked.joints", Texts{"a", "b"}}}), "");
  EXPECT_EQ(rejection("locked.joints",
                      {{"locked.joints", Texts{"a", "a"}}, {"locked.positions", Numbers{0, 1}}}),
            "parameter 'locked.joints' names joint 'a' twice; name it once.");
}

TEST(Config, EnumeratorsAreSpelledAsTheTableDoes) {
  EXPECT_STREQ(to_string(TorqueMode::kInverseDynamics), "inverse_dynamics");
  EXPECT_STREQ(to_string(TorqueMode::kGravityCompensation), "gravity_compensation");
  EXPECT_STREQ(to_string(TorqueMode::kComputedTorque), "computed_torque");
  EXPECT_STREQ(to_string(TorqueMode::kJointImpedance), "joint_impedance");
  EXPECT_STREQ(to_string(TorqueMode::kHandGuiding), "hand_guiding");
  EXPECT_STREQ(to_string(Fallback::kZero), "zero");
  EXPECT_STREQ(to_string(Fallback::kGravityOnly), "gravity_only");
  EXPECT_STREQ(to_string(Fallback::kStop), "stop");
  EXPECT_STREQ(to_string(ReferenceTimeout::kHold), "hold");
  EXPECT_STREQ(to_string(ReferenceTimeout::kFallback), "fallback");
  EXPECT_STREQ(to_string(EffortSource::kAuto), "auto");
  EXPECT_STREQ(to_string(EffortSource::kMeasured), "measured");
  EXPECT_STREQ(to_string(EffortSource::kCommand), "command");
  EXPECT_STREQ(to_string(EffortSource::kOwn), "own");
  EXPECT_STREQ(to_string(ContactReaction::kNone), "none");
  EXPECT_STREQ(to_string(ContactReaction::kHold), "hold");
  EXPECT_STREQ(to_string(ContactReaction::kFloat), "float");
  EXPECT_STREQ(to_string(ContactReaction::kRetreat), "retreat");
  EXPECT_STREQ(to_string(ContactReaction::kFallback), "fallback");
  EXPECT_STREQ(to_string(MissingVelocity::kZero), "zero");
  EXPECT_STREQ(to_string(MissingVelocity::kDifferentiate), "differentiate");
  EXPECT_STREQ(to_string(Trigger::kTimer), "timer");
  EXPECT_STREQ(to_string(Trigger::kState), "state");
}

TEST(Config, TwoRobotsAreRejected) {
  ParameterSet p = node_parameters();
  p.set("urdf_file", std::string("a.urdf"));
  p.set("robot_description", std::string("<robot/>"));
  EXPECT_NE(rejection_of("urdf_file", [&] { make_config(p); }).find("give one of them"),
            std::string::npos);
}

TEST(Config, ComputedTorqueWithoutAnyGainIsRejected) {
  ParameterSet p = node_parameters();
  p.set("torque_mode", std::string("computed_torque"));
  EXPECT_NO_THROW(make_config(p)) << "the defaults are gains";
  p.set("gains.kp", Numbers{0.0, 0.0});
  EXPECT_NO_THROW(make_config(p)) << "damping alone is feedback";
  p.set("gains.kd", 0.0);
  EXPECT_NE(rejection_of("gains.kp", [&] { make_config(p); }).find("computed_torque"),
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
  EXPECT_NE(rejection_of("command_joints", [&] { make_config(p); }).find("'elbow' twice"),
            std::string::npos);
  p.set("command_joints", Texts{"elbow", ""});
  EXPECT_NE(rejection_of("command_joints", [&] { make_config(p); }).find("empty name"),
            std::string::npos);
}

TEST(Config, LoadOptionsHaveAllLoaderSettings) {
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
  EXPECT_EQ(a.wrench_timeout_s, b.wrench_timeout_s);
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
  p.set("wrench_timeout_s", 0.7);
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
  EXPECT_EQ(c.wrench_timeout_s, 0.7);
  EXPECT_EQ(c.position_noise, 0.01);
  EXPECT_EQ(c.velocity_noise, 0.02);
  EXPECT_EQ(c.effort_noise, 0.03);
  EXPECT_EQ(c.delay_s, 0.004);
  EXPECT_EQ(c.seed, 4294967295U);
}

TEST(SimulatedSystemConfig, ADefaultConfigIsTheTablesDefaults) {
  const ParameterSet defaults(simulated_system_parameter_table());
  const SimulatedSystemConfig a = make_simulated_system_config(defaults, 500.0);
  const SimulatedSystemConfig b;
  EXPECT_EQ(a.rate_hz, 500.0);
  EXPECT_EQ(a.substeps, b.substeps);
  EXPECT_EQ(a.brake_unclaimed, b.brake_unclaimed);
  EXPECT_EQ(a.wrench_timeout_s, b.wrench_timeout_s);
  EXPECT_EQ(a.nan_states, b.nan_states);
}

TEST(SimulatedSystemConfig, EveryParameterReachesItsField) {
  ParameterSet p(simulated_system_parameter_table());
  p.set("initial_position.elbow", 0.2);
  p.set("armature", Numbers{0.5});
  p.set("substeps", std::int64_t{9});
  p.set("noise.position", 0.01);
  p.set("delay_s", 0.004);
  p.set("brake_unclaimed", false);
  p.set("wrench_timeout_s", 2.0);
  p.set("nan_states", std::vector<std::string>{"elbow"});
  const SimulatedSystemConfig c = make_simulated_system_config(p, 1000.0);
  EXPECT_EQ(c.by_joint.at("initial_position").at("elbow"), 0.2);
  EXPECT_EQ(c.armature, Numbers{0.5});
  EXPECT_EQ(c.substeps, 9);
  EXPECT_EQ(c.position_noise, 0.01);
  EXPECT_EQ(c.delay_s, 0.004);
  EXPECT_FALSE(c.brake_unclaimed);
  EXPECT_EQ(c.wrench_timeout_s, 2.0);
  EXPECT_EQ(c.nan_states, std::vector<std::string>{"elbow"});
}

}  // namespace
}  // namespace spatial_dynamics::test

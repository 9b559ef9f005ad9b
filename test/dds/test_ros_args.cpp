#include "dds/ros_args.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "dds/error.hpp"
#include "runtime/parameters_table.hpp"

namespace spatial_dynamics::test {
namespace {

using dds::parse_ros_arguments;
using dds::RosArguments;
using Arguments = std::vector<std::string>;
using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

std::string rejection(const Arguments& arguments) {
  try {
    (void)parse_ros_arguments(arguments);
  } catch (const dds::Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "accepted";
  return "";
}

ParameterSet parameters_of(const Arguments& arguments, const std::string& node = "/dynamics") {
  ParameterSet parameters(parameter_table());
  apply_parameters(parse_ros_arguments(arguments), node, parameters);
  return parameters;
}

std::string parameter_rejection(const Arguments& arguments) {
  ParameterSet parameters(parameter_table());
  try {
    apply_parameters(parse_ros_arguments(arguments), "/dynamics", parameters);
  } catch (const dds::Error& error) {
    for (const auto& row : parameter_table()) {
      EXPECT_EQ(parameters.get(row.name), row.default_value) << "all or nothing";
    }
    return error.what();
  }
  ADD_FAILURE() << "accepted";
  return "";
}

TEST(RosArgs, OtherArgumentsAreKept) {
  const Arguments others = {"--urdf", "a.urdf", "--", "-p", "x", "-r", ""};
  const RosArguments parsed = parse_ros_arguments(others);
  EXPECT_EQ(parsed.rest, others);
  EXPECT_TRUE(parsed.remaps.empty());
  EXPECT_TRUE(parsed.parameters.empty());
  EXPECT_TRUE(parse_ros_arguments({}).rest.empty());
}

TEST(RosArgs, SectionsBeginAndEndAnywhere) {
  const RosArguments parsed = parse_ros_arguments(
      {"--seconds", "5", "--ros-args", "-r", "a:=b", "--", "--rate", "200", "--ros-args",
       "--ros-args", "--remap", "c:=d", "--", "--", "--ros-args"});
  EXPECT_EQ(parsed.rest, (Arguments{"--seconds", "5", "--rate", "200", "--"}));
  ASSERT_EQ(parsed.remaps.size(), 2U);
  EXPECT_EQ(parsed.remaps[1].from, "c");
}

TEST(RosArgs, RemapRulesHaveAllForms) {
  const RosArguments parsed =
      parse_ros_arguments({"--ros-args", "-r", "joint_states:=/left/joint_states", "-r",
                           "dynamics:~/torque:=tau", "-r", "__ns:=/left", "--remap", "__node:=arm",
                           "-r", "dynamics:__name:=arm2", "-r", "rostopic://odom:=/base/odom"});
  ASSERT_EQ(parsed.remaps.size(), 6U);
  const auto expect_rule = [&](std::size_t i, const char* node, const char* from, const char* to) {
    EXPECT_EQ(parsed.remaps[i].node, node);
    EXPECT_EQ(parsed.remaps[i].from, from);
    EXPECT_EQ(parsed.remaps[i].to, to);
  };
  expect_rule(0, "", "joint_states", "/left/joint_states");
  expect_rule(1, "dynamics", "~/torque", "tau");
  expect_rule(2, "", "__ns", "/left");
  expect_rule(3, "", "__node", "arm");
  expect_rule(4, "dynamics", "__name", "arm2");
  expect_rule(5, "", "rostopic://odom", "/base/odom");
}

TEST(RosArgs, RemapsRenameNodeAndTopics) {
  const RosArguments parsed = parse_ros_arguments(
      {"--ros-args", "-r", "__ns:=/left", "-r", "__node:=arm", "-r", "~/torque:=tau"});
  const dds::NodeName node = dds::resolve_node_name("dynamics", "/", parsed.remaps);
  EXPECT_EQ(node.full(), "/left/arm");
  EXPECT_EQ(dds::resolve_topic_name("~/torque", node, parsed.remaps), "/left/tau");
}

TEST(RosArgs, BadRemapRulesAreRejectedWithTheRule) {
  EXPECT_EQ(rejection({"--ros-args", "-r", "joint_states"}),
            "argument '-r joint_states' has no := in it; write -r from:=to.");
  EXPECT_NE(rejection({"--ros-args", "-r", ":=b"}).find("nothing before :="), std::string::npos);
  EXPECT_NE(rejection({"--ros-args", "-r", "a:="}).find("nothing after :="), std::string::npos);
  EXPECT_NE(rejection({"--ros-args", "-r", ":a:=b"}).find("no name of a node"), std::string::npos);
  EXPECT_NE(rejection({"--ros-args", "-r", "a:=b c"}).find("remap rule 'a:=b c'"),
            std::string::npos);
  EXPECT_NE(rejection({"--ros-args", "-r", "__ns:=left"}).find("must start with /"),
            std::string::npos);
  EXPECT_NE(rejection({"--ros-args", "-r", "__node:=a/b"}).find("letters, digits and _"),
            std::string::npos);
  EXPECT_EQ(rejection({"--ros-args", "-r"}),
            "argument '-r' is the last one; write from:=to after it.");
}

TEST(RosArgs, UnknownArgumentsAreRejected) {
  EXPECT_EQ(rejection({"--ros-args", "--rate", "5"}),
            "argument '--rate' after --ros-args is unknown to ROS 2; end ROS 2's arguments "
            "with -- before others.");
  EXPECT_NE(rejection({"--ros-args", "joint_states:=x"}).find("unknown to ROS 2"),
            std::string::npos);
}

TEST(RosArgs, RulesOutsideASectionAreRejectedWithTheRemedy) {
  EXPECT_EQ(rejection({"joint_states:=x"}),
            "argument 'joint_states:=x' must be after --ros-args -r or -p.");
}

TEST(RosArgs, ArgumentsOfEveryLaunchAreIgnored) {
  const RosArguments parsed = parse_ros_arguments(
      {"--ros-args", "--disable-rosout-logs", "--log-file-name", "x", "-r", "a:=b"});
  EXPECT_EQ(parsed.ignored, (Arguments{"--disable-rosout-logs", "--log-file-name x"}));
  EXPECT_EQ(parsed.remaps.size(), 1U);
}

TEST(RosArgs, TheLastEnclaveCounts) {
  EXPECT_EQ(parse_ros_arguments({"--ros-args", "-r", "a:=b"}).enclave, "");
  EXPECT_EQ(parse_ros_arguments({"--ros-args", "-e", "/a", "--enclave", "/arm/b"}).enclave,
            "/arm/b");
}

TEST(RosArgs, LogLevelsAreForAllOrForOneLogger) {
  const RosArguments parsed =
      parse_ros_arguments({"--ros-args", "--log-level", "DEBUG", "--log-level", "dynamics:=Warn"});
  ASSERT_EQ(parsed.log_levels.size(), 2U);
  EXPECT_EQ(parsed.log_levels[0].logger, "");
  EXPECT_EQ(parsed.log_levels[0].level, "debug");
  EXPECT_EQ(parsed.log_levels[1].logger, "dynamics");
  EXPECT_EQ(parsed.log_levels[1].level, "warn");
  EXPECT_NE(rejection({"--ros-args", "--log-level", "loud"}).find("has no valid log level"),
            std::string::npos);
  EXPECT_NE(rejection({"--ros-args", "--log-level", ":=info"}).find("has no valid log level"),
            std::string::npos);
}

TEST(RosArgs, ParametersAreYaml) {
  const ParameterSet p = parameters_of(
      {"--ros-args", "-p", "rate_hz:=500", "-p", "gains.kp:=[1, 2.5]", "--param", "strict:=true",
       "-p", "torque_mode:=gravity_compensation", "-p", "command_joints:=[elbow, 'b c']", "-p",
       "urdf_file:=/tmp/a:=b.urdf", "-p", "gains.kd:=7", "-p", "compensated_by_hardware:=gravity"});
  EXPECT_EQ(p.get_number("rate_hz"), 500.0);
  EXPECT_EQ(p.get_numbers("gains.kp"), (Numbers{1.0, 2.5}));
  EXPECT_TRUE(p.get_bool("strict"));
  EXPECT_EQ(p.get_text("torque_mode"), "gravity_compensation");
  EXPECT_EQ(p.get_texts("command_joints"), (Texts{"elbow", "b c"}));
  EXPECT_EQ(p.get_text("urdf_file"), "/tmp/a:=b.urdf");
  EXPECT_EQ(p.get_numbers("gains.kd"), Numbers{7.0});
  EXPECT_EQ(p.get_texts("compensated_by_hardware"), Texts{"gravity"});
}

TEST(RosArgs, UrdfIsKeptUnchanged) {
  const std::string urdf = "<?xml version=\"1.0\"?>\n<robot name=\"a: b\"> # [c\n</robot>";
  const ParameterSet p = parameters_of({"--ros-args", "-p", "robot_description:=" + urdf});
  EXPECT_EQ(p.get_text("robot_description"), urdf);
}

TEST(RosArgs, ParametersMayBeForOneNode) {
  const Arguments arguments = {"--ros-args", "-p", "dynamics:rate_hz:=100", "-p",
                               "robot_simulator:seed:=5"};
  EXPECT_EQ(parameters_of(arguments).get_number("rate_hz"), 100.0);
  EXPECT_EQ(parameters_of(arguments, "/other").get_number("rate_hz"), 1000.0);
  EXPECT_EQ(parameters_of(arguments, "/left/dynamics").get_number("rate_hz"), 1000.0);
}

TEST(RosArgs, BadParametersAreRejectedWithTheArgument) {
  EXPECT_EQ(parameter_rejection({"--ros-args", "-p", "strict:=true", "-p", "rate_hz:=0"}),
            "argument '-p rate_hz:=0': parameter 'rate_hz' is 0, but must be from 1 to 20000 Hz.");
  EXPECT_EQ(parameter_rejection({"--ros-args", "-p", "rate:=5"}),
            "argument '-p rate:=5': there is no parameter 'rate'; did you mean 'rate_hz'?");
  EXPECT_NE(parameter_rejection({"--ros-args", "-p", "gains.kp:=[1, 2"}).find("not valid YAML"),
            std::string::npos);
  EXPECT_NE(
      parameter_rejection({"--ros-args", "-p", "gains.kp:={a: 1}"}).find("a map is not a value"),
      std::string::npos);
  EXPECT_NE(parameter_rejection({"--ros-args", "-p", "rate_hz:= "}).find("there is no value"),
            std::string::npos);
  EXPECT_EQ(rejection({"--ros-args", "-p", "rate_hz"}),
            "argument '-p rate_hz' has no := in it; write -p name:=value.");
  EXPECT_NE(rejection({"--ros-args", "-p"}).find("the last one"), std::string::npos);
  EXPECT_NE(rejection({"--ros-args", "--params-file"}).find("the last one"), std::string::npos);
  EXPECT_NE(rejection({"--ros-args", "--params-file", ""}).find("empty path"), std::string::npos);
  EXPECT_LT(
      parameter_rejection({"--ros-args", "-p", "rate_hz:=" + std::string(1000000, 'x')}).size(),
      400U);
}

TEST(RosArgs, LaterFileOrParameterOverrides) {
  const std::string path =
      ::testing::TempDir() + "spatial_dynamics_args_" + std::to_string(::getpid()) + ".yaml";
  std::ofstream(path) << "/**:\n  ros__parameters:\n    rate_hz: 100\n    ramp_s: 2\n"
                         "dynamics:\n  ros__parameters:\n    rate_hz: 200\n";
  const ParameterSet file_first =
      parameters_of({"--ros-args", "--params-file", path, "-p", "rate_hz:=300"});
  EXPECT_EQ(file_first.get_number("rate_hz"), 300.0);
  EXPECT_EQ(file_first.get_number("ramp_s"), 2.0);
  const ParameterSet file_last =
      parameters_of({"--ros-args", "-p", "rate_hz:=300", "--params-file", path});
  EXPECT_EQ(file_last.get_number("rate_hz"), 200.0);
  std::filesystem::remove(path);
  EXPECT_NE(parameter_rejection({"--ros-args", "--params-file", path}).find("can't be opened"),
            std::string::npos);
}

/// A file for /dynamics has no effect on /left/dynamics, as in ROS 2, but not silently.
TEST(RosArgs, WarnsAboutAFileForOtherNodesOnly) {
  const std::string path =
      ::testing::TempDir() + "spatial_dynamics_other_" + std::to_string(::getpid()) + ".yaml";
  std::ofstream(path) << "/dynamics:\n  ros__parameters:\n    rate_hz: 100\n";
  const dds::RosArguments arguments =
      dds::parse_ros_arguments({"--ros-args", "--params-file", path});
  ParameterSet parameters(parameter_table());
  EXPECT_TRUE(dds::apply_parameters(arguments, "/dynamics", parameters).empty());
  EXPECT_EQ(dds::apply_parameters(arguments, "/left/dynamics", parameters),
            std::vector<std::string>{"parameter file '" + path +
                                     "' has no parameters for node /left/dynamics, but for "
                                     "'/dynamics'; name the section '/left/dynamics', or '/**' "
                                     "for every node."});
  std::ofstream(path) << "/**:\n  ros__parameters:\n    rate_hz: 100\n"
                         "/dynamics:\n  ros__parameters:\n    rate_hz: 200\n";
  EXPECT_TRUE(dds::apply_parameters(arguments, "/left/dynamics", parameters).empty());
  std::filesystem::remove(path);
}

TEST(RosArgs, PerJointNumbersCanBeGivenByJointName) {
  const ParameterSet set = parameters_of(
      {"--ros-args", "-p", "effort_limits.shoulder:=40.0", "-p", "gains.kp.elbow:=7"});
  EXPECT_EQ(set.by_joint().at("effort_limits").at("shoulder"), 40.0);
  EXPECT_EQ(set.by_joint().at("gains.kp").at("elbow"), 7.0);
  EXPECT_NE(parameter_rejection({"--ros-args", "-p", "effort_limits.shoulder:=much"})
                .find("effort_limits.shoulder"),
            std::string::npos);
}

}  // namespace
}  // namespace spatial_dynamics::test

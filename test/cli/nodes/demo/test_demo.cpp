// The demo without a terminal: three processes on this host, in a separate domain.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <thread>

#include "cli/process.hpp"
#include "cli/robot_file.hpp"
#include "support/robots.hpp"
#include "support/sanitizers.hpp"
#include "support/test_domain.hpp"

namespace spatial_dynamics::test {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Demo : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("ROS_DOMAIN_ID", std::to_string(test_domain()).c_str(), 1);
    ::setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 1);
  }
};

/// The process ids of a process's children.
std::vector<pid_t> children_of(pid_t process) {
  const std::string id = std::to_string(process);
  std::ifstream file("/proc/" + id + "/task/" + id + "/children");
  std::vector<pid_t> result;
  for (pid_t child = 0; file >> child;) result.push_back(child);
  return result;
}

/// False also for a zombie process.
bool runs(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t state = text.rfind(") ");
  return state != std::string::npos && text[state + 2] != 'Z';
}

bool all_end_within(const std::vector<pid_t>& processes, double seconds) {
  const auto start = Clock::now();
  for (const pid_t process : processes) {
    while (runs(process)) {
      if (seconds_since(start) > seconds) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  return true;
}

/// Waits for the first line about the motion.
void wait_until_it_moves(const Process& demo) {
  for (std::string line; line.find(" Hz") == std::string::npos;) {
    line = demo.read_line();
    ASSERT_FALSE(line.empty()) << "it has ended: " << demo.read_errors();
  }
}

/// The first number of a line of the summary, in rad, m, s, Hz or a share of 1.
double figure(const std::string& text, const std::string& title) {
  static const std::map<std::string, double> kUnits{{"mrad", 1e-3}, {"mm", 1e-3}, {"us", 1e-6},
                                                    {"ms", 1e-3},   {"Hz", 1.0},  {"%", 1e-2}};
  std::smatch match;
  const std::regex line("\\n  " + title + " *([0-9.]+) ([a-zA-Z%]+)");
  if (!std::regex_search(text, match, line) || kUnits.count(match[2]) == 0) {
    ADD_FAILURE() << "no '" << title << "' in:\n" << text;
    return NAN;
  }
  return std::stod(match[1]) * kUnits.at(match[2]);
}

bool is_undisturbed(const Outcome& demo) {
  constexpr double kLateWakeUp = 5e-3;  // s: five cycles
  return demo.exit_code == 0 && demo.output.find("faults           none\n") != std::string::npos &&
         figure(demo.output, "wake-up jitter[^\n]* max") < kLateWakeUp;
}

/// If other processes use all processors, states or wake-ups are late and the node reports it;
/// then another run decides.
Outcome undisturbed_run(const std::vector<std::string>& arguments) {
  Outcome demo = run_cli(arguments);
  for (int i = 0; i < 2 && !is_undisturbed(demo); ++i) demo = run_cli(arguments);
  return demo;
}

/// rad. With a sanitizer and parallel compilers, states are 50 ms late, 800 torques arrive per
/// second, and 0.052 was measured. The motion has amplitudes of 0.4: a robot that does not move has
/// 0.28.
constexpr double kLate = 0.15;

TEST_F(Demo, TracksASmoothMotionWithoutFaultsAndPrintsASummary) {
  const Outcome demo = undisturbed_run({"demo", "--seconds", "4"});
  ASSERT_EQ(demo.exit_code, 0) << demo.errors;
  EXPECT_NE(demo.output.find("arm7, 7 joints, computed_torque"), std::string::npos) << demo.output;
  EXPECT_LT(figure(demo.output, "tracking error +rms"), kSanitized ? kLate : 1e-3) << demo.output;
  EXPECT_GT(figure(demo.output, "torques"), 500.0) << demo.output;
  EXPECT_GT(figure(demo.output, "largest torque"), 0.05) << demo.output;
  EXPECT_LT(figure(demo.output, "largest torque"), 0.85) << demo.output;
  EXPECT_LT(figure(demo.output, "compute time +p50"), 5e-4) << demo.output;
  EXPECT_NE(demo.output.find("faults           none\n"), std::string::npos) << demo.output;
}

TEST_F(Demo, MovesAFloatingRobotWithoutGravity) {
  const Outcome demo = undisturbed_run(
      {"demo", "--urdf", shipped_urdf("quadruped"), "--floating-base", "--seconds", "3"});
  ASSERT_EQ(demo.exit_code, 0) << demo.errors;
  EXPECT_LT(figure(demo.output, "tracking error +rms"), kSanitized ? kLate : 5e-3) << demo.output;
}

TEST_F(Demo, ReplayExplainsRecordedRun) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer is slow, and a controller with late states jerks";
  const TemporaryFile record("");
  const Outcome demo = undisturbed_run({"demo", "--seconds", "4", "--record", record.path()});
  ASSERT_EQ(demo.exit_code, 0) << demo.errors;
  std::ifstream file(record.path());
  std::string header;
  std::getline(file, header);
  EXPECT_EQ(header.find("time,position:shoulder_yaw,velocity:shoulder_yaw,effort:shoulder_yaw,"
                        "reference:shoulder_yaw,command:shoulder_yaw,effort_limit:shoulder_yaw,"
                        "slides:shoulder_yaw,external:shoulder_yaw,"
                        "contact_threshold:shoulder_yaw,soft_lower:shoulder_yaw,"
                        "soft_upper:shoulder_yaw,position:shoulder_pitch,"),
            0U)
      << header;
  EXPECT_NE(header.find(",state_to_arrival"), std::string::npos);
  const Outcome replay = run_cli(
      {"replay", std::string(SPATIAL_DYNAMICS_SOURCE_DIR) + "/urdf/arm7.urdf", record.path()});
  EXPECT_EQ(replay.exit_code, 0) << replay.errors;
  EXPECT_NE(replay.output.find("The model explains this log."), std::string::npos) << replay.output;
}

TEST_F(Demo, RejectsUnwritableRecord) {
  const Outcome demo = run_cli({"demo", "--seconds", "1", "--record", "/no/such/folder/run.csv"});
  EXPECT_EQ(demo.exit_code, 1);
  EXPECT_NE(demo.errors.find("/no/such/folder/run.csv can't be written"), std::string::npos)
      << demo.errors;
}

TEST_F(Demo, FailsIfItsOutputIsLost) {
  const std::string command = "'" + std::string(SPATIAL_DYNAMICS_CLI_PATH) +
                              "' demo --seconds 30 2>&1 >/dev/full; echo exit $?";
  const auto start = Clock::now();
  FILE* const shell = ::popen(command.c_str(), "r");
  ASSERT_NE(shell, nullptr);
  std::string said;
  for (int c = std::fgetc(shell); c != EOF; c = std::fgetc(shell)) said += static_cast<char>(c);
  ::pclose(shell);
  const std::string last = "\nthe output can't be written: No space left on device\nexit 1\n";
  EXPECT_NE(said.find(last), std::string::npos) << said;
  EXPECT_LT(seconds_since(start), 20.0) << "the rest would be lost";
}

TEST_F(Demo, EndsSoonAfterItsTime) {
  const auto start = Clock::now();
  EXPECT_EQ(run_cli({"demo", "--seconds", "1"}).exit_code, 0);
  EXPECT_GT(seconds_since(start), 1.0);
  EXPECT_LT(seconds_since(start), 1.0 + 3.0);  // and the start and end of the other processes
}

TEST_F(Demo, HoldsTheArmStillAgainstGravity) {
  const Outcome demo = undisturbed_run(
      {"demo", "--mode", "gravity_compensation", "--rate", "500", "--seconds", "3"});
  ASSERT_EQ(demo.exit_code, 0) << demo.errors;
  EXPECT_LT(figure(demo.output, "drift +rms"), 1e-3) << demo.output;
  EXPECT_NE(demo.output.find("Hz of 500 Hz"), std::string::npos) << demo.output;
}

TEST_F(Demo, HandMovesTheGuidedArmAndPushesTheSpringsAway) {
  const Outcome guided = undisturbed_run({"demo", "--mode", "hand_guiding", "--seconds", "4"});
  ASSERT_EQ(guided.exit_code, 0) << guided.errors;
  EXPECT_GT(figure(guided.output, "drift +rms"), 0.2) << guided.output;
  EXPECT_NE(guided.output.find("  external torque  up to "), std::string::npos) << guided.output;
  const Outcome pushed = undisturbed_run({"demo", "--mode", "joint_impedance", "--seconds", "4"});
  ASSERT_EQ(pushed.exit_code, 0) << pushed.errors;
  EXPECT_GT(figure(pushed.output, "drift +rms"), 0.01) << pushed.output;
  EXPECT_LT(figure(pushed.output, "drift +rms"), figure(guided.output, "drift +rms"));
}

TEST_F(Demo, EndsOnCtrlCWithinASecondWithAllItsProcesses) {
  Process demo({"demo", "--seconds", "60"});
  wait_until_it_moves(demo);
  const std::vector<pid_t> children = children_of(demo.id());
  ASSERT_EQ(children.size(), 2U);
  const auto start = Clock::now();
  demo.send(SIGINT);
  std::string output, errors;
  demo.exchange("", output, errors);
  EXPECT_EQ(demo.wait(), 0) << errors;
  EXPECT_LT(seconds_since(start), 2.0) << errors;
  for (const pid_t child : children) EXPECT_FALSE(runs(child));
  EXPECT_NE(output.find("faults"), std::string::npos) << "no summary: " << output;
  EXPECT_NE(errors.find("ramping the torque to zero"), std::string::npos) << errors;
  EXPECT_EQ(errors.find("killed"), std::string::npos) << errors;
}

TEST_F(Demo, TreatsADoubledSignalAsOne) {
  Process demo({"demo", "--seconds", "60"});
  wait_until_it_moves(demo);
  demo.send(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the first one has been read
  demo.send(SIGINT);
  std::string output, errors;
  demo.exchange("", output, errors);
  EXPECT_EQ(demo.wait(), 0) << errors;
  EXPECT_EQ(errors.find("killed"), std::string::npos) << errors;
}

TEST_F(Demo, ChildrenEndIfTheDemoIsKilled) {
  Process demo({"demo", "--seconds", "60"});
  wait_until_it_moves(demo);
  const std::vector<pid_t> children = children_of(demo.id());
  ASSERT_EQ(children.size(), 2U);
  demo.send(SIGKILL);
  EXPECT_EQ(demo.wait(), 128 + SIGKILL);
  EXPECT_TRUE(all_end_within(children, 3.0));
}

TEST_F(Demo, NamesJointWithTooWeakMotor) {
  std::string inertial = urdf_inertial("1");
  for (const std::string name : {"ixx", "iyy", "izz"}) {
    inertial.replace(inertial.find(name + "=\"0.1\""), name.size() + 6, name + "=\"1e6\"");
  }
  const TemporaryFile robot(urdf_robot(urdf_link("base", "") + urdf_link("arm", inertial) +
                                       urdf_joint("turn", "revolute", "base", "arm")));
  const Outcome demo = run_cli({"demo", "--urdf", robot.path(), "--seconds", "1"});
  EXPECT_EQ(demo.exit_code, 0) << demo.errors;
  const std::string words = "remark           joint 'turn' needs ";
  EXPECT_NE(demo.output.find(words), std::string::npos) << demo.output;
  EXPECT_NE(demo.output.find("check its effort limit, and the inertias"), std::string::npos)
      << demo.output;
}

TEST_F(Demo, NamesJointsWithoutVelocity) {
  std::string still = urdf_joint("still", "revolute", "base", "arm");
  still.replace(still.find("velocity=\"2\""), 12, "velocity=\"0\"");
  const TemporaryFile robot(urdf_robot(
      urdf_link("base", "") + urdf_link("arm", urdf_inertial("1")) + still +
      urdf_link("hand", urdf_inertial("1")) + urdf_joint("turn", "revolute", "arm", "hand")));
  const Outcome demo = run_cli({"demo", "--urdf", robot.path(), "--seconds", "1"});
  EXPECT_EQ(demo.exit_code, 0) << demo.errors;
  EXPECT_NE(demo.output.find("not moved        still: velocity limit 0 in the URDF"),
            std::string::npos)
      << demo.output;
  EXPECT_NE(demo.output.find("faults           none in the node; 1 of 2 joints not moved\n"),
            std::string::npos)
      << demo.output;
}

TEST_F(Demo, DashRecordsToStandardOutput) {
  const Outcome demo = run_cli({"demo", "--seconds", "1", "--record", "-"});
  EXPECT_EQ(demo.exit_code, 0) << demo.errors;
  EXPECT_EQ(demo.output.find("time,position:shoulder_yaw,"), 0U);
  EXPECT_EQ(demo.output.find("faults"), std::string::npos);
  EXPECT_NE(demo.errors.find("faults           none"), std::string::npos) << demo.errors;
}

TEST_F(Demo, ReportsKilledProcessAndEndsTheOther) {
  Process demo({"demo", "--seconds", "60"});
  wait_until_it_moves(demo);
  const std::vector<pid_t> children = children_of(demo.id());
  ASSERT_EQ(children.size(), 2U);
  ::kill(children[1], SIGKILL);
  std::string output, errors;
  demo.exchange("", output, errors);
  EXPECT_EQ(demo.wait(), 1);
  EXPECT_NE(errors.find("ended unexpectedly: signal 9 (Killed)."), std::string::npos) << errors;
  for (const pid_t child : children) EXPECT_FALSE(runs(child));
}

TEST_F(Demo, RejectsABadRobotInOneSentence) {
  const TemporaryFile robot(urdf_robot(urdf_link("base", "") + urdf_link("arm", "<inertial>") +
                                       urdf_joint("turn", "revolute", "base", "arm")));
  for (const std::string& file : {robot.path(), std::string("/no/such/robot.urdf")}) {
    const Outcome demo = run_cli({"demo", "--urdf", file, "--seconds", "3"});
    EXPECT_EQ(demo.exit_code, 1);
    EXPECT_EQ(demo.output, "");
    EXPECT_NE(demo.errors.find(file), std::string::npos) << demo.errors;
    EXPECT_EQ(std::count(demo.errors.begin(), demo.errors.end(), '\n'), 1) << demo.errors;
  }
}

TEST_F(Demo, RejectsAnUnknownParameter) {
  const Outcome demo = run_cli({"demo", "--seconds", "3", "--ros-args", "-p", "gains.kq:=1"});
  EXPECT_EQ(demo.exit_code, 1);
  EXPECT_NE(demo.errors.find("gains.kq"), std::string::npos) << demo.errors;
  EXPECT_EQ(run_cli({"demo", "--mode", "magic"}).exit_code, 1);
  EXPECT_EQ(run_cli({"demo", "--rate", "-5"}).exit_code, 2);
}

TEST_F(Demo, RejectsADomainWithAnotherRobot) {
  Process robot({"simulate", "--dds", std::string(SPATIAL_DYNAMICS_SOURCE_DIR) + "/urdf/arm7.urdf",
                 "--seconds", "10"});
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const Outcome demo = run_cli({"demo", "--seconds", "3"});
  robot.send(SIGTERM);
  EXPECT_EQ(demo.exit_code, 1) << demo.output;
  EXPECT_NE(demo.errors.find("another process publishes /joint_states"), std::string::npos)
      << demo.errors;
  EXPECT_NE(demo.errors.find("ROS_DOMAIN_ID"), std::string::npos) << demo.errors;
}

}  // namespace
}  // namespace spatial_dynamics::test

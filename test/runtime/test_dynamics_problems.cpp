// Problems in diagnostics: causes first, each with its reason.
#include "runtime/dynamics_problems.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "core_harness.hpp"
#include "runtime/parameters_table.hpp"

namespace spatial_dynamics::test {
namespace {

class Alone : public FrontEnd {
 public:
  bool publish(const Robot&, const ControlOutput&) override { return true; }
  void publish_report(const Diagnostics&, const std::vector<Metric>&) override {}
  void log(LogLevel, const std::string&) override {}
  [[nodiscard]] std::int64_t ros_now() const override { return system_now_ns(); }
  [[nodiscard]] Surroundings surroundings() const override { return others; }

  Surroundings others;
};

/// A core whose threads are not started: its reports depend only on its inputs.
class ProblemsTest : public ::testing::Test {
 protected:
  void load_arm() {
    std::ifstream file(shipped_urdf("arm7"));
    core.set_robot(std::string{std::istreambuf_iterator<char>(file), {}});
  }
  /// Sends the state of all joints from one publisher, with the given number of positions.
  void send_state(std::uint64_t publisher, std::size_t positions = 7, std::int64_t late = 0) {
    const std::vector<std::string>& names = core.robot()->names;
    const std::vector<double> q(positions, 0.3);
    core.on_joint_states({system_now_ns() - late,
                          {names.begin(), names.end()},
                          {q.data(), q.size()},
                          {},
                          {},
                          publisher});
  }
  std::string problem(std::size_t number) const {
    for (const auto& [key, text] : core.diagnostics().values) {
      if (key == "problem " + std::to_string(number)) return text;
    }
    return "missing";
  }

  Alone front_end;
  DynamicsCore core{front_end, ParameterSet(parameter_table())};
};

TEST_F(ProblemsTest, TheWorstComesFirst) {
  core.note_incompatible_qos({"/joint_states", false, "RELIABILITY"});
  EXPECT_THROW(core.set_robot("<robot"), ModelError);
  const Diagnostics d = core.diagnostics();
  EXPECT_EQ(d.level, Diagnostics::Level::kError);
  EXPECT_EQ(d.message.find("robot description rejected: "), 0U) << d.message;
  EXPECT_NE(d.message.find("; no robot yet"), std::string::npos) << d.message;
  EXPECT_NE(d.message.find("; quality of service"), std::string::npos) << d.message;
}

TEST_F(ProblemsTest, AJointOfTwoPublishersIsNamed) {
  load_arm();
  send_state(1);
  EXPECT_EQ(core.diagnostics().message.find("two publishers"), std::string::npos);
  for (const std::uint64_t publisher : {2U, 1U, 2U}) send_state(publisher);
  const Diagnostics d = core.diagnostics();
  EXPECT_EQ(d.level, Diagnostics::Level::kWarning);
  EXPECT_NE(d.message.find("states of joint 'wrist_roll' come from two publishers"),
            std::string::npos)
      << d.message;
}

TEST_F(ProblemsTest, UndampedJointIsNamed) {
  load_arm();
  send_state(1);
  const std::string words = "states of joint 'shoulder_yaw' carry no velocity";
  EXPECT_EQ(core.diagnostics().message.find(words), std::string::npos) << "no damping is requested";
  core.set_parameter("torque_mode", std::string("computed_torque"));
  EXPECT_NE(core.diagnostics().message.find(words), std::string::npos);
  EXPECT_EQ(core.diagnostics().level, Diagnostics::Level::kWarning);
}

TEST_F(ProblemsTest, LaggingStampsAreReported) {
  load_arm();
  send_state(1);
  EXPECT_EQ(core.diagnostics().message.find("stamps of states"), std::string::npos);
  send_state(1, 7, 3600 * kNanosecondsPerSecond);
  EXPECT_NE(core.diagnostics().message.find("stamps of states are 3600.0 s behind"),
            std::string::npos)
      << core.diagnostics().message;
}

TEST_F(ProblemsTest, ForeignPublishersOfTorqueTopicsAreAnError) {
  load_arm();
  core.set_foreign_publishers({{1, "/dynamics/torque", "/left/arm", true, false},
                               {2, "/dynamics/torque_array", "/left/arm", true, false},
                               {3, "/dynamics/torque", "", false, false}});
  const Diagnostics d = core.diagnostics();
  EXPECT_EQ(d.level, Diagnostics::Level::kError);
  EXPECT_NE(d.message.find("node /left/arm also publishes /dynamics/torque and "
                           "/dynamics/torque_array: end one of the two nodes"),
            std::string::npos)
      << d.message;
  EXPECT_NE(d.message.find("an unknown node also publishes /dynamics/torque:"), std::string::npos)
      << d.message;
  core.set_foreign_publishers({});
  EXPECT_EQ(core.diagnostics().message.find("also publishes"), std::string::npos);
}

TEST_F(ProblemsTest, MissingPublisherIsTheFirstProblem) {
  front_end.others.domain = 5;
  front_end.others.inputs = {{Topic::kJointStates, "/left/joint_states", false},
                             {Topic::kReference, "/left/dynamics/reference", false}};
  load_arm();
  core.note_incompatible_qos({"/joint_states", false, "RELIABILITY"});
  EXPECT_EQ(problem(1).find("nobody publishes /left/joint_states in domain 5"), 0U) << problem(1);
  EXPECT_EQ(core.diagnostics().message.find("nobody publishes"), 0U);
  front_end.others.inputs.front().is_published = true;
  EXPECT_EQ(core.diagnostics().message.find("nobody publishes"), std::string::npos);
}

TEST_F(ProblemsTest, LoadersSentenceLosesItsFullStop) {
  EXPECT_THROW(core.set_robot("<robot"), ModelError);
  EXPECT_EQ(core.diagnostics().message.find(".;"), std::string::npos) << core.diagnostics().message;
}

using RunningProblems = CoreTest;

TEST_F(RunningProblems, AbsenceOfPublishersIsReportedAfterDiscovery) {
  notes.others.inputs = {{Topic::kJointStates, "/joint_states", false}};
  const std::int64_t begun = steady_now_ns();
  make();
  core->set_robot(urdf_text("arm7"));
  core->activate();
  const auto says = [this](const char* words) {
    return notes.diagnostics.message.find(words) != std::string::npos;
  };
  ASSERT_TRUE(notes.wait([&] { return says("waiting for the state of joints 'shoulder_yaw'"); }));
  EXPECT_EQ(notes.read(&Notes::diagnostics).message.find("nobody publishes"), std::string::npos);
  ASSERT_TRUE(notes.wait([&] { return says("nobody publishes /joint_states"); }));
  EXPECT_GE(steady_now_ns() - begun, DynamicsProblems::kDiscovery);
  const Diagnostics d = notes.read(&Notes::diagnostics);
  EXPECT_EQ(d.values[0].first, "problem 1");
  EXPECT_EQ(d.values[0].second.find("nobody publishes /joint_states"), 0U);
  EXPECT_EQ(d.values[1].first, "problem 2");
  EXPECT_EQ(d.values[1].second,
            "waiting for the state of joints 'shoulder_yaw', 'shoulder_pitch', 'upper_arm_roll', "
            "'elbow', 'forearm_roll',");
  EXPECT_EQ(d.values[2].first, "problem 2, line 2");
  EXPECT_EQ(d.values[2].second, "'wrist_pitch', 'wrist_roll'");
}

TEST_F(RunningProblems, MissingPublisherIsTheFirstProblemAfterAStop) {
  notes.others.inputs = {{Topic::kJointStates, "/joint_states", false}};
  make({{"fallback", std::string("stop")}, {"ramp_s", 0.05}});
  core->set_robot(urdf_text("double_pendulum"));
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(notes.wait([&] { return notes.torques > 0; }));
  feeding = false;
  ASSERT_TRUE(notes.wait([&] {
    const std::string& message = notes.diagnostics.message;
    return message.find("stopped until") != std::string::npos &&
           message.find("nobody publishes") != std::string::npos;
  })) << notes.read(&Notes::diagnostics).message;
  const Diagnostics d = notes.read(&Notes::diagnostics);
  EXPECT_EQ(d.level, Diagnostics::Level::kError);
  EXPECT_EQ(d.message.find("nobody publishes /joint_states"), 0U) << d.message;
}

TEST_F(RunningProblems, StaleJointsAreNamedAndRecoveryIsLoggedWithinTwoReports) {
  make();
  core->set_robot(urdf_text("double_pendulum"));
  core->activate();
  const std::vector<std::string> names = core->robot()->names;
  const auto logged = [this](const std::string& words, std::size_t from) {
    return std::any_of(notes.lines.begin() + static_cast<std::ptrdiff_t>(from), notes.lines.end(),
                       [&](const std::string& line) { return line.find(words) == 0; });
  };
  feed(names, 0.3);
  ASSERT_TRUE(notes.wait([&] { return logged("running", 0); }));
  for (int round = 0; round < 2; ++round) {
    feeding = false;
    ASSERT_TRUE(notes.wait([&] {
      return notes.diagnostics.message.find("joint states are stale: joints 'shoulder', 'elbow'") !=
             std::string::npos;
    })) << notes.read(&Notes::diagnostics).message;
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    const std::size_t before = notes.read(&Notes::lines).size();
    const int reports_before = notes.read(&Notes::reports);
    feed(names, 0.3);
    ASSERT_TRUE(notes.wait([&] { return logged("running", before); }));
    // The first of them may have begun before the states returned.
    EXPECT_LE(notes.read(&Notes::reports) - reports_before, 2);
  }
}

/// The nodes of a launch file end at the same time.
TEST_F(RunningProblems, EndLogsNoProblems) {
  make({{"ramp_s", 0.3}, {"torque_rate_limit", std::vector<double>{1e-3}}});
  core->set_robot(urdf_text("double_pendulum"));
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(notes.wait([&] { return notes.reports > 1 && !notes.lines.empty(); }));
  const std::size_t before = notes.read(&Notes::lines).size();
  const int reports = notes.read(&Notes::reports);
  feeding = false;
  EXPECT_FALSE(core->finish(std::chrono::milliseconds(1500)))
      << "the rate limit makes the ramp too long";
  EXPECT_GT(notes.read(&Notes::reports), reports) << "a report was sent meanwhile";
  for (std::size_t i = before; i < notes.read(&Notes::lines).size(); ++i) {
    EXPECT_EQ(notes.read(&Notes::lines)[i].find("stale"), std::string::npos);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test

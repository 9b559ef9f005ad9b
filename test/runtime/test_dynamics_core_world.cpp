// What DynamicsCore reports of payloads and gravity, and the order of joints that it keeps.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>

#include "runtime/dynamics_core.hpp"
#include "runtime/output_values.hpp"
#include "runtime/parameters_table.hpp"
#include "runtime/robot_source.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

class Log : public FrontEnd {
 public:
  bool publish(const Robot& /*robot*/, const ControlOutput& /*outputs*/) override { return true; }
  void publish_report(const Diagnostics& /*d*/, const std::vector<Metric>& /*m*/) override {}
  void log(LogLevel /*level*/, const std::string& text) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    lines_.push_back(text);
  }
  [[nodiscard]] std::int64_t ros_now() const override { return system_now_ns(); }
  [[nodiscard]] std::string publisher_name(std::uint64_t source) const override {
    return source == 7 && !publishers_ended ? "/cell" : "";
  }
  std::atomic<bool> publishers_ended = false;
  /// How many lines hold all of these texts.
  int count(std::initializer_list<const char*> texts) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return static_cast<int>(std::count_if(lines_.begin(), lines_.end(), [&](const auto& line) {
      return std::all_of(texts.begin(), texts.end(), [&line](const char* text) {
        return line.find(text) != std::string::npos;
      });
    }));
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

class WorldTest : public ::testing::Test {
 protected:
  void make(std::vector<std::pair<std::string, ParameterValue>> parameters = {}) {
    ParameterSet set(parameter_table());
    set.set("realtime.lock_memory", false);
    for (const auto& [name, value] : parameters) set.set(name, value);
    core.emplace(log, set);
    core->set_robot(urdf_text("arm7"));
    const Model& model = core->robot()->controller.model();
    hand = model.link(last_moving_link(model)).name;
  }
  void put(double mass, std::uint64_t source = 7) {
    core->on_payload({hand, mass, Vector3(0.0, 0.0, 0.1), Matrix3::Zero(), source});
  }
  std::string value(const std::string& key) {
    for (const auto& [k, v] : core->diagnostics().values) {
      if (k == key) return v;
    }
    return "";
  }
  /// Until diagnostics say so, at most ten seconds: the check runs on a thread of its own.
  bool diagnostics_show(const std::string& text) {
    for (int i = 0; i < 1000; ++i) {
      if (core->diagnostics().message.find(text) != std::string::npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  static std::string with_other_links(std::string urdf) {
    for (std::size_t at = 0; (at = urdf.find("link=\"", at)) != std::string::npos; at += 6) {
      urdf.insert(at + 6, "other_");
    }
    for (std::size_t at = 0; (at = urdf.find("<link name=\"", at)) != std::string::npos; at += 12) {
      urdf.insert(at + 12, "other_");
    }
    return urdf;
  }

  Log log;
  std::optional<DynamicsCore> core;
  std::string hand;
};

TEST_F(WorldTest, ChangesAreLoggedWithValueAndSource) {
  make();
  put(2.5);
  EXPECT_EQ(log.count({"payload", hand.c_str(), "2.5 kg", "[0, 0, 0.1]", "/cell"}), 1);
  put(0.0, 3);
  EXPECT_EQ(log.count({"payload", hand.c_str(), "taken off", "unknown publisher"}), 1);
  core->on_gravity({"", Vector3(1.0, 2.0, -3.0), 7});
  EXPECT_EQ(log.count({"gravity", "[1, 2, -3]", "/cell"}), 1);
}

TEST_F(WorldTest, AFloodOfChangesDoesNotFloodTheLog) {
  make();
  for (int i = 0; i < 1000; ++i) put(1.0 + 0.001 * i);
  EXPECT_LE(log.count({"payload"}), LineLimiter::kAtOnce + 2);
}

TEST_F(WorldTest, TheSameAgainIsNotLoggedAgain) {
  make();
  for (int i = 0; i < 5; ++i) put(2.5);
  EXPECT_EQ(log.count({"payload"}), 1);
  put(2.5, 3);
  EXPECT_EQ(log.count({"payload"}), 2) << "another publisher";
}

TEST_F(WorldTest, RejectedMessagesAreNotLoggedAsChanges) {
  make();
  put(-1.0);
  core->on_gravity({"nowhere", Vector3(1.0, 2.0, -3.0), 7});
  EXPECT_EQ(log.count({"is now"}), 0);
}

TEST_F(WorldTest, DiagnosticsShowValueAndSource) {
  make();
  EXPECT_NE(value("gravity").find("-9.807"), std::string::npos) << value("gravity");
  EXPECT_NE(value("gravity").find("configured"), std::string::npos);
  put(2.5);
  core->on_gravity({"", Vector3(1.0, 2.0, -3.0), 7});
  EXPECT_NE(value("gravity").find("[1, 2, -3]"), std::string::npos) << value("gravity");
  EXPECT_NE(value("gravity").find("/cell"), std::string::npos);
  EXPECT_NE(value("payload on link '" + hand + "'").find("2.5 kg"), std::string::npos);
  put(0.0);
  EXPECT_EQ(value("payload on link '" + hand + "'"), "") << "taken off";
}

TEST_F(WorldTest, TooHeavyPayloadIsWarnedAbout) {
  make();
  put(0.1);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(core->diagnostics().message.find("payload on link"), std::string::npos);
  put(100.0);
  EXPECT_TRUE(diagnostics_show("payload on link '" + hand + "' needs up to"));
  EXPECT_NE(core->diagnostics().message.find("effort limit"), std::string::npos);
}

TEST_F(WorldTest, PersistsOverActivationAndIsLoggedAgain) {
  make();
  core->activate();
  EXPECT_EQ(log.count({"activated with"}), 0) << "nothing has changed the world";
  put(2.5);
  core->on_gravity({"", Vector3(1.0, 2.0, -3.0), 7});
  core->deactivate();
  core->activate();
  EXPECT_EQ(log.count({"activated with gravity", "[1, 2, -3]", "/cell"}), 1);
  EXPECT_EQ(log.count({"activated with payload", "2.5 kg", "/cell"}), 1);
  EXPECT_NE(value("gravity").find("/cell"), std::string::npos);
}

TEST_F(WorldTest, IsResetAtActivationIfAskedFor) {
  make({{"reset_world_on_activation", true}});
  put(2.5);
  core->on_gravity({"", Vector3(1.0, 2.0, -3.0), 7});
  core->activate();
  EXPECT_NE(value("gravity").find("configured"), std::string::npos) << value("gravity");
  EXPECT_EQ(value("payload on link '" + hand + "'"), "");
  EXPECT_EQ(log.count({"reset_world_on_activation"}), 1);
  const Robot& robot = *core->robot();
  EXPECT_TRUE(robot.inbox.world().payloads.empty());
  put(2.5);
  core->activate();  // it is active already
  EXPECT_FALSE(robot.inbox.world().payloads.empty());
}

TEST_F(WorldTest, IsKeptByARobotWithOtherJoints) {
  make();
  put(2.5);
  core->on_gravity({"", Vector3(1.0, 2.0, -3.0), 7});
  // A robot that has a link of that name, and a robot that does not.
  std::string pendulum = urdf_text("double_pendulum");
  const Model other = load_urdf(pendulum);
  const std::string& tip = other.link(last_moving_link(other)).name;
  core->set_robot(pendulum);
  EXPECT_NE(value("gravity").find("[1, 2, -3]"), std::string::npos) << value("gravity");
  EXPECT_TRUE(core->robot()->inbox.world().payloads.empty());
  core->set_robot(urdf_text("arm7"));
  put(1.5);
  for (std::size_t at = 0; (at = pendulum.find('"' + tip + '"', at)) != std::string::npos;) {
    pendulum.replace(at, tip.size() + 2, '"' + hand + '"');
  }
  core->set_robot(pendulum);
  ASSERT_EQ(core->robot()->inbox.world().payloads.size(), 1u);
  EXPECT_EQ(core->robot()->inbox.world().payloads[0].inertia.mass, 1.5);
  EXPECT_EQ(core->robot()->inbox.world().payloads[0].source, 7u);
}

// ---- payloads of parameters ---------------------------------------------------------------------

using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

class ConfiguredPayloadTest : public WorldTest {
 protected:
  void make_with_gripper(std::vector<std::pair<std::string, ParameterValue>> more = {}) {
    make();
    more.insert(more.end(), {{"payloads.links", Texts{hand}},
                             {"payloads.masses", Numbers{1.5}},
                             {"payloads.centers", Numbers{0.0, 0.0, 0.05}}});
    make(std::move(more));
  }
  std::string shown() { return value("payload on link '" + hand + "'"); }
};

TEST_F(ConfiguredPayloadTest, IsInTheModelTheLogAndDiagnostics) {
  make_with_gripper();
  const Model& model = core->robot()->controller.model();
  EXPECT_EQ(model.payload(model.find_link(hand)).mass, 1.5);
  EXPECT_EQ(shown(), "1.5 kg at [0, 0, 0.05] m, as configured");
  EXPECT_EQ(log.count({"payload on link", "1.5 kg at [0, 0, 0.05] m, as configured"}), 1);
  core->activate();
  EXPECT_EQ(log.count({"activated with"}), 0) << "no message has changed anything";
}

TEST_F(ConfiguredPayloadTest, IsReplacedByAMessageForItsLink) {
  make_with_gripper();
  put(2.5);
  EXPECT_EQ(shown(), "2.5 kg at [0, 0, 0.1] m, set on ~/payload by /cell");
  put(0.0);
  EXPECT_EQ(shown(), "none, set on ~/payload by /cell");
  core->activate();
  EXPECT_EQ(log.count({"activated with payload", "none, set on ~/payload by /cell"}), 1);
}

TEST_F(WorldTest, PublishersHaveTheirNamesAfterTheirEnd) {
  make();
  put(2.5);
  core->on_gravity({"", Vector3(0.0, 0.0, 9.81), 7});
  log.publishers_ended = true;
  for (int report = 0; report < 2; ++report) {
    EXPECT_EQ(value("payload on link '" + hand + "'"),
              "2.5 kg at [0, 0, 0.1] m, set on ~/payload by /cell");
    EXPECT_EQ(value("gravity"), "[0, 0, 9.81] m/s^2, set on ~/gravity by /cell");
  }
  put(1.0, 8);
  EXPECT_EQ(value("payload on link '" + hand + "'"),
            "1 kg at [0, 0, 0.1] m, set on ~/payload by an unknown publisher");
}

TEST_F(ConfiguredPayloadTest, ReturnsAtActivationWithReset) {
  make_with_gripper({{"reset_world_on_activation", true}});
  put(0.0);
  core->activate();
  EXPECT_EQ(shown(), "1.5 kg at [0, 0, 0.05] m, as configured");
}

TEST_F(ConfiguredPayloadTest, IsCheckedAgainstEffortLimits) {
  make_with_gripper({{"payloads.masses", Numbers{1.5}}, {"effort_limits", Numbers{0.5}}});
  core->set_robot(urdf_text("arm7"));
  EXPECT_TRUE(diagnostics_show("payload on link '" + hand + "' needs up to"))
      << core->diagnostics().message;
}

TEST_F(ConfiguredPayloadTest, ADescriptionWithoutItsLinkIsRejected) {
  make_with_gripper();
  try {
    core->set_robot(with_other_links(urdf_text("arm7")));
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(std::string(error.what())
                  .find("payload on link '" + hand + "': the robot has no such link; "),
              0U)
        << error.what();
  }
  EXPECT_EQ(shown(), "1.5 kg at [0, 0, 0.05] m, as configured") << "the old robot stays";
}

TEST_F(ConfiguredPayloadTest, OnAFixedLinkIsRejected) {
  make();
  const std::string base = core->robot()->controller.model().link(0).name;
  EXPECT_THROW(make({{"payloads.links", Texts{base}}, {"payloads.masses", Numbers{1.0}}}),
               ModelError);
}

// ---- effort limits that have no effect ----------------------------------------------------------

TEST_F(WorldTest, LimitsAboveTheUrdfsAreReportedAtLoadAndWhenTheyChange) {
  make({{"effort_limits", std::vector<double>{1e6}}});
  EXPECT_EQ(log.count({"allow_effort_above_urdf"}), 1) << "at load";
  core->set_parameter("effort_limits", std::vector<double>{1e6});
  EXPECT_EQ(log.count({"allow_effort_above_urdf"}), 1) << "nothing new";
  core->set_parameter("effort_limits", std::vector<double>{12345.0});
  EXPECT_EQ(log.count({"allow_effort_above_urdf", "12345"}), 1);
  EXPECT_NE(value("effort limits without effect"), "");
}

// ---- the order of joints ------------------------------------------------------------------------

/// Two pendulums side by side, in this order.
std::string twins(const std::string& first, const std::string& second) {
  std::string urdf = R"(<robot name="twins"><link name="base"/>)";
  for (const std::string& name : {first, second}) {
    const std::string mass = name == "left" ? "1" : "4";
    urdf +=
        R"(<link name=")" + name + R"(_rod"><inertial><origin xyz="1 0 0"/><mass value=")" + mass +
        R"("/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name=")" +
        name + R"(" type="revolute"><parent link="base"/><child link=")" + name +
        R"(_rod"/><axis xyz="0 -1 0"/><limit lower="-3" upper="3" effort="100" velocity="3"/></joint>)";
  }
  return urdf + "</robot>";
}

TEST_F(WorldTest, TheFirstRobotsOrderIsKeptWhileTheJointsAreTheSame) {
  make({{"effort_limits", std::vector<double>{30.0}}});
  core->set_robot(twins("left", "right"));
  core->set_parameter("effort_limits", std::vector<double>{20.0, 60.0});
  const std::vector<std::string> names = {"left", "right"};
  core->set_robot(twins("right", "left"));
  const std::shared_ptr<Robot> robot = core->robot();
  ASSERT_EQ(robot->controller.coordinates()[0].name, "right") << "the document's order";
  EXPECT_EQ(robot->names, names);
  EXPECT_EQ(matrix_label(*robot), "left,right");
  const std::shared_ptr<const JointSettings> joints = robot->joints();
  EXPECT_EQ(joints->command_joints, names);
  EXPECT_EQ(joints->effort_limit, (VectorXd(2) << 60.0, 20.0).finished()) << "right, left";
  ControlOutput out = robot->controller.make_output();
  out.torque << 4.0, 1.0;  // right, left
  std::vector<double> values;
  gather_velocities(*robot, out.torque, values);
  EXPECT_EQ(values, (std::vector<double>{1.0, 4.0}));
  gather_positions(*robot, out.torque, values);
  EXPECT_EQ(values, (std::vector<double>{1.0, 4.0}));
  out.drive = out.torque;
  gather_commands(*joints, out, values);
  EXPECT_EQ(values, (std::vector<double>{1.0, 4.0}));
  MatrixXd M(2, 2);
  M << 44.0, 41.0, 14.0, 11.0;  // rows and columns: right, left
  gather_matrix(*robot, M, values);
  EXPECT_EQ(values, (std::vector<double>{11.0, 14.0, 41.0, 44.0}));
}

TEST_F(WorldTest, ARobotWithOtherJointsHasItsOwnOrder) {
  make();
  core->set_robot(twins("left", "right"));
  core->set_robot(twins("right", "middle"));
  EXPECT_EQ(core->robot()->names, (std::vector<std::string>{"right", "middle"}));
}

TEST_F(WorldTest, ParametersByJointNameFollowTheJointAndCanChange) {
  make();
  core->set_robot(twins("left", "right"));
  core->set_parameters(
      {{"effort_limits", std::vector<double>{30.0}}, {"effort_limits.right", 5.0}});
  EXPECT_EQ(core->robot()->joints()->effort_limit, (VectorXd(2) << 30.0, 5.0).finished());
  core->set_robot(twins("right", "left"));
  EXPECT_EQ(core->robot()->joints()->effort_limit, (VectorXd(2) << 5.0, 30.0).finished());
  EXPECT_THROW(core->set_parameter("effort_limits.middle", 5.0), ParameterError);
  EXPECT_THROW(core->set_parameter("armature.left", 5.0), ParameterError) << "read at start";
  EXPECT_EQ(core->robot()->joints()->effort_limit, (VectorXd(2) << 5.0, 30.0).finished());
}

TEST_F(WorldTest, AStreamOfGravitiesHidesNoPayload) {
  make();
  for (int i = 0; i < 50; ++i) {
    core->on_gravity({"", Vector3(0.0, 0.0, -9.0 - 0.01 * i), 7});
  }
  put(3.0);
  EXPECT_EQ(log.count({"payload on link", "3 kg", "/cell"}), 1);
  EXPECT_LT(log.count({"gravity is now"}), 20);
}

TEST_F(WorldTest, PayloadWithoutLinkInNewRobotIsLogged) {
  make();
  put(3.0);
  core->set_robot(with_other_links(urdf_text("arm7")));
  EXPECT_EQ(log.count({"payload on link", hand.c_str(), "is lost"}), 1);
}

TEST(WorldWithoutRobot, MessagesBeforeTheFirstRobotAreLogged) {
  Log log;
  ParameterSet set(parameter_table());
  set.set("realtime.lock_memory", false);
  DynamicsCore core(log, set);
  core.on_payload({"hand", 1.0, Vector3::Zero(), Matrix3::Zero(), 7});
  core.on_gravity({"", Vector3(0.0, 0.0, -1.0), 7});
  EXPECT_EQ(log.count({"~/payload", "no robot is loaded"}), 1);
  EXPECT_EQ(log.count({"~/gravity", "no robot is loaded"}), 1);
}

TEST(MemoryOfARobot, TheMassMatrixIsThereOnlyIfItIsPublished) {
  for (const bool published : {false, true}) {
    Config config;
    config.compute.mass_matrix = published;
    const Robot robot(load_urdf_file(shipped_urdf("arm7")), {}, config);
    EXPECT_EQ(robot.outputs.read().mass_matrix.size(), published ? 49 : 0);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test

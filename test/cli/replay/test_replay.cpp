// `replay` and `identify` as a user starts them.
#include <gtest/gtest.h>

#include <regex>

#include "cli/process.hpp"
#include "cli/robot_file.hpp"
#include "identification/recorded_log.hpp"
#include "support/recordings.hpp"

namespace spatial_dynamics::test {
namespace {

/// A log of arm7 with 1.5 kg in its hand and some noise, as CSV.
const std::string& loaded_log() {
  static const std::string text = [] {
    Recording recording;
    recording.sensors.velocity_noise = 1e-3;
    recording.sensors.effort_noise = 0.1;
    recording.sensors.seed = 7;
    return csv(record(arm7_with(1.5, Vector3(0, 0, 0.06)), arm7(), recording),
               arm7().joint_names());
  }();
  return text;
}

std::vector<Joint> joints_that_move(const Model& model) {
  std::vector<Joint> joints;
  for (const Index i : model.coordinate_joints()) joints.push_back(model.joint(i));
  return joints;
}

double number_after(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  return at == std::string::npos ? NAN : std::stod(text.substr(at + words.size()));
}

TEST(Replay, SuggestsThePayloadAndWritesATable) {
  const TemporaryFile log(loaded_log()), output("");
  const Outcome replay =
      run_cli({"replay", shipped_urdf("arm7"), log.path(), "--output", output.path()});
  ASSERT_EQ(replay.exit_code, 0) << replay.errors;
  EXPECT_NE(replay.output.find("a payload of 1.5 kg on link 'flange'"), std::string::npos)
      << replay.output;
  std::ifstream file(output.path());
  std::string header, row;
  std::getline(file, header);
  std::getline(file, row);
  EXPECT_EQ(header.find("time,measured:shoulder_yaw,predicted:shoulder_yaw,"), 0U) << header;
  EXPECT_EQ(std::count(header.begin(), header.end(), ','), std::count(row.begin(), row.end(), ','));
}

TEST(Replay, DrawsAPanelForEachJoint) {
  const TemporaryFile log(loaded_log()), base("");
  const std::string plot = base.path() + ".svg";
  const Outcome replay = run_cli({"replay", shipped_urdf("arm7"), log.path(), "--plot", plot});
  ASSERT_EQ(replay.exit_code, 0) << replay.errors;
  const std::string svg = text_of(plot);
  std::filesystem::remove(plot);
  const Model arm = arm7();
  for (const std::string& joint : arm.joint_names()) {
    EXPECT_NE(svg.find(">" + joint + ", N m<"), std::string::npos) << joint;
  }
}

TEST(Replay, HasNoHintsIfThePayloadIsGiven) {
  const Outcome replay = run_cli(
      {"replay", shipped_urdf("arm7"), "-", "--payload", "flange=1.5,0,0,0.06"}, loaded_log());
  ASSERT_EQ(replay.exit_code, 0) << replay.errors;
  EXPECT_EQ(replay.output.find("payload"), std::string::npos) << replay.output;
}

TEST(Replay, GravityOfAWallMountExplainsItsEfforts) {
  const TemporaryFile log("");
  const std::string urdf = shipped_urdf("arm7"), wall = "-9.80665,0,0";
  ASSERT_EQ(run_cli({"simulate", urdf, "--gravity", wall, "--controller", "computed_torque",
                     "--seconds", "2", "--csv", log.path()})
                .exit_code,
            0);
  const std::string explained = "The model explains this log.";
  const Outcome floor = run_cli({"replay", urdf, log.path()});
  EXPECT_EQ(floor.output.find(explained), std::string::npos) << floor.output;
  const std::string advice = "is the robot on a wall or a ceiling? Then give --gravity -9.81,0,0.";
  EXPECT_NE(floor.output.find(advice), std::string::npos) << floor.output;
  EXPECT_NE(run_cli({"identify", urdf, log.path()}).output.find(advice), std::string::npos);
  const Outcome mounted = run_cli({"replay", urdf, log.path(), "--gravity", wall});
  EXPECT_NE(mounted.output.find(explained), std::string::npos) << mounted.output;
  const Outcome fit = run_cli({"identify", urdf, log.path(), "--gravity", wall});
  // Roundoff decides which of the two sentences reports that there is no payload.
  EXPECT_TRUE(std::regex_search(fit.output, std::regex("which is (not significant|negligible)")))
      << fit.output;
}

TEST(Replay, NamesJointsThatTheModelDoesNotExplain) {
  const std::string text = run_cli({"replay", shipped_urdf("arm7"), "-"}, loaded_log()).output;
  EXPECT_TRUE(std::regex_search(text, std::regex("\n  elbow .* no \\([0-9]+ %\\)\n"))) << text;
  EXPECT_TRUE(
      std::regex_search(text, std::regex("\n  wrist_roll .* small \\([0-9]+ %, below .* N m\\)\n")))
      << text;
  EXPECT_TRUE(std::regex_search(text, std::regex("The model does not explain .*'elbow'")));
  const std::string good =
      run_cli({"replay", shipped_urdf("arm7"), "-", "--payload", "flange=1.5,0,0,0.06"},
              loaded_log())
          .output;
  EXPECT_NE(good.find("The model explains this log, except for residuals that are too small to "
                      "judge: 'wrist_roll'.\n"),
            std::string::npos)
      << good;
}

TEST(Replay, DashWritesTheTableToStandardOutput) {
  const Outcome replay =
      run_cli({"replay", shipped_urdf("arm7"), "-", "--output", "-"}, loaded_log());
  EXPECT_EQ(replay.exit_code, 0);
  EXPECT_EQ(replay.output.find("time,measured:"), 0U);
  EXPECT_NE(replay.errors.find("measured, rms"), std::string::npos) << replay.errors;
}

/// The log with each number of the columns that contain `word` multiplied by a factor.
std::string scaled(const std::string& log, const std::string& word, double factor) {
  std::istringstream lines(log);
  std::string line, field, text;
  std::vector<bool> chosen;
  for (bool header = true; std::getline(lines, line); header = false) {
    std::istringstream fields(line);
    std::string row;
    for (std::size_t i = 0; std::getline(fields, field, ','); ++i) {
      if (header) chosen.push_back(field.find(word) != std::string::npos);
      if (!header && chosen[i]) field = number_text(factor * std::stod(field));
      row.append(i == 0 ? "" : ",").append(field);
    }
    text += row + '\n';
  }
  return text;
}

TEST(Replay, RejectsLogsInOtherUnits) {
  const std::string degrees =
      scaled(scaled(loaded_log(), "position", 180.0 / M_PI), "velocity", 180.0 / M_PI);
  struct Case {
    std::string log, says;
  };
  for (const Case& c : {Case{degrees, "the angles are in degrees"},
                        Case{scaled(loaded_log(), "time", 1e9), "in nanoseconds"},
                        Case{scaled(loaded_log(), "velocity", 180.0 / M_PI), "degrees per second"},
                        Case{scaled(loaded_log(), "effort", 1e3), "in mN m"}}) {
    for (const char* const command : {"replay", "identify"}) {
      const Outcome outcome = run_cli({command, shipped_urdf("arm7"), "-"}, c.log);
      EXPECT_EQ(outcome.exit_code, 1) << c.says;
      EXPECT_EQ(outcome.output, "");
      EXPECT_NE(outcome.errors.find(c.says), std::string::npos) << outcome.errors;
    }
  }
}

TEST(Identify, WritesParametersForTheNode) {
  const TemporaryFile log(loaded_log()), file("");
  const Outcome identify =
      run_cli({"identify", shipped_urdf("arm7"), log.path(), "--params", file.path()});
  ASSERT_EQ(identify.exit_code, 0) << identify.errors;
  const std::string yaml = text_of(file.path());
  EXPECT_EQ(yaml.find("/**:\n  ros__parameters:\n    payloads:\n      links: ['flange']\n"), 0U)
      << yaml;
  EXPECT_NEAR(number_after(yaml, "masses: ["), 1.5, 0.02) << yaml;
  EXPECT_NE(identify.output.find(yaml), std::string::npos) << identify.output;
  const Outcome standard = run_cli({"identify", shipped_urdf("arm7"), log.path(), "--params", "-"});
  EXPECT_EQ(standard.output, yaml);
  EXPECT_EQ(standard.errors.find("ros__parameters"), std::string::npos) << "printed twice";
  const Outcome nothing =
      run_cli({"identify", shipped_urdf("arm7"), log.path(), "--payload", "flange=1.5,0,0,0.06",
               "--link", "base", "--params", file.path()});
  EXPECT_EQ(nothing.exit_code, 1);
  EXPECT_NE(nothing.errors.find("was not written"), std::string::npos) << nothing.errors;
}

TEST(Identify, PrintsTheMessageForTheNode) {
  const TemporaryFile log(loaded_log());
  const Outcome identify = run_cli({"identify", shipped_urdf("arm7"), log.path()});
  ASSERT_EQ(identify.exit_code, 0) << identify.errors;
  EXPECT_NEAR(number_after(identify.output, "mass            "), 1.5, 0.02) << identify.output;
  EXPECT_NE(identify.output.find("/dynamics/payload geometry_msgs/msg/InertiaStamped"),
            std::string::npos);
  EXPECT_NEAR(number_after(identify.output, "spatial_dynamics send payload flange="), 1.5, 0.02);
  EXPECT_NEAR(number_after(identify.output, "{m: "), 1.5, 0.02);
  EXPECT_NEAR(number_after(identify.output, "z: "), 0.06, 0.01);
  // With the printed option, no payload is left to be found.
  std::smatch option;
  ASSERT_TRUE(std::regex_search(identify.output, option, std::regex("--payload (\\S+)")));
  const Outcome again =
      run_cli({"identify", shipped_urdf("arm7"), log.path(), "--payload", option[1]});
  EXPECT_NEAR(number_after(again.output, "mass            "), 0.0, 0.01) << again.output;
}

TEST(Identify, TreatsAGramAsNegligible) {
  const TemporaryFile log("");
  ASSERT_EQ(run_cli({"simulate", shipped_urdf("arm7"), "--controller", "computed_torque",
                     "--payload", "flange=0.001", "--csv", log.path()})
                .exit_code,
            0);
  const Outcome identify = run_cli({"identify", shipped_urdf("arm7"), log.path()});
  EXPECT_NEAR(number_after(identify.output, "mass            "), 0.001, 1e-5) << identify.output;
  EXPECT_NE(identify.output.find("negligible"), std::string::npos) << identify.output;
  EXPECT_EQ(identify.output.find("InertiaStamped"), std::string::npos) << identify.output;
}

TEST(Identify, SuggestsWeighingIfMassIsNotDetermined) {
  const TemporaryFile robot(pendulum_urdf());
  const TemporaryFile log(csv(swing(pendulum_with(0.5, Vector3(0, 0, -1))), {"hinge"}));
  const Outcome rod = run_cli({"identify", robot.path(), log.path(), "--link", "rod", "--inertia"});
  EXPECT_NE(rod.output.find("mass            not determined by this motion"), std::string::npos)
      << rod.output;
  EXPECT_NEAR(number_after(rod.output, "first moment of mass, z  "), -0.5, 0.01) << rod.output;
  EXPECT_NE(rod.output.find("weigh the payload"), std::string::npos);
  const Outcome base = run_cli({"identify", robot.path(), log.path(), "--link", "base"});
  EXPECT_NE(base.output.find("No effort of this log depends on it"), std::string::npos)
      << base.output;
  EXPECT_EQ(base.output.find("0 +- 0"), std::string::npos) << base.output;
}

TEST(Identify, FindsTheFrictionOfTheUrdfInATableOfSimulate) {
  const TemporaryFile table("");
  ASSERT_EQ(run_cli({"simulate", shipped_urdf("arm7"), "--controller", "computed_torque",
                     "--seconds", "10", "--dt", "0.002", "--csv", table.path()})
                .exit_code,
            0);
  const Outcome identify =
      run_cli({"identify", shipped_urdf("arm7"), table.path(), "--no-payload", "--friction"});
  for (const Joint& joint : joints_that_move(arm7())) {
    for (const bool damping : {true, false}) {
      const std::string what =
          (damping ? "damping of joint '" : "friction of joint '") + joint.name;
      EXPECT_NEAR(number_after(identify.output, what + "': "),
                  damping ? joint.damping : joint.friction, 1e-6)
          << what << "\n"
          << identify.output;
    }
  }
}

TEST(Identify, WorksWithoutVelocities) {
  Recording clean;
  const TemporaryFile log(
      csv(record(arm7_with(2.0, Vector3(0, 0, 0.1)), arm7(), clean), arm7().joint_names(), false));
  const Outcome identify = run_cli({"identify", shipped_urdf("arm7"), log.path(), "--friction"});
  ASSERT_EQ(identify.exit_code, 0) << identify.errors;
  EXPECT_NEAR(number_after(identify.output, "mass            "), 2.0, 0.02) << identify.output;
  EXPECT_NEAR(number_after(identify.output, "friction of joint 'elbow': "), 0.6397, 0.05);
}

TEST(Replay, RejectsBadInputWithASentence) {
  const TemporaryFile log("time,position:shoulder\n0,1\n");
  const Outcome bad = run_cli({"replay", shipped_urdf("double_pendulum"), log.path()});
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_NE(bad.errors.find("no position of joint 'elbow'"), std::string::npos) << bad.errors;
  EXPECT_EQ(bad.output, "");
  EXPECT_EQ(run_cli({"replay", shipped_urdf("arm7")}).exit_code, 2);
  EXPECT_EQ(run_cli({"replay", shipped_urdf("arm7"), "x.csv", "--floating-base"}).exit_code, 2);
  EXPECT_EQ(run_cli({"identify", shipped_urdf("arm7"), "x.csv", "--no-payload"}).exit_code, 2);
  EXPECT_EQ(run_cli({"replay", shipped_urdf("arm7"), "x.csv", "--window", "0"}).exit_code, 2);
  const TemporaryFile good(loaded_log());
  const Outcome link = run_cli({"identify", shipped_urdf("arm7"), good.path(), "--link", "wing"});
  EXPECT_EQ(link.exit_code, 1);
  EXPECT_NE(link.errors.find("'wing'"), std::string::npos);
}

TEST(Replay, ExplainsFilesInAnotherFormat) {
  const auto errors = [](const std::string& text) {
    const TemporaryFile log(text);
    const Outcome bad = run_cli({"replay", shipped_urdf("double_pendulum"), log.path()});
    EXPECT_EQ(bad.exit_code, 1);
    EXPECT_EQ(bad.errors.find(log.path()), 0U) << bad.errors;
    return bad.errors;
  };
  const std::string header = "time,position:shoulder,position:elbow,effort:shoulder,effort:elbow\n";
  EXPECT_NE(errors("time;position:shoulder;position:elbow\n").find("columns by ';'"),
            std::string::npos);
  EXPECT_NE(errors(header + "0,1,0,5,0,5,0,5,0\n").find("decimal point, not a comma"),
            std::string::npos);
  EXPECT_NE(errors(header).find("fewer than two complete rows"), std::string::npos);
  const Outcome swapped = run_cli({"replay", "log.csv", shipped_urdf("double_pendulum")});
  EXPECT_EQ(swapped.exit_code, 2);
  EXPECT_NE(swapped.errors.find("arguments swapped?"), std::string::npos) << swapped.errors;
}

TEST(Replay, ReadsARecordingAndPrintsItsTopic) {
  const RobotLog log = record(arm7(), arm7());
  McapWriter file("zstd");
  const auto topic = file.add_topic("/joint_states");
  const auto numbers = [](const MatrixXd& m, Index i) {
    const VectorXd column = m.col(i);
    return std::vector<double>(column.begin(), column.end());
  };
  for (Index i = 0; i < log.size(); ++i) {
    file.add_message(
        topic, 5,
        joint_state_cdr({1e9 + log.time[to_size(i)], arm7().joint_names(), numbers(log.q, i),
                         numbers(log.v, i), numbers(log.effort, i)}));
    if (i % 500 == 499) file.end_chunk();
  }
  file.end();
  const TemporaryFile recording(file.bytes);
  const std::string size = std::to_string(log.size());
  for (const char* const input : {"file", "-"}) {
    const bool is_file = input == std::string("file");
    const Outcome outcome = is_file ? run_cli({"replay", shipped_urdf("arm7"), recording.path()})
                                    : run_cli({"replay", shipped_urdf("arm7"), "-"}, file.bytes);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    EXPECT_NE(outcome.output.find((is_file ? recording.path() : "the log on standard input") +
                                  " (MCAP): topic '/joint_states', " + size + " messages\n"),
              std::string::npos)
        << outcome.output;
    EXPECT_NE(outcome.output.find("The model explains this log"), std::string::npos)
        << outcome.output;
  }
  const Outcome other =
      run_cli({"replay", shipped_urdf("arm7"), recording.path(), "--topic", "/states"});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_EQ(other.errors, recording.path() +
                              " has no topic '/states'; its joint states are on "
                              "'/joint_states'.\n");
}

TEST(Replay, JoinsSeveralLogsAndPrintsWhatWasLeftOut) {
  const TemporaryFile first(loaded_log());
  std::string damaged = loaded_log();
  const std::size_t row = damaged.find('\n', damaged.size() / 2) + 1;
  damaged.erase(row, damaged.find(',', row) - row);  // a row without a time
  const TemporaryFile second(damaged);
  const Outcome outcome = run_cli({"replay", shipped_urdf("arm7"), first.path(), second.path()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find(second.path() + " (CSV): time 'time', position 'position:JOINT'"),
            std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("left out: 1 row without a number that is needed, "),
            std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("a payload of 1.5 kg on link 'flange'"), std::string::npos);
}

TEST(Replay, ComparesEffortsWithoutGravity) {
  Model weightless = arm7();
  weightless.set_gravity(Vector3::Zero());
  const TemporaryFile log(csv(record(weightless, weightless), arm7().joint_names()));
  const Outcome outcome =
      run_cli({"replay", shipped_urdf("arm7"), log.path(), "--without-gravity"});
  EXPECT_NE(outcome.output.find("The model explains this log"), std::string::npos)
      << outcome.output;
  EXPECT_EQ(run_cli({"replay", shipped_urdf("arm7"), log.path()})
                .output.find("The model explains this log"),
            std::string::npos);
}

TEST(Replay, DoesNotCompareCurrents) {
  const TemporaryFile log(loaded_log());
  const Outcome outcome = run_cli({"replay", shipped_urdf("arm7"), log.path(), "--currents"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.errors.find("the log has motor currents"), 0U) << outcome.errors;
}

}  // namespace
}  // namespace spatial_dynamics::test

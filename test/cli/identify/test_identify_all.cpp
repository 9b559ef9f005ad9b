// `identify --all`: from a falsified URDF and a simulated log to a corrected URDF that holds the
// robot.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "cli/process.hpp"
#include "cli/robot_file.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"

namespace spatial_dynamics::test {
namespace {

/// The arm with a light upper arm, a heavy forearm and no friction.
std::string wrong_arm() {
  std::string text = urdf_text("arm7");
  const auto replace = [&text](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("<mass value=\"3.228604\"/>", "<mass value=\"2.2\"/>");
  replace("<mass value=\"3.587895\"/>", "<mass value=\"4.7\"/>");
  return std::regex_replace(text, std::regex("friction=\"[0-9.]*\""), "friction=\"0\"");
}

/// Files of one identification.
struct Files {
  TemporaryFile wrong{wrong_arm()}, motion{""}, log{""}, corrected{""}, params{""};
};

/// Excites, simulates the true arm, whose controller knows only the wrong one, and identifies.
Outcome identify_wrong_arm(const Files& files) {
  const Outcome excite = run_cli({"excite", files.wrong.path(), "-o", files.motion.path(),
                                  "--evaluations", "150", "--effort-share", "0.5"});
  EXPECT_EQ(excite.exit_code, 0) << excite.errors;
  const Outcome simulate =
      run_cli({"simulate", shipped_urdf("arm7"), "--controller-urdf", files.wrong.path(),
               "--motion", files.motion.path(), "--dt", "0.002", "--effort-noise", "0.2",
               "--position-quantum", "1.2e-5", "--no-velocities", "--csv", files.log.path()});
  EXPECT_EQ(simulate.exit_code, 0) << simulate.errors;
  return run_cli({"identify", files.wrong.path(), files.log.path(), "--all", "-o",
                  files.corrected.path(), "--params", files.params.path(), "--list"});
}

/// How far the arm moves in two seconds of gravity compensation with this URDF, rad.
double drift_with(const std::string& urdf) {
  const TemporaryFile csv("");
  const Outcome outcome = run_cli({"simulate", shipped_urdf("arm7"), "--controller",
                                   "gravity_compensation", "--controller-urdf", urdf, "--position",
                                   "0,0.6,0,-1.2,0,1.8,0", "--seconds", "2", "--csv", csv.path()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  std::ifstream file(csv.path());
  std::string line;
  std::getline(file, line);
  std::vector<std::string> names;
  std::stringstream header(line);
  for (std::string name; std::getline(header, name, ',');) names.push_back(name);
  std::vector<double> first_row, row;
  while (std::getline(file, line)) {
    std::stringstream cells(line);
    row.clear();
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
    if (first_row.empty()) first_row = row;
  }
  double largest_change = 0.0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].compare(0, 2, "q:") != 0) continue;
    largest_change = std::max(largest_change, std::abs(row[i] - first_row[i]));
  }
  return largest_change;
}

TEST(IdentifyAll, TheCorrectedUrdfHoldsTheArm) {
  const Files files;
  const Outcome outcome = identify_wrong_arm(files);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.errors;
  for (const char* part : {"Torque errors (rms)", "Masses", "rotor inertia", "Not determined",
                           "95 % intervals", "--- ", "+++ ", "\n@@ -"}) {
    EXPECT_NE(outcome.output.find(part), std::string::npos) << part << "\n" << outcome.output;
  }
  EXPECT_GT(drift_with(files.wrong.path()), 0.2);
  EXPECT_LT(drift_with(files.corrected.path()), 0.005);
}

TEST(IdentifyAll, KeepsTheTextAndAddsNoFinding) {
  const Files files;
  ASSERT_EQ(identify_wrong_arm(files).exit_code, 0);
  const std::string corrected = text_of(files.corrected.path());
  const auto without_numbers = [](const std::string& text) {
    return std::regex_replace(text, std::regex("-?[0-9.]+(e[+-]?[0-9]+)?"), "#");
  };
  EXPECT_EQ(without_numbers(corrected), without_numbers(wrong_arm()));
  EXPECT_NE(corrected, wrong_arm());
  ModelReport before, after;
  load_urdf(wrong_arm(), {}, &before);
  load_urdf(corrected, {}, &after);
  EXPECT_LE(after.findings.size(), before.findings.size());
}

TEST(IdentifyAll, ANodeReadsTheParameterFile) {
  const Files files;
  ASSERT_EQ(identify_wrong_arm(files).exit_code, 0);
  const std::string text = text_of(files.params.path());
  for (const char* part : {"armature: [", "contact:\n", "threshold: [", "false alarms per hour"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(IdentifyAll, OptionsOfTheTwoKindsOfFitAreNotMixed) {
  const std::string arm = shipped_urdf("arm7");
  const Outcome mixed = run_cli({"identify", arm, "log.csv", "--all", "--friction"});
  EXPECT_EQ(mixed.exit_code, 2);
  EXPECT_NE(mixed.errors.find("--friction"), std::string::npos);
  const Outcome alone = run_cli({"identify", arm, "log.csv", "--list"});
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_NE(alone.errors.find("needs --all"), std::string::npos);
}

TEST(IdentifyAll, RejectsALogWithoutMotion) {
  std::string csv = "time";
  const Model pendulum = load_urdf_file(shipped_urdf("double_pendulum"));
  for (const std::string& joint : pendulum.joint_names()) {
    csv += ",position:" + joint + ",effort:" + joint;
  }
  csv += '\n';
  for (int i = 0; i < 2000; ++i) {
    csv += std::to_string(0.002 * i) + ",0.1,1.0,0.2,2.0\n";
  }
  const TemporaryFile log(csv);
  const Outcome outcome =
      run_cli({"identify", shipped_urdf("double_pendulum"), log.path(), "--all"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.errors.find("no joint moves in the log"), std::string::npos) << outcome.errors;
}

}  // namespace
}  // namespace spatial_dynamics::test

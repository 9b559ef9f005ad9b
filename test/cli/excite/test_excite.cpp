// `excite`: from a URDF to a motion.
#include <gtest/gtest.h>

#include "cli/process.hpp"
#include "cli/robot_file.hpp"
#include "spatial_dynamics/identification/motion.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(Excite, WritesAMotionAndPrintsItsCriterion) {
  const TemporaryFile motion("");
  const Outcome outcome = run_cli({"excite", shipped_urdf("arm7"), "-o", motion.path(), "--seconds",
                                   "20", "--evaluations", "80", "--list"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  for (const char* part :
       {"a motion of 20 s, 2 times 10 s", "Criterion", "condition number",
        "shoulder_yaw: ", "no effect: mass of link 'link1'", "only the sum: ", "Collisions"}) {
    EXPECT_NE(outcome.output.find(part), std::string::npos) << part << "\n" << outcome.output;
  }
  const JointMotion read = read_motion(motion.path());
  EXPECT_EQ(read.joints.size(), 7U);
  EXPECT_NEAR(read.duration(), 20.0, 1e-6);
}

TEST(Excite, KeepsRangesAndWritesToStandardOutput) {
  const Outcome outcome = run_cli({"excite", shipped_urdf("arm6"), "-o", "-", "--evaluations", "40",
                                   "--range", "elbow=-0.5,0.5", "--still", "wrist_3=0.25"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_EQ(outcome.output.compare(0, 5, "time,"), 0) << outcome.output.substr(0, 80);
  EXPECT_NE(outcome.errors.find("wrist_3: stands still at 0.25"), std::string::npos);
}

TEST(Excite, NamesTheWrongOption) {
  const auto usage = [](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"excite", shipped_urdf("arm6"), "-o", "-"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_cli(arguments);
  };
  EXPECT_EQ(usage({"--range", "elbow=1"}).exit_code, 2);
  EXPECT_EQ(usage({"--velocity-share", "1.5"}).exit_code, 2);
  const Outcome unknown = usage({"--still", "knee=1"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_NE(unknown.errors.find("'knee'"), std::string::npos) << unknown.errors;
}

TEST(Excite, DrawsThePicture) {
  const std::string plot =
      (std::filesystem::temp_directory_path() / ("excite_" + std::to_string(::getpid()) + ".svg"))
          .string();
  const Outcome outcome = run_cli({"excite", shipped_urdf("gripper"), "-o", "/dev/null",
                                   "--evaluations", "30", "--plot", plot});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  const std::string svg = text_of(plot);
  EXPECT_NE(svg.find("<svg"), std::string::npos);
  EXPECT_NE(svg.find("finger_left"), std::string::npos);
  std::filesystem::remove(plot);
}

}  // namespace
}  // namespace spatial_dynamics::test

// `play` with a node and a simulated robot.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory>

#include "cli/process.hpp"
#include "cli/robot_file.hpp"
#include "spatial_dynamics/identification/log.hpp"
#include "spatial_dynamics/identification/motion.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/robots.hpp"
#include "support/test_domain.hpp"

namespace spatial_dynamics::test {
namespace {

/// The shipped pendulum, simulated, with a node that follows references.
class Play : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("ROS_DOMAIN_ID", std::to_string(test_domain()).c_str(), 1);
    ::setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 1);
    robot_ = std::make_unique<Process>(
        std::vector<std::string>{"simulate", "--dds", urdf_, "--ros-args", "-p", "rate_hz:=200"});
  }
  void TearDown() override {
    for (const auto& process : {node_.get(), robot_.get()}) {
      if (process != nullptr) process->send(SIGINT);
    }
  }
  void start_node(const std::string& mode) {
    node_ = std::make_unique<Process>(std::vector<std::string>{"run", urdf_, "--mode", mode,
                                                               "--ros-args", "-p", "rate_hz:=200",
                                                               "-p", "state_timeout_s:=10.0"});
  }
  /// (1 - cos(w t)) / 5 of both joints from 0.2 and -0.2 on, for `seconds`.
  static JointMotion motion(double seconds) {
    constexpr double kRate = 3.0;
    JointMotion result;
    result.joints = load_urdf_file(pendulum_file()).joint_names();
    const auto n = static_cast<Index>(50.0 * seconds) + 1;
    for (MatrixXd* const m : {&result.position, &result.velocity, &result.acceleration}) {
      m->resize(2, n);
    }
    for (Index i = 0; i < n; ++i) {
      const double t = 0.02 * static_cast<double>(i);
      result.time.push_back(t);
      for (Index k = 0; k < 2; ++k) {
        const double side = k == 0 ? 0.2 : -0.2;
        result.position(k, i) = side + side * (1.0 - std::cos(kRate * t));
        result.velocity(k, i) = side * kRate * std::sin(kRate * t);
        result.acceleration(k, i) = side * kRate * kRate * std::cos(kRate * t);
      }
    }
    return result;
  }

  const std::string urdf_ = pendulum_file();
  std::unique_ptr<Process> robot_, node_;
};

TEST_F(Play, MovesToTheStartThenFollowsAndRecords) {
  start_node("computed_torque");
  const TemporaryFile file(""), log("");
  const JointMotion played = motion(4.0);
  write_motion(file.path(), played);
  const Outcome outcome = run_cli({"play", file.path(), "--record", log.path()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("/dynamics: moving to the start within "), std::string::npos);
  EXPECT_NE(outcome.output.find("/dynamics: played the motion; largest tracking error "),
            std::string::npos)
      << outcome.output;
  const RobotLog recorded = read_log(log.path(), scalar_coordinates(load_urdf_file(urdf_)));
  EXPECT_GT(recorded.size(), 200);
  EXPECT_NEAR(recorded.time.back() - recorded.time.front(), 4.0, 0.5);
  VectorXd q, v, a;
  double largest = 0.0;
  for (Index i = 0; i < recorded.size(); ++i) {
    sample(played, recorded.time[to_size(i)], q, v, a);
    largest = std::max(largest, (recorded.q.col(i) - q).cwiseAbs().maxCoeff());
  }
  // The amplitude is 0.4 rad; a loaded computer delays messages.
  EXPECT_LT(largest, 0.1);
}

TEST_F(Play, SignalBringsTheRobotToRest) {
  start_node("computed_torque");
  const TemporaryFile file(""), log("");
  write_motion(file.path(), motion(60.0));
  Process play({"play", file.path(), "--record", log.path()});
  EXPECT_NE(play.read_line().find("moving to the start"), std::string::npos);
  ::sleep(6);
  play.send(SIGINT);
  std::string output, errors;
  play.exchange("", output, errors);
  EXPECT_EQ(play.wait(), 1) << errors;
  EXPECT_NE(output.find("/dynamics: stopped by a signal after "), std::string::npos) << output;
  const RobotLog recorded = read_log(log.path(), scalar_coordinates(load_urdf_file(urdf_)));
  ASSERT_GT(recorded.size(), 10);
  EXPECT_LT(recorded.v.col(recorded.size() - 1).cwiseAbs().maxCoeff(), 0.1);
}

TEST_F(Play, RejectsAModeWithoutReferencesAndUnknownJoints) {
  start_node("gravity_compensation");
  const TemporaryFile file("");
  JointMotion moved = motion(1.0);
  write_motion(file.path(), moved);
  const Outcome outcome = run_cli({"play", file.path()});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(
      outcome.errors,
      "node /dynamics is in the mode gravity_compensation, which does not follow references; set "
      "torque_mode to computed_torque.\n");
  moved.joints[0] = "no_joint";
  write_motion(file.path(), moved);
  const Outcome unknown = run_cli({"play", file.path()});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_EQ(unknown.errors.find("no position of joint 'no_joint' arrived on /joint_states"), 0U)
      << unknown.errors;
}

}  // namespace
}  // namespace spatial_dynamics::test

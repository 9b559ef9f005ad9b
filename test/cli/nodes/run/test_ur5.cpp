// A UR5 with a gripper of 1.5 kg, as a user starts it. The URDF is that of ../shared/robots.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/process.hpp"
#include "cli/robot_file.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "support/robots.hpp"
#include "support/test_domain.hpp"

namespace spatial_dynamics::test {
namespace {

class Ur5 : public testing::Test {
 protected:
  void SetUp() override {
    if (urdf_.empty()) GTEST_SKIP() << "no ../shared/robots/ur5_robot.urdf beside the source tree";
    ::setenv("ROS_DOMAIN_ID", std::to_string(test_domain()).c_str(), 1);
    ::setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 1);
  }
  /// The efforts that hold the arm with its gripper, in the order of the coordinates.
  static VectorXd weight_at(const Model& model, const VectorXd& q) {
    textbook::Data data(model);
    return gravity_torque(model, data, q);
  }
  [[nodiscard]] Model with_gripper() const {
    Payload payload;
    payload.link = "tool0";
    payload.mass_properties.mass = 1.5;
    payload.mass_properties.com = Vector3(0.0, 0.0, 0.05);
    LoadOptions options;
    options.payloads = {payload};
    return load_urdf_file(urdf_, options);
  }
  static Json listen(const std::string& topic) {
    const Outcome outcome = run_cli({"listen", topic, "--count", "1", "--seconds", "20"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    return Json::parse(outcome.output);
  }

  const std::string urdf_ = public_robot("ur5_robot");
  const std::vector<std::string> gripper_{"--payload", "tool0=1.5,0,0,0.05"};
};

TEST_F(Ur5, SimulateHoldsTheGripper) {
  const Outcome outcome = run_cli({"simulate", urdf_, gripper_[0], gripper_[1], "--controller",
                                   "gravity_compensation", "--position", "0", "-1.2", "1", "0.3",
                                   "0.5", "0", "--seconds", "0.2", "--csv", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.errors;
  std::istringstream lines(outcome.output);
  std::string header, row;
  std::getline(lines, header);
  std::getline(lines, row);
  std::vector<double> numbers;
  std::istringstream cells(row);
  for (std::string cell; std::getline(cells, cell, ',');) numbers.push_back(std::stod(cell));
  ASSERT_EQ(numbers.size(), 1U + 4U * 6U + 2U) << header;
  VectorXd q(6);
  q << 0.0, -1.2, 1.0, 0.3, 0.5, 0.0;
  const VectorXd weight = weight_at(with_gripper(), q);
  EXPECT_GT((weight - weight_at(load_urdf_file(urdf_), q)).norm(), 1.0) << "of the gripper";
  for (Index i = 0; i < 6; ++i) {
    EXPECT_NEAR(numbers[to_size(1 + 3 * 6 + i)], weight(i), 1e-9) << i;
  }
}

TEST_F(Ur5, RunHoldsTheGripper) {
  // The simulated robot does not receive the torques of /arm, so that its brakes stay on.
  Process robot({"simulate", "--dds", urdf_, gripper_[0], gripper_[1]});
  Process node({"run", urdf_, gripper_[0], gripper_[1], "--mode", "gravity_compensation",
                "--ros-args", "-r", "__node:=arm", "-p", "rate_hz:=200", "-p",
                "state_timeout_s:=10.0"});
  const Model model = with_gripper();
  const Json position = listen("joint_states").at("position");
  const Json effort = listen("arm/torque").at("effort");
  VectorXd q = neutral_configuration(model);
  for (const Index i : model.coordinate_joints()) {
    q(model.joint(i).q_index) = position.at(model.joint(i).name);
  }
  const VectorXd weight = weight_at(model, q);
  for (const Index i : model.coordinate_joints()) {
    const double torque = effort.at(model.joint(i).name);
    EXPECT_NEAR(torque, weight(model.joint(i).v_index), 1e-6) << model.joint(i).name;
  }
  node.send(SIGINT);
  robot.send(SIGINT);
}

TEST_F(Ur5, DemoFollowsItsReferenceWithTheGripper) {
  const Outcome outcome =
      run_cli({"demo", "--urdf", urdf_, gripper_[0], gripper_[1], "--seconds", "4"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  const std::string words = "tracking error   rms ";
  const std::size_t at = outcome.output.find(words);
  ASSERT_NE(at, std::string::npos) << outcome.output;
  // A busy machine delays torques; without the gripper in the model the arm sags by more.
  EXPECT_LT(std::stod(outcome.output.substr(at + words.size())), 50.0) << outcome.output;
}

}  // namespace
}  // namespace spatial_dynamics::test

#include "runtime/parameter_update.hpp"

#include <gtest/gtest.h>

#include "runtime/parameters_table.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

std::shared_ptr<Robot> robot_of(const char* name) {
  return std::make_shared<Robot>(load_urdf(urdf_text(name)), ModelReport{}, Config());
}

constexpr double kDeadline = 0.005;

TEST(ParameterUpdate, ReachesEveryRobotThatItFits) {
  const ParameterSet parameters(parameter_table());
  const ParameterChanges both{{"gains.kp", std::vector<double>{50.0}}};
  const auto update = prepare_update(parameters, both, Loop::kOwn, kDeadline,
                                     {robot_of("double_pendulum"), robot_of("arm7")});
  ASSERT_EQ(update.robots.size(), 2U);
  EXPECT_EQ(update.robots[0].second.kp, VectorXd::Constant(2, 50.0));
  EXPECT_EQ(update.robots[1].second.kp, VectorXd::Constant(7, 50.0));
  EXPECT_NE(parameters.get_numbers("gains.kp"), update.parameters.get_numbers("gains.kp"));
}

TEST(ParameterUpdate, NewestRobotDecides) {
  const ParameterSet parameters(parameter_table());
  const ParameterChanges of_arm{{"gains.kp", std::vector<double>(7, 50.0)}};
  const std::shared_ptr<Robot> arm = robot_of("arm7"), pendulum = robot_of("double_pendulum");
  EXPECT_EQ(
      prepare_update(parameters, of_arm, Loop::kOwn, kDeadline, {pendulum, arm}).robots.size(), 1U);
  EXPECT_THROW(prepare_update(parameters, of_arm, Loop::kOwn, kDeadline, {arm, pendulum}),
               ParameterError);
}

TEST(ParameterUpdate, CallerReadsTermsThatAreNotPublished) {
  const ParameterSet parameters(parameter_table());
  EXPECT_EQ(read_config(parameters, Loop::kCaller).trigger, Trigger::kCaller);
  EXPECT_TRUE(read_config(parameters, Loop::kCaller).compute.torque_terms);
  EXPECT_FALSE(read_config(parameters, Loop::kOwn).compute.torque_terms);
}

}  // namespace
}  // namespace spatial_dynamics::test

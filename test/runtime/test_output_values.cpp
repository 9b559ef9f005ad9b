// The controller's results as messages carry them.
#include "runtime/output_values.hpp"

#include <gtest/gtest.h>

#include <string>

#include "runtime/robot_source.hpp"

namespace spatial_dynamics::test {
namespace {

Config pendulum() {
  Config config;
  config.urdf_file = std::string(SPATIAL_DYNAMICS_SOURCE_DIR) + "/urdf/double_pendulum.urdf";
  config.floating_base = true;
  return config;
}

class OutputValues : public testing::Test {
 protected:
  Config config_ = pendulum();
  Robot robot_{load_robot(configured_urdf(config_), config_), ModelReport{}, config_};
  ControlOutput out_ = robot_.controller.make_output();
  std::vector<double> values_;
};

TEST_F(OutputValues, ExcludeFloatingBase) {
  for (Index i = 0; i < out_.q.size(); ++i) out_.q(i) = 10.0 + static_cast<double>(i);
  for (Index i = 0; i < out_.v.size(); ++i) out_.v(i) = 20.0 + static_cast<double>(i);
  gather_positions(robot_, out_.q, values_);
  EXPECT_EQ(values_, (std::vector<double>{17.0, 18.0}));
  gather_velocities(robot_, out_.v, values_);
  EXPECT_EQ(values_, (std::vector<double>{26.0, 27.0}));
  out_.mass_matrix = MatrixXd::Zero(out_.v.size(), out_.v.size());
  out_.mass_matrix(6, 7) = 3.0;
  out_.mass_matrix(0, 0) = 9.0;
  gather_matrix(robot_, out_.mass_matrix, values_);
  EXPECT_EQ(values_, (std::vector<double>{0.0, 3.0, 0.0, 0.0}));
  EXPECT_EQ(matrix_label(robot_), "shoulder,elbow");
}

TEST_F(OutputValues, CommandsAreInTheOrderOfTheCommandJoints) {
  JointSettings joints;
  joints.command_indices = {7, 6};
  out_.drive(6) = 1.0;
  out_.drive(7) = 2.0;
  gather_commands(joints, out_, values_);
  EXPECT_EQ(values_, (std::vector<double>{2.0, 1.0}));
}

TEST(StatisticPoints, AreNumberedAsInTheMessage) {
  Metric metric;
  metric.mean = 1.0;
  metric.min = 2.0;
  metric.max = 3.0;
  metric.count = 4;
  const auto points = statistic_points(metric);
  EXPECT_EQ(points[0], (std::pair<std::uint8_t, double>{1, 1.0}));
  EXPECT_EQ(points[1], (std::pair<std::uint8_t, double>{2, 2.0}));
  EXPECT_EQ(points[2], (std::pair<std::uint8_t, double>{3, 3.0}));
  EXPECT_EQ(points[3], (std::pair<std::uint8_t, double>{5, 4.0}));
}

}  // namespace
}  // namespace spatial_dynamics::test

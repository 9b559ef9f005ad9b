// The engine's results as messages carry them: plain numbers in the order of the names. Both doors fill their messages with these.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "spatial_dynamics/runtime/dynamics_core.hpp"

namespace spatial_dynamics {

/// One number for each of robot.names: from a vector of nv numbers, or of nq (positions). Allocates when `values` must grow.
void gather_velocities(const Robot& robot, const VectorXd& full, std::vector<double>& values);
void gather_positions(const Robot& robot, const VectorXd& full, std::vector<double>& values);

/// A square matrix over robot.names, row by row. Allocates when `values` must grow.
void gather_matrix(const Robot& robot, const MatrixXd& full, std::vector<double>& values);

/// "joint1,joint2,…": the label of a matrix's rows and columns, so that a reader needs nothing else. Allocates.
std::string matrix_label(const Robot& robot);

/// What ~/torque_array carries. It drives a robot, so that it is silent while the robot may not be driven; a drive that ends
/// has zeros for its last word.
class TorqueArray {
 public:
  /// Fills `values` for the command joints. False: send nothing. Allocates when `values` must grow.
  bool fill(const JointSettings& joints, const EngineOutputs& outputs, std::vector<double>& values);

 private:
  std::size_t driven_ = 0;  // joints of the drive under way
};

/// A metric as statistics_msgs/StatisticDataType numbers its figures: average, minimum, maximum, sample count. Standard deviation
/// is left out, quantiles have no number.
std::array<std::pair<std::uint8_t, double>, 4> statistic_points(const Metric& metric) noexcept;

}  // namespace spatial_dynamics

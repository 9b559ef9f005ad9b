// The controller's results as messages carry them: plain numbers in the order of the names.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/dynamics_core.hpp"

namespace spatial_dynamics {

/// Whether an output has something for this topic: a torque, an acceleration, …
bool is_due(Topic topic, const ControlOutput& out) noexcept;

/// The vector (nv numbers) that a topic of the type JointState carries as its efforts.
const VectorXd& joint_vector(Topic topic, const ControlOutput& out) noexcept;

/// One number for each of robot.names: from a vector of nv numbers, or of nq (positions). Allocates
/// when `values` must grow.
void gather_velocities(const Robot& robot, const VectorXd& full, std::vector<double>& values);
void gather_positions(const Robot& robot, const VectorXd& full, std::vector<double>& values);

/// A square matrix over robot.names, row by row. Allocates when `values` must grow.
void gather_matrix(const Robot& robot, const MatrixXd& full, std::vector<double>& values);

/// "joint1,joint2,…": the label of a matrix's rows and columns. Allocates.
std::string matrix_label(const Robot& robot);

/// The numbers of ~/torque_array: `outputs.drive` for the command joints, in their order. Allocates
/// when `values` must grow.
void gather_commands(const JointSettings& joints, const ControlOutput& outputs,
                     std::vector<double>& values);

/// A metric with the numbers of statistics_msgs/StatisticDataType: average, minimum, maximum,
/// sample count. Standard deviation is left out; quantiles have no number there.
std::array<std::pair<std::uint8_t, double>, 4> statistic_points(const Metric& metric) noexcept;

}  // namespace spatial_dynamics

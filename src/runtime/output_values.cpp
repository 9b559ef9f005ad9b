#include "spatial_dynamics/runtime/output_values.hpp"

#include <utility>

namespace spatial_dynamics {

void gather_velocities(const Robot& robot, const VectorXd& full, std::vector<double>& values) {
  values.clear();
  for (const ScalarCoordinate& c : robot.engine.coordinates()) values.push_back(full(c.v));
}

void gather_positions(const Robot& robot, const VectorXd& full, std::vector<double>& values) {
  values.clear();
  for (const ScalarCoordinate& c : robot.engine.coordinates()) values.push_back(full(c.q));
}

void gather_matrix(const Robot& robot, const MatrixXd& full, std::vector<double>& values) {
  values.clear();
  for (const ScalarCoordinate& row : robot.engine.coordinates()) {
    for (const ScalarCoordinate& column : robot.engine.coordinates()) {
      values.push_back(full(row.v, column.v));
    }
  }
}

std::string matrix_label(const Robot& robot) {
  std::string label;
  for (const std::string& name : robot.names) label += (label.empty() ? "" : ",") + name;
  return label;
}

bool TorqueArray::fill(const JointSettings& joints, const EngineOutputs& outputs,
                       std::vector<double>& values) {
  if (!joints.drive_refusal.empty()) {
    if (driven_ == 0) return false;
    values.assign(std::exchange(driven_, 0), 0.0);
    return true;
  }
  values.clear();
  for (const Index v : joints.command_indices) values.push_back(outputs.torque(v));
  driven_ = values.size();
  return true;
}

std::array<std::pair<std::uint8_t, double>, 4> statistic_points(const Metric& metric) noexcept {
  constexpr std::uint8_t kAverage = 1, kMinimum = 2, kMaximum = 3, kSampleCount = 5;
  return {{{kAverage, metric.mean},
           {kMinimum, metric.min},
           {kMaximum, metric.max},
           {kSampleCount, static_cast<double>(metric.count)}}};
}

}  // namespace spatial_dynamics

#include "runtime/output_values.hpp"

namespace spatial_dynamics {

bool is_due(Topic topic, const ControlOutput& out) noexcept {
  switch (topic) {
    case Topic::kTorque:
    case Topic::kBaseWrench:
      return out.send_torque;
    case Topic::kTorqueArray:
      return out.send_drive;
    case Topic::kAcceleration:
    case Topic::kBaseAcceleration:
      return out.send_acceleration;
    case Topic::kExternalTorque:
      return out.send_external_torque;
    case Topic::kGravityTerm:
    case Topic::kCoriolisTerm:
    case Topic::kInertialTerm:
    case Topic::kFrictionTerm:
    case Topic::kExternalTerm:
    case Topic::kMassMatrix:
      return out.send_terms;
    default:
      return false;
  }
}

const VectorXd& joint_vector(Topic topic, const ControlOutput& out) noexcept {
  switch (topic) {
    case Topic::kGravityTerm:
      return out.terms.gravity;
    case Topic::kCoriolisTerm:
      return out.terms.coriolis;
    case Topic::kInertialTerm:
      return out.terms.inertial;
    case Topic::kFrictionTerm:
      return out.terms.friction;
    case Topic::kExternalTerm:
      return out.terms.external;
    case Topic::kExternalTorque:
      return out.external_torque;
    default:
      return out.torque;
  }
}

void gather_velocities(const Robot& robot, const VectorXd& full, std::vector<double>& values) {
  values.clear();
  for (const ScalarCoordinate& c : robot.published) values.push_back(full(c.v));
}

void gather_positions(const Robot& robot, const VectorXd& full, std::vector<double>& values) {
  values.clear();
  for (const ScalarCoordinate& c : robot.published) values.push_back(full(c.q));
}

void gather_matrix(const Robot& robot, const MatrixXd& full, std::vector<double>& values) {
  values.clear();
  for (const ScalarCoordinate& row : robot.published) {
    for (const ScalarCoordinate& column : robot.published) {
      values.push_back(full(row.v, column.v));
    }
  }
}

std::string matrix_label(const Robot& robot) {
  std::string label;
  for (const std::string& name : robot.names) label += (label.empty() ? "" : ",") + name;
  return label;
}

void gather_commands(const JointSettings& joints, const ControlOutput& outputs,
                     std::vector<double>& values) {
  values.clear();
  for (const Index v : joints.command_indices) values.push_back(outputs.drive(v));
}

std::array<std::pair<std::uint8_t, double>, 4> statistic_points(const Metric& metric) noexcept {
  constexpr std::uint8_t kAverage = 1, kMinimum = 2, kMaximum = 3, kSampleCount = 5;
  return {{{kAverage, metric.mean},
           {kMinimum, metric.min},
           {kMaximum, metric.max},
           {kSampleCount, static_cast<double>(metric.count)}}};
}

}  // namespace spatial_dynamics

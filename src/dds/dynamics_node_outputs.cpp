// The part of DynamicsNode that writes.
#include <algorithm>

#include "dds/dynamics_node.hpp"
#include "dds/translate.hpp"
#include "spatial_dynamics/runtime/output_values.hpp"

namespace spatial_dynamics::dds {
bool DynamicsNode::publish(const Robot& robot, const EngineOutputs& outputs) {
  const EngineOutputs& out = outputs;
  bool torque_went = true;
  if (out.send_torque) {
    torque_went = write_joint_vector(*torque_, robot, out.stamp, out.torque);
    if (torque_array_) write_array(*robot.joints(), out);
  }
  if (out.send_terms) {
    if (gravity_term_) {
      write_joint_vector(*gravity_term_, robot, out.stamp, out.terms.gravity);
      write_joint_vector(*coriolis_term_, robot, out.stamp, out.terms.coriolis);
      write_joint_vector(*inertial_term_, robot, out.stamp, out.terms.inertial);
      write_joint_vector(*friction_term_, robot, out.stamp, out.terms.friction);
      write_joint_vector(*external_term_, robot, out.stamp, out.terms.external);
    }
    if (mass_matrix_) write_mass_matrix(robot, out);
  }
  if (out.send_external_torque && external_torque_) {
    write_joint_vector(*external_torque_, robot, out.stamp, out.external_torque);
  }
  if (out.send_acceleration) write_acceleration(robot, out);
  if (base_wrench_) write_base(robot, out);
  return torque_went;
}

bool DynamicsNode::write_joint_vector(Writer<JointState>& writer, const Robot& robot,
                                      std::int64_t stamp, const VectorXd& values) {
  gather_velocities(robot, values, scratch_);
  joint_vector_->header.stamp = from_nanoseconds(stamp);
  assign(joint_vector_->header.frame_id, "");
  assign(joint_vector_->name, robot.names);
  assign(joint_vector_->effort, scratch_);
  const bool went = writer.write(*joint_vector_);
  if (!went) ++unsent_;
  return went;
}

void DynamicsNode::write_array(const JointSettings& joints, const EngineOutputs& outputs) {
  if (!array_values_.fill(joints, outputs, scratch_)) return;
  assign(array_->data, scratch_);
  if (!torque_array_->write(*array_)) ++unsent_;
}

void DynamicsNode::write_acceleration(const Robot& robot, const EngineOutputs& outputs) {
  const EngineOutputs& out = outputs;
  trajectory_->header.stamp = from_nanoseconds(out.stamp);
  assign(trajectory_->header.frame_id, "");
  assign(trajectory_->joint_names, robot.names);
  resize(trajectory_->points, 1);
  JointTrajectoryPoint& point = elements(trajectory_->points)[0];
  gather_positions(robot, out.q, scratch_);
  assign(point.positions, scratch_);
  gather_velocities(robot, out.v, scratch_);
  assign(point.velocities, scratch_);
  gather_velocities(robot, out.acceleration, scratch_);
  assign(point.accelerations, scratch_);
  if (!acceleration_->write(*trajectory_)) ++unsent_;
}

void DynamicsNode::write_base(const Robot& robot, const EngineOutputs& outputs) {
  const EngineOutputs& out = outputs;
  const std::string& base = robot.report.joints.front().child;
  if (out.send_acceleration) {
    AccelStamped& m = *base_acceleration_message_;
    m.header.stamp = from_nanoseconds(out.stamp);
    assign(m.header.frame_id, base);
    assign(m.accel.angular, Vector3(out.acceleration.head<3>()));
    assign(m.accel.linear, Vector3(out.acceleration.segment<3>(3)));
    if (!base_acceleration_->write(m)) ++unsent_;
  }
  if (out.send_torque) {
    WrenchStamped& m = *base_wrench_message_;
    m.header.stamp = from_nanoseconds(out.stamp);
    assign(m.header.frame_id, base);
    assign(m.wrench.torque, Vector3(out.torque.head<3>()));
    assign(m.wrench.force, Vector3(out.torque.segment<3>(3)));
    if (!base_wrench_->write(m)) ++unsent_;
  }
}

void DynamicsNode::write_mass_matrix(const Robot& robot, const EngineOutputs& outputs) {
  const auto n = static_cast<std::uint32_t>(robot.names.size());
  const std::string label = matrix_label(robot);
  resize(matrix_->layout.dim, 2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    MultiArrayDimension& dim = elements(matrix_->layout.dim)[i];
    assign(dim.label, label);
    dim.size = n;
    dim.stride = i == 0 ? n * n : n;
  }
  gather_matrix(robot, outputs.mass_matrix, scratch_);
  assign(matrix_->data, scratch_);
  if (!mass_matrix_->write(*matrix_)) ++unsent_;
}

void DynamicsNode::publish_report(const Diagnostics& diagnostics,
                                  const std::vector<Metric>& metrics) {
  Diagnostics d = diagnostics;
  const std::uint64_t unsent = unsent_.load();
  if (unsent > 0) d.values.emplace_back("messages the middleware refused", std::to_string(unsent));
  write_diagnostics(d);
  write_metrics(metrics);
}

Surroundings DynamicsNode::surroundings() const {
  Surroundings others;
  others.domain = node_.domain_id();
  if (states_reader_ && states_reader_->matched() == 0) {
    others.unpublished.push_back(states_reader_->topic());
  }
  if (odometry_reader_ && odometry_reader_->matched() == 0 && core_->needs_odometry()) {
    others.unpublished.push_back(odometry_reader_->topic());
  }
  if (description_reader_ && core_->robot() == nullptr && description_reader_->matched() == 0) {
    others.unpublished.push_back(description_reader_->topic());
  }
  return others;
}

void DynamicsNode::write_diagnostics(const Diagnostics& diagnostics) {
  const Diagnostics& d = diagnostics;
  DiagnosticArray& m = *diagnostics_message_;
  m.header.stamp = from_nanoseconds(ros_now());
  assign(m.header.frame_id, "");
  resize(m.status, 1);
  DiagnosticStatus& status = elements(m.status)[0];
  status.level = static_cast<std::uint8_t>(d.level);
  assign(status.name, node_.name().full() + ": rigid-body dynamics");
  assign(status.message, d.message);
  assign(status.hardware_id, "");
  resize(status.values, d.values.size());
  for (std::size_t i = 0; i < d.values.size(); ++i) {
    KeyValue& entry = elements(status.values)[i];
    assign(entry.key, d.values[i].first);
    assign(entry.value, d.values[i].second);
  }
  if (!diagnostics_->write(m)) ++unsent_;
}

void DynamicsNode::write_metrics(const std::vector<Metric>& metrics) {
  MetricsMessage& m = *metrics_message_;
  const std::int64_t stop = ros_now();
  for (const Metric& metric : metrics) {
    assign(m.measurement_source_name, node_.name().full());
    assign(m.metrics_source, metric.name);
    assign(m.unit, metric.unit);
    m.window_stop = from_nanoseconds(stop);
    m.window_start = from_nanoseconds(std::max<std::int64_t>(0, stop - 1'000'000'000));
    const auto points = statistic_points(metric);
    resize(m.statistics, std::size(points));
    for (std::size_t i = 0; i < std::size(points); ++i) {
      StatisticDataPoint& point = elements(m.statistics)[i];
      point.data_type = points[i].first;
      point.data = points[i].second;
    }
    if (!statistics_->write(m)) ++unsent_;
  }
}

}  // namespace spatial_dynamics::dds

#include "ros2/dynamics_publishers.hpp"

#include <chrono>
#include <rclcpp/create_publisher.hpp>

#include "ros2/qos.hpp"
#include "ros2/translate.hpp"

namespace spatial_dynamics::ros2 {

DynamicsPublishers::DynamicsPublishers(rclcpp_lifecycle::LifecycleNode& node, const Config& config,
                                       const NoteMismatch& note_mismatch)
    : name_(node.get_node_base_interface()->get_fully_qualified_name()), diagnostics_(node) {
  const auto advertise = [&](auto& output, const char* topic, const rclcpp::QoS& qos) {
    using Message = std::decay_t<decltype(output.message)>;
    rclcpp::PublisherOptions options;
    const std::string name = node.get_node_topics_interface()->resolve_topic_name(topic);
    output.publisher = noting_mismatches(options, name, note_mismatch, [&] {
      return rclcpp::create_publisher<Message>(node, topic, qos, options);
    });
  };
  advertise(torque_, "~/torque", output_qos());
  advertise(acceleration_, "~/acceleration", output_qos());
  if (config.publish.torque_array) advertise(torque_array_, "~/torque_array", output_qos());
  if (config.floating_base) {
    advertise(base_acceleration_, "~/base/acceleration", output_qos());
    advertise(base_wrench_, "~/base/wrench", output_qos());
  }
  if (config.publish.torque_terms) {
    advertise(gravity_, "~/torque/gravity", output_qos());
    advertise(coriolis_, "~/torque/coriolis", output_qos());
    advertise(inertial_, "~/torque/inertial", output_qos());
    advertise(friction_, "~/torque/friction", output_qos());
    advertise(external_, "~/torque/external", output_qos());
  }
  if (config.publish.external_torque) {
    advertise(external_torque_, "~/external_torque", output_qos());
  }
  if (config.publish.mass_matrix) advertise(mass_matrix_, "~/mass_matrix", output_qos());
  advertise(statistics_, "~/statistics", default_qos());
}

bool DynamicsPublishers::publish(const Robot& robot, const EngineOutputs& outputs) {
  const EngineOutputs& out = outputs;
  bool torque_went = true;
  if (out.send_torque) {
    torque_went = send_joint_vector(torque_, robot, out.stamp, out.torque);
    if (torque_array_ && array_values_.fill(*robot.joints(), out, torque_array_.message.data)) {
      send(torque_array_);
    }
  }
  if (out.send_terms) {
    if (gravity_) {
      send_joint_vector(gravity_, robot, out.stamp, out.terms.gravity);
      send_joint_vector(coriolis_, robot, out.stamp, out.terms.coriolis);
      send_joint_vector(inertial_, robot, out.stamp, out.terms.inertial);
      send_joint_vector(friction_, robot, out.stamp, out.terms.friction);
      send_joint_vector(external_, robot, out.stamp, out.terms.external);
    }
    if (mass_matrix_) send_mass_matrix(robot, out);
  }
  if (out.send_external_torque && external_torque_) {
    send_joint_vector(external_torque_, robot, out.stamp, out.external_torque);
  }
  if (out.send_acceleration) send_acceleration(robot, out);
  if (base_wrench_) send_base(robot, out);
  return torque_went;
}

bool DynamicsPublishers::send_joint_vector(Output<JointState>& output, const Robot& robot,
                                           std::int64_t stamp, const VectorXd& values) {
  output.message.header.stamp = to_time(stamp);
  output.message.name = robot.names;
  gather_velocities(robot, values, output.message.effort);
  return send(output);
}

void DynamicsPublishers::send_acceleration(const Robot& robot, const EngineOutputs& outputs) {
  JointTrajectory& m = acceleration_.message;
  m.header.stamp = to_time(outputs.stamp);
  m.joint_names = robot.names;
  m.points.resize(1);
  gather_positions(robot, outputs.q, m.points[0].positions);
  gather_velocities(robot, outputs.v, m.points[0].velocities);
  gather_velocities(robot, outputs.acceleration, m.points[0].accelerations);
  send(acceleration_);
}

void DynamicsPublishers::send_base(const Robot& robot, const EngineOutputs& outputs) {
  const EngineOutputs& out = outputs;
  const std::string& base = robot.report.joints.front().child;
  if (out.send_acceleration) {
    geometry_msgs::msg::AccelStamped& m = base_acceleration_.message;
    m.header.stamp = to_time(out.stamp);
    m.header.frame_id = base;
    assign(m.accel.angular, Vector3(out.acceleration.head<3>()));
    assign(m.accel.linear, Vector3(out.acceleration.segment<3>(3)));
    send(base_acceleration_);
  }
  if (out.send_torque) {
    geometry_msgs::msg::WrenchStamped& m = base_wrench_.message;
    m.header.stamp = to_time(out.stamp);
    m.header.frame_id = base;
    assign(m.wrench.torque, Vector3(out.torque.head<3>()));
    assign(m.wrench.force, Vector3(out.torque.segment<3>(3)));
    send(base_wrench_);
  }
}

void DynamicsPublishers::send_mass_matrix(const Robot& robot, const EngineOutputs& outputs) {
  Float64MultiArray& m = mass_matrix_.message;
  const auto n = static_cast<std::uint32_t>(robot.names.size());
  m.layout.dim.resize(2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    m.layout.dim[i].label = matrix_label(robot);
    m.layout.dim[i].size = n;
    m.layout.dim[i].stride = i == 0 ? n * n : n;
  }
  gather_matrix(robot, outputs.mass_matrix, m.data);
  send(mass_matrix_);
}

void DynamicsPublishers::publish_report(const Diagnostics& diagnostics,
                                        const std::vector<Metric>& metrics, std::int64_t now) {
  if (!diagnostics_.publish(diagnostics, now)) ++unsent_;
  for (const Metric& metric : metrics) {
    statistics_msgs::msg::MetricsMessage& m = statistics_.message;
    m.measurement_source_name = name_;
    m.metrics_source = metric.name;
    m.unit = metric.unit;
    m.window_start = to_time(now - kNanosecondsPerSecond);
    m.window_stop = to_time(now);
    m.statistics.clear();
    for (const auto& [type, value] : statistic_points(metric)) {
      m.statistics.emplace_back();
      m.statistics.back().data_type = type;
      m.statistics.back().data = value;
    }
    send(statistics_);
  }
}

bool DynamicsPublishers::arrived(std::chrono::milliseconds limit) const {
  try {
    return torque_.publisher->wait_for_all_acked(limit) &&
           (!torque_array_ || torque_array_.publisher->wait_for_all_acked(limit));
  } catch (const std::exception&) {  // the context has ended: nobody is reached any more
    return true;
  }
}

}  // namespace spatial_dynamics::ros2

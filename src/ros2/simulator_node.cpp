#include "spatial_dynamics/ros2/simulator_node.hpp"

#include <rclcpp_components/register_node_macro.hpp>

#include "ros2/log.hpp"
#include "ros2/parameters.hpp"
#include "ros2/qos.hpp"
#include "ros2/translate.hpp"
#include "spatial_dynamics/runtime/robot_source.hpp"

namespace spatial_dynamics {

SimulatorNode::SimulatorNode(const rclcpp::NodeOptions& options)
    : rclcpp::Node("robot_simulator", options) {
  std::vector<std::string> warnings;
  core_ = std::make_unique<SimulatorCore>(
      static_cast<SimulatorFrontEnd&>(*this),
      ros2::declare(*get_node_parameters_interface(), simulator_parameter_table(), warnings));
  for (const std::string& warning : warnings) log(LogLevel::kWarning, warning);
  const SimulatorConfig& config = core_->config();
  set_configured_robot(config, [this](std::string_view urdf) { core_->set_robot(urdf); });
  states_publisher_ =
      create_publisher<sensor_msgs::msg::JointState>("joint_states", ros2::default_qos());
  if (config.floating_base) {
    odometry_publisher_ = create_publisher<nav_msgs::msg::Odometry>("odom", ros2::default_qos());
  }
  if (config.publish_clock) {
    clock_publisher_ = create_publisher<rosgraph_msgs::msg::Clock>("/clock", ros2::default_qos());
  }
  core_->start();
  listen();
}

SimulatorNode::~SimulatorNode() { core_->stop(); }

void SimulatorNode::listen() {
  if (!core_->has_robot()) {
    rclcpp::SubscriptionOptions between_processes;  // as in DynamicsSession
    between_processes.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
    description_ = create_subscription<std_msgs::msg::String>(
        "robot_description", ros2::description_qos(),
        [this](const std_msgs::msg::String& m) {
          try {
            core_->set_robot(m.data);
          } catch (const std::exception& error) {
            log(LogLevel::kError, std::string("robot_description refused: ") + error.what());
          }
        },
        between_processes);
  }
  effort_ = create_subscription<sensor_msgs::msg::JointState>(
      "dynamics/torque", ros2::command_qos(),
      [this](const sensor_msgs::msg::JointState& m) { core_->on_effort(ros2::translate(m)); });
  pause_ = create_service<std_srvs::srv::SetBool>(
      "~/pause", [this](const std_srvs::srv::SetBool::Request::SharedPtr& request,
                        const std_srvs::srv::SetBool::Response::SharedPtr& response) {
        request->data ? core_->pause() : core_->resume();
        response->success = true;
        response->message = request->data ? "paused" : "running";
      });
  reset_ = create_service<std_srvs::srv::Trigger>(
      "~/reset", [this](const std_srvs::srv::Trigger::Request::SharedPtr&,
                        const std_srvs::srv::Trigger::Response::SharedPtr& response) {
        core_->reset();
        response->success = true;
        response->message = "at the start, brakes on until the next effort";
      });
}

void SimulatorNode::log(LogLevel level, const std::string& text) {
  ros2::write_log(get_logger(), level, text);
}

void SimulatorNode::publish(const Engine& robot, const Measurement& measurement, std::int64_t stamp,
                            std::int64_t clock) {
  const std::vector<ScalarCoordinate>& coordinates = robot.coordinates();
  state_.header.stamp = ros2::to_time(stamp);
  state_.name.resize(coordinates.size());
  state_.position.resize(coordinates.size());
  state_.velocity.resize(coordinates.size());
  state_.effort.resize(coordinates.size());
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    state_.name[k] = coordinates[k].name;
    state_.position[k] = measurement.q(coordinates[k].q);
    state_.velocity[k] = measurement.v(coordinates[k].v);
    state_.effort[k] = measurement.effort(coordinates[k].v);
  }
  states_publisher_->publish(state_);
  if (odometry_publisher_) send_odometry(robot, measurement, stamp);
  if (clock_publisher_) {
    clock_.clock = ros2::to_time(clock);
    clock_publisher_->publish(clock_);
  }
}

void SimulatorNode::send_odometry(const Engine& robot, const Measurement& measurement,
                                  std::int64_t stamp) {
  const VectorXd& q = measurement.q;
  const VectorXd& v = measurement.v;
  odometry_.header.stamp = ros2::to_time(stamp);
  odometry_.header.frame_id = "world";
  odometry_.child_frame_id = robot.model().link(0).name;
  ros2::assign(odometry_.pose.pose.position, Vector3(q.head<3>()));
  odometry_.pose.pose.orientation.x = q(3);
  odometry_.pose.pose.orientation.y = q(4);
  odometry_.pose.pose.orientation.z = q(5);
  odometry_.pose.pose.orientation.w = q(6);
  ros2::assign(odometry_.twist.twist.angular, Vector3(v.head<3>()));
  ros2::assign(odometry_.twist.twist.linear, Vector3(v.segment<3>(3)));
  odometry_publisher_->publish(odometry_);
}

}  // namespace spatial_dynamics

RCLCPP_COMPONENTS_REGISTER_NODE(spatial_dynamics::SimulatorNode)

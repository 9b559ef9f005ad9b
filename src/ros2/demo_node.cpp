#include "ros2/demo_node.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "ros2/log.hpp"
#include "ros2/parameters.hpp"
#include "ros2/qos.hpp"
#include "runtime/robot_source.hpp"

namespace spatial_dynamics::ros2 {
namespace {

using namespace std::chrono_literals;

}  // namespace

DemoNode::DemoNode(const rclcpp::NodeOptions& options)
    : rclcpp::Node("demo", options), log_(make_log(get_logger())) {
  RobotConfig config;
  config.robot_description = declare_parameter<std::string>("robot_description", "");
  config.urdf_file = declare_parameter<std::string>("urdf_file", "");
  config.floating_base = declare_parameter<bool>("floating_base", false);
  const Model model = load_robot(
      configured_urdf(config, pipe_patience(get_node_base_interface()->get_context())), config);
  VectorXd effort_limit = VectorXd::Constant(model.nv(), kUnlimited);
  for (const ScalarCoordinate& c : scalar_coordinates(model)) {
    names_.push_back(c.name);
    const bool planar = c.type == JointType::kPlanar;
    is_length_.push_back(c.type == JointType::kPrismatic || (planar && !c.wraps));
    effort_limit(c.v) = model.joint(c.joint).limits.effort;
  }
  motion_.emplace(names_.size(), SmoothReference(model, effort_limit));
  publisher_ = create_publisher<JointTrajectory>("dynamics/reference", to_rclcpp(kDefaultQos));
  states_ = create_subscription<JointState>("joint_states", to_rclcpp(kStreamQos),
                                            [this](const JointState& m) { on_states(m); });
  torques_ = create_subscription<JointState>("dynamics/torque", to_rclcpp(kStreamQos),
                                             [this](const JointState&) { driven_ = true; });
  send_timer_ = create_wall_timer(50ms, [this] { send_reference(); });
  report_timer_ = create_wall_timer(2s, [this] { report(); });
}

double DemoNode::seconds_since_begin(const rclcpp::Time& time) const {
  return (time - *begun_).seconds();
}

void DemoNode::on_states(const JointState& states) {
  if (states.name != names_ || states.position.size() != names_.size()) return;
  if (!begun_) {
    if (!driven_) return;
    begun_ = now();
    motion_->begin(states.position);
  }
  const double t = seconds_since_begin(rclcpp::Time(states.header.stamp, now().get_clock_type()));
  motion_->measure(t, states.position);
}

void DemoNode::send_reference() {
  if (!begun_) return;
  const rclcpp::Time time = now();
  piece_.header.stamp = time - rclcpp::Duration::from_seconds(SmoothReference::kPastSeconds);
  piece_.joint_names = names_;
  piece_.points.resize(SmoothReference::kKnots);
  motion_->for_each_knot(seconds_since_begin(time),
                         [this](std::size_t i, double ahead, const MotionPoint& point) {
                           piece_.points[i].positions = point.position;
                           piece_.points[i].velocities = point.velocity;
                           piece_.points[i].accelerations = point.acceleration;
                           piece_.points[i].time_from_start = rclcpp::Duration::from_seconds(ahead);
                         });
  publisher_->publish(piece_);
}

void DemoNode::report() {
  if (!motion_ || motion_->count() == 0) {
    log_->push(LogLevel::kInfo, "", "waiting for joint_states and dynamics/torque");
    return;
  }
  std::string text;
  for (const bool lengths : {false, true}) {
    double squares = 0.0, largest = 0.0;
    int count = 0;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      if (is_length_[k] != lengths) continue;
      squares += motion_->rms(k) * motion_->rms(k);
      largest = std::max(largest, motion_->largest(k));
      ++count;
    }
    if (count == 0) continue;
    char part[64];
    std::snprintf(part, sizeof part, "rms %.3f, at most %.3f %s", 1e3 * std::sqrt(squares / count),
                  1e3 * largest, lengths ? "mm" : "mrad");
    text.append(text.empty() ? "tracking error: " : "; ").append(part);
  }
  log_->push(LogLevel::kInfo, "", text);
  motion_->reset_errors();
}

}  // namespace spatial_dynamics::ros2

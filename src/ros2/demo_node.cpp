#include "ros2/demo_node.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <utility>

#include "ros2/log.hpp"
#include "ros2/pipe_patience.hpp"
#include "ros2/qos.hpp"
#include "runtime/robot_source.hpp"

namespace spatial_dynamics::ros2 {
namespace {

using namespace std::chrono_literals;

constexpr double kSettlingSeconds = 1.0;

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
  reference_.emplace(model, effort_limit);
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
    reference_->begin(states.position);
  }
  const double t = seconds_since_begin(rclcpp::Time(states.header.stamp, now().get_clock_type()));
  if (t < kSettlingSeconds) return;
  reference_->sample(t, point_);
  for (std::size_t k = 0; k < names_.size(); ++k) {
    const double error = states.position[k] - point_.position[k];
    Errors& errors = is_length_[k] ? lengths_ : angles_;
    errors.squares += error * error;
    errors.largest = std::max(errors.largest, std::abs(error));
    ++errors.count;
  }
}

void DemoNode::send_reference() {
  if (!begun_) return;
  const rclcpp::Time start = now() - rclcpp::Duration::from_seconds(SmoothReference::kPastSeconds);
  piece_.header.stamp = start;
  piece_.joint_names = names_;
  piece_.points.resize(SmoothReference::kKnots);
  for (std::size_t i = 0; i < piece_.points.size(); ++i) {
    const double ahead = static_cast<double>(i) * SmoothReference::kKnotSeconds;
    reference_->sample(seconds_since_begin(start) + ahead, point_);
    piece_.points[i].positions = point_.position;
    piece_.points[i].velocities = point_.velocity;
    piece_.points[i].accelerations = point_.acceleration;
    piece_.points[i].time_from_start = rclcpp::Duration::from_seconds(ahead);
  }
  publisher_->publish(piece_);
}

void DemoNode::report() {
  if (angles_.count + lengths_.count == 0) {
    log_->push(LogLevel::kInfo, "", "waiting for joint_states and dynamics/torque");
    return;
  }
  std::string text;
  for (const auto& [errors, unit] : {std::pair(angles_, "mrad"), std::pair(lengths_, "mm")}) {
    if (errors.count == 0) continue;
    char part[64];
    std::snprintf(part, sizeof part, "rms %.3f, at most %.3f %s",
                  1e3 * std::sqrt(errors.squares / static_cast<double>(errors.count)),
                  1e3 * errors.largest, unit);
    text.append(text.empty() ? "tracking error: " : "; ").append(part);
  }
  log_->push(LogLevel::kInfo, "", text);
  angles_ = lengths_ = {};
}

}  // namespace spatial_dynamics::ros2

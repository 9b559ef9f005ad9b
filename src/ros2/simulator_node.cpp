#include "ros2/simulator_node.hpp"

#include <rclcpp_components/register_node_macro.hpp>

#include "ros2/log.hpp"
#include "ros2/middleware.hpp"
#include "ros2/parameters.hpp"
#include "ros2/rivals.hpp"
#include "runtime/parameters_table.hpp"
#include "runtime/robot_source.hpp"
#include "runtime/simulator_messages.hpp"

namespace spatial_dynamics {

using namespace std::chrono_literals;

SimulatorNode::SimulatorNode(const rclcpp::NodeOptions& options)
    : rclcpp::Node("robot_simulator", options),
      log_(ros2::make_log(get_logger())),
      outputs_(std::make_shared<SimulatorPublishers<ros2::Rclcpp>>()) {
  std::vector<std::string> warnings;
  const ParameterSet parameters =
      ros2::declare(*get_node_parameters_interface(), simulator_parameter_table(), warnings);
  core_ = std::make_unique<SimulatorCore>(static_cast<SimulatorFrontEnd&>(*this), parameters);
  for (const std::string& warning : warnings) log(LogLevel::kWarning, warning);
  set_configured_robot(
      core_->config(), [this](std::string_view urdf) { core_->set_robot(urdf); },
      ros2::pipe_patience(get_node_base_interface()->get_context()));
  const TopicTable topics = enabled_topics(simulator_topic_table(), parameters);
  const ros2::NoteMismatch note = log_mismatches(
      [log = log_](LogLevel level, const std::string& text) { log->push(level, "", text); });
  for (const TopicDescription& row : topics) {
    if (row.direction != TopicDescription::Direction::kOut) continue;
    outputs_->advertise(row, ros2::creator(*this, row, note));
  }
  core_->start();
  for (const TopicDescription& row : topics) {
    if (row.direction != TopicDescription::Direction::kIn) continue;
    subscribe(row, note);
  }
  offer_services();
}

SimulatorNode::~SimulatorNode() { core_->stop(); }

void SimulatorNode::subscribe(const TopicDescription& row,
                              const std::function<void(const QosMismatch&)>& note) {
  const std::string name = get_node_topics_interface()->resolve_topic_name(row.name);
  subscribe_simulator_input<ros2::Rclcpp>(row, [&](auto tag, auto deliver) {
    using T = typename decltype(tag)::Type;
    rclcpp::SubscriptionOptions options;
    if (row.qos.durability == Durability::kTransientLocal) {
      // rclcpp has no transient-local messages within a process.
      options.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
    }
    inputs_[row.topic] = ros2::noting_mismatches(options, name, note, [&] {
      return create_subscription<T>(
          row.name, ros2::to_rclcpp(row.qos), [this, deliver](const T& m) { deliver(*core_, m); },
          options);
    });
  });
}

void SimulatorNode::offer_services() {
  effort_timer_ = create_wall_timer(1s, [this] { note_effort_publishers(); });
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

void SimulatorNode::note_effort_publishers() {
  const std::string topic = inputs_.at(Topic::kEffort)->get_topic_name();
  std::vector<std::string> nodes;
  for (const auto& endpoint : get_publishers_info_by_topic(topic)) {
    nodes.push_back(ros2::node_of(endpoint));
  }
  core_->set_effort_publishers(topic, std::move(nodes));
}

void SimulatorNode::log(LogLevel level, const std::string& text) { log_->push(level, "", text); }

bool SimulatorNode::publish(const Coordinates& coordinates, const Measurement& measurement,
                            std::int64_t stamp, std::int64_t clock) {
  return outputs_->publish(coordinates, measurement, stamp, clock);
}

}  // namespace spatial_dynamics

RCLCPP_COMPONENTS_REGISTER_NODE(spatial_dynamics::SimulatorNode)

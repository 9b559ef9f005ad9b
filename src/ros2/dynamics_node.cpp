#include "spatial_dynamics/ros2/dynamics_node.hpp"

#include <rclcpp/version.h>
#include <algorithm>
#include <chrono>
#include <exception>
#include <lifecycle_msgs/msg/state.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <string>
#include <utility>

#include "ros2/diagnostics.hpp"
#include "ros2/dynamics_session.hpp"
#include "ros2/parameters.hpp"
#include "spatial_dynamics/model/model_error.hpp"

namespace spatial_dynamics {
namespace {

using namespace std::chrono_literals;

/// A low torque_rate_limit makes ramps longer than whoever ends the process waits (launch kills after 5 s): then zero is sent at once.
constexpr std::chrono::milliseconds kLongestEnd = 900ms;

/// The nodes of this process. A context calls those that wait for its end one after another; by this list the first one begins
/// the ramps of all.
class Siblings {
 public:
  void add(DynamicsNode& node) {
    const std::lock_guard<std::mutex> lock(mutex_);
    nodes_.push_back(&node);
  }
  void remove(const DynamicsNode& node) {
    const std::lock_guard<std::mutex> lock(mutex_);
    nodes_.erase(std::remove(nodes_.begin(), nodes_.end(), &node), nodes_.end());
  }
  template <typename Visit>
  void for_each(const Visit& visit) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (DynamicsNode* const node : nodes_) visit(*node);
  }

 private:
  std::mutex mutex_;
  std::vector<DynamicsNode*> nodes_;
};

Siblings& siblings() {
  static Siblings all;
  return all;
}

/// What to do after configure has failed. Parameters that are not live are read-only in ROS 2: they take another start.
std::string remedy_of(const std::exception& error, const ParameterSet& parameters,
                      const std::string& node) {
  const std::string configure = "then: ros2 lifecycle set " + node + " configure";
  const auto restart = [](const std::string& parameter) {
    return "restart the node with another value of " + parameter + ", which is read once, at start";
  };
  if (const auto* const refused = dynamic_cast<const ParameterError*>(&error)) {
    const ParameterDescription* const row = find_parameter(parameter_table(), refused->parameter());
    if (row != nullptr && !row->live) return restart(row->name);
  }
  if (dynamic_cast<const ModelError*>(&error) != nullptr) {
    if (!parameters.get_text("robot_description").empty()) return restart("robot_description");
    return "mend the file, " + configure + " (another urdf_file takes a restart)";
  }
  return "mend it, " + configure;
}

}  // namespace

DynamicsNode::DynamicsNode(const rclcpp::NodeOptions& options)
    : rclcpp_lifecycle::LifecycleNode("dynamics", options) {
  std::vector<std::string> warnings;
  parameters_ = ros2::declare(*get_node_parameters_interface(), parameter_table(), warnings);
  for (const std::string& warning : warnings) RCLCPP_WARN(get_logger(), "%s", warning.c_str());
  diagnostics_ = std::make_shared<ros2::DiagnosticsPublisher>(*this);
  report_timer_ = create_wall_timer(1s, [this] { tell_why_not(); });
#if RCLCPP_VERSION_GTE(20, 0, 0)  // not in Humble
  before_set_handle_ = add_pre_set_parameters_callback([](std::vector<rclcpp::Parameter>& changes) {
    ros2::replace_empty_arrays(parameter_table(), changes);
  });
#endif
  on_set_handle_ = add_on_set_parameters_callback(
      [this](const std::vector<rclcpp::Parameter>& changes) { return on_set(changes); });
  siblings().add(*this);
  // Called before the context ends, on the thread that ends it, so that the executor goes on reading states during the ramp.
  before_shutdown_handle_ = get_node_base_interface()->get_context()->add_pre_shutdown_callback(
      [this] { before_shutdown(); });
  if (parameters_.get_bool("autostart")) {
    autostart_timer_ = create_wall_timer(0ms, [this] { autostart(); });
  }
}

DynamicsNode::~DynamicsNode() {
  siblings().remove(*this);
  // Waits for before_shutdown() if it runs.
  get_node_base_interface()->get_context()->remove_pre_shutdown_callback(*before_shutdown_handle_);
  if (session_) session_->finish(kLongestEnd);
  if (ending_) ending_->finish(kLongestEnd);
}

void DynamicsNode::autostart() {
  autostart_timer_->cancel();
  const std::uint8_t unconfigured = lifecycle_msgs::msg::State::PRIMARY_STATE_UNCONFIGURED;
  const std::uint8_t inactive = lifecycle_msgs::msg::State::PRIMARY_STATE_INACTIVE;
  if (get_current_state().id() == unconfigured) configure();
  if (get_current_state().id() == inactive) activate();
}

DynamicsNode::Answer DynamicsNode::on_configure(const rclcpp_lifecycle::State&) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (shutdown_begun_) return Answer::FAILURE;
  if (ending_ && !ending_->ended()) {
    RCLCPP_ERROR(get_logger(),
                 "configure is refused while the torque from before the cleanup is still being "
                 "ramped to zero: try again when the ramp (ramp_s, torque_rate_limit) is over");
    return Answer::FAILURE;
  }
  ending_.reset();
  refusal_.clear();
  try {
    session_ = ros2::DynamicsSession::open(*this, parameters_);
  } catch (const std::exception& error) {
    refusal_ = error.what();
    RCLCPP_ERROR(get_logger(), "%s", error.what());
    const std::string remedy =
        remedy_of(error, parameters_, get_node_base_interface()->get_fully_qualified_name());
    RCLCPP_ERROR(get_logger(), "not configured; %s", remedy.c_str());
    return Answer::FAILURE;
  }
  return Answer::SUCCESS;
}

DynamicsNode::Answer DynamicsNode::on_activate(const rclcpp_lifecycle::State&) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (shutdown_begun_) return Answer::FAILURE;
  session_->activate();
  return Answer::SUCCESS;
}

DynamicsNode::Answer DynamicsNode::on_deactivate(const rclcpp_lifecycle::State&) {
  const std::lock_guard<std::mutex> lock(mutex_);
  session_->deactivate();
  return Answer::SUCCESS;
}

DynamicsNode::Answer DynamicsNode::on_cleanup(const rclcpp_lifecycle::State&) {
  end_session();
  return Answer::SUCCESS;
}

DynamicsNode::Answer DynamicsNode::on_shutdown(const rclcpp_lifecycle::State&) {
  end_session();
  return Answer::SUCCESS;
}

DynamicsNode::Answer DynamicsNode::on_error(const rclcpp_lifecycle::State&) {
  end_session();
  return Answer::SUCCESS;
}

void DynamicsNode::end_session() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!session_) return;
  session_->deactivate();
  ending_ = std::move(session_);
  if (!ending_timer_) ending_timer_ = create_wall_timer(10ms, [this] { let_go_when_ended(); });
  ending_timer_->reset();
}

void DynamicsNode::let_go_when_ended() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (shutdown_begun_) return;  // before_shutdown() ends it, on another thread
  if (ending_ && !ending_->ended()) return;
  ending_timer_->cancel();
  ending_.reset();
}

void DynamicsNode::begin_shutdown() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (shutdown_begun_) return;
  shutdown_begun_ = std::chrono::steady_clock::now();
  if (session_) session_->deactivate();
}

void DynamicsNode::before_shutdown() {
  const auto context = get_node_base_interface()->get_context();
  siblings().for_each([&context](DynamicsNode& node) {
    if (node.get_node_base_interface()->get_context() == context) node.begin_shutdown();
  });
  begin_shutdown();  // being made or unmade, the node may not be among them
  std::shared_ptr<ros2::DynamicsSession> session;
  std::chrono::milliseconds left{};
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    session = session_ ? session_ : ending_;
    left = std::chrono::duration_cast<std::chrono::milliseconds>(*shutdown_begun_ + kLongestEnd -
                                                                 std::chrono::steady_clock::now());
  }
  if (session) session->finish(std::max(left, 0ms));
}

void DynamicsNode::tell_why_not() {
  const std::string state = get_current_state().label();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (session_ || ending_) return;  // which reports itself
  Diagnostics d;
  d.level = refusal_.empty() ? Diagnostics::Level::kWarning : Diagnostics::Level::kError;
  d.message = "the node is " + state + (refusal_.empty() ? "" : ": " + refusal_);
  d.values = {{"phase", state}};
  diagnostics_->publish(d, get_clock()->now().nanoseconds());
}

rcl_interfaces::msg::SetParametersResult DynamicsNode::on_set(
    const std::vector<rclcpp::Parameter>& changes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  rcl_interfaces::msg::SetParametersResult result;
  result.successful = true;
  try {
    ParameterSet next = parameters_;
    const auto ours = ros2::changes_of(parameter_table(), changes);
    for (const auto& [name, value] : ours) next.change(name, value);
    if (session_) {
      session_->set_parameters(ours);
    } else {
      make_config(next);  // do they fit together?
    }
    parameters_ = std::move(next);
  } catch (const std::exception& error) {
    result.successful = false;
    result.reason = error.what();
  }
  return result;
}

}  // namespace spatial_dynamics

RCLCPP_COMPONENTS_REGISTER_NODE(spatial_dynamics::DynamicsNode)

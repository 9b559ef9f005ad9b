#include "ros2/dynamics_node.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <lifecycle_msgs/msg/state.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <string>
#include <utility>

#include "ros2/dynamics_session.hpp"
#include "ros2/log.hpp"
#include "ros2/middleware.hpp"
#include "ros2/parameter_callbacks.hpp"
#include "ros2/parameters.hpp"
#include "ros2/siblings.hpp"
#include "runtime/configure_remedy.hpp"
#include "runtime/parameters_table.hpp"
#include "runtime/problems.hpp"

namespace spatial_dynamics {
namespace {

using namespace std::chrono_literals;

}  // namespace

DynamicsNode::DynamicsNode(const rclcpp::NodeOptions& options)
    : rclcpp_lifecycle::LifecycleNode("dynamics", options) {
  log_ = ros2::make_log(get_logger());
  std::vector<std::string> warnings;
  parameters_ = ros2::declare(*get_node_parameters_interface(), parameter_table(), warnings);
  for (const std::string& warning : warnings) log_->push(LogLevel::kWarning, "", warning);
  diagnostics_ = std::make_shared<OutputPublishers<ros2::Rclcpp>>(
      get_node_base_interface()->get_fully_qualified_name());
  report_timer_ = create_wall_timer(1s, [this] { report_without_session(); });
  callbacks_ = std::make_shared<ros2::ParameterCallbacks>(
      *this, parameter_table(), log_, [this](const ParameterChanges& changes) { check(changes); },
      [this](const ParameterChanges& changes) { apply(changes); });
  ros2::siblings<DynamicsNode>().add(*this);
  // Called before the context ends, on the thread that ends it, so that the executor goes on
  // delivering states during the ramp.
  before_shutdown_handle_ = get_node_base_interface()->get_context()->add_pre_shutdown_callback(
      [this] { before_shutdown(); });
  join_topics_of_every_state();
  if (parameters_.get_bool("autostart")) {
    autostart_timer_ = create_wall_timer(0ms, [this] { autostart(); });
  }
}

DynamicsNode::~DynamicsNode() {
  ros2::siblings<DynamicsNode>().remove(*this);
  // Waits for before_shutdown() if it runs.
  get_node_base_interface()->get_context()->remove_pre_shutdown_callback(*before_shutdown_handle_);
  if (session_) session_->core().finish(kLongestFinalRamp);
  if (ending_) ending_->core().finish(kLongestFinalRamp);
}

void DynamicsNode::autostart() {
  autostart_timer_.reset();
  const std::uint8_t unconfigured = lifecycle_msgs::msg::State::PRIMARY_STATE_UNCONFIGURED;
  const std::uint8_t inactive = lifecycle_msgs::msg::State::PRIMARY_STATE_INACTIVE;
  if (get_current_state().id() == unconfigured) configure();
  if (get_current_state().id() == inactive) activate();
}

void DynamicsNode::join_topics_of_every_state() {
  const ros2::NoteMismatch note = log_mismatches(
      [log = log_](LogLevel level, const std::string& text) { log->push(level, "", text); });
  for (const TopicDescription& row : topic_table()) {
    if (!is_of_every_state(row.topic)) continue;
    if (row.direction == TopicDescription::Direction::kOut) {
      diagnostics_->advertise(row, ros2::creator(*this, row, note));
    } else {
      listen_for_activation(row, note);
      offer_acknowledge();
    }
  }
}

void DynamicsNode::listen_for_activation(const TopicDescription& row,
                                         const ros2::NoteMismatch& note) {
  rclcpp::SubscriptionOptions options;
  active_subscription_ = ros2::noting_mismatches(
      options, get_node_topics_interface()->resolve_topic_name(row.name), note, [&] {
        return create_subscription<std_msgs::msg::Bool>(
            row.name, ros2::to_rclcpp(row.qos),
            [this](const std_msgs::msg::Bool& m, const rclcpp::MessageInfo& info) {
              set_active(m.data, "publisher " + ros2::publisher_name(info));
            },
            options);
      });
  active_service_ = create_service<std_srvs::srv::SetBool>(
      row.name, [this](const std_srvs::srv::SetBool::Request::SharedPtr& request,
                       const std_srvs::srv::SetBool::Response::SharedPtr& response) {
        const ActivationCommand command = set_active(request->data, "the service");
        response->success = !command.rejected();
        response->message = command.result();
      });
}

void DynamicsNode::offer_acknowledge() {
  acknowledge_service_ = create_service<std_srvs::srv::Trigger>(
      "~/acknowledge", [this](const std_srvs::srv::Trigger::Request::SharedPtr&,
                              const std_srvs::srv::Trigger::Response::SharedPtr& response) {
        const std::lock_guard<std::mutex> lock(mutex_);
        response->success = session_ && session_->core().on_acknowledge();
        response->message =
            response->success ? "the contact is acknowledged" : "there is no contact";
      });
}

ActivationCommand DynamicsNode::set_active(bool active, const std::string& source) {
  const ActivationCommand command{active, source, try_set_active(active)};
  log_activation(command, activations_);
  const std::lock_guard<std::mutex> lock(mutex_);
  last_command_ = command.text();
  if (session_) session_->core().note_activation_command(last_command_);
  return command;
}

std::string DynamicsNode::try_set_active(bool active) {
  using lifecycle_msgs::msg::State;
  const std::uint8_t wanted = active ? State::PRIMARY_STATE_ACTIVE : State::PRIMARY_STATE_INACTIVE;
  const std::uint8_t state = get_current_state().id();
  if (state != State::PRIMARY_STATE_ACTIVE && state != State::PRIMARY_STATE_INACTIVE) {
    return "the node is " + get_current_state().label() +
           "; configure it first: ros2 lifecycle set " +
           get_node_base_interface()->get_fully_qualified_name() + " configure";
  }
  if (state == wanted) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (shutdown_begun_ || !session_) return "the node is ending";
    if (active) session_->core().activate();
    return "";
  }
  const std::uint8_t after = (active ? activate() : deactivate()).id();
  return after == wanted ? "" : "the lifecycle transition failed; see the log";
}

DynamicsNode::Answer DynamicsNode::on_configure(const rclcpp_lifecycle::State&) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (shutdown_begun_) return Answer::FAILURE;
  if (ending_ && !ending_->core().finished()) {
    log_->push(LogLevel::kError, "",
               "configure is rejected while the torque from before the cleanup is still being "
               "ramped to zero, or a robot description is still being loaded: try again");
    return Answer::FAILURE;
  }
  ending_.reset();
  rejection_.clear();
  try {
    const GiveUp patience = ros2::pipe_patience(get_node_base_interface()->get_context());
    session_ = ros2::DynamicsSession::open(*this, parameters_, log_,
                                           [this, &patience] { return is_ending_ || patience(); });
    session_->core().note_activation_command(last_command_);
  } catch (const std::exception& error) {
    rejection_ = error.what();
    log_->push(LogLevel::kError, "", error.what());
    const std::string remedy =
        configure_remedy(error, parameters_, get_node_base_interface()->get_fully_qualified_name());
    log_->push(LogLevel::kError, "", "not configured; " + remedy);
    return Answer::FAILURE;
  }
  return Answer::SUCCESS;
}

DynamicsNode::Answer DynamicsNode::on_activate(const rclcpp_lifecycle::State&) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (shutdown_begun_) return Answer::FAILURE;
  session_->core().activate();
  return Answer::SUCCESS;
}

DynamicsNode::Answer DynamicsNode::on_deactivate(const rclcpp_lifecycle::State&) {
  const std::lock_guard<std::mutex> lock(mutex_);
  session_->core().deactivate();
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
  session_->core().deactivate();
  parameters_ = session_->core().parameters();
  ending_ = std::move(session_);
  ending_timer_ = create_wall_timer(10ms, [this] { release_when_ended(); });
}

void DynamicsNode::release_when_ended() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (shutdown_begun_) return;  // before_shutdown() ends it, on another thread
  if (ending_ && !ending_->core().finished()) return;
  ending_timer_.reset();
  ending_.reset();
}

void DynamicsNode::begin_shutdown() {
  is_ending_ = true;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (shutdown_begun_) return;
  shutdown_begun_ = std::chrono::steady_clock::now();
  if (session_) session_->core().deactivate();
}

void DynamicsNode::before_shutdown() {
  const auto context = get_node_base_interface()->get_context();
  ros2::siblings<DynamicsNode>().for_each([&context](DynamicsNode& node) {
    if (node.get_node_base_interface()->get_context() == context) node.begin_shutdown();
  });
  begin_shutdown();  // during construction and destruction the node may not be among them
  std::shared_ptr<ros2::DynamicsSession> session;
  std::chrono::milliseconds left{};
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    session = session_ ? session_ : ending_;
    left = std::chrono::duration_cast<std::chrono::milliseconds>(
        *shutdown_begun_ + kLongestFinalRamp - std::chrono::steady_clock::now());
  }
  if (session) session->core().finish(std::max(left, 0ms));
}

void DynamicsNode::report_without_session() {
  const std::string state = get_current_state().label();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (session_ || ending_) return;  // which sends reports itself
  Diagnostics d;
  d.values = {{"phase", state},
              {"active", "false"},
              {"log lines lost", std::to_string(log_->lost())},
              {kActivationCommandKey, last_command_}};
  Problems problems;
  if (rejection_.empty()) {
    problems.add(Diagnostics::Level::kWarning, "the node is " + state);
  } else {
    problems.add(Diagnostics::Level::kError, "the node is " + state + ": " + rejection_);
  }
  problems.write_to(d, "");
  diagnostics_->publish_diagnostics(d, get_clock()->now().nanoseconds());
}

void DynamicsNode::check(const ParameterChanges& changes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (session_) {
    session_->core().check_parameters(changes);
  } else {
    (void)changed(parameters_, changes);
  }
}

void DynamicsNode::apply(const ParameterChanges& changes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (session_) {
    session_->core().set_parameters(changes);
  } else {
    parameters_ = changed(parameters_, changes);
  }
  if (!ending_) return;
  // Its robot is still driven, while its torque ramps to zero. It gets each change by itself: what
  // does not fit it, such as a rate below its deadline, must not keep limits from it.
  for (const auto& [name, value] : changes) {
    try {
      ending_->core().set_parameter(name, value);
    } catch (const ParameterError&) {  // applies from the next configure on
    }
  }
}

}  // namespace spatial_dynamics

RCLCPP_COMPONENTS_REGISTER_NODE(spatial_dynamics::DynamicsNode)

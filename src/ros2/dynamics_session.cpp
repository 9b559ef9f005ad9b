#include "ros2/dynamics_session.hpp"

#include <algorithm>
#include <rclcpp/create_subscription.hpp>

#include "ros2/log.hpp"
#include "ros2/qos.hpp"
#include "ros2/translate.hpp"
#include "spatial_dynamics/runtime/robot_source.hpp"

namespace spatial_dynamics::ros2 {
namespace {

/// For the last torque to arrive; who has not acknowledged it by then is gone, or hangs.
constexpr std::chrono::milliseconds kLongestWayOut(100);

}  // namespace

std::shared_ptr<DynamicsSession> DynamicsSession::open(rclcpp_lifecycle::LifecycleNode& node,
                                                       const ParameterSet& parameters) {
  std::shared_ptr<DynamicsSession> session(new DynamicsSession(node, parameters));
  const Config config = session->core_.config();
  set_configured_robot(config, [&](std::string_view urdf) { session->set_robot(urdf); });
  session->publishers_.emplace(node, config, session->note_mismatch("subscriber"));
  session->subscribe(node);  // first: reports, once they begin, ask who publishes
  session->core_.start();
  return session;
}

DynamicsSession::DynamicsSession(rclcpp_lifecycle::LifecycleNode& node,
                                 const ParameterSet& parameters)
    : logger_(node.get_logger()),
      clock_(node.get_clock()),
      graph_(node.get_node_graph_interface()),
      name_(node.get_node_base_interface()->get_fully_qualified_name()),
      domain_(node.get_node_base_interface()->get_context()->get_domain_id()),
      core_(*this, parameters) {}

DynamicsSession::~DynamicsSession() {
  core_.stop();
}  // before the subscriptions that reports look at

void DynamicsSession::set_robot(std::string_view urdf) {
  core_.set_robot(urdf);
  for (const auto& [level, text] : introduce(*core_.robot())) log(level, text);
}

void DynamicsSession::subscribe(rclcpp_lifecycle::LifecycleNode& node) {
  // Callbacks may still run on another thread when the session ends.
  const std::weak_ptr<DynamicsSession> self = weak_from_this();
  const auto topics = node.get_node_topics_interface();
  const NoteMismatch note = note_mismatch("publisher");
  const auto listen = [&](auto message, const char* topic, const rclcpp::QoS& qos, auto handle) {
    using Message = decltype(message);
    rclcpp::SubscriptionOptions options;
    subscriptions_.push_back(
        noting_mismatches(options, topics->resolve_topic_name(topic), note, [&] {
          return rclcpp::create_subscription<Message>(
              node, topic, qos,
              [self, handle](const Message& m, const rclcpp::MessageInfo& info) {
                if (const auto session = self.lock()) handle(session->core_, m, info);
              },
              options);
        }));
  };
  using Info = const rclcpp::MessageInfo&;
  listen(sensor_msgs::msg::JointState(), "joint_states", stream_qos(),
         [](DynamicsCore& core, const auto& m, Info info) {
           core.on_joint_states(translate(m, publisher_of(info)));
         });
  states_ = subscriptions_.back();
  listen(nav_msgs::msg::Odometry(), "odom", stream_qos(),
         [](DynamicsCore& core, const auto& m, Info) { core.on_odometry(translate(m)); });
  odometry_ = subscriptions_.back();
  listen(trajectory_msgs::msg::JointTrajectory(), "~/reference", command_qos(),
         [](DynamicsCore& core, const auto& m, Info) { core.on_reference(translate(m)); });
  listen(sensor_msgs::msg::JointState(), "~/effort_command", command_qos(),
         [](DynamicsCore& core, const auto& m, Info) { core.on_effort_command(translate(m)); });
  listen(geometry_msgs::msg::WrenchStamped(), "~/external_wrench", command_qos(),
         [](DynamicsCore& core, const auto& m, Info) { core.on_wrench(translate(m)); });
  listen(geometry_msgs::msg::InertiaStamped(), "~/payload", command_qos(),
         [](DynamicsCore& core, const auto& m, Info) { core.on_payload(translate(m)); });
  listen(geometry_msgs::msg::Vector3Stamped(), "~/gravity", command_qos(),
         [](DynamicsCore& core, const auto& m, Info) { core.on_gravity(translate(m)); });

  if (core_.robot() == nullptr) await_robot(node);  // the parameters did not give it
}

void DynamicsSession::await_robot(rclcpp_lifecycle::LifecycleNode& node) {
  const auto take = [self = weak_from_this()](const std_msgs::msg::String& m) {
    const auto session = self.lock();
    if (!session) return;
    try {
      session->set_robot(m.data);
    } catch (const std::exception& error) {
      session->log(LogLevel::kError, std::string("robot_description refused: ") + error.what());
    }
  };
  rclcpp::SubscriptionOptions
      between_processes;  // within one, older ROS 2 can't keep the last message for who comes late
  between_processes.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  constexpr const char* kTopic = "robot_description";
  description_ = noting_mismatches(between_processes,
                                   node.get_node_topics_interface()->resolve_topic_name(kTopic),
                                   note_mismatch("publisher"), [&] {
                                     return rclcpp::create_subscription<std_msgs::msg::String>(
                                         node, kTopic, description_qos(), take, between_processes);
                                   });
}

NoteMismatch DynamicsSession::note_mismatch(const char* peer) {
  return [self = weak_from_this(), peer](const std::string& topic, const std::string& policy) {
    const auto session = self.lock();
    if (!session) return;
    std::string sentence = "topic '";
    sentence.append(topic).append("': a ").append(peer).append(" was found whose ").append(policy);
    session->log(LogLevel::kWarning,
                 sentence.append(" does not fit ours; nothing goes between us."));
    session->core_.note_incompatible_qos(topic, policy);
  };
}

bool DynamicsSession::ended() {
  if (!core_.idle()) return false;
  const auto now = std::chrono::steady_clock::now();
  if (!last_word_) {
    core_.stop();  // sends the zero, if it has not gone out yet
    last_word_ = now;
  }
  return publishers_->arrived(std::chrono::milliseconds(0)) || now - *last_word_ > kLongestWayOut;
}

void DynamicsSession::finish(std::chrono::milliseconds limit) {
  if (!core_.finish(limit)) {
    log(LogLevel::kWarning, "the torque was set to zero before its ramp had ended");
  }
  (void)publishers_->arrived(kLongestWayOut);
}

bool DynamicsSession::publish(const Robot& robot, const EngineOutputs& outputs) {
  return publishers_->publish(robot, outputs);
}

void DynamicsSession::publish_report(const Diagnostics& diagnostics,
                                     const std::vector<Metric>& metrics) {
  Diagnostics d = diagnostics;
  if (const std::uint64_t unsent = publishers_->unsent(); unsent > 0) {
    d.values.emplace_back("messages the middleware refused", std::to_string(unsent));
  }
  publishers_->publish_report(d, metrics, ros_now());
}

Surroundings DynamicsSession::surroundings() const {
  Surroundings others;
  others.domain = domain_;
  try {
    if (states_ && states_->get_publisher_count() == 0) {
      others.unpublished.emplace_back(states_->get_topic_name());
    }
    if (odometry_ && odometry_->get_publisher_count() == 0 && core_.needs_odometry()) {
      others.unpublished.emplace_back(odometry_->get_topic_name());
    }
    if (description_ && core_.robot() == nullptr && description_->get_publisher_count() == 0) {
      others.unpublished.emplace_back(description_->get_topic_name());
    }
    const std::vector<std::string> names = graph_->get_node_names();
    const auto ours = std::count(names.begin(), names.end(), name_);
    others.namesakes = static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, ours) - 1);
  } catch (const std::exception&) {  // the context has ended, and the graph with it
  }
  return others;
}

void DynamicsSession::log(LogLevel level, const std::string& text) {
  write_log(logger_, level, text);
}

std::int64_t DynamicsSession::ros_now() const { return clock_->now().nanoseconds(); }

}  // namespace spatial_dynamics::ros2

#include "ros2/dynamics_session.hpp"

#include <algorithm>
#include <rclcpp/create_subscription.hpp>

#include "ros2/log.hpp"
#include "ros2/qos.hpp"
#include "ros2/translate.hpp"
#include "spatial_dynamics/runtime/robot_source.hpp"

namespace spatial_dynamics::ros2 {

std::shared_ptr<DynamicsSession> DynamicsSession::open(rclcpp_lifecycle::LifecycleNode& node,
                                                       const ParameterSet& parameters) {
  std::shared_ptr<DynamicsSession> session(new DynamicsSession(node, parameters));
  const std::string urdf = configured_urdf(session->core_.config());
  if (!urdf.empty()) session->set_robot(urdf);
  session->subscribe(node);  // first: reports, once they begin, ask who publishes
  session->core_.start();
  return session;
}

DynamicsSession::DynamicsSession(rclcpp_lifecycle::LifecycleNode& node,
                                 const ParameterSet& parameters)
    : logger_(node.get_logger()),
      clock_(node.get_clock()),
      domain_(" in domain " +
              std::to_string(node.get_node_base_interface()->get_context()->get_domain_id())),
      publishers_(node, make_config(parameters)),
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
  const auto note_mismatches = [&](rclcpp::SubscriptionOptions& options, const char* topic) {
    options.event_callbacks.incompatible_qos_callback =
        [self, name = topics->resolve_topic_name(topic)](const auto& event) {
          if (const auto session = self.lock()) session->note_incompatible_qos(name, event);
        };
  };
  const auto listen = [&](auto message, const char* topic, const rclcpp::QoS& qos, auto handle) {
    using Message = decltype(message);
    rclcpp::SubscriptionOptions options;
    note_mismatches(options, topic);
    subscriptions_.push_back(rclcpp::create_subscription<Message>(
        node, topic, qos,
        [self, handle](const Message& m, const rclcpp::MessageInfo& info) {
          if (const auto session = self.lock()) handle(session->core_, m, info);
        },
        options));
  };
  using Info = const rclcpp::MessageInfo&;
  listen(sensor_msgs::msg::JointState(), "joint_states", stream_qos(),
         [](DynamicsCore& core, const auto& m, Info info) {
           core.on_joint_states(translate(m, publisher_of(info)));
         });
  states_ = subscriptions_.back();
  listen(nav_msgs::msg::Odometry(), "odom", stream_qos(),
         [](DynamicsCore& core, const auto& m, Info) { core.on_odometry(translate(m)); });
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

  if (core_.robot() != nullptr) return;  // the parameters gave it
  rclcpp::SubscriptionOptions
      between_processes;  // within one, older ROS 2 can't keep the last message for who comes late
  between_processes.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  note_mismatches(between_processes, "robot_description");
  description_ = rclcpp::create_subscription<std_msgs::msg::String>(
      node, "robot_description", description_qos(),
      [self](const std_msgs::msg::String& m) {
        const auto session = self.lock();
        if (!session) return;
        try {
          session->set_robot(m.data);
        } catch (const std::exception& error) {
          session->log(LogLevel::kError, std::string("robot_description refused: ") + error.what());
        }
      },
      between_processes);
}

void DynamicsSession::note_incompatible_qos(const std::string& topic,
                                            const rclcpp::QOSRequestedIncompatibleQoSInfo& event) {
  std::string policy = rclcpp::qos_policy_name_from_kind(event.last_policy_kind);
  policy.resize(std::min(policy.size(), policy.find("_QOS_POLICY")));
  log(LogLevel::kWarning, "topic '" + topic + "': a publisher was found whose " + policy +
                              " does not fit ours; nothing will arrive from it.");
  core_.note_incompatible_qos(topic, policy);
}

void DynamicsSession::finish(std::chrono::milliseconds limit) {
  if (!core_.finish(limit)) {
    log(LogLevel::kWarning, "the torque was set to zero before its ramp had ended");
  }
  publishers_.wait_for_arrival();
}

void DynamicsSession::publish(const Robot& robot, const EngineOutputs& outputs) {
  publishers_.publish(robot, outputs);
}

void DynamicsSession::publish_report(const Diagnostics& diagnostics,
                                     const std::vector<Metric>& metrics) {
  Diagnostics d = diagnostics;
  const auto raise = [&](const rclcpp::SubscriptionBase& nobody) {
    d.level = std::max(d.level, Diagnostics::Level::kWarning);
    d.message += std::string("; nobody publishes ") + nobody.get_topic_name() + domain_ +
                 " (check remaps, namespaces, ROS_DOMAIN_ID, ROS_AUTOMATIC_DISCOVERY_RANGE)";
  };
  if (states_ && states_->get_publisher_count() == 0) raise(*states_);
  if (description_ && core_.robot() == nullptr && description_->get_publisher_count() == 0) {
    raise(*description_);
  }
  if (const std::uint64_t unsent = publishers_.unsent(); unsent > 0) {
    d.values.emplace_back("messages the middleware refused", std::to_string(unsent));
  }
  publishers_.publish_report(d, metrics, ros_now());
}

void DynamicsSession::log(LogLevel level, const std::string& text) {
  write_log(logger_, level, text);
}

std::int64_t DynamicsSession::ros_now() const { return clock_->now().nanoseconds(); }

}  // namespace spatial_dynamics::ros2

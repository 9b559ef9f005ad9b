#include "ros2/dynamics_session.hpp"

#include <algorithm>
#include <rclcpp/create_subscription.hpp>
#include <rclcpp/serialization.hpp>
#include <utility>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics::ros2 {
namespace {

/// The interval between two checks for other publishers of torques.
constexpr std::chrono::milliseconds kRivalsPeriod(50);

}  // namespace

std::shared_ptr<DynamicsSession> DynamicsSession::open(rclcpp_lifecycle::LifecycleNode& node,
                                                       const ParameterSet& parameters,
                                                       std::shared_ptr<LogQueue> log,
                                                       const GiveUp& give_up, Loop loop) {
  std::shared_ptr<DynamicsSession> session(
      new DynamicsSession(node, parameters, std::move(log), loop));
  set_configured_robot(
      session->core_.config(), [&](std::string_view urdf) { session->core_.set_robot(urdf); },
      give_up);
  const NoteMismatch note = [self = session->weak_from_this()](const QosMismatch& mismatch) {
    if (const auto open_session = self.lock()) open_session->core_.note_incompatible_qos(mismatch);
  };
  const TopicTable topics = session->core_.topics();
  for (const TopicDescription& row : topics) {
    if (row.direction != TopicDescription::Direction::kOut) continue;
    if (loop == Loop::kOwn && carries_torque(row.topic)) {
      session->rivals_.emplace_back(session->graph_, session->name_,
                                    session->topics_->resolve_topic_name(row.name));
    }
    session->outputs_.advertise(row, creator(node, row, note));
  }
  // Before the core starts, whose reports read the list of subscriptions.
  for (const TopicDescription& row : topics) {
    const bool read_by_caller = loop == Loop::kCaller && row.topic == Topic::kJointStates;
    if (row.direction == TopicDescription::Direction::kOut || read_by_caller) continue;
    if (loop == Loop::kCaller && row.topic == Topic::kSetActive) {
      session->subscribe_activation(node, row, note);
    } else {
      session->subscribe(node, row, note);
    }
  }
  if (loop == Loop::kOwn) session->watch_rivals(node);
  session->core_.start();
  return session;
}

DynamicsSession::DynamicsSession(rclcpp_lifecycle::LifecycleNode& node,
                                 const ParameterSet& parameters, std::shared_ptr<LogQueue> log,
                                 Loop loop)
    : log_(std::move(log)),
      clock_(node.get_clock()),
      graph_(node.get_node_graph_interface()),
      name_(node.get_node_base_interface()->get_fully_qualified_name()),
      domain_(node.get_node_base_interface()->get_context()->get_domain_id()),
      core_(*this, parameters, loop),
      outputs_(name_),
      sources_(graph_),
      topics_(node.get_node_topics_interface()),
      node_parameters_(node.get_node_parameters_interface()) {}

DynamicsSession::~DynamicsSession() {
  core_.stop();
}  // before the subscriptions that reports look at

template <typename T, typename Deliver>
auto DynamicsSession::decode_on_own_thread(const std::string& topic, Deliver deliver) {
  const std::weak_ptr<DynamicsSession> self = weak_from_this();
  using Bytes = std::shared_ptr<rclcpp::SerializedMessage>;
  const auto decode = [self, deliver, topic](const Bytes& bytes, std::uint64_t publisher) {
    const auto session = self.lock();
    if (!session) return;
    try {
      const rcl_serialized_message_t& raw = bytes->get_rcl_serialized_message();
      const std::string reason =
          check_counts<Rclcpp, T>({reinterpret_cast<const char*>(raw.buffer), raw.buffer_length});
      if (reason.empty()) {
        T message;
        rclcpp::Serialization<T>().deserialize_message(bytes.get(), &message);
        deliver(session->core_, message, publisher);
        return;
      }
      session->log_dropped(topic, reason);
    } catch (const std::exception& error) {
      session->log_dropped(topic, error.what());
    }
  };
  return [self, decode, topic](Bytes bytes, const rclcpp::MessageInfo& info) {
    const auto session = self.lock();
    if (!session) return;
    const std::uint64_t publisher = publisher_of(info);
    session->sources_.note(publisher, topic);
    session->commands_.post([decode, bytes, publisher] { decode(bytes, publisher); });
  };
}

void DynamicsSession::subscribe(rclcpp_lifecycle::LifecycleNode& node, const TopicDescription& row,
                                const NoteMismatch& note) {
  subscribe_input<Rclcpp>(row, [&](auto tag, auto deliver) {
    using T = typename decltype(tag)::Type;
    rclcpp::SubscriptionOptions options;
    // Messages within one process have no publisher, so that two of them would share one order of
    // stamps unnoticed; nor are they serialised, as decode_on_own_thread() needs them.
    options.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
    const std::string name = topics_->resolve_topic_name(row.name);
    rclcpp::SubscriptionBase::SharedPtr subscription;
    if (row.delivery == Delivery::kOwnThread) {
      subscription = noting_mismatches(options, name, note, [&] {
        return rclcpp::create_subscription<T>(node, row.name, to_rclcpp(row.qos),
                                              decode_on_own_thread<T>(name, deliver), options);
      });
    } else {
      // Callbacks may still run on another thread when the session ends.
      subscription = noting_mismatches(options, name, note, [&] {
        return rclcpp::create_subscription<T>(
            node, row.name, to_rclcpp(row.qos),
            [self = weak_from_this(), deliver, name](const T& m, const rclcpp::MessageInfo& info) {
              const auto session = self.lock();
              if (!session) return;
              session->sources_.note(publisher_of(info), name);
              deliver(session->core_, m, publisher_of(info));
            },
            options);
      });
    }
    subscriptions_.emplace_back(row.topic, std::move(subscription));
  });
}

void DynamicsSession::subscribe_activation(rclcpp_lifecycle::LifecycleNode& node,
                                           const TopicDescription& row, const NoteMismatch& note) {
  rclcpp::SubscriptionOptions options;
  subscriptions_.emplace_back(
      row.topic, noting_mismatches(options, topics_->resolve_topic_name(row.name), note, [&] {
        return rclcpp::create_subscription<Rclcpp::Bool>(
            node, row.name, to_rclcpp(row.qos),
            [self = weak_from_this()](const Rclcpp::Bool& m, const rclcpp::MessageInfo& info) {
              const auto session = self.lock();
              if (session)
                session->core_.on_set_active(m.data, "publisher " + ros2::publisher_name(info));
            },
            options);
      }));
}

void DynamicsSession::log_dropped(const std::string& topic, const std::string& reason) {
  const std::string line = dropped_.pass(
      "topic '" + topic + "': a message was dropped unread: " + reason, steady_now_ns());
  if (!line.empty()) log(LogLevel::kError, line);
}

void DynamicsSession::watch_rivals(rclcpp_lifecycle::LifecycleNode& node) {
  auto rivals = rivals_.begin();
  outputs_.for_each_torque(
      [&](Topic, const auto& publisher) { (rivals++)->find_ours(*publisher); });
  core_.look_around();
  note_rivals();
  rivals_timer_ = node.create_wall_timer(kRivalsPeriod, [self = weak_from_this()] {
    if (const auto session = self.lock()) session->note_rivals();
  });
}

void DynamicsSession::note_rivals() {
  std::vector<ForeignPublisher> found;
  try {
    for (TopicRivals& rivals : rivals_) {
      for (ForeignPublisher& publisher : rivals.foreign_publishers()) {
        found.push_back(std::move(publisher));
      }
    }
  } catch (const std::exception&) {  // the context has ended, and the graph with it
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(rivals_mutex_);
    foreign_ = found;
  }
  const bool present = std::any_of(found.begin(), found.end(),
                                   [](const auto& other) { return other.is_dynamics_node; });
  core_.set_foreign_publishers(std::move(found));
  try {
    listen_to_rivals(present);
  } catch (const std::exception& error) {  // security may not permit it
    rival_subscriptions_.clear();
    const std::string line = rival_errors_.pass(
        std::string(
            "can't subscribe to other nodes' torques, so the start is not delayed for them: ") +
            error.what(),
        steady_now_ns());
    if (!line.empty()) log(LogLevel::kWarning, line);
  }
}

void DynamicsSession::listen_to_rivals(bool present) {
  if (!present) rival_subscriptions_.clear();
  if (!present || !rival_subscriptions_.empty()) return;
  rclcpp::SubscriptionOptions between_processes;  // within one, the sender of a message is unknown
  between_processes.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  const auto listen = [&](auto message, const TopicRivals& rivals) {
    using Message = decltype(message);
    rival_subscriptions_.push_back(rclcpp::create_subscription<Message>(
        node_parameters_, topics_, rivals.topic(), to_rclcpp(kForeignTorqueQos),
        [self = weak_from_this(), &rivals](const Message&, const rclcpp::MessageInfo& info) {
          if (const auto session = self.lock()) session->note_torque(rivals, publisher_of(info));
        },
        between_processes));
  };
  listen(sensor_msgs::msg::JointState(), rivals_.front());
  if (rivals_.size() > 1) listen(std_msgs::msg::Float64MultiArray(), rivals_.back());
}

void DynamicsSession::note_torque(const TopicRivals& rivals, std::uint64_t source) {
  if (rivals.is_ours(source)) return;
  const std::lock_guard<std::mutex> lock(rivals_mutex_);
  const bool known = std::any_of(foreign_.begin(), foreign_.end(),
                                 [source](const auto& other) { return other.source == source; });
  if (known) core_.note_foreign_torque(source);
  if (known) return;
  // Where messages have other identifiers than the graph, any of them may be the sender.
  for (const ForeignPublisher& other : foreign_) {
    if (other.topic == rivals.topic()) core_.note_foreign_torque(other.source);
  }
}

bool DynamicsSession::torques_received(std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  bool received = true;
  try {
    outputs_.for_each_torque([&](Topic, const auto& publisher) {
      const auto left = deadline - std::chrono::steady_clock::now();
      received = publisher->wait_for_all_acked(
                     std::max<std::chrono::nanoseconds>(left, std::chrono::nanoseconds(0))) &&
                 received;
    });
  } catch (const std::exception&) {  // the context has ended: no subscriber can be reached
    return true;
  }
  return received;
}

Surroundings DynamicsSession::surroundings() const {
  Surroundings result;
  result.domain = domain_;
  result.node = name_;
  try {
    result.nodes = graph_->get_node_names();
    for (const auto& [topic, subscription] : subscriptions_) {
      result.inputs.push_back(
          {topic, subscription->get_topic_name(), subscription->get_publisher_count() > 0});
    }
  } catch (const std::exception&) {  // the context has ended, and the graph with it
  }
  return result;
}

void DynamicsSession::log(LogLevel level, const std::string& text) {
  log_->push(level, name_, text);
}

std::int64_t DynamicsSession::ros_now() const { return clock_->now().nanoseconds(); }

}  // namespace spatial_dynamics::ros2

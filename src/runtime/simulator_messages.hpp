// The topics of the node `robot_simulator`: its publishers with their messages, and the delivery of
// its inputs. M is a front end's middleware; see message_views.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/output_topic.hpp"
#include "runtime/simulator_core.hpp"

namespace spatial_dynamics {

/// The outputs of the node `robot_simulator`. One thread.
template <typename M>
class SimulatorPublishers : private MessageFields<M> {
 public:
  /// Adds the publisher of an output row of simulator_topic_table().
  template <typename Create>
  void advertise(const TopicDescription& row, const Create& create) {
    require_row(simulator_topic_table(), row, TopicDescription::Direction::kOut);
    visit_message_type<M>(row.type, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (std::is_same_v<T, JointState>) {
        states_.emplace(row.topic, create(tag));
      } else if constexpr (std::is_same_v<T, Odometry>) {
        odometry_.emplace(row.topic, create(tag));
      } else if constexpr (std::is_same_v<T, Clock>) {
        clock_.emplace(row.topic, create(tag));
      } else {
        throw_unserved(row);
      }
    });
  }

  /// As SimulatorFrontEnd::publish(). False if the middleware rejected a message.
  [[nodiscard]] bool publish(const Coordinates& coordinates, const Measurement& measurement,
                             std::int64_t stamp, std::int64_t clock) {
    fill(*states_->message, coordinates, measurement, stamp);
    bool sent = M::send(states_->publisher, *states_->message);
    if (odometry_) {
      fill(*odometry_->message, coordinates, measurement, stamp);
      sent = M::send(odometry_->publisher, *odometry_->message) && sent;
    }
    if (clock_) {
      set_time((*clock_->message).clock, clock);
      sent = M::send(clock_->publisher, *clock_->message) && sent;
    }
    return sent;
  }

 private:
  using JointState = typename M::JointState;
  using Odometry = typename M::Odometry;
  using Clock = typename M::Clock;
  using MessageFields<M>::set_header;
  using MessageFields<M>::set_time;
  using MessageFields<M>::set_vector;

  void fill(JointState& m, const Coordinates& coordinates, const Measurement& measurement,
            std::int64_t stamp) {
    set_header(m.header, stamp, "");
    names_.resize(coordinates.size());
    for (std::size_t k = 0; k < coordinates.size(); ++k) names_[k] = coordinates[k].name;
    M::assign(m.name, names_);
    const auto gather = [&](const VectorXd& full,
                            Index ScalarCoordinate::*index) -> const std::vector<double>& {
      numbers_.clear();
      for (const ScalarCoordinate& c : coordinates) numbers_.push_back(full(c.*index));
      return numbers_;
    };
    M::assign(m.position, gather(measurement.q, &ScalarCoordinate::q));
    M::assign(m.velocity, gather(measurement.v, &ScalarCoordinate::v));
    M::assign(m.effort, gather(measurement.effort, &ScalarCoordinate::v));
  }
  void fill(Odometry& m, const Coordinates& coordinates, const Measurement& measurement,
            std::int64_t stamp) {
    const VectorXd& q = measurement.q;
    set_header(m.header, stamp, "world");
    M::assign(m.child_frame_id, coordinates.root_link());
    set_vector(m.pose.pose.position, q.template head<3>());
    m.pose.pose.orientation.x = q(3);
    m.pose.pose.orientation.y = q(4);
    m.pose.pose.orientation.z = q(5);
    m.pose.pose.orientation.w = q(6);
    set_vector(m.twist.twist.angular, measurement.v.template head<3>());
    set_vector(m.twist.twist.linear, measurement.v.template segment<3>(3));
  }

  std::vector<double> numbers_;
  std::vector<std::string> names_;
  std::optional<OutputTopic<M, JointState>> states_;
  std::optional<OutputTopic<M, Odometry>> odometry_;
  std::optional<OutputTopic<M, Clock>> clock_;
};

/// Gives a message of an input topic of the node `robot_simulator` to a core.
template <typename M>
struct SimulatorInputDelivery {
  void operator()(SimulatorCore& core, const typename M::String& m) const {
    core.on_robot_description(M::text(m.data));
  }
  void operator()(SimulatorCore& core, const typename M::WrenchStamped& m) const {
    core.on_wrench(MessageViews<M>::of(m));
  }
  void operator()(SimulatorCore& core, const typename M::JointState& m) const {
    core.on_effort(MessageViews<M>::of(m));
  }
};

/// Calls `subscribe(MessageTag<T>, deliver)` with the message type of an input row of
/// simulator_topic_table() and `deliver(core, message)`, which gives a message to the core.
template <typename M, typename Subscribe>
void subscribe_simulator_input(const TopicDescription& row, const Subscribe& subscribe) {
  require_row(simulator_topic_table(), row, TopicDescription::Direction::kIn);
  visit_message_type<M>(row.type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    using Deliver = SimulatorInputDelivery<M>;
    if constexpr (std::is_invocable_v<Deliver, SimulatorCore&, const T&>) {
      subscribe(tag, Deliver());
    } else {
      throw_unserved(row);
    }
  });
}

}  // namespace spatial_dynamics

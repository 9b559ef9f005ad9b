// The publishers of both nodes with their messages: what is sent when, and how messages are filled.
// M is a front end's middleware; see message_views.hpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/message_views.hpp"
#include "runtime/output_values.hpp"
#include "runtime/simulator_core.hpp"
#include "runtime/topics.hpp"

namespace spatial_dynamics {

/// A publisher and its message, which is filled anew for each sending and keeps its memory.
template <typename M, typename T>
struct OutputTopic {
  OutputTopic(Topic of, typename M::template Publisher<T> made)
      : topic(of), publisher(std::move(made)) {}

  Topic topic;
  typename M::template Publisher<T> publisher;
  typename M::template Owned<T> message;
};

/// Fills the parts that messages have in common.
template <typename M>
struct MessageFields {
  /// Times before zero, which messages can't carry, become zero.
  template <typename Time>
  static void set_time(Time& time, std::int64_t nanoseconds) noexcept {
    const std::int64_t t = std::max<std::int64_t>(0, nanoseconds);
    time.sec = static_cast<std::int32_t>(t / 1'000'000'000);
    time.nanosec = static_cast<std::uint32_t>(t % 1'000'000'000);
  }
  template <typename Header>
  static void set_header(Header& header, std::int64_t stamp, std::string_view frame) {
    set_time(header.stamp, stamp);
    M::assign(header.frame_id, frame);
  }
  template <typename Xyz>
  static void set_vector(Xyz& field, const Vector3& v) noexcept {
    field.x = v.x();
    field.y = v.y();
    field.z = v.z();
  }
};

/// The outputs of the node `dynamics`. publish() and publish_report() may run at the same time,
/// each on one thread.
template <typename M>
class OutputPublishers : private MessageFields<M> {
 public:
  /// The full name of the node, for diagnostics and statistics.
  explicit OutputPublishers(std::string node) : node_(std::move(node)) {}

  /// Adds the publisher of an output row of topic_table(). `create(MessageTag<T>)` makes it.
  template <typename Create>
  void advertise(const TopicDescription& row, const Create& create) {
    const auto make = [&](auto tag) {
      return OutputTopic<M, typename decltype(tag)::Type>(row.topic, create(tag));
    };
    switch (row.topic) {
      case Topic::kTorque:
      case Topic::kGravityTerm:
      case Topic::kCoriolisTerm:
      case Topic::kInertialTerm:
      case Topic::kFrictionTerm:
      case Topic::kExternalTerm:
      case Topic::kExternalTorque:
        outputs_.emplace_back(make(MessageTag<JointState>()));
        return;
      case Topic::kTorqueArray:
      case Topic::kMassMatrix:
        outputs_.emplace_back(make(MessageTag<Float64MultiArray>()));
        return;
      case Topic::kAcceleration:
        outputs_.emplace_back(make(MessageTag<JointTrajectory>()));
        return;
      case Topic::kBaseAcceleration:
        outputs_.emplace_back(make(MessageTag<AccelStamped>()));
        return;
      case Topic::kBaseWrench:
        outputs_.emplace_back(make(MessageTag<WrenchStamped>()));
        return;
      case Topic::kDiagnostics:
        diagnostics_.emplace(make(MessageTag<DiagnosticArray>()));
        return;
      case Topic::kStatistics:
        statistics_.emplace(make(MessageTag<MetricsMessage>()));
        return;
      default:
        throw_unserved(row);
    }
  }

  /// Sends everything that a cycle's output has for the topics, in the order of the table. False if
  /// there was a torque to send and the middleware rejected it.
  [[nodiscard]] bool publish(const Robot& robot, const ControlOutput& out) {
    bool torque_sent = true;
    for (AnyOutput& any : outputs_) {
      std::visit(
          [&](auto& output) {
            if (!is_due(output.topic, out)) return;
            fill(*output.message, output.topic, robot, out);
            const bool sent = send(output);
            if (carries_torque(output.topic)) torque_sent = torque_sent && sent;
          },
          any);
    }
    return torque_sent;
  }

  /// `now` in the clock of the stamps, ns.
  void publish_report(const Diagnostics& diagnostics, const std::vector<Metric>& metrics,
                      std::int64_t now) {
    publish_diagnostics(diagnostics, now);
    for (const Metric& metric : metrics) {
      fill(*statistics_->message, metric, now);
      send(*statistics_);
    }
  }
  void publish_diagnostics(const Diagnostics& diagnostics, std::int64_t now) {
    fill(*diagnostics_->message, diagnostics, now);
    send(*diagnostics_);
  }

  /// Calls `visit(topic, publisher)` for ~/torque and, if it is switched on, ~/torque_array.
  template <typename Visit>
  void for_each_torque(const Visit& visit) const {
    for (const AnyOutput& any : outputs_) {
      std::visit(
          [&](const auto& output) {
            if (carries_torque(output.topic)) visit(output.topic, output.publisher);
          },
          any);
    }
  }

 private:
  using JointState = typename M::JointState;
  using Float64MultiArray = typename M::Float64MultiArray;
  using JointTrajectory = typename M::JointTrajectory;
  using AccelStamped = typename M::AccelStamped;
  using WrenchStamped = typename M::WrenchStamped;
  using DiagnosticArray = typename M::DiagnosticArray;
  using MetricsMessage = typename M::MetricsMessage;
  using AnyOutput = std::variant<OutputTopic<M, JointState>, OutputTopic<M, Float64MultiArray>,
                                 OutputTopic<M, JointTrajectory>, OutputTopic<M, AccelStamped>,
                                 OutputTopic<M, WrenchStamped>>;
  using MessageFields<M>::set_header;
  using MessageFields<M>::set_time;
  using MessageFields<M>::set_vector;

  template <typename T>
  bool send(OutputTopic<M, T>& output) {
    const bool sent = M::send(output.publisher, *output.message);
    if (!sent) unsent_.fetch_add(1, std::memory_order_relaxed);
    return sent;
  }

  void fill(JointState& m, Topic topic, const Robot& robot, const ControlOutput& out) {
    set_header(m.header, out.stamp, "");
    M::assign(m.name, robot.names);
    gather_velocities(robot, joint_vector(topic, out), numbers_);
    M::assign(m.effort, numbers_);
  }
  void fill(Float64MultiArray& m, Topic topic, const Robot& robot, const ControlOutput& out) {
    if (topic == Topic::kTorqueArray) {
      gather_commands(*robot.joints(), out, numbers_);
    } else {
      const auto n = static_cast<std::uint32_t>(robot.names.size());
      const std::string label = matrix_label(robot);
      auto&& dimensions = M::resize(m.layout.dim, 2);
      for (std::uint32_t i = 0; i < 2; ++i) {
        M::assign(dimensions[i].label, label);
        dimensions[i].size = n;
        dimensions[i].stride = i == 0 ? n * n : n;
      }
      gather_matrix(robot, out.mass_matrix, numbers_);
    }
    M::assign(m.data, numbers_);
  }
  void fill(JointTrajectory& m, Topic, const Robot& robot, const ControlOutput& out) {
    set_header(m.header, out.stamp, "");
    M::assign(m.joint_names, robot.names);
    auto& point = M::resize(m.points, 1)[0];
    gather_positions(robot, out.q, numbers_);
    M::assign(point.positions, numbers_);
    gather_velocities(robot, out.v, numbers_);
    M::assign(point.velocities, numbers_);
    gather_velocities(robot, out.acceleration, numbers_);
    M::assign(point.accelerations, numbers_);
  }
  // A floating base has the first six velocity coordinates: three angular ones, three linear ones.
  void fill(AccelStamped& m, Topic, const Robot& robot, const ControlOutput& out) {
    set_header(m.header, out.stamp, robot.report.joints.front().child);
    set_vector(m.accel.angular, out.acceleration.template head<3>());
    set_vector(m.accel.linear, out.acceleration.template segment<3>(3));
  }
  void fill(WrenchStamped& m, Topic, const Robot& robot, const ControlOutput& out) {
    set_header(m.header, out.stamp, robot.report.joints.front().child);
    set_vector(m.wrench.torque, out.torque.template head<3>());
    set_vector(m.wrench.force, out.torque.template segment<3>(3));
  }
  void fill(DiagnosticArray& m, const Diagnostics& diagnostics, std::int64_t now) {
    set_header(m.header, now, "");
    auto& status = M::resize(m.status, 1)[0];
    status.level = static_cast<std::uint8_t>(diagnostics.level);
    M::assign(status.name, node_ + ": rigid-body dynamics");
    M::assign(status.message, diagnostics.message);
    M::assign(status.hardware_id, "");
    const std::uint64_t unsent = unsent_.load();
    const std::size_t n = diagnostics.values.size();
    auto&& values = M::resize(status.values, n + (unsent > 0 ? 1 : 0));
    for (std::size_t i = 0; i < n; ++i) {
      M::assign(values[i].key, diagnostics.values[i].first);
      M::assign(values[i].value, diagnostics.values[i].second);
    }
    if (unsent > 0) {
      M::assign(values[n].key, "messages rejected by the middleware");
      M::assign(values[n].value, std::to_string(unsent));
    }
  }
  void fill(MetricsMessage& m, const Metric& metric, std::int64_t now) {
    M::assign(m.measurement_source_name, node_);
    M::assign(m.metrics_source, metric.name);
    M::assign(m.unit, metric.unit);
    set_time(m.window_start, now - 1'000'000'000);
    set_time(m.window_stop, now);
    const auto figures = statistic_points(metric);
    auto&& points = M::resize(m.statistics, figures.size());
    for (std::size_t i = 0; i < figures.size(); ++i) {
      points[i].data_type = figures[i].first;
      points[i].data = figures[i].second;
    }
  }

  std::string node_;
  std::atomic<std::uint64_t> unsent_{0};  // messages that the middleware rejected
  std::vector<double> numbers_;           // of publish()
  std::vector<AnyOutput> outputs_;        // of publish(), in the order of the table
  std::optional<OutputTopic<M, DiagnosticArray>>
      diagnostics_;  // of publish_report(), as the next one
  std::optional<OutputTopic<M, MetricsMessage>> statistics_;
};

/// The outputs of the node `robot_simulator`. One thread.
template <typename M>
class SimulatorPublishers : private MessageFields<M> {
 public:
  /// Adds the publisher of an output row of simulator_topic_table().
  template <typename Create>
  void advertise(const TopicDescription& row, const Create& create) {
    if (row.topic == Topic::kSimulatedStates) {
      states_.emplace(row.topic, create(MessageTag<JointState>()));
    } else if (row.topic == Topic::kSimulatedOdometry) {
      odometry_.emplace(row.topic, create(MessageTag<Odometry>()));
    } else if (row.topic == Topic::kClock) {
      clock_.emplace(row.topic, create(MessageTag<Clock>()));
    } else {
      throw_unserved(row);
    }
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

}  // namespace spatial_dynamics

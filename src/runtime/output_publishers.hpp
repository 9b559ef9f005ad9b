// The publishers of the node `dynamics` with their messages: what is sent when, and how messages
// are filled. M is a front end's middleware; see message_views.hpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/output_topic.hpp"
#include "runtime/output_values.hpp"
#include "runtime/report_values.hpp"
#include "runtime/topics.hpp"

namespace spatial_dynamics {

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
    require_row(topic_table(), row, TopicDescription::Direction::kOut);
    visit_message_type<M>(row.type, [&](auto tag) {
      using Output = OutputTopic<M, typename decltype(tag)::Type>;
      if constexpr (std::is_same_v<Output, OutputTopic<M, DiagnosticArray>>) {
        diagnostics_.emplace(row.topic, create(tag));
      } else if constexpr (std::is_same_v<Output, OutputTopic<M, MetricsMessage>>) {
        statistics_.emplace(row.topic, create(tag));
      } else if constexpr (std::is_constructible_v<AnyOutput, Output>) {
        outputs_.emplace_back(Output(row.topic, create(tag)));
      } else {
        throw_unserved(row);
      }
    });
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
    M::assign(status.name, status_name(node_));
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

}  // namespace spatial_dynamics

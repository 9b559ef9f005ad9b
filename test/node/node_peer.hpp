// The node as a separate process, and a peer that exchanges messages with it over DDS on this host.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <fstream>
#include <iterator>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>

#include "dds/child_process.hpp"
#include "dds/dds_test.hpp"
#include "dds/messages.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {

/// `spatial_dynamics ARGUMENTS…` in this test's domain, on this host only unless the variables
/// change that.
class NodeProcess : public ChildProcess {
 public:
  explicit NodeProcess(const std::vector<std::string>& arguments,
                       const Variables& variables = local_variables(), int error_file = -1)
      : ChildProcess(command(arguments), variables, error_file) {}

 private:
  static std::vector<std::string> command(const std::vector<std::string>& arguments) {
    std::vector<std::string> result{SPATIAL_DYNAMICS_CLI_PATH};
    result.insert(result.end(), arguments.begin(), arguments.end());
    return result;
  }
};

/// A pose of the shipped arm in which every joint but the first carries weight, rad.
inline const std::vector<double> kPosture{0.1, 0.4, -0.3, -1.5, 0.2, 1.2, 0.5};
/// A tolerance that permits only equal numbers.
constexpr double kExactly = std::numeric_limits<double>::min();

/// The arguments of a node that compensates the weight of the shipped arm at 200 Hz.
inline std::vector<std::string> run_arm7(const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{
      "run",        "--urdf", shipped_urdf("arm7"), "--mode", "gravity_compensation",
      "--ros-args", "-p",     "rate_hz:=200"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

struct Torque {
  std::int64_t received = 0;  ///< steady clock
  std::int64_t stamp = 0;
  std::vector<std::string> names;
  VectorXd effort;
};

/// Publishes joint states and descriptions, and keeps the torques and diagnostics that the node
/// sends.
class NodePeer {
 public:
  explicit NodePeer(const std::string& ns = "/", const Variables& variables = local_variables())
      : node_(options(ns, variables)),
        states_(node_.advertise<dds::JointState>("joint_states", dds::kDefaultQos)),
        torque_(
            node_.subscribe<dds::JointState>("dynamics/torque", dds::kCommandQos,
                                             [this](const dds::JointState& m) { note_torque(m); })),
        diagnostics_(node_.subscribe<dds::DiagnosticArray>(
            "/diagnostics", dds::kDefaultQos,
            [this](const dds::DiagnosticArray& m) { note_diagnostics(m); })) {}
  ~NodePeer() { stop(); }

  bool connected() {
    return eventually([&] { return states_.matched() > 0 && torque_.matched() > 0; });
  }

  /// Sends one message; arrays may have any length.
  void send(const std::vector<std::string>& names, const std::vector<double>& position,
            const std::vector<double>& velocity = {}, const std::vector<double>& effort = {}) {
    const std::lock_guard lock(writing_);
    message_->header.stamp = dds::from_nanoseconds(system_now_ns());
    dds::assign(message_->header.frame_id, "");
    dds::assign(message_->name, names);
    dds::assign(message_->position, position);
    dds::assign(message_->velocity, velocity);
    dds::assign(message_->effort, effort);
    (void)states_.write(*message_);
  }
  /// Sends the same state every `period`.
  void feed(const std::vector<std::string>& names, const std::vector<double>& position,
            std::chrono::milliseconds period = std::chrono::milliseconds(5)) {
    stop();
    feeding_ = true;
    feeder_ = std::thread([this, names, position, period] {
      const std::vector<double> zero(names.size(), 0.0);
      auto before = std::chrono::steady_clock::now();
      while (feeding_) {
        send(names, position, zero);
        const auto now = std::chrono::steady_clock::now();
        longest_pause_ = std::max(longest_pause_.load(), std::chrono::nanoseconds(now - before));
        before = now;
        std::this_thread::sleep_for(period);
      }
    });
  }
  void stop() {
    feeding_ = false;
    if (feeder_.joinable()) feeder_.join();
  }

  /// Publishes a URDF for present and later subscribers.
  void describe(const std::string& urdf) {
    if (!description_) {
      description_.emplace(node_.advertise<dds::String>("robot_description", dds::kDescriptionQos));
    }
    dds::assign(description_message_->data, urdf);
    (void)description_->write(*description_message_);
  }

  Torque newest() {
    const std::lock_guard lock(reading_);
    return newest_;
  }
  std::string diagnostics() {
    const std::lock_guard lock(reading_);
    return diagnostics_text_;
  }
  /// Whether a report since the last discard_reports() contains these words.
  bool reports_have(const std::string& words) {
    const std::lock_guard lock(reading_);
    return std::any_of(reports_.begin(), reports_.end(), [&](const std::string& report) {
      return report.find(words) != std::string::npos;
    });
  }
  void discard_reports() {
    const std::lock_guard lock(reading_);
    reports_.clear();
  }
  /// The longest time between two states that feed() sent.
  std::chrono::nanoseconds longest_pause() const { return longest_pause_.load(); }
  /// The stamp of the newest report, by the node's clock.
  std::int64_t report_stamp() {
    const std::lock_guard lock(reading_);
    return report_stamp_;
  }
  int torques() const { return count_; }
  /// The arrival times of torques since the last call.
  std::vector<std::int64_t> arrivals() {
    const std::lock_guard lock(reading_);
    return std::exchange(arrivals_, {});
  }
  bool torque_becomes(const VectorXd& expected, double tolerance = 1e-9) {
    return eventually([&] {
      const Torque t = newest();
      return t.effort.size() == expected.size() && (t.effort - expected).norm() < tolerance;
    });
  }
  bool diagnostics_show(const std::string& words) {
    return eventually([&] { return diagnostics().find(words) != std::string::npos; });
  }
  dds::Node& node() { return node_; }

 private:
  static dds::NodeOptions options(const std::string& ns, const Variables& variables) {
    dds::NodeOptions result = local_node("peer");
    result.ns = ns;
    result.environment = environment_of(variables);
    return result;
  }
  void note_torque(const dds::JointState& m) {
    const std::lock_guard lock(reading_);
    newest_.received = steady_now_ns();
    newest_.stamp = dds::nanoseconds(m.header.stamp);
    newest_.names.clear();
    for (const std::string_view name : dds::view(m.name)) newest_.names.emplace_back(name);
    newest_.effort = Eigen::Map<const VectorXd>(m.effort._buffer, m.effort._length);
    arrivals_.push_back(newest_.received);
    ++count_;
  }
  void note_diagnostics(const dds::DiagnosticArray& m) {
    const std::lock_guard lock(reading_);
    diagnostics_text_.clear();
    report_stamp_ = dds::nanoseconds(m.header.stamp);
    for (const dds::DiagnosticStatus& status : dds::view(m.status)) {
      diagnostics_text_ += std::string(dds::text(status.name)) + ": ";
      diagnostics_text_ += std::string(dds::text(status.message)) + "\n";
      for (const dds::KeyValue& entry : dds::view(status.values)) {
        diagnostics_text_ += std::string(dds::text(entry.key)) + " = ";
        diagnostics_text_ += std::string(dds::text(entry.value)) + "\n";
      }
    }
    reports_.push_back(diagnostics_text_);
  }

  dds::Node node_;
  std::mutex writing_, reading_;
  dds::Message<dds::JointState> message_;
  dds::Message<dds::String> description_message_;
  Torque newest_;
  std::vector<std::int64_t> arrivals_;
  std::string diagnostics_text_;
  std::vector<std::string> reports_;
  std::atomic<std::chrono::nanoseconds> longest_pause_{std::chrono::nanoseconds(0)};
  std::int64_t report_stamp_ = 0;
  std::atomic<int> count_{0};
  std::atomic<bool> feeding_{false};
  std::thread feeder_;
  dds::Writer<dds::JointState> states_;
  std::optional<dds::Writer<dds::String>> description_;
  dds::Reader<dds::JointState> torque_;
  dds::Reader<dds::DiagnosticArray> diagnostics_;
};

}  // namespace spatial_dynamics::test

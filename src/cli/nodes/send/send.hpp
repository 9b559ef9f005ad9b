// Messages to a running node: made from the arguments of `send`, sent, and checked in the node's
// diagnostics.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/nodes/common/node_reports.hpp"
#include "cli/nodes/common/process.hpp"
#include "dds/message.hpp"
#include "runtime/rejections.hpp"
#include "runtime/topics.hpp"
#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics::cli {

// These functions allocate and throw CLI::ValidationError.

/// LINK=MASS[,X,Y,Z[,IXX,IYY,IZZ,IXY,IXZ,IYZ]].
dds::Message<dds::InertiaStamped> payload_message(const std::string& text);
/// X,Y,Z.
dds::Message<dds::Vector3Stamped> gravity_message(const std::string& text);
/// LINK=FX,FY,FZ[,TX,TY,TZ].
dds::Message<dds::WrenchStamped> wrench_message(const std::string& text);
/// JOINT=EFFORT, one text per joint.
dds::Message<dds::JointState> effort_message(const std::vector<std::string>& texts);
/// JOINT=STIFFNESS, one text per joint, or one number for all joints.
dds::Message<dds::JointState> stiffness_message(const std::vector<std::string>& texts);
/// JOINT=POSITION, one text per joint: a trajectory that ends there at rest after `seconds`.
dds::Message<dds::JointTrajectory> reference_message(const std::vector<std::string>& texts,
                                                     double seconds);

/// What a command needs apart from its message.
struct DeliveryOptions {
  std::string node;                      ///< the receiver's name
  Topic topic;                           ///< an input of the node `dynamics`
  std::string what;                      ///< the message in sentences: "payload on link 'hand'"
  std::vector<RejectionReason> reasons;  ///< why a node drops such a message
};

/// The connection to a node, whatever the message type is. Functions throw std::runtime_error with
/// one sentence.
class Connection {
 public:
  Connection(DeliveryOptions options, const dds::RosArguments& ros);

  /// Waits until `matched`, and then for the first report, which holds the counts before the
  /// message. Throws if no subscriber is found, the node has no robot, or a signal arrives.
  void connect(const std::function<bool()>& matched);
  /// Throws if the node has dropped messages of this kind since connect().
  void check(const NodeReport& report) const;
  /// Waits for a report that the node sent after `sent` (steady clock, ns), and checks it.
  [[nodiscard]] NodeReport result(std::int64_t sent) const;
  /// The report before the message.
  [[nodiscard]] const NodeReport& before() const noexcept { return before_; }
  [[noreturn]] void throw_unacknowledged() const;

  [[nodiscard]] dds::Node& node() noexcept { return node_; }
  /// Full names.
  [[nodiscard]] const std::string& target() const noexcept { return target_; }
  [[nodiscard]] const std::string& topic() const noexcept { return topic_; }
  [[nodiscard]] const NodeReports& reports() const noexcept { return reports_; }
  [[nodiscard]] const EndSignals& signals() const noexcept { return signals_; }

 private:
  /// Waits until `is_true`. Throws `failure` after `limit`, ns, or if a signal arrives.
  void wait(const std::function<bool()>& is_true, std::int64_t limit,
            const std::string& failure) const;

  const EndSignals signals_{{SIGINT, SIGTERM, SIGHUP}};  // first: before the middleware's threads
  const DeliveryOptions options_;
  dds::Node node_;
  const std::string target_;
  const std::string topic_;
  const NodeReports reports_;
  NodeReport before_;
};

/// Messages of type T to one node. Functions throw as Connection's.
template <typename T>
class Delivery {
 public:
  Delivery(DeliveryOptions options, const dds::RosArguments& ros)
      : connection_(std::move(options), ros),
        writer_(connection_.node().advertise<T>(connection_.topic(), dds::kCommandQos)) {
    connection_.connect([this] { return writer_.matched() > 0; });
  }

  /// Full name of the receiver.
  [[nodiscard]] const std::string& target() const noexcept { return connection_.target(); }
  /// What the node has reported before the message.
  [[nodiscard]] const NodeReport& before() const noexcept { return connection_.before(); }
  /// Returns what the node reports afterwards.
  [[nodiscard]] NodeReport send_once(const T& message) {
    write(message);
    return connection_.result(steady_now_ns());
  }
  /// Sends the message 20 times a second for `seconds` (0: until a signal arrives), then `last`, if
  /// it is given. Returns what the node has reported meanwhile.
  [[nodiscard]] NodeReport repeat(const T& message, double seconds, const T* last) {
    constexpr double kPeriod = 0.05;
    const std::int64_t start = steady_now_ns();
    do {
      if (!writer_.write(message)) connection_.throw_unacknowledged();
      connection_.check(connection_.reports().newest());
    } while (connection_.signals().wait(kPeriod) == 0 &&
             (seconds == 0.0 || to_seconds(steady_now_ns() - start) < seconds));
    NodeReport report = connection_.result(start);
    if (last != nullptr) write(*last);
    return report;
  }

 private:
  void write(const T& message) {
    if (!writer_.write(message) ||
        !writer_.wait_until_acknowledged(std::chrono::nanoseconds(kDiscovery))) {
      connection_.throw_unacknowledged();
    }
  }

  Connection connection_;
  dds::Writer<T> writer_;
};

}  // namespace spatial_dynamics::cli

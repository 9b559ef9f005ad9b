// Sends messages to a running node and finds out from its diagnostics whether it accepts them.
#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "cli/nodes/common/node_reports.hpp"
#include "cli/nodes/common/process.hpp"

namespace spatial_dynamics::cli {

/// Everything but the message type. Throws std::runtime_error with one sentence.
class DeliveryReport {
 public:
  /// `what` names the message in sentences: "payload".
  DeliveryReport(const std::string& target, std::string what, const dds::RosArguments& ros);

  /// Waits until `matched`, and then for the first report, which holds the counts before the
  /// message. Throws if no subscriber is found or a signal arrives.
  void connect(const std::function<bool()>& matched, const std::string& topic);
  /// Throws if the node has dropped messages of this kind since connect().
  void check() const;
  /// Waits for a report that was sent after `sent` (steady clock, ns). Returns the outcome in words.
  /// Throws as check().
  [[nodiscard]] std::string outcome(std::int64_t sent) const;

  [[nodiscard]] dds::Node& node() noexcept { return node_; }
  [[nodiscard]] const std::string& target() const noexcept { return target_; }
  [[nodiscard]] const NodeReports& reports() const noexcept { return reports_; }
  [[nodiscard]] const EndSignals& signals() const noexcept { return signals_; }
  [[noreturn]] void throw_unacknowledged() const;

 private:
  EndSignals signals_{{SIGINT, SIGTERM, SIGHUP}};
  std::string what_;
  dds::Node node_;
  std::string target_;
  NodeReports reports_;
  NodeReport before_;
};

/// A message of type T to the topic TARGET/NAME.
template <typename T>
class Delivery {
 public:
  Delivery(const std::string& target, const std::string& name, const std::string& what,
           const dds::RosArguments& ros)
      : report_(target, what, ros),
        writer_(report_.node().advertise<T>(report_.target() + "/" + name, dds::kCommandQos)) {
    report_.connect([this] { return writer_.matched() > 0; }, writer_.topic());
  }

  /// Returns the outcome in words.
  [[nodiscard]] std::string send_once(const T& message) {
    write(message);
    return report_.outcome(steady_now());
  }
  /// Repeats the message `rate_hz` times a second for `seconds` (0: until a signal), then sends
  /// `last`, if it is given. Returns the outcome in words.
  [[nodiscard]] std::string repeat(const T& message, double seconds, double rate_hz,
                                   const T* last) {
    const std::int64_t start = steady_now();
    while (seconds == 0.0 || static_cast<double>(steady_now() - start) < seconds * 1e9) {
      if (!writer_.write(message)) report_.throw_unacknowledged();
      if (report_.signals().wait(1.0 / rate_hz) != 0) break;
      report_.check();
    }
    if (last != nullptr) write(*last);
    return report_.outcome(start);
  }

 private:
  static std::int64_t steady_now();
  void write(const T& message) {
    if (!writer_.write(message) ||
        !writer_.wait_until_acknowledged(std::chrono::nanoseconds(kDiscovery))) {
      report_.throw_unacknowledged();
    }
  }

  DeliveryReport report_;
  dds::Writer<T> writer_;
};

template <typename T>
std::int64_t Delivery<T>::steady_now() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

}  // namespace spatial_dynamics::cli

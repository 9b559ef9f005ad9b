#include "cli/nodes/listen/listen.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "cli/common/options.hpp"
#include "cli/nodes/common/process.hpp"
#include "cli/subcommands.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "support/text.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kListenFooter = R"(Example:
  spatial_dynamics listen
  spatial_dynamics listen joint_states --count 1
  spatial_dynamics listen dynamics/torque/gravity --all > gravity.jsonl

Topics of type sensor_msgs/JointState: dynamics/torque and its terms,
dynamics/external_torque, joint_states. Prints one JSON line per message, with
numbers by joint name in N m and rad, or N and m:
  {"stamp":1760000000.25,"effort":{"shoulder":1.5,"elbow":0.25}}

If no message arrives, a warning on standard error names the topic. The demo's
messages stay on its host; to receive them:
  ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST spatial_dynamics listen

Exit code: 0; 1 if no message arrived within --seconds or a line could not be
written; 2 if the command line is wrong.
)";

constexpr double kWarningSeconds = 2.0;  // until a warning that no message arrives

struct ListenOptions {
  std::string topic = "dynamics/torque";
  double rate_hz = 10.0;
  bool all = false;
  double seconds = 0.0;
  std::uint64_t count = 0;
};

template <typename Names, typename Values>
void append_values(std::string& line, const char* name, const Names& names, const Values& values) {
  if (values.size() == 0) return;
  line.append(",\"").append(name).append("\":{");
  for (std::size_t i = 0; i < values.size() && i < names.size(); ++i) {
    if (i > 0) line += ',';
    append_json_string(line, names[i]);
    line += ':';
    if (std::isfinite(values[i])) {
      append_number(line, values[i]);
    } else {
      line += "null";
    }
  }
  line += '}';
}

/// Writes messages, at most at the requested rate, on the middleware's thread.
class Listener {
 public:
  explicit Listener(const ListenOptions& options)
      : limit_(options.count),
        shortest_(options.all ? 0 : static_cast<std::int64_t>(1e9 / options.rate_hz)) {}

  void on_message(const dds::JointState& message) {
    const std::int64_t now = steady_now_ns();
    if (over_ || (received() && now - last_ < shortest_)) return;
    last_ = now;
    try {
      output_.text() = json_line(message) + '\n';
      output_.flush();
    } catch (const std::exception& error) {
      failure_ = error.what();
      over_ = true;
      return;
    }
    over_ = output_.closed() || ++count_ == limit_;
  }
  [[nodiscard]] bool received() const noexcept { return count_ > 0; }
  /// True if all requested lines are written, or the reader has closed its end.
  [[nodiscard]] bool over() const noexcept { return over_; }
  /// Why a line could not be written; empty if all were. Valid once over().
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }

 private:
  const std::uint64_t limit_;
  const std::int64_t shortest_;  // ns between two lines
  std::atomic<std::uint64_t> count_{0};
  std::int64_t last_ = 0;
  Output output_{STDOUT_FILENO};
  std::string failure_;
  std::atomic<bool> over_{false};
};

int listen(const ListenOptions& options, const dds::RosArguments& ros) {
  const EndSignals signals({SIGINT, SIGTERM, SIGHUP});  // Ctrl-Z may stop it, as it sends nothing
  const auto log = make_log(ros, "listener");
  Listener listener(options);
  dds::NodeOptions node_settings = node_options(ros, "listener");
  node_settings.events.on_qos_mismatch = [&log](const dds::QosMismatch& mismatch) {
    log(LogLevel::kWarning, mismatch.sentence());
  };
  dds::Node node(node_settings);
  const auto reader = node.subscribe<dds::JointState>(
      options.topic, dds::kStreamQos, [&](const auto& message) { listener.on_message(message); });
  const std::int64_t start = steady_now_ns();
  for (bool warned = false; !listener.over();) {
    if (signals.wait(0.02) != 0) return kSuccess;
    const double waited = to_seconds(steady_now_ns() - start);
    if (options.seconds > 0.0 && waited >= options.seconds) break;
    if (warned || listener.received() || waited < kWarningSeconds) continue;
    warned = true;
    log(LogLevel::kWarning,
        (reader.matched() == 0 ? "no node publishes " : "no message has arrived on ") +
            reader.topic() + " in domain " + std::to_string(node.domain_id()) +
            "; is the node running, and are ROS_DOMAIN_ID and ROS_AUTOMATIC_DISCOVERY_RANGE the "
            "same?");
  }
  if (listener.over() && !listener.failure().empty()) throw std::runtime_error(listener.failure());
  return listener.received() ? kSuccess : kFailure;
}

}  // namespace

std::string json_line(const dds::JointState& message) {
  const std::int64_t stamp = dds::nanoseconds(message.header.stamp);
  std::array<char, 32> seconds{};  // a double would lose the last digits
  std::snprintf(seconds.data(), seconds.size(), "%lld.%09lld",
                static_cast<long long>(stamp / kNanosecondsPerSecond),
                static_cast<long long>(stamp % kNanosecondsPerSecond));
  std::string line = "{\"stamp\":";
  line += seconds.data();
  const auto names = dds::view(message.name);
  append_values(line, "position", names, dds::view(message.position));
  append_values(line, "velocity", names, dds::view(message.velocity));
  append_values(line, "effort", names, dds::view(message.effort));
  return line + '}';
}

void add_listen(CLI::App& app, const dds::RosArguments& ros, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("listen", "Print the torques that a node sends, as JSON lines");
  const auto options = std::make_shared<ListenOptions>();
  command->add_option("TOPIC", options->topic, "A topic of joint states")->capture_default_str();
  command->add_option("--rate", options->rate_hz, "Maximum number of lines per second")
      ->type_name("HZ")
      ->capture_default_str()
      ->check(positive());
  command->add_flag("--all", options->all, "Every message");
  command->add_option("--count", options->count, "End after this number of lines")
      ->type_name("N")
      ->check(positive());
  command->add_option("--seconds", options->seconds, "End after this time (on Ctrl-C)")
      ->type_name("S")
      ->check(positive());
  command->footer(kListenFooter);
  command->callback([options, &ros, &exit_code] { exit_code = listen(*options, ros); });
}

}  // namespace spatial_dynamics::cli

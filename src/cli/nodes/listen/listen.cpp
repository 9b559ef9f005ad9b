#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "cli/common/options.hpp"
#include "cli/nodes/common/process.hpp"
#include "cli/nodes/listen/json_line.hpp"
#include "cli/subcommands.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kListenFooter = R"(Example:
  spatial_dynamics listen
  spatial_dynamics listen joint_states --count 1
  spatial_dynamics listen dynamics/torque/gravity --all > gravity.jsonl
  spatial_dynamics listen /diagnostics
  spatial_dynamics listen dynamics/statistics

Prints one JSON line per message of any topic of the nodes (docs/topics.md): its
type is that of the topic's publisher. Numbers of joints are by joint name, in N m
and rad, or N and m:
  {"stamp":1760000000.25,"effort":{"shoulder":1.5,"elbow":0.25}}
Every message of diagnostics and statistics is printed, of other topics at most
--rate lines per second.

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

/// Writes messages, at most at the requested rate, on the middleware's thread.
class Listener {
 public:
  explicit Listener(const ListenOptions& options)
      : limit_(options.count),
        shortest_(options.all ? 0 : static_cast<std::int64_t>(1e9 / options.rate_hz)) {}

  template <typename T>
  void on_message(const T& message) {
    constexpr bool kIsReport =
        std::is_same_v<T, dds::DiagnosticArray> || std::is_same_v<T, dds::MetricsMessage>;
    const std::int64_t now = steady_now_ns();
    if (over_ || (!kIsReport && received() && now - last_ < shortest_)) return;
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

/// The subscription, once the type of the topic's messages is known.
class Subscription {
 public:
  Subscription(dds::Node& node, const std::string& topic, Listener& listener)
      : node_(node), topic_(node.resolve(topic)), listener_(listener) {
    node_.watch_peers([] {});
  }

  [[nodiscard]] const std::string& topic() const noexcept { return topic_; }
  /// Number of matched publishers.
  [[nodiscard]] std::uint32_t matched() const { return matched_ ? matched_() : 0; }
  /// Subscribes if a publisher is found. Throws std::runtime_error if its type is not in a topic
  /// table.
  void update() {
    if (matched_) return;
    const std::vector<dds::PeerPublisher> publishers = node_.publishers_of(topic_);
    if (publishers.empty()) return;
    const std::string& type = publishers.front().type;
    try_types<dds::JointState, dds::JointTrajectory, dds::Bool, dds::String, dds::Float64MultiArray,
              dds::Odometry, dds::AccelStamped, dds::WrenchStamped, dds::InertiaStamped,
              dds::Vector3Stamped, dds::DiagnosticArray, dds::MetricsMessage, dds::Clock>(type);
    if (!matched_) {
      throw std::runtime_error("topic " + topic_ + " has type " + dds::ros_type_name(type) +
                               ", which no topic of the nodes has; docs/topics.md lists them.");
    }
  }

 private:
  template <typename... Types>
  void try_types(const std::string& type) {
    ((type == dds::descriptor<Types>().m_typename ? subscribe<Types>() : void()), ...);
  }
  template <typename T>
  void subscribe() {
    // A late subscriber receives the last description too.
    const Qos qos = std::is_same_v<T, dds::String> ? dds::kDescriptionQos : dds::kStreamQos;
    const auto reader = std::make_shared<dds::Reader<T>>(node_.subscribe_resolved<T>(
        topic_, qos, [this](const T& message) { listener_.on_message(message); }));
    matched_ = [reader] { return reader->matched(); };
  }

  dds::Node& node_;
  const std::string topic_;
  Listener& listener_;
  std::function<std::uint32_t()> matched_;  // owns the reader
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
  Subscription subscription(node, options.topic, listener);
  const std::int64_t start = steady_now_ns();
  bool over = false;
  for (bool warned = false; !over && !listener.over();) {
    subscription.update();
    if (signals.wait(0.02) != 0) return kSuccess;
    const double waited = to_seconds(steady_now_ns() - start);
    over = options.seconds > 0.0 && waited >= options.seconds;
    if (warned || listener.received() || (!over && waited < kWarningSeconds)) continue;
    warned = true;
    log(LogLevel::kWarning,
        (subscription.matched() == 0 ? "no node publishes " : "no message has arrived on ") +
            subscription.topic() + " in domain " + std::to_string(node.domain_id()) +
            "; is the node running, and are ROS_DOMAIN_ID and ROS_AUTOMATIC_DISCOVERY_RANGE the "
            "same?");
  }
  if (listener.over() && !listener.failure().empty()) throw std::runtime_error(listener.failure());
  return listener.received() ? kSuccess : kFailure;
}

}  // namespace

void add_listen(CLI::App& app, const dds::RosArguments& ros, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "listen", "Print the messages of a topic, such as a node's torques, as JSON lines");
  const auto options = std::make_shared<ListenOptions>();
  command->add_option("TOPIC", options->topic, "The topic")->capture_default_str();
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

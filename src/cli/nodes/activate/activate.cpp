#include "cli/subcommands.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "cli/nodes/common/process.hpp"
#include "runtime/activation_command.hpp"
#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kFooter = R"(Example:
  spatial_dynamics activate
  spatial_dynamics deactivate /left/dynamics
  ROS_DOMAIN_ID=7 spatial_dynamics activate

Sends true or false to NODE/set_active and waits until the node's diagnostics
show the result. Works with `spatial_dynamics run` and with the ROS 2 node,
which changes its lifecycle state accordingly.

`activate` also ends a latched stop. `deactivate` ramps the torque to zero and
waits until it is zero; the node continues to run.

Exit code: 0; 1 if no such node was found, or it did not answer in time; 2 if the
command line is wrong.
)";

constexpr std::int64_t kDiscovery = 5 * kNanosecondsPerSecond;
/// Diagnostics are sent once a second; a ramp takes 0.3 s, or longer with a low rate limit.
constexpr std::int64_t kResult = 10 * kNanosecondsPerSecond;
/// A report sent before the node acknowledged the command may arrive later than the
/// acknowledgement.
constexpr std::int64_t kTransitTime = kNanosecondsPerSecond / 20;

/// The node's diagnostics.
struct Report {
  std::int64_t received = 0;  // steady clock, ns
  std::string message, active, phase, command;
};

class ReportReader {
 public:
  explicit ReportReader(std::string node) : name_(std::move(node) + ": rigid-body dynamics") {}

  void on_message(const dds::DiagnosticArray& message) {
    for (const dds::DiagnosticStatus& status : dds::view(message.status)) {
      if (dds::text(status.name) != name_) continue;
      Report report;
      report.received = steady_now_ns();
      report.message = dds::text(status.message);
      for (const dds::KeyValue& value : dds::view(status.values)) {
        const std::string_view key = dds::text(value.key);
        if (key == "active") report.active = dds::text(value.value);
        if (key == "phase") report.phase = dds::text(value.value);
        if (key == kActivationCommandKey) report.command = dds::text(value.value);
      }
      const std::lock_guard lock(mutex_);
      newest_ = report;
    }
  }
  [[nodiscard]] Report newest() const {
    const std::lock_guard lock(mutex_);
    return newest_;
  }

 private:
  const std::string name_;
  mutable std::mutex mutex_;
  Report newest_;
};

bool wait_until(const std::function<bool()>& is_true, std::int64_t limit) {
  const std::int64_t deadline = steady_now_ns() + limit;
  while (!is_true()) {
    if (steady_now_ns() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

int send(bool active, const std::string& name, const dds::RosArguments& ros) {
  dds::Node node(node_options(ros, "activation_command"));
  const std::string target = node.resolve(name);
  ReportReader reports(target);
  auto command = node.advertise<dds::Bool>(target + "/set_active", dds::kCommandQos);
  const auto diagnostics = node.subscribe<dds::DiagnosticArray>(
      "/diagnostics", dds::kDefaultQos, [&](const auto& message) { reports.on_message(message); });
  const bool found =
      wait_until([&] { return command.matched() > 0 && diagnostics.matched() > 0; }, kDiscovery);
  if (!found) {
    throw std::runtime_error("no node subscribes to " + command.topic() + " in domain " +
                             std::to_string(node.domain_id()) +
                             "; is it running, and are ROS_DOMAIN_ID and "
                             "ROS_AUTOMATIC_DISCOVERY_RANGE the same?");
  }
  dds::Message<dds::Bool> message;
  message->data = active;
  if (!command.write(*message) ||
      !command.wait_until_acknowledged(std::chrono::nanoseconds(kDiscovery))) {
    throw std::runtime_error("node " + target + " did not acknowledge the command; try again.");
  }
  const std::int64_t sent = steady_now_ns() + kTransitTime;
  const std::string word = active ? "activate" : "deactivate";
  /// The command with its result; empty while diagnostics do not show it.
  const auto shown = [&](const Report& report) -> std::optional<ActivationCommand> {
    if (report.received <= sent) return std::nullopt;
    auto last = parse_activation_command(report.command);
    if (last && last->activate != active) last.reset();
    return last;
  };
  const auto done = [&] {
    const Report report = reports.newest();
    return shown(report) && (active ? report.active == "true"
                                    : report.active == "false" && report.phase == "inactive");
  };
  const auto rejected = [&] {
    const auto last = shown(reports.newest());
    return last && last->rejected();
  };
  wait_until([&] { return done() || rejected(); }, kResult);
  const bool success = done() && !rejected();
  const Report report = reports.newest();
  if (!success) {
    throw std::runtime_error(
        shown(report) ? target + " did not " + word + ". Its last command: " + report.command +
                            ". It reports: " + report.message
                      : "node " + target +
                            " acknowledged the command, but its diagnostics did not "
                            "show the result in 10 s; see /diagnostics.");
  }
  std::printf("%s is %s (phase %s): %s\n", target.c_str(), active ? "active" : "inactive",
              report.phase.c_str(), report.message.c_str());
  return kSuccess;
}

void add(CLI::App& app, const char* name, const char* help, bool active,
         const dds::RosArguments& ros, int& exit_code) {
  CLI::App* const command = app.add_subcommand(name, help);
  const auto node = std::make_shared<std::string>("/dynamics");
  command->add_option("NODE", *node, "The node's name with its namespace")->capture_default_str();
  command->footer(kFooter);
  command->callback([=, &ros, &exit_code] { exit_code = send(active, *node, ros); });
}

}  // namespace

void add_activate(CLI::App& app, const dds::RosArguments& ros, int& exit_code) {
  add(app, "activate", "Let a running node send torques", true, ros, exit_code);
  add(app, "deactivate", "Ramp a running node's torque to zero", false, ros, exit_code);
}

}  // namespace spatial_dynamics::cli

#include "cli/subcommands.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

#include "cli/nodes/common/node_reports.hpp"
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

/// Diagnostics are sent once a second; a ramp takes 0.3 s, or longer with a low rate limit.
constexpr std::int64_t kResult = 10 * kNanosecondsPerSecond;

int send_active(bool active, const std::string& name, const dds::RosArguments& ros) {
  dds::Node node(node_options(ros, "activation_command"));
  const std::string target = node.resolve(name);
  const NodeReports reports(node, target);
  auto command = node.advertise<dds::Bool>(target + "/set_active", dds::kCommandQos);
  const bool found =
      wait_until([&] { return command.matched() > 0 && reports.matched(); }, kDiscovery);
  if (!found) throw std::runtime_error(no_subscriber(command.topic(), node));
  dds::Message<dds::Bool> message;
  message->data = active;
  if (!command.write(*message) ||
      !command.wait_until_acknowledged(std::chrono::nanoseconds(kDiscovery))) {
    throw std::runtime_error("node " + target + " did not acknowledge the command; try again.");
  }
  const std::int64_t sent = steady_now_ns() + kTransitTime;
  const std::string word = active ? "activate" : "deactivate";
  /// Whether diagnostics show the result of the command, and, if `rejected`, that it was rejected.
  const auto shows = [&](const NodeReport& report, bool rejected = false) {
    if (report.received <= sent) return false;
    const auto last = parse_activation_command(report.value(kActivationCommandKey));
    return last && last->activate == active && (!rejected || last->rejected());
  };
  const auto done = [&] {
    const NodeReport report = reports.newest();
    return shows(report) &&
           (active ? report.value("active") == "true"
                   : report.value("active") == "false" && report.value("phase") == "inactive");
  };
  const auto rejected = [&] { return shows(reports.newest(), true); };
  wait_until([&] { return done() || rejected(); }, kResult);
  const bool success = done() && !rejected();
  const NodeReport report = reports.newest();
  if (!success) {
    throw std::runtime_error(
        shows(report) ? target + " did not " + word + ". Its last command: " +
                            report.value(kActivationCommandKey) + ". It reports: " + report.message
                      : "node " + target +
                            " acknowledged the command, but its diagnostics did not "
                            "show the result in 10 s; see /diagnostics.");
  }
  const std::string state = active ? "active" : "inactive", phase = report.value("phase");
  std::string line = target + " is " + state;
  if (phase != state) line += " (phase " + phase + ")";
  if (!report.message.empty() && report.message != state) line += ": " + report.message;
  std::printf("%s\n", line.c_str());
  return kSuccess;
}

void add(CLI::App& app, const char* name, const char* help, bool active,
         const dds::RosArguments& ros, int& exit_code) {
  CLI::App* const command = app.add_subcommand(name, help);
  const auto node = std::make_shared<std::string>("/dynamics");
  command->add_option("NODE", *node, "The node's name with its namespace")->capture_default_str();
  command->footer(kFooter);
  command->callback([=, &ros, &exit_code] { exit_code = send_active(active, *node, ros); });
}

}  // namespace

void add_activate(CLI::App& app, const dds::RosArguments& ros, int& exit_code) {
  add(app, "activate", "Let a running node send torques", true, ros, exit_code);
  add(app, "deactivate", "Ramp a running node's torque to zero", false, ros, exit_code);
}

}  // namespace spatial_dynamics::cli

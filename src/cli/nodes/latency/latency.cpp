#include "cli/subcommands.hpp"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "cli/nodes/common/process.hpp"
#include "cli/nodes/latency/latency_run.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kLatencyFooter = R"(Example:
  spatial_dynamics latency
  spatial_dynamics latency my_robot.urdf --rounds 40
  spatial_dynamics latency --json | jq .trigger_state.ratio

Starts the node and a bare echo as separate processes, sends them states over
DDS and waits for each answer. One run measures alternately:

  node, trigger: state    round trip from a state to its torque, computed and
                          published by the thread that received the state
  bare echo               the same messages without computation: the time of
                          the middleware itself on this machine
  fixed rate              the node's loop: compute time, state wait and wake-up
                          jitter, which docs/real_time.md defines

Ratios compare the medians of each round, because other load on the machine
affects both processes equally. Every torque is compared with the library's; a
difference of more than 1e-9 ends the run.

Unless ROS_DOMAIN_ID is set, a separate domain is used. Unless
ROS_AUTOMATIC_DISCOVERY_RANGE or ROS_LOCALHOST_ONLY is set, messages stay on this
host. For undisturbed figures, run it as root (the loop then has real-time
priority) on an idle machine.

Exit code: 0 if measured, whether goals are reached or not; 1 if the robot was
rejected, a torque was wrong or a process failed; 2 if the command line is wrong.
)";

/// Call it before any thread is started. Child processes inherit the domain.
void choose_domain() {
  // 1 to 101: ports of higher domains are in the range of ephemeral ports.
  const std::string domain = std::to_string(1 + ::getpid() % 101);
  ::setenv("ROS_DOMAIN_ID", domain.c_str(), 0);                 // NOLINT(concurrency-mt-unsafe)
  if (std::getenv("ROS_LOCALHOST_ONLY") == nullptr) {           // NOLINT(concurrency-mt-unsafe)
    ::setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 0);  // NOLINT(concurrency-mt-unsafe)
  }
}

}  // namespace

void add_latency(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "latency", "Measure the round trip of a state through the node, compared with a bare echo");
  const auto options = std::make_shared<LatencyOptions>();
  add_robot_options(*command, options->model, "The robot (the shipped 7-joint arm)");
  command->add_option("--rounds", options->rounds, "Rounds; each gives one ratio")
      ->type_name("N")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  command->add_option("--trips", options->trips, "Round trips to each peer in a round")
      ->type_name("N")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command->add_option("--rate", options->rate_hz, "States per second, and the loop's rate")
      ->type_name("HZ")
      ->check(CLI::Range(1.0, 5'000.0))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print JSON instead of a table");
  command->footer(kLatencyFooter);
  command->callback([options, &exit_code] {
    choose_domain();
    const LatencyReport report = LatencyRun(*options).run();
    std::fputs((options->json ? to_json(report) : to_text(report)).c_str(), stdout);
    exit_code = kSuccess;
  });
}

}  // namespace spatial_dynamics::cli

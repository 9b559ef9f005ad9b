#include "latency.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "../exit_code.hpp"
#include "latency_run.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kLatencyFooter = R"(Example:
  spatial_dynamics latency
  spatial_dynamics latency --urdf my_robot.urdf --rounds 40
  spatial_dynamics latency --json | jq .trigger_state.ratio

It starts the node and a bare echo as processes of their own, sends them states
over DDS and waits for each answer. All of it is measured in one run, in turns:

  node, trigger: state    a state in, its torque out, computed and published by
                          the thread that received the state
  bare echo               the same messages and nothing computed: what the
                          middleware itself takes on this machine
  fixed rate              the node's loop: from its wake-up to the torque that
                          the publisher thread gets. The time that a state
                          waits for the tick is not the node's work and is
                          told apart.

Ratios are those of the medians of each round, since other load on the machine
meets both alike. Every torque is compared with the library's; a difference of
more than 1e-9 ends the run.

Unless ROS_DOMAIN_ID is set, a domain of its own is used, and unless
ROS_AUTOMATIC_DISCOVERY_RANGE or ROS_LOCALHOST_ONLY is, nothing leaves this
host. For figures without other load, run it as root (the loop then has
real-time priority) on a machine that does nothing else.

Exit code: 0 it was measured (goals missed or not), 1 the robot was refused, a
torque was wrong or a process failed, 2 the command line is wrong.
)";

/// Before any thread: children inherit it.
void choose_domain() {
  // 1 to 101: above, ports collide with those that Linux gives to anyone.
  const std::string domain = std::to_string(1 + ::getpid() % 101);
  ::setenv("ROS_DOMAIN_ID", domain.c_str(), 0);                 // NOLINT(concurrency-mt-unsafe)
  if (std::getenv("ROS_LOCALHOST_ONLY") == nullptr) {           // NOLINT(concurrency-mt-unsafe)
    ::setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 0);  // NOLINT(concurrency-mt-unsafe)
  }
}

}  // namespace

void add_latency(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "latency", "Measure how fast the node answers states, beside a bare echo.");
  const auto options = std::make_shared<LatencyOptions>();
  command->add_option("--urdf", options->urdf, "The robot; without it a shipped 7-joint arm")
      ->type_name("FILE");
  command->add_option("--rounds", options->rounds, "Rounds; ratios are those of each")
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

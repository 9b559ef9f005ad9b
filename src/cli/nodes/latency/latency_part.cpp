#include "cli/subcommands.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <string>

#include "cli/nodes/common/process.hpp"
#include "cli/nodes/latency/latency_figures.hpp"
#include "dds/dynamics_node.hpp"
#include "runtime/parameters_table.hpp"
#include "runtime/standard_error_log.hpp"

namespace spatial_dynamics::cli {
namespace {

/// The minimum that a node on this middleware can do: it answers a joint state with its efforts, on
/// the thread that received it.
int run_echo(const dds::RosArguments& ros) {
  const EndSignals signals;
  dds::Node node(node_options(ros, "echo"));
  dds::Message<dds::JointState> answer;
  auto out = node.advertise<dds::JointState>("~/out", dds::kOutputQos);
  const auto in =
      node.subscribe<dds::JointState>("~/in", dds::kStreamQos, [&](const dds::JointState& state) {
        answer->header.stamp = state.header.stamp;
        dds::assign(answer->header.frame_id, "");
        dds::assign(answer->name, dds::view(state.name));
        dds::assign(answer->effort, dds::view(state.effort));
        (void)out.write(*answer);  // the peer notices a lost answer
      });
  (void)signals.wait(0.0);
  return kSuccess;
}

/// The dynamics node. At its end it prints one line of JSON for read_timing(): the histograms minus
/// their contents after warm-up.
int run_timed(const dds::RosArguments& ros) {
  constexpr double kWarmUpSeconds = 0.3, kLookSeconds = 0.01;
  const ParameterSet parameters = node_parameters(parameter_table(), ros, "dynamics", {});
  const EndSignals signals;
  dds::DynamicsNode node({parameters, node_options(ros, "dynamics"), make_log(ros, "dynamics"),
                          standard_error_lines_lost, [&signals] { return signals.pending(); }});
  const DynamicsCore& core = node.core();
  bool ended = false;
  while (!ended && core.phase() != Phase::kRunning) ended = signals.wait(kLookSeconds) != 0;
  if (!ended) ended = signals.wait(kWarmUpSeconds) != 0;
  const TimedLoop before = snapshot_of(core);
  if (!ended) (void)signals.wait(0.0);
  const TimedLoop after = snapshot_of(core);
  std::printf("%s\n", timing_text(after, before).c_str());
  (void)std::fflush(stdout);
  return node.shut_down() ? kSuccess : kFailure;
}

}  // namespace

void add_latency_part(CLI::App& app, const dds::RosArguments& ros, int& exit_code) {
  CLI::App* const command = app.add_subcommand("latency_part", "A process that latency measures.");
  command->group("");  // not in the help
  const auto part = std::make_shared<std::string>();
  command->add_option("part", *part, "echo or timed")
      ->required()
      ->check(CLI::IsMember({"echo", "timed"}));
  command->callback(
      [part, &ros, &exit_code] { exit_code = *part == "echo" ? run_echo(ros) : run_timed(ros); });
}

}  // namespace spatial_dynamics::cli

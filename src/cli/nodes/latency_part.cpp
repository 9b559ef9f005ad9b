#include "latency_part.hpp"

#include <cstdio>
#include <memory>
#include <string>

#include "../exit_code.hpp"
#include "dds/dynamics_node.hpp"
#include "latency_figures.hpp"
#include "process.hpp"

namespace spatial_dynamics::cli {
namespace {

int run_echo(const dds::RosArguments& ros) {
  const Signals signals;
  dds::Node node(node_options(ros, "echo"));
  dds::Message<dds::JointState> answer;
  auto out = node.advertise<dds::JointState>("~/out", dds::kOutputQos);
  const auto in =
      node.subscribe<dds::JointState>("~/in", dds::kStreamQos, [&](const dds::JointState& state) {
        answer->header.stamp = state.header.stamp;
        dds::assign(answer->header.frame_id, "");
        dds::assign(answer->name, dds::view(state.name));
        dds::assign(answer->effort, dds::view(state.effort));
        (void)out.write(*answer);  // a lost one is seen by who waits for it
      });
  signals.wait(0.0);
  return kSuccess;
}

/// Whole-life histograms less what they held when the node had warmed up.
int run_timed(const dds::RosArguments& ros) {
  constexpr double kWarmUpSeconds = 0.3, kLookSeconds = 0.01;
  const Signals signals;
  dds::DynamicsNode node({node_parameters(parameter_table(), ros, "dynamics", {}),
                          node_options(ros, "dynamics"), make_log(ros, "dynamics")});
  const DynamicsCore& core = node.core();
  bool ended = false;
  while (!ended && core.phase() != Phase::kRunning) ended = signals.wait(kLookSeconds);
  if (!ended) ended = signals.wait(kWarmUpSeconds);
  const TimedLoop before = snapshot_of(core);
  if (!ended) signals.wait(0.0);
  const TimedLoop after = snapshot_of(core);
  std::printf("%s\n", timing_text(after, before).c_str());
  (void)std::fflush(stdout);
  return node.shut_down() ? kSuccess : kRefused;
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

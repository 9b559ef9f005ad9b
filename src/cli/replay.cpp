#include "replay.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>

#include "../model/text.hpp"
#include "exit_code.hpp"
#include "replay_analysis.hpp"
#include "replay_options.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kReplayFooter = R"(Example:
  spatial_dynamics replay my_robot.urdf log.csv --output residuals.csv
  scripts/plot residuals.csv

It predicts each sample's efforts by inverse dynamics, shows per joint what is
left of the measured ones, and says in words what could be wrong. With --output
it writes measured and predicted efforts, for scripts/plot.

Exit code: 0, 1 if the robot or the log was refused, 2 if the command line is
wrong.
)";

struct ReplayCommand {
  ReplayOptions input;
  std::string output;
};

std::string table(const Replay& result) {
  std::size_t width = 5;
  for (const JointResidual& joint : result.joints) width = std::max(width, joint.name.size());
  const auto cell = [](const std::string& text, std::size_t size) {
    return std::string(size > text.size() ? size - text.size() : 0, ' ') + text;
  };
  const auto name = [&](const std::string& text) {
    return "  " + text + std::string(width - text.size(), ' ');
  };
  std::string out = "\n" + name("joint") + cell("measured, rms", 16) + cell("residual, rms", 16) +
                    cell("mean", 11) + cell("largest", 11) + "\n";
  for (const JointResidual& joint : result.joints) {
    out += name(joint.name);
    if (!joint.has_effort) {
      out += "   not measured\n";
      continue;
    }
    const std::string unit = joint.is_length ? " N" : " N m";
    out += cell(rounded_text(joint.effort_rms) + unit, 16) +
           cell(rounded_text(joint.residual_rms) + unit, 16) +
           cell(rounded_text(joint.residual_mean), 11) +
           cell(rounded_text(joint.residual_max), 11) + "\n";
  }
  return out;
}

void write_csv(const std::string& path, const Samples& samples, const Replay& result) {
  std::ofstream file(path);
  file << "time";
  for (const JointResidual& joint : result.joints) {
    file << ",measured:" << joint.name << ",predicted:" << joint.name;
  }
  file << '\n';
  for (Index i = 0; i < samples.size(); ++i) {
    file << number_text(samples.time[to_size(i)]);
    for (Index k = 0; k < result.predicted.rows(); ++k) {
      file << ',';
      if (samples.has_effort[to_size(k)]) file << number_text(samples.effort(k, i));
      file << ',' << number_text(result.predicted(k, i));
    }
    file << '\n';
  }
  if (!file.flush()) throw LogError(path + " can't be written.");
}

int replay(const ReplayCommand& options) {
  const ReplayInput input = load_replay(options.input);
  const Replay result = replay(input.model, input.samples);
  std::cout << describe(input) << table(result) << '\n';
  if (result.hints.empty()) std::cout << "The model explains this log.\n";
  for (const std::string& hint : result.hints) std::cout << "- " << hint << '\n';
  if (!options.output.empty()) write_csv(options.output, input.samples, result);
  return kSuccess;
}

}  // namespace

void add_replay(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ReplayCommand>();
  CLI::App* const command =
      app.add_subcommand("replay", "Compare a robot's log with what its model predicts");
  add_replay_options(*command, options->input);
  command->add_option("--output", options->output, "Write measured and predicted efforts")
      ->type_name("FILE.csv");
  command->footer(std::string(kLogHelp) + "\n" + kReplayFooter);
  command->callback([options, &exit_code] { exit_code = replay(*options); });
}

}  // namespace spatial_dynamics::cli

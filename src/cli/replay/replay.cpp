#include "cli/subcommands.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "cli/common/log_options.hpp"
#include "cli/common/plot.hpp"
#include "cli/common/plot_file.hpp"
#include "cli/common/progress.hpp"
#include "identification/log_comparison.hpp"
#include "support/text.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kReplayFooter = R"(Example:
  spatial_dynamics replay my_robot.urdf log.csv --plot efforts.svg
  spatial_dynamics replay my_robot.urdf log.csv --output residuals.csv

Predicts the efforts of each sample by inverse dynamics, prints the residuals of
the measured efforts per joint, and suggests causes. The model explains a joint
(yes) if its residual is at most 10 % of the measured effort (both rms). A larger
residual below 0.5 % of the joint's effort limit is "small": sensors do not
resolve it. --plot draws measured and predicted efforts, --output writes them as
a table; --output - writes the table to standard output and all text to standard
error.

Exit code: 0; 1 if the robot or the log was rejected; 2 if the command line is
wrong.
)";

struct ReplayCommand {
  LogOptions input;
  std::string output, plot;
};

/// "yes (2 %)": whether the model explains the joint's efforts, and its residual.
std::string explained_text(const JointResidual& joint) {
  const std::string share = rounded_text(std::round(100.0 * joint.share())) + " %";
  switch (joint.explanation()) {
    case Explanation::kYes:
      return "yes (" + share + ")";
    case Explanation::kSmall:
      return "small (" + share + ", below " + rounded_text(joint.resolution) +
             (joint.is_length ? " N)" : " N m)");
    default:
      return "no (" + share + ")";
  }
}

/// The joints with this explanation: "'elbow', 'wrist'".
std::string joints_with(const LogComparison& result, Explanation explanation) {
  std::string names;
  for (const JointResidual& joint : result.joints) {
    if (!joint.has_effort || joint.explanation() != explanation) continue;
    names += (names.empty() ? "" : ", ") + in_quotes(joint.name);
  }
  return names;
}

/// Which joints the model explains.
std::string verdict(const LogComparison& result) {
  const std::string unexplained = joints_with(result, Explanation::kNo);
  if (!unexplained.empty()) return "The model does not explain " + unexplained + ".\n";
  const std::string small = joints_with(result, Explanation::kSmall);
  if (!small.empty()) {
    return "The model explains this log, except for residuals that are too small to judge: " +
           small + ".\n";
  }
  return result.hints.empty() ? "The model explains this log.\n"
                              : "The model explains every joint, but could be better.\n";
}

std::string table(const LogComparison& result) {
  std::size_t width = 5;
  for (const JointResidual& joint : result.joints) width = std::max(width, joint.name.size());
  const auto cell = [](const std::string& text, std::size_t size) {
    return std::string(size > text.size() ? size - text.size() : 0, ' ') + text;
  };
  const auto name = [&](const std::string& text) {
    return "  " + text + std::string(width - text.size(), ' ');
  };
  std::string out = "\n" + name("joint") + cell("measured, rms", 16) + cell("residual, rms", 16) +
                    cell("mean", 11) + cell("largest", 11) + "  explained\n";
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
           cell(rounded_text(joint.residual_max), 11) + "  " + explained_text(joint) + "\n";
  }
  return out;
}

std::string efforts_csv(const LogSamples& samples, const LogComparison& result) {
  std::string text = "time";
  for (const JointResidual& joint : result.joints) {
    text.append(",measured:").append(joint.name).append(",predicted:").append(joint.name);
  }
  text += '\n';
  for (Index i = 0; i < samples.size(); ++i) {
    text += number_text(samples.time[to_size(i)]);
    for (Index k = 0; k < result.predicted.rows(); ++k) {
      text += ',';
      if (samples.has_effort[to_size(k)]) text += number_text(samples.effort(k, i));
      text.append(",").append(number_text(result.predicted(k, i)));
    }
    text += '\n';
  }
  return text;
}

/// Measured and predicted efforts, one panel per joint.
std::string efforts_svg(const std::string& title, const LogSamples& samples,
                        const LogComparison& result) {
  std::vector<std::string> columns;
  std::vector<Panel> panels;
  for (const JointResidual& joint : result.joints) {
    Panel panel{joint.name + (joint.is_length ? ", N" : ", N m"), {}};
    if (joint.has_effort) panel.curves.push_back({columns.size(), "measured"});
    panel.curves.push_back({columns.size() + 1, "predicted", true});
    panels.push_back(std::move(panel));
    columns.insert(columns.end(), {"measured:" + joint.name, "predicted:" + joint.name});
  }
  History history(std::move(columns));
  std::vector<double> row(2 * result.joints.size());
  for (Index i = 0; i < samples.size(); ++i) {
    for (Index k = 0; k < result.predicted.rows(); ++k) {
      row[2 * to_size(k)] = samples.effort(k, i);
      row[2 * to_size(k) + 1] = result.predicted(k, i);
    }
    history.add(samples.time[to_size(i)], row);
  }
  return to_svg(title, history, panels);
}

int replay(const ReplayCommand& options) {
  const LogInput input = load_log(options.input);
  require_efforts(input);
  const LogComparison result = [&input] {
    Progress progress("predicting efforts");
    return compare_log(input.model, input.samples,
                       [&progress](double share) { progress.show(share); });
  }();
  std::ostream& out = message_stream({options.output});
  out << describe(input) << table(result) << '\n' << verdict(result);
  for (const std::string& hint : result.hints) out << "- " << hint << '\n';
  if (!options.output.empty()) write_file(options.output, efforts_csv(input.samples, result));
  if (!options.plot.empty()) {
    write_plot(options.plot, efforts_svg(input.model.name() + ", efforts", input.samples, result));
  }
  return kSuccess;
}

}  // namespace

void add_replay(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ReplayCommand>();
  CLI::App* const command =
      app.add_subcommand("replay", "Compare a robot's log with the prediction of its model");
  add_log_options(*command, options->input);
  command
      ->add_option("--output", options->output,
                   "Write measured and predicted efforts; - is standard output")
      ->type_name("FILE.csv");
  command->add_option("--plot", options->plot, "Draw measured and predicted efforts")
      ->type_name(kPlotFile)
      ->check(CLI::Validator(plot_file_problem, "", "plot"));
  command->footer(std::string(kLogHelp) + "\n" + kReplayFooter);
  command->callback([options, &exit_code] { exit_code = replay(*options); });
}

}  // namespace spatial_dynamics::cli

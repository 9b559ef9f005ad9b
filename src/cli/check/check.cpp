#include "cli/subcommands.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/check/report_json.hpp"
#include "cli/check/tree_plot.hpp"
#include "cli/common/options.hpp"
#include "cli/common/plot_file.hpp"
#include "model/report_text.hpp"
#include "spatial_dynamics/model/weight_torque.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {

namespace {

constexpr const char* kCheckFooter = R"(Example:
  spatial_dynamics check urdf/double_pendulum.urdf
  spatial_dynamics check --json urdf/double_pendulum.urdf
  spatial_dynamics check urdf/humanoid.urdf --plot tree.svg

Own weight: the largest effort that holding the robot's own weight asks of the
joint, at the worst pose that a search within the position limits has found. It
is reached there, so the true maximum is not smaller, but may be larger. A
floating base stays upright, without contact forces.

JSON: name, dof, joints in coordinate order (name, type, parent, child, lower,
upper, effort, velocity, acceleration, deceleration, jerk, damping, friction,
armature, weight; null is unlimited, or a weight of several coordinates),
total_mass, lumped (each merged link and the link it became part of), mimic,
locked, findings (code, severity, element, what, remedy).

Exit code: 0 if the robot loads; 1 if it is rejected (the reason is on standard
error), or with --strict if numbers are probably in wrong units; 2 if the command
line is wrong.
)";

struct CheckOptions {
  ModelOptions model;
  std::string plot;
  bool json = false;
};

int check(const CheckOptions& options) {
  ModelReport report;
  const Model model = load_model(options.model, report);
  add_weights(model, report);
  if (!options.plot.empty()) write_plot(options.plot, tree_svg(model, report));
  Output output(STDOUT_FILENO);
  output.text() = options.json ? report_json(report) : report_text(report);
  output.flush();
  const bool wrong_units =
      std::any_of(report.findings.begin(), report.findings.end(),
                  [](const Finding& finding) { return suggests_wrong_units(finding.code); });
  if (!options.model.load.strict || !wrong_units) return kSuccess;
  std::cerr << "--strict: the URDF has findings on wrong units.\n";
  return kFailure;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* const command =
      app.add_subcommand("check", "Load a URDF and report its contents and problems");
  add_model_options(*command, options->model);
  command->add_flag("--json", options->json, "Write the report as JSON");
  command->add_option("--plot", options->plot, "Draw the tree of links and joints")
      ->type_name(kPlotFile)
      ->check(CLI::Validator(plot_file_problem, "", "plot"));
  command->footer(kCheckFooter);
  command->callback([options, &exit_code] { exit_code = check(*options); });
}

}  // namespace spatial_dynamics::cli

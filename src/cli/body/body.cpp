#include "cli/subcommands.hpp"

#include <iostream>
#include <memory>

#include "cli/body/body_systems.hpp"
#include "cli/common/options.hpp"
#include "cli/common/plot_file.hpp"
#include "cli/common/progress.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kBodyFooter = R"(Example:
  spatial_dynamics body tumble --plot tumble.svg
  spatial_dynamics body springs --stiffness 20000 --dt 0.0002

Each integrates its system and prints by how much the quantities change that
the laws of motion conserve. docs/mathematics.md has the equations.

Exit code: 0; 1 if a file can't be written or the step is too long; 2 if the
command line is wrong.
)";

constexpr double kMostSteps = 2e7;  // bounds the memory of the history

struct BodyOptions {
  BodySetup setup;
  std::string csv, plot;
};

using System = BodyMotion (*)(const BodySetup& setup, const ReportShare& progress);

int show(const std::string& title, System system, const BodyOptions& options) {
  if (options.setup.dt > options.setup.seconds) {
    throw CLI::ValidationError("--dt", "is longer than --seconds; give a shorter step");
  }
  if (options.setup.seconds / options.setup.dt > kMostSteps) {
    throw CLI::ValidationError("--dt",
                               "needs too many steps for the memory; simulate a shorter time");
  }
  const BodyMotion motion = [&] {
    Progress progress;
    return system(options.setup, [&progress](double share) { progress.show(share); });
  }();
  if (!options.csv.empty()) write_file(options.csv, to_csv(motion.history));
  if (!options.plot.empty()) {
    write_plot(options.plot, to_svg(title, motion.history, motion.panels));
  }
  message_stream({options.csv}) << motion.summary;
  return kSuccess;
}

CLI::App* add_system(CLI::App& body, const std::string& name, const std::string& help,
                     System system, const std::shared_ptr<BodyOptions>& options, int& exit_code) {
  CLI::App* const command = body.add_subcommand(name, help);
  command->add_option("--seconds", options->setup.seconds, "Duration")
      ->type_name("S")
      ->capture_default_str()
      ->check(positive());
  command->add_option("--dt", options->setup.dt, "Seconds per step")
      ->type_name("S")
      ->capture_default_str()
      ->check(positive());
  command->add_option("--csv", options->csv, "Write a table of every step; - is standard output")
      ->type_name("FILE");
  command->add_option("--plot", options->plot, "Draw the motion")
      ->type_name(kPlotFile)
      ->check(CLI::Validator(plot_file_problem, "", "plot"));
  command->callback(
      [name, system, options, &exit_code] { exit_code = show(name, system, *options); });
  return command;
}

}  // namespace

void add_body(CLI::App& app, int& exit_code) {
  CLI::App* const body = app.add_subcommand(
      "body", "Simulate one tumbling body, a spring network or two hinged bodies");
  body->require_subcommand(1);
  body->footer(kBodyFooter);
  const auto make_options = [](double seconds, double dt) {
    auto options = std::make_shared<BodyOptions>();
    options->setup.seconds = seconds;
    options->setup.dt = dt;
    return options;
  };
  add_system(*body, "tumble", "A free body that rotates about its intermediate axis", tumble,
             make_options(30.0, 1e-3), exit_code);
  const auto of_springs = make_options(5.0, 1e-3);
  add_system(*body, "springs", "Points on springs, compared with a rigid body", springs, of_springs,
             exit_code)
      ->add_option("--stiffness", of_springs->setup.stiffness, "Stiffness of each spring, N/m")
      ->type_name("K")
      ->capture_default_str()
      ->check(positive());
  add_system(*body, "two-body", "Two hinged bodies, one of them pushed", two_body,
             make_options(5.0, 1e-3), exit_code);
}

}  // namespace spatial_dynamics::cli

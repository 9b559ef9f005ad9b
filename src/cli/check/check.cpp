#include "cli/subcommands.hpp"

#include <unistd.h>

#include <memory>

#include "cli/check/report.hpp"
#include "cli/common/options.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {

namespace {

constexpr const char* kCheckFooter = R"(Example:
  spatial_dynamics check urdf/double_pendulum.urdf
  spatial_dynamics check --json urdf/double_pendulum.urdf

JSON: name, dof, joints in coordinate order (name, type, parent, child, lower,
upper, effort, velocity, damping, friction, armature; null is unlimited),
total_mass, lumped (each merged link and the link it became part of), mimic,
locked, findings (code, severity, element, what, remedy).

Exit code: 0 if the robot loads; 1 if it is rejected (the reason is on standard
error); 2 if the command line is wrong.
)";

struct CheckOptions {
  ModelOptions model;
  bool json = false;
};

int check(const CheckOptions& options) {
  ModelReport report;
  (void)load_model(options.model, report);
  Output output(STDOUT_FILENO);
  output.text() = options.json ? report_json(report) : report_text(report);
  output.flush();
  return kSuccess;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* const command =
      app.add_subcommand("check", "Load a URDF and report its contents and problems");
  add_model_options(*command, options->model);
  command->add_flag("--json", options->json, "Write the report as JSON");
  command->footer(kCheckFooter);
  command->callback([options, &exit_code] { exit_code = check(*options); });
}

}  // namespace spatial_dynamics::cli

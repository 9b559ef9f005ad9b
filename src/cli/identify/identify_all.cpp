#include "cli/identify/identify_all.hpp"

#include <fstream>
#include <iostream>
#include <memory>
#include <utility>

#include "cli/common/plot.hpp"
#include "cli/common/plot_file.hpp"
#include "cli/common/progress.hpp"
#include "cli/identify/identification_text.hpp"
#include "cli/subcommands.hpp"
#include "model/urdf_file.hpp"
#include "spatial_dynamics/identification/correct_links.hpp"
#include "support/text.hpp"
#include "support/text_diff.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {

const char* const kIdentifyAllHelp =
    R"(With --all, estimates the whole robot instead of a payload: masses, centres of
mass, inertias, damping, Coulomb friction, rotor inertias and effort offsets.
  spatial_dynamics excite my_robot.urdf -o motion.csv
  spatial_dynamics play motion.csv --record log.csv
  spatial_dynamics identify my_robot.urdf log.csv --all -o corrected.urdf \
      --params identified.yaml --plot errors.svg
The fit sees the first part of each log; the torque errors on the last quarter
(--held-out) show whether the result is right. Trust it if the errors after are
much smaller than those before. Then everything is fitted to the whole log.

Efforts determine only combinations of parameters (--list prints them with
95 % intervals, which do not depend on the URDF). Beyond that, the result stays
near the URDF, whose inertias are taken to be right within --inertia-error. All
inertias are physically consistent. Links without mass in the URDF stay without.

-o writes the URDF with the new numbers; comments, order and formatting stay.
The difference is printed. --params writes rotor inertias and contact thresholds
for a node. Positions are filtered by polynomials of fourth degree over --window
seconds (0.1, or 15 samples); recorded velocities and accelerations are not used.

For efforts that are currents give --currents and --log-payload, with one log
with and one without the payload.
)";

namespace {

constexpr double kPoorlyExplained = 0.3;  // of the efforts, rms

/// Measured, before and after, one panel per joint.
std::string errors_svg(const std::string& title, const Identification& result) {
  std::vector<std::string> columns;
  std::vector<Panel> panels;
  for (const IdentifiedJoint& joint : result.joints) {
    if (!joint.has_effort) continue;
    Panel panel{joint.name + (joint.is_length ? ", N" : ", N m"), {}};
    panel.curves.push_back({columns.size(), "error before"});
    panel.curves.push_back({columns.size() + 1, "error after"});
    columns.insert(columns.end(), {"before:" + joint.name, "after:" + joint.name});
    panels.push_back(std::move(panel));
  }
  History history(std::move(columns));
  const UnseenEfforts& unseen = result.unseen;
  for (std::size_t i = 0; i < unseen.time.size(); ++i) {
    std::vector<double> row;
    const auto column = static_cast<Index>(i);
    for (const IdentifiedJoint& joint : result.joints) {
      if (!joint.has_effort) continue;
      const double measured = unseen.measured(joint.coordinate, column);
      row.push_back(measured - unseen.before(joint.coordinate, column));
      row.push_back(measured - unseen.after(joint.coordinate, column));
    }
    history.add(unseen.time[i], row);
  }
  return to_svg(title, history, panels);
}

/// Warns about joints that the fit does not explain.
void print_verdict(const Identification& result, std::ostream& out) {
  std::string poor;
  for (const IdentifiedJoint& joint : result.joints) {
    if (joint.has_effort && joint.error_after > kPoorlyExplained * joint.effort_rms &&
        joint.error_after > 0.5 * joint.error_before) {
      poor += (poor.empty() ? "" : ", ") + in_quotes(joint.name);
    }
  }
  if (poor.empty()) return;
  out << "The fit does not explain the efforts of " << poor
      << ": look at the hints of `spatial_dynamics replay`, and do not use the result for them.\n";
}

int write_results(const LogOptions& input, const IdentifyAllOptions& options,
                  const std::string& params, const std::string& urdf, const LogInput& log,
                  const Identification& result, std::ostream& out) {
  const LinkCorrections corrections = correct_links(log.model, result);
  const std::string corrected = edit_urdf(urdf, corrections.changes);
  for (const std::string& note : corrections.notes) out << note << '\n';
  const std::string name = options.output.empty() ? "corrected" : options.output;
  if (options.output != kStandardOutput) {
    out << '\n' << unified_diff(urdf, corrected, input.model.file, name);
  }
  if (!options.output.empty()) write_file(options.output, corrected);
  if (!params.empty()) {
    write_file(params, identification_parameters(log.model, result, options.identification));
  }
  if (!options.plot.empty()) {
    write_plot(options.plot, errors_svg(log.model.name() + ", torque errors", result));
  }
  return kSuccess;
}

}  // namespace

void add_identify_all_options(CLI::App& command, IdentifyAllOptions& options) {
  IdentificationOptions& identification = options.identification;
  command.add_flag("--all", options.all, "Estimate all parameters of the robot");
  command
      .add_option("-o,--output", options.output,
                  "With --all: write the corrected URDF; - is standard output")
      ->type_name("FILE.urdf");
  command.add_option("--plot", options.plot, "With --all: draw the torque errors before and after")
      ->type_name(kPlotFile)
      ->check(CLI::Validator(plot_file_problem, "", "plot"));
  command.add_flag("--list", options.list,
                   "With --all: print the combinations that the log determines");
  command
      .add_option("--inertia-error", identification.inertia_error,
                  "With --all: relative error of the URDF's inertias (0.5)")
      ->type_name("SHARE")
      ->check(positive());
  command
      .add_option("--held-out", identification.held_out,
                  "With --all: share of each log that judges the fit (0.25)")
      ->type_name("SHARE")
      ->check(CLI::Range(0.05, 0.5));
  command
      .add_option("--false-alarms", identification.false_alarms_per_hour,
                  "With --all: per hour, for the contact thresholds (0.1)")
      ->type_name("RATE")
      ->check(positive());
}

int identify_all(const LogOptions& input, const IdentifyAllOptions& options,
                 const std::string& params) {
  if (input.model.file == kStandardOutput) {
    throw CLI::ValidationError("robot", "with --all the URDF must be a file");
  }
  const std::string urdf = read_urdf_file(input.model.file);
  const LogInput log = load_log(input);
  IdentificationOptions identification = options.identification;
  identification.window_s = input.window_s;
  const Identification result = [&] {
    std::unique_ptr<Progress> bar;
    const char* shown = nullptr;
    return identify_robot(log.model, log.log, identification, [&](const char* step, double share) {
      if (step != shown) {
        bar.reset();  // removes the line of the step before
        bar = std::make_unique<Progress>(step);
        shown = step;
      }
      bar->show(share);
    });
  }();
  std::ostream& out = message_stream({options.output, params});
  out << log.model.name() << ": " << log.log.size() << " samples in "
      << rounded_text(log.log.time.back() - log.log.time.front()) << " s, fitted at "
      << result.samples << "; filter: polynomials of fourth degree within "
      << rounded_text(1e3 * result.window_s) << " ms (zero phase)\n"
      << describe_sources(log) << fit_text(result) << '\n'
      << errors_text(result) << '\n'
      << values_text(result) << '\n'
      << undetermined_text(result);
  print_verdict(result, out);
  if (options.list) out << '\n' << intervals_text(result);
  return write_results(input, options, params, urdf, log, result, out);
}

}  // namespace spatial_dynamics::cli

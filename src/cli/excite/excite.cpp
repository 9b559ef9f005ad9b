#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <utility>

#include "cli/common/options.hpp"
#include "cli/common/plot.hpp"
#include "cli/common/plot_file.hpp"
#include "cli/common/progress.hpp"
#include "cli/subcommands.hpp"
#include "spatial_dynamics/identification/excitation.hpp"
#include "support/text.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kExciteFooter = R"(Example:
  spatial_dynamics excite urdf/arm7.urdf -o motion.csv --plot motion.svg
  spatial_dynamics excite my_robot.urdf -o motion.csv --range elbow=-2,-0.5 \
      --still gripper=0.02 --velocity-share 0.4

Searches for a periodic motion from which `identify --all` can estimate as many
parameters as possible. Each joint moves as a sum of sines that begins and ends
at rest. Positions, velocities, accelerations and the efforts that this URDF
predicts stay within shares of the limits. A joint whose URDF has no limit of
the acceleration reaches its allowed velocity in a quarter of a second at the
earliest.

The program does not know whether the robot hits itself, the table or a wall:
look at the picture, bound the ranges with --range, and play the motion slowly
first.

The criterion is the logarithm of the determinant of the information about the
parameters, per parameter: 1 more makes the intervals 1.65 times narrower. The
condition number measures how similar the effects of different parameters are:
below 100 is good, above 1000 is poor. Parameters that no effort depends on, or that only appear in
sums with others, stay unobservable whatever the motion is; --list prints them.

The same robot, options and --seed give the same motion.

Exit code: 0; 1 if the robot was rejected, no motion is possible, or a file
can't be written; 2 if the command line is wrong.
)";

struct ExciteCommand {
  ModelOptions model;
  ExcitationOptions excitation;
  double seconds = 30.0;
  std::vector<std::string> ranges, still, accelerations;
  std::string output, plot;
  bool list = false;
};

/// A curve per joint in each of two panels.
std::string motion_svg(const std::string& title, const JointMotion& motion) {
  std::vector<std::string> columns;
  Panel positions{"positions, rad or m", {}}, velocities{"velocities, rad/s or m/s", {}};
  for (const std::string& joint : motion.joints) {
    positions.curves.push_back({columns.size(), joint});
    velocities.curves.push_back({columns.size() + 1, joint});
    columns.insert(columns.end(), {"q:" + joint, "v:" + joint});
  }
  History history(std::move(columns));
  std::vector<double> row(2 * motion.joints.size());
  for (Index i = 0; i < motion.size(); ++i) {
    for (Index k = 0; k < motion.position.rows(); ++k) {
      row[2 * to_size(k)] = motion.position(k, i);
      row[2 * to_size(k) + 1] = motion.velocity(k, i);
    }
    history.add(motion.time[to_size(i)], row);
  }
  return to_svg(title, history, {positions, velocities});
}

std::string share_text(double value, double limit) {
  if (!std::isfinite(limit) || !(limit > 0.0)) return rounded_text(value, 3);
  return rounded_text(value, 3) + " of " + rounded_text(limit, 3);
}

void print_joints(const Excitation& result, std::ostream& out) {
  for (const ExcitedJoint& joint : result.joints) {
    out << "  " << joint.name << ": ";
    if (!joint.moves) {
      out << "stands still at " << rounded_text(joint.lower, 3) << '\n';
      continue;
    }
    out << rounded_text(joint.lower, 3) << " to " << rounded_text(joint.upper, 3) << ", velocity "
        << share_text(joint.velocity, joint.velocity_limit) << ", acceleration "
        << share_text(joint.acceleration, joint.acceleration_limit) << ", effort "
        << share_text(joint.effort, joint.effort_limit) << '\n';
  }
}

void print_unobservable(const BaseParameters& base, bool list, std::ostream& out) {
  std::size_t without = 0, summed = 0;
  for (std::size_t i = 0; i < base.parameters.size(); ++i) {
    if (base.without_effect[i]) {
      ++without;
    } else if (!base.alone[i]) {
      ++summed;
    }
  }
  out << "Of " << base.parameters.size() << " parameters, efforts determine " << base.rank()
      << " combinations: " << without << " have no effect, and " << summed
      << " appear only in sums with others.\n";
  if (!list) {
    if (without + summed > 0) out << "--list prints them.\n";
    return;
  }
  for (std::size_t i = 0; i < base.parameters.size(); ++i) {
    if (base.without_effect[i]) out << "  no effect: " << base.parameters[i].name << '\n';
  }
  for (Index b = 0; b < base.rank(); ++b) {
    if (!base.alone[to_size(base.independent[to_size(b)])]) {
      out << "  only the sum: " << base.name(b) << '\n';
    }
  }
}

/// The options that are lists of assignments.
void read_assignments(ExciteCommand& options) {
  for (const std::string& text : options.ranges) {
    const Assignment a = parse_assignment("--range", "JOINT=LOWER,UPPER", text);
    if (a.values.size() != 2) {
      throw CLI::ValidationError("--range", "must be JOINT=LOWER,UPPER, not " + in_quotes(text));
    }
    options.excitation.ranges[a.name] = {a.values[0], a.values[1]};
  }
  const auto read_numbers = [](const char* option, const char* form,
                               const std::vector<std::string>& texts,
                               std::map<std::string, double>& numbers) {
    for (const std::string& text : texts) {
      const Assignment a = parse_assignment(option, form, text);
      if (a.values.size() != 1) {
        throw CLI::ValidationError(option,
                                   std::string("must be ") + form + ", not " + in_quotes(text));
      }
      numbers[a.name] = a.values[0];
    }
  };
  read_numbers("--still", "JOINT=POSITION", options.still, options.excitation.still);
  read_numbers("--acceleration", "JOINT=LIMIT", options.accelerations,
               options.excitation.accelerations);
}

int excite(ExciteCommand& options) {
  read_assignments(options);
  ModelReport report;
  const Model model = load_model(options.model, report);
  note_findings(options.model, report);
  options.excitation.periods =
      std::max(1, static_cast<int>(std::lround(options.seconds / options.excitation.period_s)));
  const Excitation result = [&] {
    Progress progress("searching for a motion");
    return optimise_excitation(model, options.excitation,
                               [&progress](double share) { progress.show(share); });
  }();
  std::ostream& out = message_stream({options.output});
  out << model.name() << ": a motion of " << rounded_text(result.motion.duration()) << " s, "
      << options.excitation.periods << " times " << rounded_text(options.excitation.period_s)
      << " s\n";
  print_joints(result, out);
  out << "Criterion (log det of the information, per parameter): "
      << rounded_text(result.first_criterion) << " before the search, "
      << rounded_text(result.criterion) << " after; condition number "
      << rounded_text(result.condition, 3) << ".\n";
  print_unobservable(result.base, options.list, out);
  out << "Collisions of the robot with itself or its surroundings are not known here: check the "
         "motion, and bound joints with --range.\n";
  write_motion(options.output, result.motion);
  if (!options.plot.empty()) {
    write_plot(options.plot, motion_svg(model.name() + ", excitation", result.motion));
  }
  return kSuccess;
}

void add_share(CLI::App& command, const char* name, double& value, const char* help) {
  command.add_option(name, value, help)
      ->type_name("SHARE")
      ->check(CLI::Validator(
          [](std::string& text) {
            double number = 0.0;
            return parse_number(text, number) && number > 0.0 && number <= 1.0
                       ? std::string()
                       : "must be above 0 and at most 1, not " + in_quotes(text);
          },
          "", "share"));
}

void add_search_options(CLI::App& command, ExciteCommand& options) {
  ExcitationOptions& e = options.excitation;
  command.add_option("--seconds", options.seconds, "Duration, whole periods (30)")
      ->type_name("S")
      ->check(positive());
  command.add_option("--period", e.period_s, "Duration of a period (10)")
      ->type_name("S")
      ->check(positive());
  command.add_option("--harmonics", e.harmonics, "Sines per joint (6)")
      ->type_name("N")
      ->check(CLI::Range(3, 50));
  command.add_option("--rate", e.rate_hz, "Points of the motion per second (100)")
      ->type_name("HZ")
      ->check(positive());
  command.add_option("--seed", e.seed, "Seed of the search (1)")->type_name("N");
  command.add_option("--evaluations", e.evaluations, "Motions that the search compares (8000)")
      ->type_name("N")
      ->check(CLI::Range(1, 10000000));
}

}  // namespace

void add_excite(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ExciteCommand>();
  CLI::App* const command =
      app.add_subcommand("excite", "Compute a motion that makes a robot's parameters observable");
  add_model_options(*command, options->model);
  command->add_option("-o,--output", options->output, "Write the motion; - is standard output")
      ->required()
      ->type_name("FILE.csv");
  command->add_option("--plot", options->plot, "Draw positions and velocities")
      ->type_name(kPlotFile)
      ->check(CLI::Validator(plot_file_problem, "", "plot"));
  command->add_flag("--list", options->list, "Print the parameters that stay unobservable");
  command->add_option("--range", options->ranges, "Positions that a joint keeps to; repeatable")
      ->type_name("JOINT=LOWER,UPPER")
      ->allow_extra_args(false);
  command->add_option("--still", options->still, "A joint that does not move; repeatable")
      ->type_name("JOINT=POSITION")
      ->allow_extra_args(false);
  command
      ->add_option("--acceleration", options->accelerations,
                   "Largest acceleration of a joint; repeatable")
      ->type_name("JOINT=LIMIT")
      ->allow_extra_args(false);
  ExcitationOptions& e = options->excitation;
  add_share(*command, "--position-share", e.position_share, "Share of the position range (0.9)");
  add_share(*command, "--velocity-share", e.velocity_share, "Share of the velocity limits (0.7)");
  add_share(*command, "--acceleration-share", e.acceleration_share,
            "Share of the acceleration limits of the URDF (0.8)");
  add_share(*command, "--effort-share", e.effort_share, "Share of the effort limits (0.7)");
  add_search_options(*command, *options);
  command->footer(kExciteFooter);
  command->callback([options, &exit_code] { exit_code = excite(*options); });
}

}  // namespace spatial_dynamics::cli

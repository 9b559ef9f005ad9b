#include "cli/subcommands.hpp"

#include <cmath>
#include <iostream>
#include <memory>

#include "cli/common/log_options.hpp"
#include "cli/common/progress.hpp"
#include "cli/identify/identify_all.hpp"
#include "cli/identify/payload_text.hpp"
#include "identification/log_comparison.hpp"
#include "support/nearest_name.hpp"
#include "support/text.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kIdentifyFooter = R"(Example:
  spatial_dynamics identify my_robot.urdf log.csv --link flange --friction
  spatial_dynamics identify my_robot.urdf log.csv --params payload.yaml
  spatial_dynamics run my_robot.urdf --ros-args --params-file payload.yaml

Fits mass and centre of mass of a payload on a link to the efforts of a log
(least squares on the regressor of the inverse dynamics); on request also its
inertia, the friction of each joint and a constant error of each effort. A
constant delay of efforts behind states is fitted too. The payload is printed as
a command `spatial_dynamics send payload`, as a message for the node's ~/payload,
as an option --payload, and as a parameter file, which --params FILE.yaml writes;
--params - writes it to standard output and all text to standard error.

Intervals contain the true value in 95 % of cases if the rest of the model is
right. They include the scatter within the log, also of noise that is correlated
in time, and the error of the filter, from a second fit with a wider --window.

The motion determines which parameters can be found: move all joints, in both
directions, with the payload in several orientations, for at least ten seconds.

Exit code: 0; 1 if the robot or the log was rejected, if a fault makes a fit
meaningless, or with --params if no payload was found; 2 if the command line is
wrong.
)";

struct IdentifyCommand {
  LogOptions input;
  std::string link, params;
  LogFitOptions fit;
  bool no_payload = false;
  IdentifyAllOptions all;
};

/// "1.501 +- 0.0011"
std::string interval_text(double value, double deviation) {
  const FitInterval interval = interval_95(value, deviation);
  return rounded_text(interval.value) + " +- " + rounded_text(interval.half_width);
}

/// "0.25 +- 0.01 kg m", or that it is not determined.
std::string value_text(const FitParameter& parameter, double value, double deviation,
                       const std::string& unit) {
  return parameter.determined ? interval_text(value, deviation) + " " + unit
                              : std::string("not determined by this motion");
}
std::string value_text(const FitParameter& parameter) {
  return value_text(parameter, parameter.value, parameter.deviation, parameter.unit);
}

/// Prints the moments of a payload whose mass is not determined, and what to do.
void print_moments(const LogFit& fit, bool rotational, std::ostream& out) {
  for (std::size_t i = 1; i < (rotational ? 10U : 4U); ++i) {
    const FitParameter& p = fit.parameters[i];
    if (!p.determined) continue;
    out << (i < 4 ? "  " : "  about the link's origin, ") << p.name << "  " << value_text(p)
        << '\n';
  }
  out << "  To determine the mass, rotate the payload about several axes that are not vertical.\n"
         "  If the robot can't, weigh the payload: its centre of mass is the first moments divided "
         "by "
         "the mass.\n";
}

/// Prints the fitted payload, together with those of --payload, for a node and for the command
/// line, and writes the parameter file.
void print_for_node(const IdentifyCommand& options, const std::string& link,
                    const FittedPayload& payload, std::ostream& out) {
  const PayloadSum sum = add_payload(options.input.model.load.payloads, link, payload);
  if (sum.without_rotation) {
    out << "  The fitted inertia is physically inconsistent; the message leaves it out.\n";
  }
  const NamedPayload& total = sum.payloads[sum.fitted];
  const std::string argument = payload_argument(total);
  const std::string parameters = payload_parameters(sum.payloads);
  out << "\nFor a node that runs:\n  spatial_dynamics send payload " << argument
      << "\nThe same with ROS 2:\n"
      << payload_message(total) << "For the start of a node, and for the other subcommands:\n"
      << "  --payload " << argument << '\n';
  if (options.params != kStandardOutput) {
    out << "For a parameter file" << (options.params.empty() ? " (--params writes it)" : "")
        << ":\n"
        << parameters;
  }
  if (!options.params.empty()) write_file(options.params, parameters);
}

/// Returns true if a payload was found.
bool print_payload(const IdentifyCommand& options, const Model& model, const LogFit& fit,
                   std::ostream& out) {
  const std::string& link = model.link(options.fit.link).name;
  const bool rotational = options.fit.rotational;
  const FittedPayload payload = fitted_payload(fit, rotational);
  const FitParameter& mass = fit.parameters[0];
  out << "\nPayload on " << link_element(link) << ":\n";
  if (payload.without_effect) {
    out << "  No effort of this log depends on it: does the link move? Choose a moving link "
           "with --link.\n";
    return false;
  }
  out << "  mass            " << value_text(mass) << '\n';
  if (mass.determined && !payload.present) {
    out << "  which is not significant: there is no payload, or the log does not determine "
           "it.\n";
    return false;
  }
  if (mass.determined && is_negligible(payload, model)) {
    out << "  which is negligible compared with the robot's " << rounded_text(model.total_mass())
        << " kg.\n";
    return false;
  }
  if (!payload.significant) {
    print_moments(fit, rotational, out);
    return false;
  }
  for (Index i = 0; i < 3; ++i) {
    out << "  centre of mass  "
        << "xyz"[i] << "  "
        << value_text(fit.parameters[to_size(i) + 1], payload.com(i), payload.com_deviation(i), "m")
        << '\n';
  }
  if (payload.mass < 0.0) {
    out << "  The model is heavier than the robot: correct the masses in the URDF.\n";
    return false;
  }
  print_for_node(options, link, payload, out);
  return true;
}

void print_lag(const LogFit& fit, std::ostream& out) {
  const FitParameter* const lag = significant_lag(fit);
  if (lag == nullptr) return;
  out << "\nEfforts are " << interval_text(1e3 * std::abs(lag->value), 1e3 * lag->deviation)
      << (lag->value > 0.0 ? " ms behind" : " ms ahead of")
      << " the states; the fit compensates this.\n";
}

void print_joints(const LogFit& fit, std::size_t first, bool friction, std::ostream& out) {
  const std::size_t end = fit.parameters.size() - (fit.has_lag ? 1 : 0);
  if (first == end) return;
  out << "\nPer joint (including the values of the URDF):\n";
  for (std::size_t i = first; i < end; ++i) {
    const FitParameter& p = fit.parameters[i];
    out << "  " << p.name << ": " << value_text(p, p.in_model + p.value, p.deviation, p.unit)
        << '\n';
  }
  if (friction) {
    out << "  A node reads friction from the URDF: set damping and friction of <dynamics> there.\n";
  }
}

/// The exit code for a failed fit; reports that the file of --params was not written.
int without_payload(const IdentifyCommand& options, const char* reason) {
  if (!options.params.empty()) {
    std::cerr << in_quotes(options.params) << " was not written: " << reason << '\n';
  }
  return kFailure;
}

int identify(IdentifyCommand options) {
  const LogInput input = load_log(options.input);
  require_efforts(input);
  const Model& model = input.model;
  if (!options.no_payload) {
    options.fit.link =
        options.link.empty() ? last_moving_link(model) : model.find_link(options.link);
    if (options.fit.link == kNoIndex) {
      std::vector<std::string> links;
      for (Index i = 0; i < model.link_count(); ++i) links.push_back(model.link(i).name);
      throw LogError("--link: the robot has no link " + in_quotes(options.link) + "; " +
                     name_advice(options.link, links));
    }
  }
  options.fit.lag = true;
  std::ostream& out = message_stream({options.params});
  const LogComparison before = [&input] {
    Progress progress("predicting efforts");
    return compare_log(input.model, input.samples,
                       [&progress](double share) { progress.show(share); });
  }();
  if (before.fit_is_meaningless) {
    out << describe(input) << "Correct this first, because it makes a fit meaningless:\n  "
        << before.hints.front() << '\n';
    return without_payload(options, "correct the log, the model or the mount first.");
  }
  const LogFit fit = [&] {
    Progress progress("fitting");
    return fit_with_filter_error(model, input.log, input.samples, options.fit,
                                 [&progress](double share) { progress.show(share); });
  }();
  out << describe(input);
  if (fit.short_log) {
    out << "The log is short: the intervals are not reliable; record at least ten seconds.\n";
  }
  const bool found = options.fit.link != kNoIndex && print_payload(options, model, fit, out);
  print_joints(fit, options.fit.link == kNoIndex ? 0U : (options.fit.rotational ? 10U : 4U),
               options.fit.friction, out);
  print_lag(fit, out);
  out << "\nResidual efforts (rms) before and after the fit:\n";
  for (const ScalarCoordinate& c : scalar_coordinates(model)) {
    if (!input.samples.has_effort[to_size(c.v)]) continue;
    out << "  " << c.name << ": " << rounded_text(fit.rms_before(c.v)) << " -> "
        << rounded_text(fit.rms_after(c.v)) << '\n';
  }
  if (options.params.empty() || found) return kSuccess;
  return without_payload(options, "the fit has found no payload.");
}

/// Rejects options of one kind of fit that are given with the other.
void check_all(const CLI::App& command, bool all) {
  if (all) {
    for (const char* name : {"--link", "--inertia", "--friction", "--offset", "--no-payload"}) {
      if (command.get_option(name)->count() == 0) continue;
      throw CLI::ValidationError(name, "is for the fit of a payload; --all estimates everything");
    }
    return;
  }
  for (const char* name : kOptionsOfAll) {
    if (command.get_option(name)->count() > 0) throw CLI::ValidationError(name, "needs --all");
  }
}

}  // namespace

void add_identify(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<IdentifyCommand>();
  CLI::App* const command =
      app.add_subcommand("identify", "Fit a payload or all parameters to a robot's log");
  add_log_options(*command, options->input);
  command
      ->add_option("--link", options->link,
                   "The link that carries the payload (the last moving link)")
      ->type_name("LINK");
  command->add_flag("--inertia", options->fit.rotational, "Fit the payload's inertia too");
  command->add_flag("--friction", options->fit.friction,
                    "Fit damping and Coulomb friction of each joint");
  command->add_flag("--offset", options->fit.offset, "Fit a constant error of each effort");
  command->add_flag("--no-payload", options->no_payload, "Fit no payload");
  command
      ->add_option("--params", options->params,
                   "Write a parameter file for a node; - is standard output")
      ->type_name("FILE.yaml");
  add_log_payload_option(*command, options->input);
  add_identify_all_options(*command, options->all);
  command->footer(std::string(kLogHelp) + "\n" + kIdentifyFooter + "\n" + kIdentifyAllHelp);
  command->callback([options, command, &exit_code] {
    check_all(*command, options->all.all);
    if (options->all.all) {
      exit_code = identify_all(options->input, options->all, options->params);
      return;
    }
    if (options->no_payload && !options->fit.friction && !options->fit.offset) {
      throw CLI::ValidationError("--no-payload",
                                 "leaves nothing to fit; add --friction or --offset");
    }
    if (options->no_payload && !options->params.empty()) {
      throw CLI::ValidationError("--params", "is for the payload; leave --no-payload out");
    }
    exit_code = identify(*options);
  });
}

}  // namespace spatial_dynamics::cli

#include "cli/subcommands.hpp"

#include <cmath>
#include <iostream>
#include <memory>

#include "cli/common/log_options.hpp"
#include "identification/log_comparison.hpp"
#include "spatial_dynamics/identification/log_fit.hpp"
#include "spatial_dynamics/model/last_moving_link.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr double kTwoSided95 = 2.0;  // standard deviations, for about 50 blocks of a fit

constexpr const char* kIdentifyFooter = R"(Example:
  spatial_dynamics identify my_robot.urdf log.csv --link flange --friction

Fits mass and centre of mass of a payload on a link to the efforts of a log
(least squares on the regressor of the inverse dynamics); on request also its
inertia, the friction of each joint and a constant error of each effort. A
constant delay of efforts behind states is fitted too. The last lines are the
message for the node's ~/payload.

Intervals contain the true value in 95 % of cases if the rest of the model is
right. They include the scatter within the log, also of noise that is correlated
in time, and the error of the filter, from a second fit with a wider --window.

The motion determines which parameters can be found: move all joints, in both
directions, with the payload in several orientations, for at least ten seconds.

Exit code: 0; 1 if the robot or the log was rejected; 2 if the command line is
wrong.
)";

struct IdentifyCommand {
  LogOptions input;
  std::string link;
  LogFitOptions fit;
  bool no_payload = false;
};

/// "1.501 +- 0.0011": two digits of the half-width, and the value to the same place.
std::string interval(double value, double deviation) {
  const double half = kTwoSided95 * deviation;
  if (!(half > 0.0)) return rounded_text(value) + " +- 0";
  const double unit = std::pow(10.0, std::floor(std::log10(half)) - 1.0);
  const auto rounded = [unit](double x) { return std::round(x / unit) * unit + 0.0; };
  return rounded_text(rounded(value)) + " +- " + rounded_text(rounded(half));
}

std::string vector_text(const Vector3& v) {
  return "{x: " + rounded_text(v.x()) + ", y: " + rounded_text(v.y()) +
         ", z: " + rounded_text(v.z()) + "}";
}

/// The message for ~/payload with the fitted payload and the payload that the model had on
/// this link.
std::string payload_message(const std::string& link, const Inertia& total) {
  const Matrix3 I = total.inertia_about_com();
  return "  ros2 topic pub --once /dynamics/payload geometry_msgs/msg/InertiaStamped \\\n"
         "    '{header: {frame_id: " +
         link + "}, inertia: {m: " + rounded_text(total.mass) +
         ", com: " + vector_text(total.com()) + ",\n      ixx: " + rounded_text(I(0, 0)) +
         ", ixy: " + rounded_text(I(0, 1)) + ", ixz: " + rounded_text(I(0, 2)) +
         ", iyy: " + rounded_text(I(1, 1)) + ", iyz: " + rounded_text(I(1, 2)) +
         ", izz: " + rounded_text(I(2, 2)) + "}}'\n";
}

/// The payload of --payload on the link.
Inertia known_payload(const LoadOptions& load, const std::string& link) {
  Inertia sum = Inertia::Zero();
  for (const Payload& payload : load.payloads) {
    const MassProperties& m = payload.mass_properties;
    if (payload.link == link) sum += Inertia::from_com(m.mass, m.com, m.inertia_about_com);
  }
  return sum;
}

/// "0.25 +- 0.01 kg m", or that it is not determined.
std::string value_text(const FitParameter& parameter, double value, double deviation,
                       const std::string& unit) {
  return parameter.determined ? interval(value, deviation) + " " + unit
                              : std::string("not determined by this motion");
}
std::string value_text(const FitParameter& parameter) {
  return value_text(parameter, parameter.value, parameter.deviation, parameter.unit);
}

/// Prints the moments of a payload whose mass is not determined, and what to do.
void print_moments(const LogFit& fit, bool rotational) {
  for (std::size_t i = 1; i < (rotational ? 10U : 4U); ++i) {
    const FitParameter& p = fit.parameters[i];
    if (!p.determined) continue;
    std::cout << (i < 4 ? "  " : "  about the link's origin, ") << p.name << "  " << value_text(p)
              << '\n';
  }
  std::cout
      << "  To determine the mass, rotate the payload about several axes that are not vertical.\n"
         "  If the robot can't, weigh the payload: its centre of mass is the first moments divided "
         "by "
         "the mass.\n";
}

void print_message(const IdentifyCommand& options, const std::string& link,
                   const FittedPayload& payload) {
  Inertia total = Inertia::from_com(payload.mass, payload.com, payload.inertia_about_com);
  total += known_payload(options.input.model.load, link);
  if (!is_physical(total)) {
    std::cout << "  The fitted inertia is physically inconsistent; the message leaves it out.\n";
    total = Inertia::from_com(total.mass, total.com(), Matrix3::Zero());
  }
  std::cout << "\nFor the node:\n"
            << payload_message(link, total) << "For the command line:\n  --payload " << link << '='
            << rounded_text(total.mass) << ',' << rounded_text(total.com().x()) << ','
            << rounded_text(total.com().y()) << ',' << rounded_text(total.com().z()) << '\n';
}

void print_payload(const IdentifyCommand& options, const Model& model, const LogFit& fit) {
  const std::string& link = model.link(options.fit.link).name;
  const bool rotational = options.fit.rotational;
  const FittedPayload payload = fitted_payload(fit, rotational);
  const FitParameter& mass = fit.parameters[0];
  std::cout << "\nPayload on " << link_element(link) << ":\n";
  if (payload.without_effect) {
    std::cout << "  No effort of this log depends on it: does the link move? Choose a moving link "
                 "with --link.\n";
    return;
  }
  std::cout << "  mass            " << value_text(mass) << '\n';
  if (mass.determined && !payload.present) {
    std::cout << "  which is not significant: there is no payload, or the log does not determine "
                 "it.\n";
    return;
  }
  if (mass.determined && is_negligible(payload, model)) {
    std::cout << "  which is negligible compared with the robot's "
              << rounded_text(model.total_mass()) << " kg.\n";
    return;
  }
  if (!payload.significant) {
    print_moments(fit, rotational);
    return;
  }
  for (Index i = 0; i < 3; ++i) {
    std::cout << "  centre of mass  "
              << "xyz"[i] << "  "
              << value_text(fit.parameters[to_size(i) + 1], payload.com(i),
                            payload.com_deviation(i), "m")
              << '\n';
  }
  if (payload.mass < 0.0) {
    std::cout << "  The model is heavier than the robot: correct the masses in the URDF.\n";
    return;
  }
  print_message(options, link, payload);
}

void print_lag(const LogFit& fit) {
  if (!fit.has_lag) return;
  const FitParameter& lag = fit.parameters.back();
  if (!lag.determined || std::abs(lag.value) < kTwoSided95 * lag.deviation) return;
  std::cout << "\nEfforts are " << interval(1e3 * std::abs(lag.value), 1e3 * lag.deviation)
            << (lag.value > 0.0 ? " ms behind" : " ms ahead of")
            << " the states; the fit compensates this.\n";
}

void print_joints(const LogFit& fit, std::size_t first) {
  const std::size_t end = fit.parameters.size() - (fit.has_lag ? 1 : 0);
  if (first == end) return;
  std::cout << "\nPer joint (including the values of the URDF):\n";
  for (std::size_t i = first; i < end; ++i) {
    const FitParameter& p = fit.parameters[i];
    std::cout << "  " << p.name << ": " << value_text(p, p.in_model + p.value, p.deviation, p.unit)
              << '\n';
  }
}

LogFit fit_with_intervals(const LogInput& input, const LogFitOptions& options) {
  LogFit fit = fit_log(input.model, input.samples, options);
  if (input.samples.window_s == 0.0) return fit;
  try {
    const LogSamples wider = make_samples(input.log, kWiderWindow * input.samples.window_s);
    add_filter_error(fit, fit_log(input.model, wider, options));
  } catch (const LogError&) {  // the wider window is longer than the log
    fit.short_log = true;
  }
  return fit;
}

int identify(IdentifyCommand options) {
  const LogInput input = load_log(options.input);
  const Model& model = input.model;
  if (!options.no_payload) {
    options.fit.link =
        options.link.empty() ? last_moving_link(model) : model.find_link(options.link);
    if (options.fit.link == kNoIndex) {
      throw LogError("the robot has no link " + in_quotes(options.link) +
                     "; `spatial_dynamics check` lists them.");
    }
  }
  options.fit.lag = true;
  const LogFit fit = fit_with_intervals(input, options.fit);
  std::cout << describe(input);
  if (fit.short_log) {
    std::cout << "The log is short: the intervals are not reliable; record at least ten seconds.\n";
  }
  if (options.fit.link != kNoIndex) print_payload(options, model, fit);
  print_joints(fit, options.fit.link == kNoIndex ? 0U : (options.fit.rotational ? 10U : 4U));
  print_lag(fit);
  std::cout << "\nResidual efforts (rms) before and after the fit:\n";
  for (const ScalarCoordinate& c : scalar_coordinates(model)) {
    if (!input.samples.has_effort[to_size(c.v)]) continue;
    std::cout << "  " << c.name << ": " << rounded_text(fit.rms_before(c.v)) << " -> "
              << rounded_text(fit.rms_after(c.v)) << '\n';
  }
  return kSuccess;
}

}  // namespace

void add_identify(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<IdentifyCommand>();
  CLI::App* const command =
      app.add_subcommand("identify", "Fit payload and friction to a robot's log");
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
  command->footer(std::string(kLogHelp) + "\n" + kIdentifyFooter);
  command->callback([options, &exit_code] {
    if (options->no_payload && !options->fit.friction && !options->fit.offset) {
      throw CLI::ValidationError("--no-payload",
                                 "leaves nothing to fit; add --friction or --offset");
    }
    exit_code = identify(*options);
  });
}

}  // namespace spatial_dynamics::cli

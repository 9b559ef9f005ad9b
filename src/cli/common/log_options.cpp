#include "cli/common/log_options.hpp"

#include <cmath>

#include "cli/common/options.hpp"
#include "cli/common/progress.hpp"
#include "identification/log_units.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::cli {

const char* const kLogHelp =
    R"(The log is a CSV file with column names in its first line: `time` in seconds,
and for each joint positions, efforts and preferably velocities, as
  position:JOINT, velocity:JOINT, acceleration:JOINT, effort:JOINT
or JOINT.position, or /joint_states/JOINT/position as PlotJuggler writes them.
Other columns are ignored; rows that lack a number are skipped. Units are s, rad,
m, rad/s, m/s, N m and N; a log in other units, such as degrees, milliseconds or
millimetres, is rejected with the reason.
`spatial_dynamics demo --record FILE.csv` writes such a file.

Without accelerations, quadratics are fitted to velocities (or positions) and
efforts within --window seconds around each sample (zero phase).
)";

namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

void add_log_options(CLI::App& command, LogOptions& options) {
  add_model_options(command, options.model);
  command.add_option("log", options.log, "The log; - reads it from standard input")
      ->required()
      ->type_name("LOG.csv");
  command
      .add_option("--window", options.window_s,
                  "Width of the filter, s (0.05, or nine samples if they take longer)")
      ->type_name("S")
      ->check(positive());
}

LogInput load_log(const LogOptions& options) {
  if (options.model.load.floating_base) {
    throw CLI::ValidationError("--floating-base", "logs do not contain the motion of the base");
  }
  if (options.model.file == "-" && options.log == "-") {
    throw CLI::ValidationError("robot", "standard input is the log; give the URDF as a file");
  }
  if (ends_with(options.model.file, ".csv") || ends_with(options.log, ".urdf")) {
    throw CLI::ValidationError("robot", "arguments swapped? Give the URDF before the log, not " +
                                            in_quotes(options.model.file) + " and " +
                                            in_quotes(options.log));
  }
  ModelReport report;
  Model model = load_model(options.model, report);
  note_findings(options.model, report);
  const std::vector<ScalarCoordinate> coordinates = scalar_coordinates(model);
  if (coordinates.empty()) throw LogError("the robot has no moving joint.");
  RobotLog log = [&] {
    Progress progress("reading the log");
    return read_log(options.log, coordinates, [&progress](double share) { progress.show(share); });
  }();
  LogSamples samples = [&] {
    try {
      return make_samples(log, options.window_s);
    } catch (const LogError& error) {
      throw LogError(options.log + ": " + error.what());
    }
  }();
  const std::string problem = unit_problem(model, log, samples);
  if (!problem.empty()) throw LogError(options.log + ": " + problem);
  return {std::move(model), std::move(log), std::move(samples)};
}

std::string describe(const LogInput& input) {
  const std::vector<double>& time = input.samples.time;
  return input.model.name() + ": " + std::to_string(time.size()) + " samples in " +
         rounded_text(time.back() - time.front()) + " s; filter: " + input.samples.filter + "\n";
}

}  // namespace spatial_dynamics::cli

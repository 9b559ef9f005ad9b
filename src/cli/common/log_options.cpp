#include "cli/common/log_options.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "cli/common/options.hpp"
#include "cli/common/progress.hpp"
#include "identification/log_units.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::cli {

const char* const kLogHelp =
    R"(A log is one of
- a CSV file with column names in its first line: `time` in seconds, and for each
  joint positions, efforts and preferably velocities, as
    position:JOINT, velocity:JOINT, acceleration:JOINT, effort:JOINT
  or JOINT.position, or /joint_states/JOINT/position as PlotJuggler writes them;
  or with numbers in the order of the joints, as q_0 or actual_q_0; other columns
  are ignored;
- a recording of rosbag2 (MCAP or SQLite), a file or its folder, also compressed:
  the topic of type JointState that --topic names, otherwise the one with most of
  the robot's joints and efforts;
- the output of `ros2 topic echo --csv --full-length` of such a topic.
Several logs are joined without a filter across their borders. Which columns or
which topic were used is printed, and what was left out: rows that lack a number,
efforts at a limit, jumps of positions. Units are s, rad, m, rad/s, m/s, N m and N;
a log in other units, such as degrees, milliseconds or millimetres, is rejected
with the reason. `spatial_dynamics demo --record FILE.csv`, `play --record FILE.csv`
and `simulate --csv FILE.csv` write logs.

Without accelerations, quadratics are fitted to velocities (or positions) and
efforts within --window seconds around each sample (zero phase).
)";

namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool is_given(const LogOptions& options, const std::string& log) {
  return std::find(options.logs.begin(), options.logs.end(), log) != options.logs.end();
}

/// The logs' names for messages.
std::string names_of_logs(const LogOptions& options) {
  return options.logs.size() == 1 ? options.logs[0] : "the logs";
}

/// Parses "2:LINK=MASS…".
LogPayload parse_log_payload(const std::string& text, std::size_t logs) {
  const std::size_t colon = text.find(':');
  double number = 0.0;
  if (colon == std::string::npos || !parse_number(text.substr(0, colon), number) ||
      number != std::floor(number) || number < 1.0 || number > static_cast<double>(logs)) {
    throw CLI::ValidationError(
        "--log-payload", "expects N:LINK=MASS[,X,Y,Z[,IXX,IYY,IZZ,IXY,IXZ,IYZ]], N from 1 to " +
                             std::to_string(logs) + ", not " + in_quotes(text));
  }
  return {static_cast<std::size_t>(number) - 1,
          parse_payload("--log-payload", text.substr(colon + 1))};
}

RobotLog read_given(const LogOptions& options, const Model& model) {
  const std::vector<ScalarCoordinate> coordinates = scalar_coordinates(model);
  if (coordinates.empty()) throw LogError("the robot has no moving joint.");
  RobotLog log = [&] {
    Progress progress("reading the log");
    return read_logs(options.logs, coordinates, options.reading,
                     [&progress](double share) { progress.show(share); });
  }();
  if (options.currents) log.effort_kind = EffortKind::kCurrent;
  log.without_gravity = options.without_gravity;
  for (const std::string& text : options.payloads) {
    log.payloads.push_back(parse_log_payload(text, options.logs.size()));
    const std::string& link = log.payloads.back().payload.link;
    if (model.find_link(link) != kNoIndex) continue;
    throw CLI::ValidationError("--log-payload", "the robot has no link " + in_quotes(link));
  }
  exclude_bad_samples(model, log);
  for (const LogSource& source : log.sources) {
    if (!source.note.empty()) std::cerr << source.note << '\n';
  }
  return log;
}

}  // namespace

void add_log_options(CLI::App& command, LogOptions& options) {
  add_model_options(command, options.model);
  command.add_option("log", options.logs, "The log or logs; - reads standard input")
      ->required()
      ->type_name("LOG...");
  command.add_option("--topic", options.reading.topic, "The topic of a recording")
      ->type_name("TOPIC");
  command.add_flag("--currents", options.currents,
                   "The efforts are motor currents, with unknown factors");
  command.add_flag("--without-gravity", options.without_gravity,
                   "The efforts do not include the weight, as a Universal Robot's");
  command
      .add_option("--window", options.window_s,
                  "Width of the filter, s (0.05, or nine samples if they take longer)")
      ->type_name("S")
      ->check(positive());
}

void add_log_payload_option(CLI::App& command, LogOptions& options) {
  command
      .add_option("--log-payload", options.payloads,
                  "A known payload in the N-th log, from 1: N:LINK=MASS[,X,Y,Z[,IXX,...]]")
      ->type_name("N:PAYLOAD")
      ->expected(1)
      ->take_all();
}

LogInput load_log(const LogOptions& options) {
  if (options.model.load.floating_base) {
    throw CLI::ValidationError("--floating-base", "logs do not contain the motion of the base");
  }
  if (options.model.file == "-" && is_given(options, "-")) {
    throw CLI::ValidationError("robot", "standard input is the log; give the URDF as a file");
  }
  for (const std::string& log : options.logs) {
    if (!ends_with(options.model.file, ".csv") && !ends_with(log, ".urdf")) continue;
    throw CLI::ValidationError("robot", "arguments swapped? Give the URDF before the log, not " +
                                            in_quotes(options.model.file) + " and " +
                                            in_quotes(log));
  }
  ModelReport report;
  Model model = load_model(options.model, report);
  note_findings(options.model, report);
  RobotLog log = read_given(options, model);
  if (log.without_gravity) model.set_gravity(Vector3::Zero());
  LogSamples samples = [&] {
    try {
      return make_samples(log, options.window_s);
    } catch (const LogError& error) {
      throw LogError(names_of_logs(options) + ": " + error.what());
    }
  }();
  // The units of currents can't be checked.
  const std::string problem =
      log.effort_kind == EffortKind::kEffort ? unit_problem(model, log, samples) : std::string();
  if (!problem.empty()) throw LogError(names_of_logs(options) + ": " + problem);
  return {std::move(model), std::move(log), std::move(samples)};
}

void require_efforts(const LogInput& input) {
  if (input.log.effort_kind == EffortKind::kEffort) return;
  throw LogError(
      "the log has motor currents, whose factors to efforts are unknown; `spatial_dynamics "
      "identify "
      "--all` can determine them, with a known payload in one of the logs.");
}

std::string describe(const LogInput& input) {
  const std::vector<double>& time = input.samples.time;
  return input.model.name() + ": " + std::to_string(time.size()) + " samples in " +
         rounded_text(time.back() - time.front()) + " s; filter: " + input.samples.filter + "\n" +
         describe_sources(input);
}

std::string describe_sources(const LogInput& input) {
  std::string text;
  for (const LogSource& source : input.log.sources) {
    text += source.file + " (" + source.format +
            "): " + (source.topic.empty() ? source.columns : "topic " + in_quotes(source.topic)) +
            (source.topic.empty() && source.columns.empty() ? "" : ", ") +
            count_text(source.rows, source.topic.empty() ? "row" : "message") + "\n";
  }
  const std::string left_out = exclusions_text(input.samples.exclusions);
  if (!left_out.empty()) text += "left out: " + left_out + "\n";
  return text;
}

}  // namespace spatial_dynamics::cli

// The program `spatial_dynamics`: adds the subcommands and parses the command line.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "cli/common/options.hpp"
#include "cli/subcommands.hpp"
#include "runtime/standard_error_log.hpp"
#include "spatial_dynamics/dynamics/isa.hpp"
#include "support/nearest_name.hpp"
#include "support/text_io.hpp"
#ifdef SPATIAL_DYNAMICS_HAS_DDS
#include "dds/error.hpp"
#include "dds/ros_args.hpp"
#endif

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kMainFooter = R"(Example:
  spatial_dynamics check urdf/double_pendulum.urdf
  echo '{"q":[0.1,0.2],"v":[0,0],"a":[1,0]}' |
    spatial_dynamics compute urdf/double_pendulum.urdf

`spatial_dynamics SUBCOMMAND --help` describes a subcommand.
)";

/// `given` is no subcommand.
int explain_misspelt(const CLI::App& app, const std::string& given) {
  if (given.size() > 5 && given.compare(given.size() - 5, 5, ".urdf") == 0) {
    std::cerr << "A subcommand is missing before '" << given
              << "'; for the demo with this robot: demo --urdf " << given << '\n';
    return kUsage;
  }
  std::vector<std::string> names;
  for (const CLI::App* const each : app.get_subcommands({})) {
    if (!each->get_group().empty()) names.push_back(each->get_name());  // not hidden
  }
  const std::string nearest = nearest_name(given, names);
  std::cerr << "There is no subcommand or option '" << given << "'; "
            << (nearest.empty() ? "" : "did you mean '" + nearest + "'? ")
            << "spatial_dynamics --help lists them.\n";
  return kUsage;
}

/// There are arguments that the subcommand does not take.
int explain_extra(const CLI::App& app) {
  std::string command;  // such as `send payload`
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    command += (command.empty() ? "" : " ") + at->get_name();
  }
  // Without `true`, CLI11 lists these in reverse order.
  const std::vector<std::string> extra = app.remaining(true);
  std::string list;
  for (const std::string& argument : extra) list += (list.empty() ? "" : " ") + argument;
  const bool joins_ros = command == "run" || command == "simulate" || command == "demo";
  const bool of_ros =
      joins_ros && (std::find(extra.begin(), extra.end(), "--params-file") != extra.end() ||
                    std::find(extra.begin(), extra.end(), "-p") != extra.end());
  std::cerr << command << " does not take these arguments: " << list
            << (of_ros ? "\nArguments of ROS 2 follow --ros-args: --ros-args --params-file FILE"
                       : "")
            << "\nRun with --help for more information.\n";
  return kUsage;
}

/// Prints help, version or the error in the command line. Returns the exit code.
int explain(const CLI::App& app, const CLI::ParseError& error) {
  const bool misspelt =
      error.get_exit_code() != 0 && app.get_subcommands().empty() && app.remaining_size() > 0;
  if (misspelt) return explain_misspelt(app, app.remaining().front());
  // A subcommand of a subcommand, such as `send payload`.
  const CLI::App* const first = app.get_subcommands().empty() ? nullptr : app.get_subcommands()[0];
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError) &&
      first != nullptr && !first->get_subcommands({}).empty() && first->get_subcommands().empty() &&
      first->remaining_size() > 0) {
    std::cerr << first->get_name() << " has no subcommand '" << first->remaining().front()
              << "'; spatial_dynamics " << first->get_name() << " --help lists them.\n";
    return kUsage;
  }
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    return explain_extra(app);
  }
  // CLI11 writes "--gravity: 3 required X,Y,Z missing".
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ArgumentMismatch)) {
    const std::string text = error.what(), name = text.substr(0, text.find(':'));
    const CLI::App* command = &app;
    while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
    if (const CLI::Option* const option = command->get_option_no_throw(name); option != nullptr) {
      std::cerr << name << " expects " << option->get_type_name()
                << "\nRun with --help for more information.\n";
      return kUsage;
    }
  }
  return app.exit(error) == 0 ? kSuccess : kUsage;
}

int run(std::vector<std::string> arguments) {
  int exit_code = kSuccess;
  CLI::App app{"Dynamics of a robot from its URDF: torques, accelerations and related quantities.",
               "spatial_dynamics"};
  app.set_version_flag("--version", "spatial_dynamics " SPATIAL_DYNAMICS_VERSION);
  app.require_subcommand(1);
  app.footer(kMainFooter);
  add_check(app, exit_code);
  add_compute(app, exit_code);
  add_replay(app, exit_code);
  add_excite(app, exit_code);
  add_identify(app, exit_code);
  add_generate(app, exit_code);
  add_bench(app, exit_code);
  add_body(app, exit_code);
  const std::vector<std::string> kFileSubcommands{"check",    "compute",  "replay", "excite",
                                                  "identify", "generate", "bench",  "body"};
  const bool uses_files =
      !arguments.empty() && std::find(kFileSubcommands.begin(), kFileSubcommands.end(),
                                      arguments[0]) != kFileSubcommands.end();
  const bool simulates = !arguments.empty() && arguments[0] == "simulate" &&
                         std::find(arguments.begin(), arguments.end(), "--dds") == arguments.end();
  const bool is_node = !uses_files && !simulates;
  app.parse_complete_callback([is_node] {
    const std::string remark = is_node ? std::string() : isa_remark();  // nodes have a log
    if (!remark.empty()) std::cerr << remark << '\n';
  });
#ifdef SPATIAL_DYNAMICS_HAS_DDS
  dds::RosArguments ros;
  if (!uses_files) {  // these do not use ROS 2, and a joint may have any name
    try {
      ros = dds::parse_ros_arguments(arguments);
    } catch (const dds::Error& error) {
      std::cerr << error.what() << '\n';
      return kUsage;
    }
    arguments = ros.rest;
  }
  add_run(app, ros, exit_code);
  add_simulate(app, exit_code,
               [&ros](const DdsSimulation& options) { return simulate_on_dds(options, ros); });
  add_activate(app, ros, exit_code);
  add_send(app, ros, exit_code);
  add_play(app, ros, exit_code);
  add_demo(app, ros, exit_code);
  add_listen(app, ros, exit_code);
  add_latency(app, exit_code);
  add_latency_part(app, ros, exit_code);
#else
  add_simulate(app, exit_code);
#endif
  arguments = join_numbers(arguments);
  std::reverse(arguments.begin(), arguments.end());  // CLI11 expects them in reverse order
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    return explain(app, error);
  }
  return exit_code;
}

}  // namespace
}  // namespace spatial_dynamics::cli

int main(int argc, char** argv) {
  // If the reader closes its end, writing fails with EPIPE and the program ends normally.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const int exit_code = spatial_dynamics::cli::run({argv + 1, argv + argc});
    spatial_dynamics::flush_standard_output();
    return exit_code;
  } catch (const std::bad_alloc&) {
    spatial_dynamics::drain_standard_error_log();
    std::cerr
        << "there is not enough memory for this robot; give the process more, or a robot with "
           "fewer joints\n";
  } catch (const std::exception& error) {
    spatial_dynamics::drain_standard_error_log();
    std::cerr << error.what() << '\n';
  }
  return spatial_dynamics::cli::kFailure;
}

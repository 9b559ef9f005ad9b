// The program's subcommands, one folder each, and its exit codes.
#pragma once

#include <functional>
#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's
class App;
}
namespace spatial_dynamics::dds {
struct RosArguments;
}

namespace spatial_dynamics::cli {

inline constexpr int kSuccess = 0;
inline constexpr int kFailure =
    1;                            ///< a robot, a file or a state was rejected, or a process failed
inline constexpr int kUsage = 2;  ///< the command line is wrong

// Each function adds one subcommand to the program. Its callback, which runs while the command line
// is parsed, writes the exit code. It throws CLI::ParseError for a wrong command line and another
// std::exception, such as ModelError, for every other failure.

void add_bench(CLI::App& app, int& exit_code);
void add_body(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_compute(CLI::App& app, int& exit_code);
void add_excite(CLI::App& app, int& exit_code);
void add_generate(CLI::App& app, int& exit_code);
void add_identify(CLI::App& app, int& exit_code);
void add_replay(CLI::App& app, int& exit_code);

struct ModelOptions;

/// Options of `simulate --dds`; 0 if not given.
struct DdsSimulation {
  const ModelOptions& robot;
  double rate_hz = 0.0;
  double seconds = 0.0;
};
/// `on_dds` runs the node and returns the exit code; null if the program was built without DDS.
void add_simulate(CLI::App& app, int& exit_code,
                  std::function<int(const DdsSimulation&)> on_dds = nullptr);

// Subcommands in nodes/, built if Cyclone DDS is found. `ros` holds the arguments after --ros-args
// and must outlive the parsing.

void add_activate(CLI::App& app, const dds::RosArguments& ros, int& exit_code);  ///< and deactivate
void add_demo(CLI::App& app, const dds::RosArguments& ros, int& exit_code);
void add_latency(CLI::App& app, int& exit_code);
/// The processes that `latency` starts and measures; hidden from the help.
void add_latency_part(CLI::App& app, const dds::RosArguments& ros, int& exit_code);
void add_listen(CLI::App& app, const dds::RosArguments& ros, int& exit_code);
void add_play(CLI::App& app, const dds::RosArguments& ros, int& exit_code);
void add_run(CLI::App& app, const dds::RosArguments& ros, int& exit_code);
void add_send(CLI::App& app, const dds::RosArguments& ros, int& exit_code);
/// Runs the node `robot_simulator` until its time is over or a signal arrives. Returns the exit
/// code.
int simulate_on_dds(const DdsSimulation& options, const dds::RosArguments& ros);

}  // namespace spatial_dynamics::cli

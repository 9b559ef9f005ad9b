#include "process.hpp"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigset_t and friends are POSIX
#include <time.h>    // NOLINT(modernize-deprecated-headers)

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/model/urdf_file.hpp"
#include "spatial_dynamics/runtime/clock.hpp"

namespace spatial_dynamics::cli {
namespace {

sigset_t end_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP);  // the terminal has gone
  return set;
}

int rank(const std::string& level) {
  if (level == "debug") return 0;
  if (level == "info" || level == "unset") return 1;
  if (level == "warn") return 2;
  if (level == "error") return 3;
  return 4;  // fatal
}

}  // namespace

Signals::Signals() : set_(end_signals()) { pthread_sigmask(SIG_BLOCK, &set_, nullptr); }

bool Signals::wait(double seconds) const {
  if (seconds <= 0.0) {
    int signal = 0;
    while (sigwait(&set_, &signal) != 0) {
    }
    return true;
  }
  const std::int64_t deadline = steady_now_ns() + static_cast<std::int64_t>(seconds * 1e9);
  while (true) {
    const std::int64_t left = deadline - steady_now_ns();
    if (left <= 0) return false;
    const timespec timeout = to_timespec(left);
    if (sigtimedwait(&set_, nullptr, &timeout) > 0) return true;
    if (errno != EINTR && errno != EAGAIN) return false;
  }
}

std::function<void(LogLevel, const std::string&)> make_log(const dds::RosArguments& ros,
                                                           const std::string& node) {
  int lowest = rank("info");
  for (const dds::LoggerLevel& level : ros.log_levels) {
    if (level.logger.empty() || level.logger == node) lowest = rank(level.level);
  }
  return [lowest, node](LogLevel level, const std::string& text) {
    const char* const word = level == LogLevel::kInfo      ? "INFO"
                             : level == LogLevel::kWarning ? "WARN"
                                                           : "ERROR";
    if (static_cast<int>(level) + 1 < lowest) return;
    const std::int64_t now = system_now_ns();
    std::fprintf(stderr, "[%s] [%lld.%09lld] [%s]: %s\n", word,
                 static_cast<long long>(now / kNanosecondsPerSecond),
                 static_cast<long long>(now % kNanosecondsPerSecond), node.c_str(), text.c_str());
  };
}

dds::NodeOptions node_options(const dds::RosArguments& ros, const std::string& name) {
  dds::NodeOptions options;
  options.name = name;
  options.remaps = ros.remaps;
  options.enclave = ros.enclave;
  return options;
}

ParameterSet node_parameters(const ParameterTable& table, const dds::RosArguments& ros,
                             const std::string& name,
                             const std::vector<std::pair<std::string, ParameterValue>>& options) {
  ParameterSet parameters(table);
  for (const auto& [key, value] : options) parameters.set(key, value);
  dds::apply_parameters(ros, dds::resolve_node_name(name, "/", ros.remaps).full(), parameters);
  return parameters;
}

void require_robot_file(const std::string& file, const ParameterSet& parameters) {
  if (file.empty() || parameters.get_text("urdf_file") != file) return;
  require_urdf_file(file);
  const bool empty =
      std::filesystem::is_regular_file(file) && std::filesystem::file_size(file) == 0;
  if (empty) (void)load_urdf_file(file);  // says so
}

}  // namespace spatial_dynamics::cli

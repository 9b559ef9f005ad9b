#include "cli/nodes/common/process.hpp"

#include <filesystem>
#include <system_error>

#include "model/urdf_file.hpp"
#include "runtime/standard_error_log.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"

namespace spatial_dynamics::cli {
namespace {

int rank(const std::string& level) {
  if (level == "debug") return 0;
  if (level == "info" || level == "unset") return 1;
  if (level == "warn") return 2;
  if (level == "error") return 3;
  return 4;  // fatal
}

}  // namespace

std::function<void(LogLevel, const std::string&)> make_log(const dds::RosArguments& ros,
                                                           const std::string& node) {
  int lowest = rank("info");
  for (const dds::LoggerLevel& level : ros.log_levels) {
    if (level.logger.empty() || level.logger == node) lowest = rank(level.level);
  }
  (void)standard_error_lines_lost();  // starts the log's thread, or throws here
  return [lowest, node](LogLevel level, const std::string& text) {
    if (static_cast<int>(level) + 1 >= lowest) log_to_standard_error(level, node, text);
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
  if (empty) (void)load_urdf_file(file);  // throws
}

std::string shipped_robot() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& prefix : {folder / "..", folder / "../.."}) {
    const fs::path file = prefix / "share/spatial_dynamics/urdf/arm7.urdf";
    if (fs::exists(file, ignored)) return fs::weakly_canonical(file, ignored).string();
  }
  return SPATIAL_DYNAMICS_URDF_DIR "/arm7.urdf";
}

}  // namespace spatial_dynamics::cli

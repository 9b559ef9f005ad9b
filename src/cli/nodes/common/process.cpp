#include "cli/nodes/common/process.hpp"

#include <array>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <system_error>
#include <utility>

#include "model/urdf_file.hpp"
#include "runtime/parameters_text.hpp"
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

/// The option that gives a parameter.
const char* option_of(std::string_view parameter) {
  constexpr std::array<std::pair<std::string_view, const char*>, 9> kOptions{
      {{"payloads.", "--payload"},
       {"locked.", "--lock"},
       {"armature.", "--armature"},
       {"gravity", "--gravity"},
       {"floating_base", "--floating-base"},
       {"strict", "--strict"},
       {"rate_hz", "--rate"},
       {"torque_mode", "--mode"},
       {"urdf_file", "the argument ROBOT.urdf"}}};
  for (const auto& [name, option] : kOptions) {
    if (parameter.substr(0, name.size()) == name) return option;
  }
  return "an option";
}

/// A parameter, or the value for one joint.
bool have_equal(const ParameterSet& a, const ParameterSet& b, const std::string& name) {
  const JointParameter of_joint = find_joint_parameter(a.table(), name);
  if (of_joint.row == nullptr) return a.get(name) == b.get(name);
  const std::string row(of_joint.row->name), joint(of_joint.joint);
  return a.by_joint().at(row).at(joint) == b.by_joint().at(row).at(joint);
}

std::vector<double> to_numbers(const Vector3& v) { return {v.x(), v.y(), v.z()}; }

/// All four parameters, so that none is mixed with one of --ros-args.
void append_payloads(const std::vector<Payload>& payloads, ParameterChanges& changes) {
  std::vector<std::string> links;
  std::vector<double> masses, centers, inertias;
  bool points = true;
  for (const Payload& payload : payloads) {
    const MassProperties& m = payload.mass_properties;
    const Matrix3& i = m.inertia_about_com;
    points = points && i.isZero(0.0);
    links.push_back(payload.link);
    masses.push_back(m.mass);
    centers.insert(centers.end(), {m.com.x(), m.com.y(), m.com.z()});
    inertias.insert(inertias.end(), {i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2), i(1, 2)});
  }
  if (points) inertias.clear();
  changes.emplace_back("payloads.links", links);
  changes.emplace_back("payloads.masses", masses);
  changes.emplace_back("payloads.centers", centers);
  changes.emplace_back("payloads.inertias", inertias);
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

void add_robot_options(CLI::App& command, ModelOptions& options, const char* help) {
  CLI::Option* const robot =
      command.add_option("robot", options.file, help)->type_name("ROBOT.urdf");
  command.add_option("--urdf", options.file, "The same as ROBOT.urdf")
      ->type_name("FILE")
      ->excludes(robot);
  add_load_options(command, options);
}

ParameterChanges robot_parameters(const ModelOptions& options) {
  ParameterChanges changes;
  const LoadOptions& load = options.load;
  if (!options.file.empty()) changes.emplace_back("urdf_file", options.file);
  if (load.strict) changes.emplace_back("strict", true);
  if (load.floating_base) changes.emplace_back("floating_base", true);
  if (options.gravity_given) changes.emplace_back("gravity", to_numbers(load.gravity));
  for (const auto& [joint, value] : load.armature) {
    changes.emplace_back("armature." + joint, value);
  }
  if (!load.payloads.empty()) append_payloads(load.payloads, changes);
  if (!load.locked.empty()) {
    std::vector<std::string> joints;
    std::vector<double> positions;
    for (const auto& [joint, position] : load.locked) {
      joints.push_back(joint);
      positions.push_back(position);
    }
    changes.emplace_back("locked.joints", joints);
    changes.emplace_back("locked.positions", positions);
  }
  return changes;
}

ParameterSet node_parameters(const ParameterTable& table, const dds::RosArguments& ros,
                             const std::string& name, const ParameterChanges& options,
                             const ParameterChanges& defaults) {
  ParameterSet parameters(table);
  for (const auto& [key, value] : defaults) parameters.set(key, value);
  for (const auto& [key, value] : options) parameters.set(key, value);
  const ParameterSet given = parameters;
  const std::string node = dds::resolve_node_name(name, "/", ros.remaps).full();
  for (const std::string& warning : dds::apply_parameters(ros, node, parameters)) {
    std::cerr << warning << '\n';
  }
  for (const auto& [key, value] : options) {
    if (have_equal(parameters, given, key)) continue;
    throw ParameterError(key, "parameter '" + key + "' is given by " + option_of(key) +
                                  " and, with another value, by --ros-args; give it once.");
  }
  return parameters;
}

void append_parameters(const ParameterSet& parameters, std::vector<std::string>& arguments) {
  const auto append = [&arguments](const std::string& name, const ParameterValue& value) {
    arguments.emplace_back("-p");
    arguments.push_back(name + ":=" + spatial_dynamics::to_text(value));
  };
  for (const ParameterDescription& row : parameters.table()) {
    const ParameterValue& value = parameters.get(row.name);
    if (value != row.default_value) append(row.name, value);
  }
  for (const auto& [row, joints] : parameters.by_joint()) {
    for (const auto& [joint, value] : joints)
      append(std::string(row).append(".").append(joint), value);
  }
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

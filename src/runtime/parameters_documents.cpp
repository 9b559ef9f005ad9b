#include "runtime/parameters_documents.hpp"

#include <algorithm>
#include <string>

#include "runtime/parameters_table.hpp"
#include "runtime/parameters_text.hpp"

namespace spatial_dynamics {
namespace {

bool is_array(ParameterType type) {
  return type == ParameterType::kNumbers || type == ParameterType::kTexts;
}

/// ROS 2 can't read an empty array, and launch files set use_sim_time for all nodes at once.
bool stays_comment(const ParameterDescription& row) {
  const std::string text = to_text(row.default_value);
  return text == "[]" || text == "\"\"" || row.name == "use_sim_time";
}

/// "number, from 1 to 20000 Hz; may be changed while running"
std::string facts(const ParameterDescription& row) {
  std::string out = to_string(row.type());
  if (row.length != 0) out = std::to_string(row.length) + " " + out;
  const std::string allowed = allowed_values(row);
  if (!allowed.empty()) out += (is_array(row.type()) ? ", each " : ", ") + allowed;
  return out + (row.live ? "; may be changed while running" : "; read at start");
}

struct SplitName {
  std::string prefix;  // "gains" of gains.kp; empty if there is none
  std::string last;
};

SplitName split(const std::string& name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return {"", name};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

/// The name as a YAML file writes it. A map whose entries are all comments would have no value,
/// which neither node accepts; their names are therefore written in one line each.
SplitName yaml_name(const ParameterDescription& row, const ParameterTable& table) {
  const SplitName name = split(row.name);
  const bool has_map = std::any_of(table.begin(), table.end(), [&](const auto& other) {
    return split(other.name).prefix == name.prefix && !stays_comment(other);
  });
  return has_map ? name : SplitName{"", row.name};
}

/// One cell of a Markdown table.
std::string cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) {
    text.insert(at, "\\");
  }
  return text + " |";
}

std::string as_code(const std::string& text) { return "`" + text + "`"; }

/// What is allowed, with choices as code.
std::string allowed_markdown(const ParameterDescription& row) {
  if (!row.choices.empty()) {
    std::string out;
    for (const std::string& choice : row.choices)
      out += (out.empty() ? "" : ", ") + as_code(choice);
    return out;
  }
  return allowed_values(row);
}

void write_table(std::ostream& out, const ParameterTable& table) {
  std::string group;
  for (const ParameterDescription& row : table) {
    if (row.group != group) {
      group = row.group;
      out << "\n### " << group << "\n\n"
          << "| parameter | type | default | allowed | live | meaning "
             "|\n|---|---|---|---|---|---|\n";
    }
    out << "| " << cell(as_code(row.name)) << " " << cell(to_string(row.type())) << " "
        << cell(as_code(to_text(row.default_value))) << " " << cell(allowed_markdown(row)) << " "
        << cell(row.live ? "yes" : "") << " " << cell(row.help) << "\n";
  }
}

constexpr std::string_view kAboutParameters = R"(# Parameters

This page and the files `config/dynamics.yaml` and `config/simulator.yaml` are generated from one table, which the ROS 2
node and the stand-alone node both read.

```
spatial_dynamics run --ros-args --params-file config/computed_torque.yaml -p rate_hz:=500
ros2 param set /dynamics gains.kp "[100.0, 100.0, 50.0]"     # ROS 2 node
```

- An integer is accepted in place of a number, also in arrays. A single number or text is accepted in place of an array. An
  unknown name, another type or a value out of range is rejected with the reason, and nothing changes.
- **Per joint** (`gains.kp`, `gains.kd`, `effort_limits`, `torque_rate_limit`,
  `following_error_limit`, `armature`, `initial_position`, `held_position`): an array with one number for all joints,
  or with one per joint in the order of `spatial_dynamics check ROBOT.urdf`. Mimic joints have none;
  a planar joint has three (x, y, theta); a floating base has none. The number of a single joint can
  be set by the joint's name: `effort_limits: {shoulder: 40.0}` in a file, or
  `-p effort_limits.shoulder:=40.0` on the command line. Such a number overrides the array or the
  default. If names are set at start and the array is not, the ROS 2 node declares the names instead
  of the array; `ros2 param set` can then change them.
- If a new robot description has the same joints in another order, per-joint arrays and all outputs
  keep the order of the previous description.
- `command_joints` and `compensated_by_hardware` are arrays of texts. An empty text means an empty array of any type
  (`armature: ''`), because ROS 2 cannot read `[]`; `ros2 param dump` writes an empty array as an empty text.
- **Live** parameters may be changed while the ROS 2 node runs (`ros2 param set`); a change takes effect between two cycles.
  The others are read at start. The stand-alone node reads all of them at start.
- Later arguments override earlier ones, both files and `-p`. In a file, sections apply in their order: `/**` to every node,
  `dynamics` or `/left/dynamics` to the node of this name, `/*/dynamics` to such nodes in any namespace of one level.
- ROS 2 cannot read an array that mixes `1` and `1.0`; the stand-alone node can.
)";

constexpr std::string_view kAboutController = R"(
## The ros2_control plug-in `spatial_dynamics/TorqueController`

These parameters have the same names, values and rules as those of the node. The robot description and the rate are the controller
manager's; `update_rate` and `is_async` are parameters that every controller has.
)";

}  // namespace

void write_default_yaml(std::ostream& out, const ParameterTable& table, std::string_view node) {
  out << "# Every parameter of the node `" << node
      << "` at its default. Generated; see docs/parameters.md.\n"
      << "/**:\n  ros__parameters:\n";
  std::string group;
  std::string prefix;
  for (const ParameterDescription& row : table) {
    const SplitName name = yaml_name(row, table);
    if (row.group != group) {
      out << (group.empty() ? "" : "\n") << "    # ---- " << row.group << "\n";
      group = row.group;
    }
    if (name.prefix != prefix && !name.prefix.empty()) out << "\n    " << name.prefix << ":";
    prefix = name.prefix;
    const std::string indent = prefix.empty() ? "    " : "      ";
    out << "\n"
        << indent << "# " << row.help << "\n"
        << indent << "# " << facts(row) << "\n"
        << indent << (stays_comment(row) ? "# " : "") << name.last << ": "
        << to_text(row.default_value) << "\n";
  }
}

void write_parameter_markdown(std::ostream& out) {
  out << kAboutParameters << "\n## The node `dynamics`\n";
  write_table(out, parameter_table());
  out << kAboutController;
  write_table(out, controller_parameter_table());
  out << "\n## The simulated robot `robot_simulator`\n";
  write_table(out, simulator_parameter_table());
  out << "\n## The ros2_control hardware `spatial_dynamics/SimulatedSystem`\n\n"
         "Given in the URDF, as in `<hardware> <param name=\"substeps\">8</param> </hardware>`; "
         "see "
         "[ros2_control.md](ros2_control.md).\n";
  write_table(out, simulated_system_parameter_table());
}

}  // namespace spatial_dynamics

#include "runtime/controller_setup.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>

#include "runtime/parameters_table.hpp"
#include "runtime/simulator_config.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

bool is_core_parameter(std::string_view name) {
  const ParameterTable& table = parameter_table();
  return find_parameter(table, name) != nullptr || find_joint_parameter(table, name).row != nullptr;
}

/// Rejects joints that can't be commanded.
void check_joints(const std::vector<std::string>& joints, const Model& model,
                  const std::vector<ScalarCoordinate>& coordinates, const ModelReport& report) {
  for (const std::string& joint : joints) {
    const bool known =
        std::any_of(coordinates.begin(), coordinates.end(),
                    [&](const ScalarCoordinate& coordinate) { return coordinate.name == joint; });
    if (known) continue;
    const auto mimic = std::find_if(report.mimic.begin(), report.mimic.end(),
                                    [&](const MimicEntry& each) { return each.joint == joint; });
    throw ParameterError(
        "joints", "parameter 'joints' has " + in_quotes(joint) + ", " +
                      (mimic == report.mimic.end()
                           ? "which is not a moving joint of the robot " + in_quotes(model.name())
                           : "which mimics " + in_quotes(mimic->leader)) +
                      "; remove it.");
  }
}

/// Whether `joints` lists its joints in another order than the robot.
bool is_reordered(const std::vector<std::string>& joints,
                  const std::vector<ScalarCoordinate>& coordinates) {
  auto next = coordinates.begin();
  return !std::all_of(joints.begin(), joints.end(), [&](const std::string& joint) {
    next = std::find_if(next, coordinates.end(), [&](const ScalarCoordinate& coordinate) {
      return coordinate.name == joint;
    });
    return next != coordinates.end();
  });
}

/// The parameters of the core that the controller's table has as well.
ParameterSet shared_parameters(const ParameterSet& controller) {
  ParameterSet core(parameter_table());
  for (const ParameterDescription& row : controller.table()) {
    if (is_core_parameter(row.name)) core.set(row.name, controller.get(row.name));
  }
  for (const auto& [name, joints] : controller.by_joint()) {
    if (!is_core_parameter(name)) continue;
    for (const auto& [joint, value] : joints)
      core.set(std::string(name).append(".").append(joint), value);
  }
  return core;
}

}  // namespace

void check_order_of_arrays(const ParameterSet& controller,
                           const std::vector<ScalarCoordinate>& coordinates) {
  if (!is_reordered(controller.get_texts("joints"), coordinates)) return;
  for (const ParameterDescription& row : controller.table()) {
    if (!row.per_joint) continue;
    const std::vector<double>& values = controller.get_numbers(row.name);
    if (std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end()) {
      continue;
    }
    std::string text = "parameter " + in_quotes(row.name);
    text +=
        " is an array in the URDF's order of joints, but 'joints' lists them in another order; "
        "name the joints, as in '";
    text += row.name;
    text += '.';
    text += coordinates.front().name;
    text += "', or list 'joints' in the URDF's order.";
    throw ParameterError(row.name, text);
  }
}

ControllerSetup make_controller_setup(const ParameterSet& controller, std::string_view urdf,
                                      double rate_hz) {
  ControllerSetup setup;
  ParameterSet& core = setup.parameters;
  core = shared_parameters(controller);
  core.set("robot_description", std::string(urdf));
  core.set("rate_hz", rate_hz);
  core.set("yield_to_active_node", false);  // the controller manager lends interfaces once

  ModelReport report;
  const Model model = load_robot(urdf, make_config(core), &report);
  const std::vector<ScalarCoordinate> coordinates = scalar_coordinates(model);
  const std::vector<std::string>& joints = controller.get_texts("joints");
  check_joints(joints, model, coordinates, report);
  check_order_of_arrays(controller, coordinates);
  core.set("command_joints", joints);
  for (const ScalarCoordinate& coordinate : coordinates) {
    const bool commanded =
        joints.empty() || std::find(joints.begin(), joints.end(), coordinate.name) != joints.end();
    if (commanded) continue;
    for (const char* const row : {"gains.kp.", "gains.kd.", "impedance.stiffness.",
                                  "impedance.damping.", "following_error_limit."}) {
      core.set(row + coordinate.name, 0.0);
    }
  }
  const std::vector<double> positions =
      values_per_coordinate("held_position", controller.get_numbers("held_position"),
                            controller.by_joint(), coordinates, kNoPosition);
  const VectorXd q = initial_configuration(model, coordinates, positions);
  for (const ScalarCoordinate& coordinate : coordinates) {
    setup.held_position.push_back(q(coordinate.q));
  }
  return setup;
}

ParameterSet changed_controller(ParameterSet controller, const ParameterChanges& changes) {
  for (const auto& [name, value] : changes) controller.change(name, value);
  (void)make_config(shared_parameters(controller));
  return controller;
}

ParameterChanges core_changes(const ParameterChanges& changes) {
  ParameterChanges result;
  std::copy_if(changes.begin(), changes.end(), std::back_inserter(result),
               [](const auto& change) { return is_core_parameter(change.first); });
  return result;
}

}  // namespace spatial_dynamics

// Per-joint parameters: none, one for all, or one per coordinate, against a model.
#include <algorithm>
#include <cmath>
#include <string>

#include "../model/text.hpp"
#include "spatial_dynamics/algorithms/configuration.hpp"
#include "spatial_dynamics/runtime/config.hpp"
#include "spatial_dynamics/runtime/coordinates.hpp"
#include "spatial_dynamics/runtime/simulator_config.hpp"

namespace spatial_dynamics {
namespace {

using Coordinates = std::vector<ScalarCoordinate>;

constexpr std::size_t kMostNamed = 40;  // joints in one sentence

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == kMostNamed) return out + ", ...";
    out += (i > 0 ? ", " : "") + in_quotes(names[i]);
  }
  return out;
}

/// One number per coordinate.
std::vector<double> spread(const char* parameter, const std::vector<double>& given,
                           const Coordinates& coordinates, double without) {
  const std::size_t n = coordinates.size();
  if (given.empty()) return std::vector<double>(n, without);
  if (given.size() == 1) return std::vector<double>(n, given.front());
  if (given.size() == n) return given;
  throw ParameterError(parameter, "parameter " + in_quotes(parameter) + " has " +
                                      std::to_string(given.size()) + " values, but the robot has " +
                                      std::to_string(n) + (n == 1 ? " joint (" : " joints (") +
                                      list_of(names_of(coordinates)) +
                                      "); give one value for all or one per joint, in this order.");
}

VectorXd on_velocities(const Model& model, const Coordinates& coordinates,
                       const std::vector<double>& values, double base_value) {
  VectorXd result = VectorXd::Constant(model.nv(), base_value);
  for (std::size_t i = 0; i < coordinates.size(); ++i) result[coordinates[i].v] = values[i];
  return result;
}

/// The coordinate's effort limit, scaled; infinite where nobody gives one. 0 in the parameter means the URDF's, and 0 in a
/// URDF means that its author did not know.
double effort_limit(const Config& config, const Model& model, const ScalarCoordinate& coordinate,
                    double given) {
  double limit = given > 0.0 ? given : model.joint(coordinate.joint).limits.effort;
  if (limit == 0.0) limit = kUnlimited;
  return std::isfinite(limit) ? limit * config.effort_limit_scale : kUnlimited;
}

void resolve_commands(const Config& config, const Model& model, const Coordinates& coordinates,
                      JointSettings& settings) {
  settings.command_joints =
      config.command_joints.empty() ? names_of(coordinates) : config.command_joints;
  for (const std::string& name : settings.command_joints) {
    const auto found = std::find_if(coordinates.begin(), coordinates.end(),
                                    [&](const ScalarCoordinate& c) { return c.name == name; });
    if (found != coordinates.end()) {
      settings.command_indices.push_back(found->v);
      continue;
    }
    const Index joint = model.find_joint(name);
    std::string why = "which the robot does not have";
    if (joint != kNoIndex && model.joint(joint).is_mimic()) {
      why = "which follows " + in_quotes(model.joint(model.joint(joint).mimics).name) +
            " and has no torque of its own";
    }
    throw ParameterError("command_joints", "parameter 'command_joints' names " + in_quotes(name) +
                                               ", " + why + "; choose among " +
                                               list_of(names_of(coordinates)) + ".");
  }
}

std::string drive_refusal(const Config& config, const JointSettings& settings) {
  if (config.allow_unlimited_effort) return "";
  std::vector<std::string> unlimited;
  for (const std::string& name : settings.command_joints) {
    const auto& without = settings.without_effort_limit;
    if (std::find(without.begin(), without.end(), name) != without.end()) unlimited.push_back(name);
  }
  if (unlimited.empty()) return "";
  return "~/torque_array stays off, because there is no effort limit for " + list_of(unlimited) +
         "; give one in the URDF or in 'effort_limits', or set 'allow_unlimited_effort'.";
}

/// Rotor inertias by joint. The three coordinates of a planar joint share one.
std::map<std::string, double> armature_by_joint(const std::vector<double>& given,
                                                const Model& model) {
  const Coordinates coordinates = scalar_coordinates(model);
  const std::vector<double> values = spread("armature", given, coordinates, 0.0);
  std::map<std::string, double> result;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const std::string& joint = model.joint(coordinates[i].joint).name;
    const auto [entry, is_new] = result.emplace(joint, values[i]);
    if (!is_new && entry->second != values[i]) {
      throw ParameterError("armature",
                           "parameter 'armature' has different values for the coordinates of " +
                               joint_element(joint) + ", which share one; give the same thrice.");
    }
  }
  return result;
}

}  // namespace

LoadOptions load_options(const RobotConfig& config) {
  LoadOptions options;
  options.floating_base = config.floating_base;
  options.strict = config.strict;
  options.gravity = config.gravity;
  options.friction_speed = config.friction_speed;
  return options;
}

Model load_robot(std::string_view urdf, const RobotConfig& config, ModelReport* report) {
  LoadOptions options = load_options(config);
  Model model = load_urdf(urdf, options, report);
  if (config.armature.empty()) return model;
  // Which number belongs to which joint is known only now; what the report says of singularity depends on it.
  options.armature = armature_by_joint(config.armature, model);
  if (report != nullptr) *report = ModelReport{};
  return load_urdf(urdf, options, report);
}

JointSettings resolve_joint_settings(const Config& config, const Model& model) {
  const Coordinates coordinates = scalar_coordinates(model);
  JointSettings settings;
  settings.kp =
      on_velocities(model, coordinates, spread("gains.kp", config.kp, coordinates, 0.0), 0.0);
  settings.kd =
      on_velocities(model, coordinates, spread("gains.kd", config.kd, coordinates, 0.0), 0.0);

  std::vector<double> limits = spread("effort_limits", config.effort_limits, coordinates, 0.0);
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    limits[i] = effort_limit(config, model, coordinates[i], limits[i]);
    if (std::isinf(limits[i])) settings.without_effort_limit.push_back(coordinates[i].name);
  }
  settings.effort_limit = on_velocities(model, coordinates, limits, kUnlimited);

  std::vector<double> rates =
      spread("torque_rate_limit", config.torque_rate_limit, coordinates, 0.0);
  std::replace(rates.begin(), rates.end(), 0.0, kUnlimited);
  settings.torque_rate_limit = on_velocities(model, coordinates, rates, kUnlimited);

  resolve_commands(config, model, coordinates, settings);
  settings.drive_refusal = drive_refusal(config, settings);
  return settings;
}

VectorXd resolve_initial_position(const SimulatorConfig& config, const Model& model) {
  const Coordinates coordinates = scalar_coordinates(model);
  const std::vector<double> given =
      spread("initial_position", config.initial_position, coordinates, 0.0);
  VectorXd q = neutral_configuration(model);
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const Joint& joint = model.joint(coordinates[i].joint);
    const bool stops = joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic;
    const JointLimits limits = stops ? joint.limits : JointLimits{};
    const double within = std::clamp(given[i], limits.lower, limits.upper);
    if (config.joint_stops && !config.initial_position.empty() && within != given[i]) {
      throw ParameterError("initial_position",
                           "parameter 'initial_position' is " + number_text(given[i]) + " for " +
                               in_quotes(coordinates[i].name) + ", whose limits are " +
                               number_text(limits.lower) + " and " + number_text(limits.upper) +
                               "; start between them, or set 'joint_stops' to false.");
    }
    q[coordinates[i].q] = config.initial_position.empty() ? within : given[i];
  }
  return q;
}

}  // namespace spatial_dynamics

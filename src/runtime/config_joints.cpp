// Per-joint parameters of the model and of the simulator, and those of the controller by joint
// name.
#include <algorithm>
#include <limits>
#include <string>

#include "runtime/config.hpp"
#include "runtime/simulator_config.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

/// Rotor inertias by joint. The three coordinates of a planar joint share one.
std::map<std::string, double> armature_by_joint(const RobotConfig& config, const Model& model,
                                                const std::vector<std::string>& order) {
  const std::vector<ScalarCoordinate> coordinates = in_order(scalar_coordinates(model), order);
  const std::vector<double> values =
      values_per_coordinate("armature", config.armature, config.by_joint, coordinates, 0.0);
  std::map<std::string, double> result;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const std::string& joint = model.joint(coordinates[i].joint).name;
    const auto [entry, is_new] = result.emplace(joint, values[i]);
    if (!is_new && entry->second != values[i]) {
      throw ParameterError("armature",
                           "parameter 'armature' has different values for the coordinates of " +
                               joint_element(joint) +
                               ", which share one; give the same value three times.");
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

Model load_robot(std::string_view urdf, const RobotConfig& config, ModelReport* report,
                 const std::vector<std::string>& order) {
  LoadOptions options = load_options(config);
  const ModelBuilder builder = read_urdf(urdf);
  Model model = builder.build(options, report);
  if (config.armature.empty() && config.by_joint.count("armature") == 0) return model;
  // Only the built model shows which value belongs to which joint. It is built again, because
  // singularity and thereby the report depend on armature.
  options.armature = armature_by_joint(config, model, order);
  return builder.build(options, report);
}

JointSettings resolve_joint_settings(const Config& config, const Model& model,
                                     const std::vector<std::string>& order) {
  const ControlSettings& settings = config;
  return resolve_joint_settings(settings, model, order, config.by_joint);
}

VectorXd resolve_initial_position(const SimulatorConfig& config, const Model& model,
                                  const std::vector<std::string>& order) {
  const std::vector<ScalarCoordinate> coordinates = in_order(scalar_coordinates(model), order);
  constexpr double kNotGiven = std::numeric_limits<double>::infinity();
  const std::vector<double> given = values_per_coordinate(
      "initial_position", config.initial_position, config.by_joint, coordinates, kNotGiven);
  VectorXd q = neutral_configuration(model);
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const Joint& joint = model.joint(coordinates[i].joint);
    const bool stops = joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic;
    const JointLimits limits = stops ? joint.limits : JointLimits{};
    const bool is_given = given[i] != kNotGiven;
    const double wanted = is_given ? given[i] : 0.0;
    const double within = std::clamp(wanted, limits.lower, limits.upper);
    if (config.joint_stops && is_given && within != wanted) {
      throw ParameterError("initial_position",
                           "parameter 'initial_position' is " + number_text(wanted) + " for " +
                               in_quotes(coordinates[i].name) + ", whose limits are " +
                               number_text(limits.lower) + " and " + number_text(limits.upper) +
                               "; start between them, or set 'joint_stops' to false.");
    }
    q[coordinates[i].q] = is_given ? wanted : within;
  }
  return q;
}

}  // namespace spatial_dynamics

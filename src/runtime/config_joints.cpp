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

/// Where stops hold a joint; infinite for a joint without stops.
JointLimits stops_of(const Model& model, const ScalarCoordinate& coordinate) {
  const Joint& joint = model.joint(coordinate.joint);
  const bool stops = joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic;
  return stops ? joint.limits : JointLimits{};
}

}  // namespace

LoadOptions load_options(const RobotConfig& config) {
  LoadOptions options;
  options.floating_base = config.floating_base;
  options.strict = config.strict;
  options.gravity = config.gravity;
  options.friction_speed = config.friction_speed;
  options.payloads = config.payloads;
  options.locked = config.locked;
  return options;
}

void require_effect(const std::vector<Payload>& payloads, const Model& model) {
  for (const Payload& payload : payloads) {
    if (model.link(model.find_link(payload.link)).body != 0) continue;
    const std::string element = "payload on " + link_element(payload.link);
    throw ModelError(
        element,
        "the " + element +
            " has no effect, because the link is fixed to the world; name a link that moves");
  }
}

Model load_robot(std::string_view urdf, const RobotConfig& config, ModelReport* report,
                 const std::vector<std::string>& order) {
  LoadOptions options = load_options(config);
  const ModelBuilder builder = read_urdf(urdf);
  Model model = builder.build(options, report);
  require_effect(config.payloads, model);
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

VectorXd initial_configuration(const Model& model, const std::vector<ScalarCoordinate>& coordinates,
                               const std::vector<double>& positions) {
  VectorXd q = neutral_configuration(model);
  // Beyond a soft limit, the envelope of the controller would not let the joint return.
  const EnvelopeLimits limits = resolve_envelope(EnvelopeSettings(), model, coordinates, {});
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const Index v = coordinates[i].v;
    const double nearest = std::clamp(0.0, limits.soft_lower(v), limits.soft_upper(v));
    q[coordinates[i].q] = positions[i] == kNoPosition ? nearest : positions[i];
  }
  return q;
}

std::string beyond_limits(const Model& model, const std::vector<ScalarCoordinate>& coordinates,
                          const std::vector<double>& positions) {
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const JointLimits limits = stops_of(model, coordinates[i]);
    if (positions[i] == kNoPosition ||
        positions[i] == std::clamp(positions[i], limits.lower, limits.upper)) {
      continue;
    }
    return number_text(positions[i]) + " for " + in_quotes(coordinates[i].name) +
           ", whose limits are " + number_text(limits.lower) + " and " + number_text(limits.upper);
  }
  return {};
}

VectorXd resolve_initial_position(const SimulatorConfig& config, const Model& model,
                                  const std::vector<std::string>& order) {
  const std::vector<ScalarCoordinate> coordinates = in_order(scalar_coordinates(model), order);
  const std::vector<double> positions = values_per_coordinate(
      "initial_position", config.initial_position, config.by_joint, coordinates, kNoPosition);
  const std::string beyond = beyond_limits(model, coordinates, positions);
  if (config.joint_stops && !beyond.empty()) {
    throw ParameterError("initial_position", "parameter 'initial_position' is " + beyond +
                                                 "; start between them, or set 'joint_stops' to "
                                                 "false.");
  }
  return initial_configuration(model, coordinates, positions);
}

}  // namespace spatial_dynamics

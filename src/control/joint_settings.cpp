// Resolves settings to values per joint of a model.
#include <algorithm>
#include <cmath>
#include <string>

#include "compliance_settings.hpp"
#include "spatial_dynamics/control/control_settings.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

using Scalars = std::vector<ScalarCoordinate>;

constexpr std::size_t kMostNamed = 40;  // joints in one sentence

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == kMostNamed) return out + ", ...";
    out += (i > 0 ? ", " : "") + in_quotes(names[i]);
  }
  return out;
}

/// One number per coordinate from the parameter's array.
std::vector<double> spread_array(const char* parameter, const std::vector<double>& given,
                                 const Scalars& coordinates, double without) {
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

/// A limit of the URDF; infinite if it has none. 0 counts as none: its author did not know the
/// limit.
double urdf_limit(double limit) noexcept {
  return std::isfinite(limit) && limit > 0.0 ? limit : kUnlimited;
}

/// Effort limits, scaled; infinite if neither the parameter nor the URDF has one. 0 selects the
/// URDF's limit. A value above the URDF's limit has no effect unless allow_effort_above_urdf is
/// set.
std::vector<double> effort_limits(const ControlSettings& config, const JointOverrides& by_joint,
                                  const Model& model, const Scalars& coordinates,
                                  JointSettings& settings) {
  std::vector<double> limits =
      values_per_coordinate("effort_limits", config.effort_limits, by_joint, coordinates, 0.0);
  std::string above;
  std::size_t count = 0;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const double urdf = urdf_limit(model.joint(coordinates[i].joint).limits.effort);
    const double given = limits[i] > 0.0 ? limits[i] : urdf;
    const bool ignored = given > urdf && !config.allow_effort_above_urdf;
    if (ignored && ++count <= kMostNamed) {
      above += (above.empty() ? "" : ", ") + in_quotes(coordinates[i].name) + " (" +
               number_text(given) + " instead of " + number_text(urdf) + ")";
    }
    limits[i] = (ignored ? urdf : given) * (std::isfinite(given) ? config.effort_limit_scale : 1.0);
    if (std::isinf(limits[i])) settings.without_effort_limit.push_back(coordinates[i].name);
  }
  if (count > kMostNamed) above += ", ...";
  if (!above.empty()) {
    settings.ignored_limits =
        "parameter 'effort_limits' is above the URDF's limit for " + above +
        "; the URDF's limit applies. Set 'allow_effort_above_urdf' to permit more.";
  }
  return limits;
}

/// Rate limits. Without a parameter the default applies, which is a multiple of the effort limit.
void resolve_rates(const ControlSettings& config, const JointOverrides& by_joint,
                   const Model& model, const Scalars& coordinates,
                   const std::vector<double>& limits, JointSettings& settings) {
  constexpr double kNotGiven = -1.0;
  std::vector<double> rates = values_per_coordinate("torque_rate_limit", config.torque_rate_limit,
                                                    by_joint, coordinates, kNotGiven);
  settings.rate_is_default.assign(static_cast<std::size_t>(model.nv()), 0);
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    if (rates[i] == kNotGiven) {
      settings.rate_is_default[static_cast<std::size_t>(coordinates[i].v)] = 1;
      rates[i] = limits[i] * kDefaultTorqueRate;
    } else if (rates[i] == 0.0) {
      rates[i] = kUnlimited;
    }
  }
  settings.torque_rate_limit = on_velocities(model, coordinates, rates, kUnlimited);
}

/// The speed above which a torque against the motion counts as braking: a hundredth of the velocity
/// limit. Infinite without a velocity limit or if the jump filter is off, because velocities are
/// then not checked.
std::vector<double> braking_speeds(const ControlSettings& config, const Model& model,
                                   const Scalars& coordinates) {
  constexpr double kShareOfLimit = 0.01;
  std::vector<double> speeds;
  for (const ScalarCoordinate& c : coordinates) {
    const double limit = urdf_limit(model.joint(c.joint).limits.velocity);
    speeds.push_back(config.state_jump_factor > 0.0 ? kShareOfLimit * limit : kUnlimited);
  }
  return speeds;
}

void resolve_commands(const ControlSettings& config, const Model& model, const Scalars& coordinates,
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

std::string drive_rejection(const ControlSettings& config, const JointSettings& settings) {
  if (config.allow_unlimited_effort) return "";
  std::vector<std::string> unlimited;
  for (const std::string& name : settings.command_joints) {
    const auto& without = settings.without_effort_limit;
    if (std::find(without.begin(), without.end(), name) != without.end()) unlimited.push_back(name);
  }
  if (unlimited.empty()) return "";
  return "there is no effort limit for " + list_of(unlimited) +
         "; give one in the URDF or in 'effort_limits', or set 'allow_unlimited_effort'.";
}

}  // namespace

VectorXd on_velocities(const Model& model, const Scalars& coordinates,
                       const std::vector<double>& values, double base_value) {
  VectorXd result = VectorXd::Constant(model.nv(), base_value);
  for (std::size_t i = 0; i < coordinates.size(); ++i) result[coordinates[i].v] = values[i];
  return result;
}

std::vector<double> values_per_coordinate(const char* parameter, const std::vector<double>& given,
                                          const JointOverrides& by_joint,
                                          const std::vector<ScalarCoordinate>& coordinates,
                                          double without) {
  std::vector<double> values = spread_array(parameter, given, coordinates, without);
  const auto by_name = by_joint.find(parameter);
  if (by_name == by_joint.end()) return values;
  for (const auto& [joint, value] : by_name->second) {
    const auto found =
        std::find_if(coordinates.begin(), coordinates.end(),
                     [&name = joint](const ScalarCoordinate& c) { return c.name == name; });
    if (found == coordinates.end()) {
      const std::string name = std::string(parameter) + '.' + joint;
      throw ParameterError(name, "parameter " + in_quotes(name) +
                                     " names a joint that the robot does not have; choose among " +
                                     list_of(names_of(coordinates)) + ".");
    }
    values[static_cast<std::size_t>(found - coordinates.begin())] = value;
  }
  return values;
}

JointSettings resolve_joint_settings(const ControlSettings& settings, const Model& model,
                                     const std::vector<std::string>& order,
                                     const JointOverrides& by_joint) {
  const Scalars coordinates = in_order(scalar_coordinates(model), order);
  JointSettings joints;
  joints.kp = on_velocities(
      model, coordinates,
      values_per_coordinate("gains.kp", settings.kp, by_joint, coordinates, 0.0), 0.0);
  joints.kd = on_velocities(
      model, coordinates,
      values_per_coordinate("gains.kd", settings.kd, by_joint, coordinates, 0.0), 0.0);
  resolve_springs(settings, by_joint, model, coordinates, joints);
  resolve_contact(settings, by_joint, model, coordinates, joints);
  joints.gain_warning = gain_warning(settings, joints, model, coordinates);
  const std::vector<double> limits = effort_limits(settings, by_joint, model, coordinates, joints);
  joints.effort_limit = on_velocities(model, coordinates, limits, kUnlimited);
  resolve_rates(settings, by_joint, model, coordinates, limits, joints);
  joints.braking_speed =
      on_velocities(model, coordinates, braking_speeds(settings, model, coordinates), kUnlimited);
  std::vector<double> errors = values_per_coordinate(
      "following_error_limit", settings.following_error_limit, by_joint, coordinates, 0.0);
  std::replace(errors.begin(), errors.end(), 0.0, kUnlimited);
  joints.following_error_limit = on_velocities(model, coordinates, errors, kUnlimited);
  joints.envelope = resolve_envelope(settings.envelope, model, coordinates, by_joint);

  resolve_commands(settings, model, coordinates, joints);
  joints.drive_rejection = drive_rejection(settings, joints);
  return joints;
}

}  // namespace spatial_dynamics

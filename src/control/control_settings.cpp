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
constexpr const char* kUnknownChoice = "unknown";

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

VectorXd on_velocities(const Model& model, const Scalars& coordinates,
                       const std::vector<double>& values, double base_value) {
  VectorXd result = VectorXd::Constant(model.nv(), base_value);
  for (std::size_t i = 0; i < coordinates.size(); ++i) result[coordinates[i].v] = values[i];
  return result;
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

const char* to_string(TorqueMode mode) noexcept {
  switch (mode) {
    case TorqueMode::kInverseDynamics:
      return "inverse_dynamics";
    case TorqueMode::kGravityCompensation:
      return "gravity_compensation";
    case TorqueMode::kComputedTorque:
      return "computed_torque";
    case TorqueMode::kJointImpedance:
      return "joint_impedance";
    case TorqueMode::kHandGuiding:
      return "hand_guiding";
  }
  return kUnknownChoice;
}

const char* to_string(Fallback fallback) noexcept {
  switch (fallback) {
    case Fallback::kZero:
      return "zero";
    case Fallback::kGravityOnly:
      return "gravity_only";
    case Fallback::kStop:
      return "stop";
  }
  return kUnknownChoice;
}

const char* to_string(ReferenceTimeout choice) noexcept {
  switch (choice) {
    case ReferenceTimeout::kHold:
      return "hold";
    case ReferenceTimeout::kFallback:
      return "fallback";
  }
  return kUnknownChoice;
}

const char* to_string(EffortSource source) noexcept {
  switch (source) {
    case EffortSource::kAuto:
      return "auto";
    case EffortSource::kMeasured:
      return "measured";
    case EffortSource::kCommand:
      return "command";
    case EffortSource::kOwn:
      return "own";
  }
  return kUnknownChoice;
}

const char* to_string(ContactReaction reaction) noexcept {
  switch (reaction) {
    case ContactReaction::kNone:
      return "none";
    case ContactReaction::kHold:
      return "hold";
    case ContactReaction::kFloat:
      return "float";
    case ContactReaction::kRetreat:
      return "retreat";
    case ContactReaction::kFallback:
      return "fallback";
  }
  return kUnknownChoice;
}

void check_command_joints(const std::vector<std::string>& names) {
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (name->empty()) {
      throw ParameterError("command_joints",
                           "parameter 'command_joints' has an empty name; leave it out.");
    }
    if (std::find(names.begin(), name, *name) != name) {
      throw ParameterError("command_joints", "parameter 'command_joints' has " + in_quotes(*name) +
                                                 " twice; name each joint once.");
    }
  }
}

void check_settings(const ControlSettings& settings) {
  const auto check = [](const char* name, double value, double lowest, double highest) {
    if (value >= lowest && value <= highest) return;  // false for NaN
    throw ParameterError(name, "parameter " + in_quotes(name) + " is " + number_text(value) +
                                   ", but must be between " + number_text(lowest) + " and " +
                                   number_text(highest) + ".");
  };
  const auto check_all = [&](const char* name, const std::vector<double>& values) {
    for (const double value : values) check(name, value, 0.0, kHighestSetting);
  };
  const auto check_choice = [](const char* name, const std::string& text) {
    if (text != kUnknownChoice) return;
    throw ParameterError(name,
                         "parameter " + in_quotes(name) + " is not a value of its enumeration.");
  };
  check("rate_hz", settings.rate_hz, 1.0, 20000.0);
  check("state_timeout_s", settings.state_timeout_s, 0.001, 3600.0);
  check("reference_timeout_s", settings.reference_timeout_s, 0.001, 3600.0);
  check("gravity_only_s", settings.gravity_only_s, 0.0, 3600.0);
  check("ramp_s", settings.ramp_s, 0.01, 10.0);
  check("observer_gain", settings.observer_gain, 0.1, 10000.0);
  check("effort_limit_scale", settings.effort_limit_scale, 0.0, 1.0);
  check("state_jump_factor", settings.state_jump_factor, 0.0, 1000.0);
  check_all("gains.kp", settings.kp);
  check_all("gains.kd", settings.kd);
  check_all("impedance.stiffness", settings.stiffness);
  check_all("impedance.damping", settings.damping);
  for (const double ratio : settings.damping_ratio) {
    check("impedance.damping_ratio", ratio, 0.0, kHighestDampingRatio);
  }
  check_all("effort_limits", settings.effort_limits);
  check_all("torque_rate_limit", settings.torque_rate_limit);
  check_all("following_error_limit", settings.following_error_limit);
  check("hand_guiding.friction_share", settings.hand_guiding.friction_share, 0.0,
        kHighestFrictionShare);
  check("hand_guiding.damping", settings.hand_guiding.damping, 0.0, 1000.0);
  check_all("contact.threshold", settings.contact.threshold);
  check_choice("contact.reaction", to_string(settings.contact.reaction));
  check_all("envelope.margin", settings.envelope.margin);
  check("envelope.velocity_scale", settings.envelope.velocity_scale, 0.01, 1.0);
  check("envelope.power_limit", settings.envelope.power_limit, 0.0, kHighestSetting);
  check_choice("torque_mode", to_string(settings.torque_mode));
  check_choice("fallback", to_string(settings.fallback));
  check_choice("on_reference_timeout", to_string(settings.on_reference_timeout));
  check_choice("forward.effort_source", to_string(settings.effort_source));
  check_command_joints(settings.command_joints);
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

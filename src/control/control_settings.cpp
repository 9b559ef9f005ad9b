#include "spatial_dynamics/control/control_settings.hpp"

#include <algorithm>
#include <string>

#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr const char* kUnknownChoice = "unknown";

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

}  // namespace spatial_dynamics

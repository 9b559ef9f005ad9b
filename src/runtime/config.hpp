// The node's parameters as typed values, checked against each other and against a model.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/parameters_table.hpp"
#include "spatial_dynamics/control/control_settings.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/runtime/realtime.hpp"

namespace spatial_dynamics {

enum class MissingVelocity { kZero, kDifferentiate };
/// What starts a cycle. kCaller is not a value of the parameter: a caller of DynamicsCore::step(),
/// such as a controller manager, runs the cycles.
enum class Trigger { kTimer, kState, kCaller };

/// The spelling in parameters: "zero", …; "caller" for Trigger::kCaller.
const char* to_string(MissingVelocity choice) noexcept;
const char* to_string(Trigger trigger) noexcept;

struct PublishSettings {
  bool torque_array = true;
};

/// The robot, and how to read its description.
struct RobotConfig {
  std::string robot_description;
  std::string urdf_file;
  bool floating_base = false;
  bool strict = false;
  std::vector<double> armature;  ///< kg m^2 or kg
  double friction_speed = kDefaultFrictionSpeed;
  Vector3 gravity = kStandardGravity;
  std::vector<Payload> payloads;         ///< at start, before messages on ~/payload
  std::map<std::string, double> locked;  ///< joint -> position at which it is held
  /// Per-joint values that were given by joint name, by parameter; they override the arrays.
  JointOverrides by_joint;
};

/// Every parameter of parameter_table(); docs/parameters.md describes each one. A default Config
/// has the table's defaults. Per-joint values are kept as they were given: none, one for all, or
/// one per coordinate (see resolve_joint_settings).
struct Config : RobotConfig, ControlSettings {
  Trigger trigger = Trigger::kTimer;
  double deadline_s = 0.0;  ///< 0: automatic, see torque_deadline_s()
  bool autostart = true;
  bool use_sim_time = false;
  bool yield_to_active_node = true;
  MissingVelocity missing_velocity = MissingVelocity::kZero;
  bool reset_world_on_activation = false;
  PublishSettings publish;
  RealtimeSettings realtime;
};

/// Reads a set of parameter_table() and checks its values against each other. Allocates; throws
/// ParameterError.
Config make_config(const ParameterSet& parameters);

/// The parameters with these changes, of a node that no DynamicsCore runs yet. Allocates; throws
/// ParameterError, also for values that contradict each other.
ParameterSet changed(ParameterSet parameters, const ParameterChanges& changes);

/// The period of DEADLINE that `~/torque` and `~/torque_array` offer, and the lease of their
/// LIVELINESS: `deadline_s`, otherwise five periods of the loop. 0 (nothing offered) with `trigger:
/// state` and no `deadline_s`.
double torque_deadline_s(const Config& config) noexcept;
/// Throws ParameterError if the loop's period is longer than half of a deadline that has been
/// offered (0: none).
void check_live_rate(const Config& config, double offered_deadline_s);

/// The options with which a robot is loaded, the armature apart: that one needs the names of the
/// joints.
LoadOptions load_options(const RobotConfig& config);

/// Throws ModelError if a payload is on a link that is fixed to the world, where it has no effect.
void require_effect(const std::vector<Payload>& payloads, const Model& model);

/// Loads a robot with all options, the armature too. An armature array follows `order` as in
/// resolve_joint_settings(). Allocates; throws ModelError, also for a payload on an unknown or
/// fixed link and for an unknown locked joint, or ParameterError for an armature that does not fit
/// the robot.
Model load_robot(std::string_view urdf, const RobotConfig& config, ModelReport* report = nullptr,
                 const std::vector<std::string>& order = {});

/// Parameters as the loop uses them; replaced as a whole between two cycles.
struct Settings {
  Config config;
  JointSettings joints;
};

/// The same as for ControlSettings, with the values that were given by joint name.
JointSettings resolve_joint_settings(const Config& config, const Model& model,
                                     const std::vector<std::string>& order = {});

}  // namespace spatial_dynamics

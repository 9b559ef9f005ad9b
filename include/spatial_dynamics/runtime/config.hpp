// The node's parameters as typed values, checked against each other and against a model.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/runtime/parameters.hpp"

namespace spatial_dynamics {

enum class TorqueMode { kInverseDynamics, kGravityCompensation, kComputedTorque };
enum class Fallback { kZero, kGravityOnly, kStop };
enum class ReferenceTimeout { kHold, kFallback };
enum class EffortSource { kAuto, kMeasured, kCommand, kOwn };
enum class MissingVelocity { kZero, kDifferentiate };
enum class Trigger { kTimer, kState };

/// As the parameters spell them: "inverse_dynamics", …
const char* to_string(TorqueMode mode) noexcept;
const char* to_string(Fallback fallback) noexcept;
const char* to_string(ReferenceTimeout choice) noexcept;
const char* to_string(EffortSource source) noexcept;
const char* to_string(MissingVelocity choice) noexcept;
const char* to_string(Trigger trigger) noexcept;

/// Terms that the robot's own controller adds, so that ours leave them out.
struct HardwareCompensation {
  bool gravity = false;
  bool coriolis = false;
  bool friction = false;
};

struct PublishSettings {
  bool torque_terms = false;
  bool external_torque = false;
  bool mass_matrix = false;
  bool torque_array = true;
};

struct RealtimeSettings {
  int priority = 80;  ///< of SCHED_FIFO; 0: the ordinary scheduler
  int cpu = -1;       ///< -1: any
  bool lock_memory = true;
  bool required = false;  ///< refuse to run without, instead of warning
};

/// Which robot, and how to read its description.
struct RobotConfig {
  std::string robot_description;
  std::string urdf_file;
  bool floating_base = false;
  bool strict = false;
  std::vector<double> armature;  ///< kg m^2 or kg
  double friction_speed = kDefaultFrictionSpeed;
  Vector3 gravity = kStandardGravity;
};

/// Every parameter of parameter_table(); docs/parameters.md says what each one means. A default Config is the table's
/// defaults. Per-joint values stand as they were given: none, one for all, or one per coordinate (see
/// resolve_joint_settings).
struct Config : RobotConfig {
  double rate_hz = 1000.0;
  Trigger trigger = Trigger::kTimer;
  bool autostart = true;
  bool use_sim_time = false;

  TorqueMode torque_mode = TorqueMode::kInverseDynamics;
  std::vector<double> kp = {100.0};  ///< 1/s^2
  std::vector<double> kd = {20.0};   ///< 1/s
  HardwareCompensation compensated_by_hardware;
  bool friction_compensation = true;
  EffortSource effort_source = EffortSource::kAuto;
  MissingVelocity missing_velocity = MissingVelocity::kZero;
  double observer_gain = 50.0;  ///< 1/s

  double state_timeout_s = 0.1;
  double reference_timeout_s = 0.5;
  ReferenceTimeout on_reference_timeout = ReferenceTimeout::kHold;
  Fallback fallback = Fallback::kZero;
  double gravity_only_s = 5.0;
  double ramp_s = 0.3;
  std::vector<double> effort_limits;  ///< N m or N; 0: the URDF's
  double effort_limit_scale = 1.0;
  bool allow_unlimited_effort = false;
  std::vector<double> torque_rate_limit;  ///< N m/s or N/s; 0: none

  std::vector<std::string> command_joints;
  PublishSettings publish;
  RealtimeSettings realtime;
};

/// Reads a set of parameter_table() and checks its values against each other. Allocates; throws ParameterError.
Config make_config(const ParameterSet& parameters);

/// The options with which a robot is loaded, the armature apart: that one needs the names of the joints.
LoadOptions load_options(const RobotConfig& config);

/// Loads a robot with all options, the armature too. Allocates; throws ModelError, or ParameterError for an armature that
/// does not fit the robot.
Model load_robot(std::string_view urdf, const RobotConfig& config, ModelReport* report = nullptr);

/// Per-joint parameters spread over the coordinates of v (nv numbers each). They apply to scalar_coordinates(model), in that
/// order. The rows of a floating base, which no motor drives, have gains 0 and no limits.
struct JointSettings {
  VectorXd kp;                 ///< 1/s^2
  VectorXd kd;                 ///< 1/s
  VectorXd effort_limit;       ///< N m or N, scaled; infinite where there is none
  VectorXd torque_rate_limit;  ///< N m/s or N/s; infinite where there is none

  /// What `~/torque_array` carries, and where each stands in v.
  std::vector<std::string> command_joints;
  std::vector<Index> command_indices;

  /// Coordinates for which neither the URDF nor `effort_limits` gives a limit.
  std::vector<std::string> without_effort_limit;
  /// Why `~/torque_array` stays off: one sentence, also for diagnostics. Empty if it may drive the robot.
  std::string drive_refusal;
};

/// Allocates; throws ParameterError naming the parameter, its length and the joints, or ModelError as scalar_coordinates().
JointSettings resolve_joint_settings(const Config& config, const Model& model);

}  // namespace spatial_dynamics

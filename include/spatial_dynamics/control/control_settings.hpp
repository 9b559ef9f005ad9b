// Settings of the torque controller, and their values per joint of a model.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "spatial_dynamics/control/envelope_settings.hpp"

namespace spatial_dynamics {

enum class TorqueMode {
  kInverseDynamics,
  kGravityCompensation,
  kComputedTorque,
  kJointImpedance,
  kHandGuiding,
};
enum class Fallback { kZero, kGravityOnly, kStop };
enum class ReferenceTimeout { kHold, kFallback };
/// What the controller does when it feels a contact.
enum class ContactReaction { kNone, kHold, kFloat, kRetreat, kFallback };
enum class EffortSource { kAuto, kMeasured, kCommand, kOwn };

/// The values of the parameters: "inverse_dynamics", …
const char* to_string(TorqueMode mode) noexcept;
const char* to_string(Fallback fallback) noexcept;
const char* to_string(ReferenceTimeout choice) noexcept;
const char* to_string(EffortSource source) noexcept;
const char* to_string(ContactReaction reaction) noexcept;

/// Terms that the robot's own controller adds. The torque controller leaves them out.
struct HardwareCompensation {
  bool gravity = false;
  bool coriolis = false;
  bool friction = false;
};

/// Results that cost time and are computed only on request.
struct OptionalComputation {
  bool torque_terms = false;
  bool external_torque = false;
  bool mass_matrix = false;
};

/// Settings of the mode hand_guiding.
struct HandGuiding {
  /// Share of the joints' friction that is compensated. Less than 1, so that friction always stops
  /// the arm and compensation never starts a motion.
  double friction_share = 0.5;
  double damping = 10.0;                   ///< 1/s: the rate at which motions decay; 0: none
  std::vector<std::string> locked_joints;  ///< held by the springs of joint_impedance
};
inline constexpr double kHighestFrictionShare = 0.95;

/// Detection of contacts by the momentum observer.
struct ContactSettings {
  ContactReaction reaction = ContactReaction::kNone;
  /// N m or N; 0: the joint is not checked; empty: kDefaultContactShare of the effort limit.
  std::vector<double> threshold;
};
inline constexpr double kDefaultContactShare = 0.1;
/// A smaller threshold is below the noise of a joint's torque.
inline constexpr double kLowestContactShare = 0.01;

/// The default torque_rate_limit, in effort limits per second: the whole effort limit in 20 ms.
inline constexpr double kDefaultTorqueRate = 50.0;

/// Settings of the controller. docs/parameters.md describes each member under the same name.
/// Per-joint values are empty, one for all, or one per scalar coordinate (see
/// resolve_joint_settings).
struct ControlSettings {
  /// Rate of the calls of step(). A pause longer than 5 periods and state_timeout_s is an outage.
  double rate_hz = 1000.0;

  TorqueMode torque_mode = TorqueMode::kInverseDynamics;
  std::vector<double> kp = {100.0};  ///< 1/s^2
  std::vector<double> kd = {20.0};   ///< 1/s
  /// Of joint_impedance.
  std::vector<double> stiffness = {10.0};     ///< N m/rad or N/m
  std::vector<double> damping;                ///< N m s/rad or N s/m; empty: from damping_ratio
  std::vector<double> damping_ratio = {0.7};  ///< of joints without a damping
  HandGuiding hand_guiding;
  ContactSettings contact;
  HardwareCompensation compensated_by_hardware;
  bool friction_compensation = true;
  EffortSource effort_source = EffortSource::kAuto;
  double observer_gain = 50.0;  ///< 1/s
  OptionalComputation compute;

  double state_timeout_s = 0.1;
  double reference_timeout_s = 0.5;
  ReferenceTimeout on_reference_timeout = ReferenceTimeout::kHold;
  Fallback fallback = Fallback::kZero;
  double gravity_only_s = 5.0;
  double ramp_s = 0.3;
  std::vector<double> effort_limits;  ///< N m or N; 0: the URDF's
  bool allow_effort_above_urdf = false;
  double effort_limit_scale = 1.0;
  bool allow_unlimited_effort = false;
  std::vector<double> torque_rate_limit;      ///< N m/s or N/s; 0: none; empty: kDefaultTorqueRate
  double state_jump_factor = 3.0;             ///< of the velocity limit; 0: states are not filtered
  std::vector<double> following_error_limit;  ///< rad or m; 0: none
  std::vector<std::string> command_joints;    ///< joints of ControlOutput::drive; empty: all
  EnvelopeSettings envelope;
};

/// A setting or parameter was rejected. The message names it, its value and what is allowed.
class ParameterError : public std::invalid_argument {
 public:
  ParameterError(std::string_view parameter, const std::string& sentence)
      : std::invalid_argument(sentence), parameter_(parameter) {}
  [[nodiscard]] const std::string& parameter() const noexcept { return parameter_; }

 private:
  std::string parameter_;
};

/// Values of one per-joint setting by joint name. They override the array.
using NumbersByJoint = std::map<std::string, double>;
/// By the name of the parameter: "gains.kp", "effort_limits", …
using JointOverrides = std::map<std::string, NumbersByJoint>;

/// Per-joint settings for the coordinates of v (nv numbers each). The rows of a floating base have
/// gains 0 and no limits, because no motor drives them.
struct JointSettings {
  VectorXd kp;                 ///< 1/s^2
  VectorXd kd;                 ///< 1/s
  VectorXd stiffness;          ///< N m/rad or N/m
  VectorXd damping;            ///< N m s/rad or N s/m; 0 where it follows from damping_ratio
  VectorXd damping_ratio;      ///< 0 where a damping is given
  VectorXd contact_threshold;  ///< N m or N; infinite for a joint that is not checked
  VectorXd locked;             ///< 1 for a joint that hand_guiding holds, else 0
  VectorXd effort_limit;       ///< N m or N, scaled; infinite where there is none
  VectorXd torque_rate_limit;  ///< N m/s or N/s; infinite where there is none
  /// 1 if the rate limit is the default, which does not apply to the first torque after activation,
  /// to braking, and to a ramp to zero. 0 if it was given: it then always applies.
  std::vector<std::uint8_t> rate_is_default;
  VectorXd braking_speed;          ///< rad/s or m/s: above it, a torque against the motion brakes
  VectorXd following_error_limit;  ///< rad or m; infinite where there is none
  EnvelopeLimits envelope;

  /// Joints of `~/torque_array`, and the index of each in v.
  std::vector<std::string> command_joints;
  std::vector<Index> command_indices;

  /// Coordinates for which neither the URDF nor `effort_limits` gives a limit.
  std::vector<std::string> without_effort_limit;
  /// Why `~/torque_array` is not sent: the rest of a sentence that ends with "because". Empty if it
  /// is sent.
  std::string drive_rejection;
  /// Which `effort_limits` are above the URDF's and therefore have no effect, as a sentence for the
  /// log. Empty if there is none.
  std::string ignored_limits;
  /// Which gains of the mode are not stable at this rate, or do not stop the arm, as sentences for
  /// the log. Empty if there are none.
  std::string gain_warning;
};

/// Resolves per-joint settings. Arrays are in the order of `order` if it names all scalar
/// coordinates, else in the model's order. Allocates; throws a ParameterError that names the
/// parameter and its length, or the joint that the robot does not have; throws ModelError like
/// scalar_coordinates().
JointSettings resolve_joint_settings(const ControlSettings& settings, const Model& model,
                                     const std::vector<std::string>& order = {},
                                     const JointOverrides& by_joint = {});

/// The part that is JointSettings::envelope. Allocates; throws as above.
EnvelopeLimits resolve_envelope(const EnvelopeSettings& settings, const Model& model,
                                const std::vector<ScalarCoordinate>& coordinates,
                                const JointOverrides& by_joint);

/// The highest allowed per-joint setting.
inline constexpr double kHighestSetting = 1e9;
inline constexpr double kHighestDampingRatio = 10.0;

/// Throws ParameterError if a number is outside of the range in docs/parameters.md, an enumeration
/// has an unknown value, or command_joints has an empty or repeated name. Allocates.
void check_settings(const ControlSettings& settings);
void check_command_joints(const std::vector<std::string>& names);

/// One number per coordinate: from `given` (empty: `without`; one number: for all; else one per
/// coordinate), then overridden by joint name. Allocates; throws ParameterError as above.
std::vector<double> values_per_coordinate(const char* parameter, const std::vector<double>& given,
                                          const JointOverrides& by_joint,
                                          const std::vector<ScalarCoordinate>& coordinates,
                                          double without);

}  // namespace spatial_dynamics

// The input of one step of the torque controller: plain data.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "spatial_dynamics/control/control_settings.hpp"
#include "spatial_dynamics/model/vector_view.hpp"
#include "spatial_dynamics/spatial/inertia.hpp"

namespace spatial_dynamics {

/// The newest state of every coordinate. Times are of the steady clock, in ns.
struct JointStates {
  VectorXd q;                            ///< nq numbers, those of a floating base first
  VectorXd v;                            ///< nv numbers
  VectorXd effort;                       ///< nv numbers, measured
  std::vector<std::int64_t> received;    ///< per scalar coordinate; 0 if never
  std::vector<std::uint8_t> has_effort;  ///< per scalar coordinate: `effort` is known
  std::int64_t base_received = 0;        ///< state of a floating base; 0 if never
  std::int64_t newest = 0;               ///< when the newest state was received
  std::int64_t stamp = 0;                ///< its stamp, in the node's clock (ROS time)
  std::uint64_t sequence = 0;            ///< counts states
  std::uint64_t resets = 0;              ///< counts jumps of time or state; filters restart at each
};

/// A point of a trajectory for one coordinate.
struct Knot {
  double time_s = 0.0;  ///< after the start
  double position = 0.0;
  double velocity = 0.0;
  double acceleration = 0.0;
  double effort = 0.0;  ///< feed-forward
};

/// The position limits of the scalar coordinates. Construction allocates; everything else is
/// real-time safe.
class PositionLimits {
 public:
  PositionLimits() = default;
  PositionLimits(const Model& model, const Coordinates& coordinates) {
    for (const ScalarCoordinate& c : coordinates) {
      const bool limited = c.type == JointType::kRevolute || c.type == JointType::kPrismatic;
      limits_.push_back(limited ? model.joint(c.joint).limits : JointLimits{});
    }
  }

  /// Moves the position of a reference of coordinate k to the nearest limit if it is beyond it. Its
  /// velocity and acceleration are then zero. Returns true if it was beyond.
  bool clip(std::size_t k, Knot& knot) const noexcept {
    const JointLimits& limits = limits_[k];
    const double within = std::max(limits.lower, std::min(limits.upper, knot.position));
    if (within == knot.position || std::isnan(knot.position)) return false;
    knot.position = within;
    knot.velocity = knot.acceleration = 0.0;
    return true;
  }

 private:
  std::vector<JointLimits> limits_;
};

/// The knots of a trajectory: shared and immutable, so a copy allocates nothing. The loop reads
/// them through a reference. It never holds the last copy, so it never frees memory.
class Knots {
 public:
  Knots() = default;
  Knots(std::vector<Knot> knots)  // NOLINT(google-explicit-constructor): a list of knots
      : knots_(std::make_shared<const std::vector<Knot>>(std::move(knots))) {}

  [[nodiscard]] std::size_t size() const noexcept { return knots_ ? knots_->size() : 0; }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] const Knot& operator[](std::size_t i) const noexcept { return (*knots_)[i]; }
  [[nodiscard]] const Knot& front() const noexcept { return knots_->front(); }
  [[nodiscard]] const Knot& back() const noexcept { return knots_->back(); }
  [[nodiscard]] const Knot* begin() const noexcept { return knots_ ? knots_->data() : nullptr; }
  [[nodiscard]] const Knot* end() const noexcept { return begin() + size(); }

 private:
  std::shared_ptr<const std::vector<Knot>> knots_;
};

/// The reference of one coordinate. The has_ flags apply to the setpoint and to all knots.
struct JointReference {
  /// 0: there was never a reference. A newer reference has a larger number.
  std::uint64_t generation = 0;
  std::int64_t received = 0;  ///< steady clock
  std::int64_t start = 0;     ///< steady clock; the knots' time zero
  bool immediate = false;     ///< `setpoint` is tracked at once, until it times out
  bool has_position = false;
  bool has_velocity = false;
  bool has_acceleration = false;
  bool has_effort = false;
  Knot setpoint;                      ///< of an immediate reference
  Knots knots;                        ///< of a trajectory
  bool starts_on_arrival = false;     ///< the stamp was zero: `start` is the time of arrival
  std::vector<JointReference> later;  ///< each replaces the reference at its start; sorted by start
};

/// The reference that is valid at `now` of the steady clock: the last reference that has started.
/// Real-time safe.
inline const JointReference& reference_at(const JointReference& reference,
                                          std::int64_t now) noexcept {
  const JointReference* result = &reference;
  for (const JointReference& next : reference.later) {
    if (next.start <= now) result = &next;
  }
  return *result;
}

struct References {
  std::vector<JointReference> joints;  ///< per scalar coordinate
};

/// Efforts for which forward dynamics computes accelerations.
struct EffortCommand {
  VectorXd effort;                     ///< nv numbers
  std::vector<std::int64_t> received;  ///< per scalar coordinate; 0 if never
};

/// Stiffness of joint_impedance in place of that of the settings; changes are ramped.
struct StiffnessCommand {
  VectorXd stiffness;  ///< nv numbers, N m/rad or N/m; negative: that of the settings
};

/// A wrench on a link, in the link's frame at its origin.
struct LinkWrench {
  Index link = 0;
  Force wrench = Force::Zero();
  std::int64_t received = 0;
};
struct Wrenches {
  std::vector<LinkWrench> links;  ///< at most one entry per link
};

/// The payload of a link. The controller ramps from the old to the new payload.
struct LinkPayload {
  Index link = 0;
  Inertia inertia = Inertia::Zero();
  std::uint64_t source = 0;  ///< the publisher; 0: unknown
};
struct Payloads {
  std::uint64_t generation = 0;    ///< 0: the model's own payloads apply
  std::vector<LinkPayload> links;  ///< at most one per link; other links: the model's payload
};

struct Gravity {
  Vector3 vector = Vector3::Zero();  ///< m/s^2, in the world's frame
  std::uint64_t generation = 0;      ///< 0: the configured gravity applies
  std::uint64_t source = 0;          ///< the publisher; 0: unknown
};

/// The input of TorqueController::step(). TorqueController::make_input() sizes it; everything
/// except the state has a default. Times are of the clock that step() receives, in ns. If a size or
/// a link does not fit the model, in a member or in an argument of a function, the next step
/// reports Fault::kWrongSize. The functions are real-time safe.
struct ControlInput {
  JointStates states;
  References references;
  EffortCommand effort_command;
  StiffnessCommand stiffness;  ///< that of the settings
  Wrenches wrenches;           ///< one entry per link, zero
  Payloads payloads;           ///< one entry per link: the model's
  Gravity gravity;             ///< the model's
  bool active = true;          ///< false: the torque ramps to zero, then nothing is sent
  /// The number of the explicit activation; only a new number ends a latched stop. 0: every rise of
  /// `active` is an explicit activation.
  std::uint64_t activation = 0;
  /// A new number acknowledges a contact and ends the reaction to it.
  std::uint64_t acknowledgement = 0;
  /// Counts calls of the functions below with an argument of a wrong size. Such a call changes
  /// nothing else.
  std::uint64_t rejected = 0;
  PositionLimits limits;      ///< the model's
  std::uint64_t clipped = 0;  ///< positions of set_reference() beyond a limit

  /// The state of all coordinates, received at `now`; the measured effort is optional.
  void set_state(std::int64_t now, VectorView q, VectorView v) noexcept;
  void set_state(std::int64_t now, VectorView q, VectorView v, VectorView effort) noexcept;
  /// A setpoint for all scalar coordinates, one number each. It is tracked until
  /// reference_timeout_s after `now`. Positions beyond the limits are clipped; those of
  /// trajectories that you write to `references` are not.
  void set_reference(std::int64_t now, VectorView position, VectorView velocity,
                     VectorView acceleration) noexcept;
  /// The stiffness of joint_impedance for all scalar coordinates, one number each, N m/rad or N/m.
  /// Negative numbers: that of the settings. A number that is not finite counts as a wrong size.
  void set_stiffness(const Coordinates& coordinates, VectorView values) noexcept;
  /// A known wrench on a link; it is compensated until reference_timeout_s after `now`.
  void set_wrench(std::int64_t now, Index link, const Force& wrench) noexcept;
  /// Replaces the payload of a link, in the link's frame; Inertia::Zero() removes it.
  void set_payload(Index link, const Inertia& payload) noexcept;
  /// In the world's frame, m/s^2.
  void set_gravity(const Vector3& gravity) noexcept;
};

/// An input of the right sizes. Allocates.
ControlInput make_control_input(const Model& model, const Coordinates& coordinates);

/// The same input by reference, for a loop that keeps each part in its own buffer and replaces
/// settings between two cycles.
struct ControlView {
  const ControlSettings& settings;
  const JointSettings& joints;
  const Vector3& configured_gravity;  ///< while Gravity::generation is 0
  const JointStates& states;
  const References& references;
  const EffortCommand& effort_command;
  const Wrenches& wrenches;
  const Payloads& payloads;
  const Gravity& gravity;
  bool active = true;
  std::uint64_t activation = 0;
  const StiffnessCommand* stiffness = nullptr;  ///< null: that of the settings
  std::uint64_t acknowledgement = 0;
};

}  // namespace spatial_dynamics

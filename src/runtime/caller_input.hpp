// States and references that a caller reads itself in each cycle, such as the interfaces of
// ros2_control.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/joint_filter.hpp"

namespace spatial_dynamics {

/// The input of DynamicsCore::step(). Readings follow the rules of joint_states:
///  - A position that is NaN or absurd is no state. The last state stays and grows old, until it is
///    stale after state_timeout_s.
///  - A jump of one joint drops the readings of all joints in this cycle.
///  - missing_velocity applies to joints without a velocity.
/// A joint that nobody measures is held: it has a constant position, velocity 0, and is never
/// stale.
///
/// References of the caller are setpoints. A part that is NaN or absurd is not given; if no part is
/// given, the last setpoint stays until reference_timeout_s has passed. A setpoint is a new
/// reference if one of its parts has changed; a repeated setpoint does not time out. Positions
/// beyond the limits are clipped.
///
/// Construction allocates; everything else is real-time safe. One thread at a time. Joints are
/// numbered as scalar coordinates.
class CallerInput {
 public:
  CallerInput(const Model& model, const Coordinates& coordinates);

  /// From here on joint k is held.
  void hold(std::size_t k, double position) noexcept { joints_[k].held = position; }
  /// From here on joint k is measured, which it is at first.
  void measure(std::size_t k) noexcept;
  /// The reading of this cycle.
  void set_reading(std::size_t k, const JointReading& reading) noexcept {
    joints_[k].reading = reading;
  }

  /// From here on references are those of the topic ~/reference, as they are at first.
  void follow_topic() noexcept { follows_caller_ = false; }
  /// From here on references are those of the caller; there is none yet. `generation` is the number
  /// of the last reference of the topic.
  void follow_caller(std::uint64_t generation) noexcept;
  /// The setpoint of joint k in this cycle; its time_s is not used.
  void set_reference(std::size_t k, std::int64_t now, const Knot& setpoint) noexcept;
  /// The number of the last reference of the caller.
  [[nodiscard]] std::uint64_t generation() const noexcept { return generation_; }
  /// True if a setpoint was clipped since the last call.
  [[nodiscard]] bool take_clipped() noexcept { return std::exchange(clipped_, false); }

  /// The states after the readings of this cycle, taken at `now` (steady clock), with `stamp`
  /// (ROS time). `base` has the state of a floating base.
  const JointStates& update(std::int64_t now, std::int64_t stamp, const Config& config,
                            const JointStates& base) noexcept;
  [[nodiscard]] const References& references(const References& of_topic) const noexcept {
    return follows_caller_ ? references_ : of_topic;
  }

 private:
  struct Joint {
    JointFilter filter;
    JointReading reading;
    Knot setpoint;      // the last one, before clipping
    double held = 0.0;  // NaN: measured
  };
  [[nodiscard]] bool jumps(const ReadingTime& time, double factor) noexcept;

  const Coordinates& coordinates_;
  std::vector<Joint> joints_;
  JointStates states_;
  References references_;
  std::uint64_t generation_ = 0;
  PositionLimits limits_;
  bool clipped_ = false;
  bool follows_caller_ = false;
};

}  // namespace spatial_dynamics

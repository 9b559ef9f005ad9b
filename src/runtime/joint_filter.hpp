// From one reading of a joint to its state: jumps, missing velocities, gaps of the effort.
#pragma once

#include <cstdint>
#include <limits>

#include "runtime/config.hpp"
#include "runtime/jump_filter.hpp"
#include "spatial_dynamics/control/control_input.hpp"

namespace spatial_dynamics {

/// A measured position that a joint can have. False for NaN.
bool is_plausible_state(double x) noexcept;

/// What is measured of one joint at one time; NaN: not given.
struct JointReading {
  double position = std::numeric_limits<double>::quiet_NaN();  ///< rad or m
  double velocity = std::numeric_limits<double>::quiet_NaN();  ///< rad/s or m/s
  double effort = std::numeric_limits<double>::quiet_NaN();    ///< N m or N
};

/// When it was measured.
struct ReadingTime {
  std::int64_t received = 0;  ///< steady clock, ns
  bool stamped = false;       ///< the next one is known
  std::int64_t gap = 0;       ///< ns since the last accepted reading, by stamps
};

/// One scalar coordinate. Real-time safe.
class JointFilter {
 public:
  struct Missing {
    bool velocity = false, effort = false;
  };

  JointFilter() = default;
  /// See JumpFilter.
  JointFilter(double velocity_limit, bool wraps) noexcept : jumps_(velocity_limit, wraps) {}

  /// Checks the next reading, whose position must be plausible. The caller must pass accepted
  /// readings to accept().
  JumpFilter::Verdict judge(const JointReading& reading, const ReadingTime& time,
                            double jump_factor) noexcept;
  /// Writes the reading to coordinate k of `states`. If a joint had velocities and one reading has
  /// none, the velocity is the difference of positions: zero would cause a step of the torque. An
  /// effort stays known for 0.1 s after the last reading with one. Returns what was missing.
  Missing accept(const JointReading& reading, const ReadingTime& time, MissingVelocity policy,
                 double jump_factor, const ScalarCoordinate& coordinate, std::size_t k,
                 JointStates& states) noexcept;

  /// The clock of the readings has jumped: the next one is the first.
  void restart() noexcept;
  /// Differences to the readings so far are meaningless.
  void discard_position() noexcept { known_ = false; }
  /// Continues with the readings of another filter of the same joint; the velocity limit stays.
  void continue_from(const JointFilter& other) noexcept;

  [[nodiscard]] bool known() const noexcept { return known_; }
  [[nodiscard]] bool had_velocity() const noexcept { return had_velocity_; }

 private:
  [[nodiscard]] double difference(double moved, const ReadingTime& time,
                                  double before) const noexcept;

  JumpFilter jumps_;
  std::int64_t received_ = 0;         // steady clock
  std::int64_t effort_received_ = 0;  // steady clock: the last reading with an effort
  double position_ = 0.0;
  bool known_ = false;
  bool had_velocity_ = false;  // a reading without one is then an exception
};

}  // namespace spatial_dynamics

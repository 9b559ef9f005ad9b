// Checks that every state is known and recent.
#pragma once

#include "spatial_dynamics/control/control_input.hpp"
#include "spatial_dynamics/control/control_output.hpp"

namespace spatial_dynamics {

/// Compares the age of every state with state_timeout_s. Construction allocates; everything else is
/// real-time safe.
class StateWatchdog {
 public:
  explicit StateWatchdog(Index nv) : velocity_(VectorXd::Zero(nv)) {}

  /// One cycle: sets the members of `status` that describe states. A state is stale if it was
  /// received more than `timeout_s` before `now`. The state of a floating base counts too.
  void update(std::int64_t now, const JointStates& states, const Coordinates& coordinates,
              double timeout_s, ControlStatus& status) noexcept;

  /// True if every coordinate has a state and none is stale.
  [[nodiscard]] bool fresh() const noexcept { return fresh_; }
  /// True if time went back or a state jumped since the last cycle: filters must restart.
  [[nodiscard]] bool was_reset() const noexcept { return was_reset_; }
  /// The measured velocity; zero while states are not fresh.
  [[nodiscard]] const VectorXd& velocity() const noexcept { return velocity_; }

 private:
  bool fresh_ = false;
  bool was_reset_ = false;
  std::uint64_t resets_ = 0;  // of the last cycle
  VectorXd velocity_;
};

}  // namespace spatial_dynamics

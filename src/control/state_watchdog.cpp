#include "state_watchdog.hpp"

#include <utility>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {

void StateWatchdog::update(std::int64_t now, const JointStates& states,
                           const Coordinates& coordinates, double timeout_s,
                           ControlStatus& status) noexcept {
  bool known = true;
  std::int64_t oldest = now;
  status.stalest = kNoIndex;
  const auto note = [&](std::int64_t received, Index coordinate) {
    if (received == 0) known = false;
    // A time more than timeout_s in the future is of another clock: it counts as stale.
    if (to_seconds(received - now) > timeout_s) received = now - (received - now);
    if (received < oldest) {
      oldest = received;
      status.stalest = coordinate;
    }
  };
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    note(states.received[k], static_cast<Index>(k));
  }
  if (coordinates.floating_base()) note(states.base_received, kNoIndex);
  fresh_ = known && !(to_seconds(now - oldest) > timeout_s);
  status.state_age = now - oldest;
  status.stamp = states.stamp;
  status.state_sequence = states.sequence;
  status.state_received = states.newest;
  velocity_.setZero();
  if (fresh_) velocity_ = states.v;
  if (known && !fresh_) status.faults |= static_cast<Faults>(Fault::kStaleState);
  was_reset_ = std::exchange(resets_, states.resets) != states.resets;
}

}  // namespace spatial_dynamics

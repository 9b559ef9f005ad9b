#include "spatial_dynamics/control/control_output.hpp"

namespace spatial_dynamics {

const char* to_string(Phase phase) noexcept {
  switch (phase) {
    case Phase::kInactive:
      return "inactive";
    case Phase::kWaiting:
      return "waiting for joint states";
    case Phase::kRunning:
      return "running";
    case Phase::kFallback:
      return "fallback";
    case Phase::kStopped:
      return "stopped";
    case Phase::kRampingDown:
      return "ramping down";
  }
  return "unknown";
}

const char* to_string(Fault fault) noexcept {
  switch (fault) {
    case Fault::kStaleState:
      return "joint states are stale";
    case Fault::kStaleReference:
      return "the reference is stale";
    case Fault::kSaturated:
      return "torque is cut to the effort limit";
    case Fault::kRateLimited:
      return "torque is cut to the rate limit";
    case Fault::kNonFinite:
      return "a result was not a finite number";
    case Fault::kSingular:
      return "the mass matrix is singular";
    case Fault::kStaleCommand:
      return "the effort command is stale";
    case Fault::kStaleWrench:
      return "an external wrench is stale and no longer compensated";
    case Fault::kNotSent:
      return "torques do not leave the process: a write to the middleware takes too long";
    case Fault::kNoEffort:
      return "joint states have no measured effort";
    case Fault::kFollowingError:
      return "following_error_limit was exceeded: the position is held until a new reference "
             "arrives";
    case Fault::kWrongSize:
      return "an input or output of the controller has a wrong size";
    case Fault::kContact:
      return "contact: the reaction stays until it is acknowledged (topic ~/acknowledge)";
    case Fault::kStopReached:
      return "the envelope stops a joint at its soft position limit";
    case Fault::kSpeedCap:
      return "the envelope keeps a joint within its velocity cap";
    case Fault::kPowerCap:
      return "the envelope reduces torques to envelope.power_limit";
  }
  return "unknown";
}

}  // namespace spatial_dynamics

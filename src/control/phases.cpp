#include "phases.hpp"

namespace spatial_dynamics {

void Phases::enter(Phase phase, std::int64_t now) noexcept {
  if (phase == phase_) return;
  phase_ = phase;
  since_ = now;
}

bool Phases::note_activation(bool active, std::uint64_t activation, std::int64_t now) noexcept {
  const bool rise = active && !active_;
  active_ = active;
  if (!active) return false;
  const bool is_explicit = activation == 0 ? rise : activation != activation_;
  activation_ = activation;
  if (!is_explicit) return false;
  non_finite_ = stop_ = false;
  if (phase_ == Phase::kStopped) enter(Phase::kInactive, now);
  return true;
}

bool Phases::may_resume(bool fresh) const noexcept {
  const bool paused = phase_ == Phase::kFallback || phase_ == Phase::kRampingDown;
  return active_ && paused && fresh && !latched();
}

void Phases::update(std::int64_t now, bool fresh, bool reference_missing) noexcept {
  if (!active_) {
    if (phase_ == Phase::kWaiting || phase_ == Phase::kStopped) enter(Phase::kInactive, now);
    if (phase_ == Phase::kRunning || phase_ == Phase::kFallback) enter(Phase::kRampingDown, now);
    return;
  }
  switch (phase_) {
    case Phase::kInactive:
      enter(latched() ? Phase::kStopped : Phase::kWaiting, now);
      if (latched()) break;
      [[fallthrough]];
    case Phase::kWaiting:
      if (fresh) enter(Phase::kRunning, now);
      break;
    case Phase::kRampingDown:  // activated again before the ramp ended
    case Phase::kFallback:
      if (!may_resume(fresh)) {
        enter(Phase::kFallback, now);
      } else if (!reference_missing) {
        enter(Phase::kRunning, now);
      }
      break;
    case Phase::kRunning:
      if (!fresh || latched()) enter(Phase::kFallback, now);
      break;
    case Phase::kStopped:
      break;
  }
}

void Phases::note_zero_torque(std::int64_t now) noexcept {
  if (phase_ == Phase::kRampingDown) enter(Phase::kInactive, now);
  if (phase_ == Phase::kFallback && stop_) enter(Phase::kStopped, now);
}

void Phases::continue_latched(const Phases& other) noexcept {
  non_finite_ = other.non_finite_;
  stop_ = other.stop_;
  active_ = other.active_;
  activation_ = other.activation_;
}

}  // namespace spatial_dynamics

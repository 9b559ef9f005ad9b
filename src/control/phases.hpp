// Decides when a torque may be sent.
#pragma once

#include <cstdint>

#include "spatial_dynamics/control/control_output.hpp"

namespace spatial_dynamics {

/// The phase of the controller, and its latched faults. Real-time safe.
///
///     inactive -> waiting -> running <-> fallback -> stopped        while active
///     inactive <- ramping down <- running, fallback                 after deactivation
class Phases {
 public:
  [[nodiscard]] Phase phase() const noexcept { return phase_; }
  /// When the phase began, steady clock in ns.
  [[nodiscard]] std::int64_t since() const noexcept { return since_; }
  /// True if a torque is sent in this phase, so that it must not step.
  [[nodiscard]] bool sends() const noexcept {
    return phase_ == Phase::kRunning || phase_ == Phase::kFallback || phase_ == Phase::kRampingDown;
  }

  /// Latches a fault: the mode does not run until the next explicit activation. Fresh states, a new
  /// robot or new parameters do not end it.
  void latch_non_finite() noexcept { non_finite_ = true; }
  void latch_stop() noexcept { stop_ = true; }
  [[nodiscard]] bool non_finite() const noexcept { return non_finite_; }
  [[nodiscard]] bool stops() const noexcept { return stop_; }
  [[nodiscard]] bool latched() const noexcept { return non_finite_ || stop_; }

  /// The first call of a cycle. An explicit activation is a new number `activation`, or, if that is
  /// 0, a rise of `active`. It clears latched faults.
  /// Returns true for an explicit activation.
  bool note_activation(bool active, std::uint64_t activation, std::int64_t now) noexcept;
  /// True if the mode could run again now: active, states are fresh, nothing is latched, and the
  /// phase is fallback or ramping down.
  [[nodiscard]] bool may_resume(bool fresh) const noexcept;
  /// The second call of a cycle: chooses the phase. `fresh`: every state is known and recent.
  /// `reference_missing`: the fallback ends only with a new reference, and none has arrived.
  void update(std::int64_t now, bool fresh, bool reference_missing) noexcept;
  /// From running to fallback: a result was not finite, or a reference is missing.
  void fall_back(std::int64_t now) noexcept { enter(Phase::kFallback, now); }
  /// The torque is zero: ends a stop and a ramp down.
  void note_zero_torque(std::int64_t now) noexcept;

  /// The torque was set to zero from outside: inactive at once. Latched faults stay latched.
  void interrupt(std::int64_t now) noexcept { enter(Phase::kInactive, now); }

  /// Faults that are latched in the controller that this one replaces stay latched.
  void continue_latched(const Phases& other) noexcept;

 private:
  void enter(Phase phase, std::int64_t now) noexcept;

  Phase phase_ = Phase::kInactive;
  std::int64_t since_ = 0;
  bool non_finite_ = false;
  bool stop_ = false;
  bool active_ = false;           // in this cycle
  std::uint64_t activation_ = 0;  // the last one seen
};

}  // namespace spatial_dynamics

// One cycle of the torque controller: the order in which its parts act.
#pragma once

#include <cstdint>

#include "contact_guard.hpp"
#include "drive_gate.hpp"
#include "envelope.hpp"
#include "fallback_torque.hpp"
#include "following_guard.hpp"
#include "optional_results.hpp"
#include "output_guard.hpp"
#include "phases.hpp"
#include "reference_tracker.hpp"
#include "state_watchdog.hpp"
#include "torque_laws.hpp"
#include "world.hpp"

namespace spatial_dynamics {

/// TorqueController without the check of sizes. Construction allocates; everything else is
/// real-time safe.
///
/// A change of phase, mode, settings or robot never steps the torque:
///  - A change of phase or mode crossfades over ramp_s from the last torque sent to the new one
///    (that of the mode, that of the fallback, or zero).
///  - Settings, gravity, payloads and wrenches are ramped one by one, so that feedback stays
///    active.
///  - Exception: the first torque after activation has the whole gravity torque at once; only
///    feedback is ramped.
class ControlCycle {
 public:
  /// Throws ModelError as scalar_coordinates().
  explicit ControlCycle(Model model);

  [[nodiscard]] const Model& model() const noexcept { return robot_.model(); }
  [[nodiscard]] const Coordinates& coordinates() const noexcept { return coordinates_; }
  [[nodiscard]] Phase phase() const noexcept { return phases_.phase(); }
  [[nodiscard]] std::uint64_t payload_generation() const noexcept {
    return world_.payload_generation();
  }

  /// See TorqueController.
  void interrupt(std::int64_t now) noexcept { phases_.interrupt(now); }
  /// See TorqueController.
  void continue_from(const ControlCycle& other) noexcept;
  /// See TorqueController. All sizes must fit.
  void step(std::int64_t now, const ControlView& in, ControlOutput& out) noexcept;

 private:
  void begin(std::int64_t now, ControlStatus& status) noexcept;
  void choose_phase(std::int64_t now, const ControlView& in) noexcept;
  void note_phase_change(Phase before) noexcept;
  void start_running(bool activated, std::int64_t since, const ControlView& in) noexcept;
  void resume_after_outage(const ControlView& in) noexcept;
  [[nodiscard]] bool waits_for_reference(const ControlSettings& settings) const noexcept;
  void track(std::int64_t now, const ControlView& in) noexcept;
  void note_mode(const ControlView& in) noexcept;
  void note_acknowledgement(const ControlView& in, bool activated) noexcept;
  void note_contact(const ControlView& in, ControlOutput& out) noexcept;
  [[nodiscard]] TorqueMode mode_with_contact(TorqueMode mode) const noexcept;
  void guard_following_error(const ControlView& in, ControlOutput& out) noexcept;

  void run(std::int64_t now, const ControlView& in, ControlOutput& out) noexcept;
  void fall_back(std::int64_t now, const ControlView& in, ControlOutput& out) noexcept;
  void ramp_down(std::int64_t now, const ControlView& in, ControlOutput& out) noexcept;
  [[nodiscard]] bool compute_torque(const ControlView& in, ControlOutput& out) noexcept;
  void send(const ControlView& in, const VectorXd& torque, double ramp_s,
            ControlOutput& out) noexcept;
  void limit_to_envelope(const ControlView& in, ControlOutput& out) noexcept;
  void note_if_zero(std::int64_t now) noexcept;

  RobotDynamics robot_;
  Coordinates coordinates_;
  Phases phases_;
  StateWatchdog watchdog_;
  ReferenceTracker tracker_;
  World world_;
  TorqueLaws laws_;
  FallbackTorque fallback_;
  FollowingGuard following_guard_;
  ContactGuard contact_;
  OutputGuard guard_;
  Envelope envelope_;
  DriveGate drive_;  // torque of ~/torque_array
  OptionalResults results_;

  std::uint64_t cycle_ = 0;
  std::uint64_t first_running_cycle_ = 0;
  std::int64_t last_time_ = 0;
  double dt_s_ = 0.0;
  bool is_new_ = true;  // no step since construction or continue_from(): settings are not ramped
  bool follows_state_ = false;  // laws_.torque() is of the last cycle and of this model
  TorqueMode mode_ = TorqueMode::kInverseDynamics;  // of the last running cycle
  VectorXd own_effort_;  // torque sent plus what the robot's own controller adds
};

}  // namespace spatial_dynamics

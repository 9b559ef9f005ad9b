// Checks incoming messages, each as a whole, and puts them into wait-free boxes for the loop.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/config.hpp"
#include "runtime/messages.hpp"
#include "runtime/reference_inbox.hpp"
#include "runtime/rejections.hpp"
#include "runtime/state_inbox.hpp"
#include "runtime/triple_buffer.hpp"
#include "runtime/world_inbox.hpp"
#include "spatial_dynamics/control/control_input.hpp"

namespace spatial_dynamics {

/// Callbacks of the middleware call the on_…() functions from any thread: they lock among
/// themselves, may allocate, and return kNone or why the message was dropped. The loop's thread
/// alone calls update() and inputs(): wait-free, real-time safe.
class Inbox {
 public:
  /// For robots with these coordinates. Allocates.
  Inbox(const Model& model, const Coordinates& coordinates);

  /// Copies states, references, efforts, gravity and payloads of the inbox of a robot with the same
  /// coordinates, which this one is about to replace. A payload needs a link of that name that can
  /// move. Wrenches are not copied; they are short-lived. Returns the names of the links whose
  /// payloads are lost. Allocates.
  std::vector<std::string> copy_from(const Inbox& other);
  /// Copies gravity and payloads, for a robot with other coordinates. Returns as above. Allocates.
  std::vector<std::string> copy_world_from(const Inbox& other);

  /// Bound of JumpFilter; 0: states are not filtered. Any thread.
  void set_jump_factor(double factor) noexcept { states_.set_jump_factor(factor); }

  // ---- callbacks' side. `now` is the steady clock, `ros_now` the clock of the stamps, both ns; 0:
  // it is not known yet.
  RejectionReason on_joint_states(const JointStateView& message, std::int64_t now,
                                  std::int64_t ros_now, MissingVelocity missing_velocity) {
    return states_.on_joint_states(message, now, ros_now, missing_velocity);
  }
  RejectionReason on_odometry(const OdometryView& message, std::int64_t now, std::int64_t ros_now) {
    return states_.on_odometry(message, now, ros_now);
  }
  RejectionReason on_reference(const TrajectoryView& message, std::int64_t now,
                               std::int64_t ros_now) {
    return references_.on_reference(message, now, ros_now);
  }
  RejectionReason on_effort_command(const JointStateView& message, std::int64_t now);
  /// `effort` of the message has the stiffness of the named joints. Without names it has one number
  /// for all joints.
  RejectionReason on_stiffness(const JointStateView& message);
  RejectionReason on_wrench(const WrenchView& message, std::int64_t now) {
    return world_.on_wrench(message, now);
  }
  RejectionReason on_payload(const PayloadView& message) { return world_.on_payload(message); }
  RejectionReason on_gravity(const GravityView& message) {
    return world_.on_gravity(message, coordinates_.floating_base() ? &states_ : nullptr);
  }
  /// Discards the references, and numbers new ones after `generation`. Returns the number of the
  /// last one. Allocates.
  std::uint64_t discard_references(std::uint64_t generation) {
    return references_.discard(generation);
  }
  /// Discards what on_payload() and on_gravity() have set. Allocates.
  void reset_world() { world_.reset(); }
  /// Gravity and payloads, as configured or as they have set them. Allocates.
  [[nodiscard]] WorldValues world() const { return world_.values(); }

  /// How often each was counted.
  [[nodiscard]] std::uint64_t count(RejectionReason reason) const noexcept {
    return rejections_.count(reason);
  }
  /// The last message that was dropped with an explanation: reason, element and remedy; empty if
  /// there was none. Allocates.
  [[nodiscard]] std::string last_rejection() const { return rejections_.last(); }
  /// The stiffness that on_stiffness() has set: nv numbers, negative where it has set none.
  /// Allocates.
  [[nodiscard]] VectorXd stiffness() const {
    const std::lock_guard<std::mutex> lock(effort_mutex_);
    return merged_stiffness_.stiffness;
  }
  /// Joints without a state since this time of the steady clock, ns; 1: without any so far.
  [[nodiscard]] std::vector<std::string> joints_silent_since(std::int64_t time) const {
    return states_.joints_silent_since(time);
  }
  /// A joint whose states come from two publishers; empty if there is none.
  [[nodiscard]] std::string disputed_joint() const { return states_.disputed_joint(); }
  /// Whether the base's states come from two publishers.
  [[nodiscard]] bool odometry_disputed() const { return states_.odometry_disputed(); }
  /// A joint whose states have no effort; empty if there is none.
  [[nodiscard]] std::string joint_without_effort() const { return states_.joint_without_effort(); }
  /// A joint whose states have never had a velocity; empty if there is none.
  [[nodiscard]] std::string joint_without_velocity() const {
    return states_.joint_without_velocity();
  }
  /// By how much the newest state's stamp is behind the clock of the stamps, ns; 0 if unknown.
  [[nodiscard]] std::int64_t stamp_lag() const noexcept { return states_.stamp_lag(); }

  // ---- loop's side
  void update() noexcept;
  /// A setpoint of the caller was clipped at a position limit.
  void note_clipped_reference() noexcept {
    (void)rejections_.add(RejectionReason::kClippedReference);
  }
  [[nodiscard]] const JointStates& states() const noexcept { return states_.states(); }
  [[nodiscard]] const References& references() const noexcept { return references_.references(); }
  [[nodiscard]] const Wrenches& wrenches() const noexcept { return world_.wrenches(); }
  [[nodiscard]] const EffortCommand& effort_command() const noexcept {
    return effort_command_.read();
  }
  [[nodiscard]] ControlView inputs(const Settings& settings, bool active,
                                   std::uint64_t activation = 0) const noexcept {
    return inputs(settings, active, activation, states_.states(), references_.references());
  }
  /// The same with states and references of a caller.
  [[nodiscard]] ControlView inputs(const Settings& settings, bool active, std::uint64_t activation,
                                   const JointStates& states,
                                   const References& references) const noexcept {
    return {settings.config,
            settings.joints,
            settings.config.gravity,
            states,
            references,
            effort_command_.read(),
            world_.wrenches(),
            world_.payloads(),
            world_.gravity(),
            active,
            activation,
            &stiffness_.read()};
  }

 private:
  Inbox(const Model& model, const Coordinates& coordinates, const ControlInput& blank);

  /// Counts a command that names a joint which the robot does not have.
  RejectionReason reject_unknown(const NameMap& names);

  Coordinates coordinates_;
  RejectionCounts rejections_;
  StateInbox states_;
  ReferenceInbox references_;
  WorldInbox world_;

  mutable std::mutex effort_mutex_;  // the next four; never locked by the loop
  NameMap effort_names_, stiffness_names_;
  EffortCommand merged_effort_;
  StiffnessCommand merged_stiffness_;
  TripleBuffer<EffortCommand> effort_command_;
  TripleBuffer<StiffnessCommand> stiffness_;
};

}  // namespace spatial_dynamics

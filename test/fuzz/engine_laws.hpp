// What must hold of every step of the engine, whatever came before.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "fuzz/fuzz.hpp"
#include "spatial_dynamics/control/torque_controller.hpp"

namespace spatial_dynamics::fuzz {

class EngineLaws {
 public:
  /// For the robot that the sequence begins with.
  explicit EngineLaws(Index nv) : last_(VectorXd::Zero(nv)), effort_limit_(last_) {}

  /// A robot with other joints came in. It has never sent anything, and the one before must have
  /// ended on zero.
  void other_joints(Index nv) {
    expect(last_.isZero(0.0), "a robot with other joints comes in after a torque of zero");
    expect(drive_.size() == 0 || drive_.isZero(0.0), "and after a command of zero");
    drive_.resize(0);
    last_ = effort_limit_ = VectorXd::Zero(nv);
    sent_ = false;
    is_new_ = true;
  }
  /// A robot with the same joints has replaced the old one: no torque may change at that moment.
  void replaced() { replaced_ = true; }

  /// After a step at `now`, `dt_s` after the last.
  void judge(const ControlView& in, const ControlOutput& out, bool floating_base, std::int64_t now,
             double dt_s) {
    const double moved_s = std::min(std::max(dt_s, is_new_ ? 1e-3 : 0.0), 0.1);
    is_new_ = false;
    if (out.send_torque) {
      judge_torque(in, out, moved_s);
    } else if (sent_) {
      expect(last_.isZero(0.0), "the last torque is zero");
    }
    check_replacement(in, out, dt_s);
    judge_way_to_zero(in, out, moved_s);
    judge_results(out);
    judge_drive(in.joints, out, moved_s);
    judge_latch(in, out);
    judge_contact(in, out);
    judge_age(in, out, floating_base, now);
    expect(in.active || out.phase != Phase::kRunning, "inactive is not running");
    if (out.send_torque) last_ = out.torque;
    sent_ = out.send_torque;
    phase_ = out.phase;
    faults_ = out.faults;
    if (out.phase == Phase::kInactive) last_.setZero();
  }

 private:
  /// What was sent last; a limit that was lowered holds at once, whatever the rate.
  [[nodiscard]] double before(const JointSettings& joints, Index k) const {
    const double limit = joints.effort_limit(k);
    return std::max(-limit, std::min(limit, last_(k)));
  }

  /// The default rate limit lets pass: the first torque, a torque against the motion, and a torque
  /// that falls outside of running.
  [[nodiscard]] bool exempt(const ControlView& in, const ControlOutput& out, Index k) const {
    const JointSettings& joints = in.joints;
    if (joints.rate_is_default[static_cast<std::size_t>(k)] == 0) return false;
    const double tau = out.torque(k), v = in.states.v(k), last = last_(k);
    const bool brakes = tau * v < 0.0 && std::abs(v) > joints.braking_speed(k);
    const bool falls =
        out.phase != Phase::kRunning && std::abs(tau) <= std::abs(last) && tau * last >= 0.0;
    const bool first = !sent_ || phase_ == Phase::kInactive || phase_ == Phase::kStopped;
    return first || brakes || falls || limited(out.faults) || limited(faults_);
  }

  /// The envelope changed a torque: the default rate limit does not hold for it and the next one.
  [[nodiscard]] static bool limited(Faults faults) {
    return has(faults, Fault::kStopReached) || has(faults, Fault::kSpeedCap) ||
           has(faults, Fault::kPowerCap);
  }

  void judge_torque(const ControlView& in, const ControlOutput& out, double moved_s) const {
    const JointSettings& joints = in.joints;
    const VectorXd& torque = out.torque;
    const double* const rate = joints.torque_rate_limit.data();
    const double* const limit = joints.effort_limit.data();
    const Index n = torque.size();
    for (Index k = 0; k < n; ++k) {
      const double tau = torque.data()[k];
      expect(std::isfinite(tau), "torques are finite");
      expect(std::abs(tau) <= limit[k], "torques keep their limits");
      if (rate[k] == kUnlimited || exempt(in, out, k)) continue;
      const double allowed = rate[k] * moved_s;
      expect(std::abs(tau - before(joints, k)) <= allowed + 1e-9 * (1.0 + allowed),
             "torques change no faster than they may");
    }
  }

  /// In no time at all nothing changes, though the model did.
  void check_replacement(const ControlView& in, const ControlOutput& out, double dt_s) {
    const bool at_that_moment = replaced_ && dt_s == 0.0 && in.settings.ramp_s > 0.0;
    replaced_ = false;
    if (!at_that_moment || !sent_ || !out.send_torque || phase_ == Phase::kInactive) return;
    for (Index k = 0; k < out.torque.size(); ++k) {
      expect(out.torque(k) == before(in.joints, k), "an exchange does not step the torque");
    }
  }

  /// A ramp to zero ends after ramp_s, also if robots are exchanged meanwhile. A limit of the rate
  /// may make it longer; other parameters, and a limit of the effort that is raised, begin anew.
  void judge_way_to_zero(const ControlView& in, const ControlOutput& out, double moved_s) {
    const ControlSettings& config = in.settings;
    const bool falls = out.phase == Phase::kFallback && config.fallback != Fallback::kGravityOnly;
    const bool ramps_down = out.phase == Phase::kRampingDown;
    bool free = true, raised = false, now_default = false;
    for (Index k = 0; k < effort_limit_.size(); ++k) {
      const double limit = in.joints.effort_limit.data()[k];
      free = free && (in.joints.torque_rate_limit.data()[k] == kUnlimited ||
                      in.joints.rate_is_default[static_cast<std::size_t>(k)] == 1);
      const bool is_default = in.joints.rate_is_default[static_cast<std::size_t>(k)] != 0;
      raised = raised || (is_default && !was_default_);  // the ramp starts anew
      now_default = now_default || is_default;
      raised = raised || limit > effort_limit_.data()[k];
      effort_limit_.data()[k] = limit;
    }
    was_default_ = now_default;
    const bool same = config.ramp_s == ramp_s_ && config.fallback == fallback_;
    ramp_s_ = config.ramp_s;
    fallback_ = config.fallback;
    const bool goes_on = (falls || ramps_down) && free && !raised && same && out.phase == phase_;
    heading_for_zero_s_ = goes_on ? heading_for_zero_s_ + moved_s : 0.0;
    const double ramp_s = ramps_down ? std::min(config.ramp_s, 0.3) : config.ramp_s;
    if (heading_for_zero_s_ <= ramp_s + 1e-9) return;
    expect(!out.send_torque || out.torque.isZero(0.0), "a ramp to zero ends in time");
  }

  /// Number by number: without inlining, which sanitizers hinder, Eigen's own way takes ten times
  /// as long.
  static bool finite(const double* numbers, Index count) {
    bool all = true;
    for (Index i = 0; i < count; ++i) all = all && std::isfinite(numbers[i]);
    return all;
  }
  static bool finite(const VectorXd& v) { return finite(v.data(), v.size()); }

  static void judge_results(const ControlOutput& out) {
    expect(!out.send_acceleration || finite(out.acceleration), "accelerations are finite");
    expect(!out.send_external_torque || finite(out.external_torque), "external torques are finite");
    if (!out.send_terms) return;
    for (const VectorXd* term : {&out.terms.gravity, &out.terms.coriolis, &out.terms.inertial,
                                 &out.terms.friction, &out.terms.external}) {
      expect(finite(*term), "terms are finite");
    }
    expect(finite(out.mass_matrix.data(), out.mass_matrix.size()), "the mass matrix is finite");
  }

  /// ~/torque_array: within the limits; zero is its last command.
  void judge_drive(const JointSettings& joints, const ControlOutput& out, double moved_s) {
    if (!out.send_drive) {
      expect(drive_.size() == 0 || drive_.isZero(0.0), "the last command of the array is zero");
      return;
    }
    expect(out.send_torque && finite(out.drive), "commands of the array are finite");
    const bool same = drive_.size() == out.drive.size();
    for (Index k = 0; k < out.drive.size(); ++k) {
      const double limit = joints.effort_limit(k), tau = out.drive(k);
      const double before = same ? std::max(-limit, std::min(limit, drive_(k))) : 0.0;
      expect(std::abs(tau) <= limit, "commands keep their limits");
      const bool ramps =
          !joints.drive_rejection.empty() && joints.torque_rate_limit(k) != kUnlimited;
      const double allowed = ramps ? joints.torque_rate_limit(k) * moved_s : 0.0;
      expect(!ramps || std::abs(tau - before) <= allowed + 1e-9 * (1.0 + allowed),
             "the array ramps no faster than it may");
    }
    drive_ = out.drive;
  }

  /// A stop, once begun, and a number that was not finite end only by an explicit activation.
  void judge_latch(const ControlView& in, const ControlOutput& out) {
    if (in.activation != activation_) latched_ = false;
    activation_ = in.activation;
    expect(!latched_ || out.phase != Phase::kRunning, "what is latched ends by an activation");
    const bool stops = out.phase == Phase::kFallback && in.settings.fallback == Fallback::kStop;
    latched_ = latched_ || stops || out.phase == Phase::kStopped ||
               (has(out.faults, Fault::kNonFinite) && out.phase == Phase::kFallback);
  }

  /// A contact stays until it is acknowledged or the controller is explicitly activated.
  void judge_contact(const ControlView& in, const ControlOutput& out) {
    const bool may_end = in.acknowledgement != acknowledgement_ ||
                         (in.active && in.activation != activation_of_contact_);
    acknowledgement_ = in.acknowledgement;
    if (in.active) activation_of_contact_ = in.activation;
    const bool touched = has(out.faults, Fault::kContact);
    expect(may_end || touched || !touched_, "a contact ends by an acknowledgement");
    touched_ = touched;
  }

  /// No torque of a mode with a state that is too old.
  static void judge_age(const ControlView& in, const ControlOutput& out, bool floating_base,
                        std::int64_t now) {
    if (out.phase != Phase::kRunning) return;
    const double timeout_ns = in.settings.state_timeout_s * 1e9;
    const auto fresh = [&](std::int64_t received) {
      return static_cast<double>(now - received) <= timeout_ns;
    };
    bool all = !floating_base || fresh(in.states.base_received);
    for (const std::int64_t received : in.states.received) all = all && fresh(received);
    expect(all, "stale states end the mode's torques");
  }

  VectorXd last_;   // torque sent; zero after the end
  VectorXd drive_;  // command of the array; empty before the first
  bool latched_ = false;
  bool was_default_ = false;  // the rate limit of the last step was the default one
  std::uint64_t activation_ = 0;
  bool touched_ = false;
  std::uint64_t acknowledgement_ = 0, activation_of_contact_ = 0;
  VectorXd effort_limit_;
  double ramp_s_ = 0.0;
  Fallback fallback_ = Fallback::kZero;
  bool sent_ = false;
  bool is_new_ = true;  // an engine without a step yet takes a period for the time since the last
  bool replaced_ = false;
  Phase phase_ = Phase::kInactive;
  Faults faults_ = 0;  // of the last step
  double heading_for_zero_s_ = 0.0;
};

}  // namespace spatial_dynamics::fuzz

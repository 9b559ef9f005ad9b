// What must hold of every step of the engine, whatever came before.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "fuzz/fuzz.hpp"
#include "spatial_dynamics/runtime/engine.hpp"

namespace spatial_dynamics::fuzz {

class EngineLaws {
 public:
  /// For the robot that the sequence begins with.
  explicit EngineLaws(Index nv) : last_(VectorXd::Zero(nv)), effort_limit_(last_) {}

  /// A robot with other joints came in. It has never sent anything, and the one before must have ended on zero.
  void other_joints(Index nv) {
    expect(last_.isZero(0.0), "a robot with other joints comes in after a torque of zero");
    last_ = effort_limit_ = VectorXd::Zero(nv);
    sent_ = false;
    is_new_ = true;
  }
  /// A robot with the same joints has taken over: no torque may change at that moment.
  void took_over() { took_over_ = true; }

  /// After a step at `now`, `dt_s` after the last.
  void judge(const EngineInputs& in, const EngineOutputs& out, bool floating_base, std::int64_t now,
             double dt_s) {
    const JointSettings& joints = in.settings.joints;
    const double moved_s = std::min(std::max(dt_s, is_new_ ? 1e-3 : 0.0), 0.1);
    is_new_ = false;
    if (out.send_torque) {
      judge_torque(joints, out.torque, moved_s);
    } else if (sent_) {
      expect(last_.isZero(0.0), "the last torque is zero");
    }
    judge_take_over(in.settings, out, dt_s);
    judge_way_to_zero(in.settings, out, moved_s);
    judge_results(out);
    judge_age(in, out, floating_base, now);
    expect(in.active || out.phase != Phase::kRunning, "inactive is not running");
    if (out.send_torque) last_ = out.torque;
    sent_ = out.send_torque;
    phase_ = out.phase;
    if (out.phase == Phase::kInactive) last_.setZero();
  }

 private:
  /// What was sent last; a limit that was lowered holds at once, whatever the rate.
  [[nodiscard]] double before(const JointSettings& joints, Index k) const {
    const double limit = joints.effort_limit(k);
    return std::max(-limit, std::min(limit, last_(k)));
  }

  void judge_torque(const JointSettings& joints, const VectorXd& torque, double moved_s) const {
    const double* const rate = joints.torque_rate_limit.data();
    const double* const limit = joints.effort_limit.data();
    const Index n = torque.size();
    for (Index k = 0; k < n; ++k) {
      const double tau = torque.data()[k];
      expect(std::isfinite(tau), "torques are finite");
      expect(std::abs(tau) <= limit[k], "torques keep their limits");
      if (rate[k] == kUnlimited) continue;
      const double allowed = rate[k] * moved_s;
      expect(std::abs(tau - before(joints, k)) <= allowed + 1e-9 * (1.0 + allowed),
             "torques change no faster than they may");
    }
  }

  /// In no time at all nothing changes, though the model did.
  void judge_take_over(const Settings& settings, const EngineOutputs& out, double dt_s) {
    const bool at_that_moment = took_over_ && dt_s == 0.0 && settings.config.ramp_s > 0.0;
    took_over_ = false;
    if (!at_that_moment || !sent_ || !out.send_torque || phase_ == Phase::kInactive) return;
    for (Index k = 0; k < out.torque.size(); ++k) {
      expect(out.torque(k) == before(settings.joints, k), "an exchange does not step the torque");
    }
  }

  /// Whoever heads for zero is there after a ramp, though robots be exchanged meanwhile. A limit of the rate may make it longer;
  /// other parameters, and a limit of the effort that is raised, begin anew.
  void judge_way_to_zero(const Settings& settings, const EngineOutputs& out, double moved_s) {
    const Config& config = settings.config;
    const bool falls = out.phase == Phase::kFallback && config.fallback != Fallback::kGravityOnly;
    const bool winds_down = out.phase == Phase::kWindingDown;
    bool free = true, raised = false;
    for (Index k = 0; k < effort_limit_.size(); ++k) {
      const double limit = settings.joints.effort_limit.data()[k];
      free = free && settings.joints.torque_rate_limit.data()[k] == kUnlimited;
      raised = raised || limit > effort_limit_.data()[k];
      effort_limit_.data()[k] = limit;
    }
    const bool same = config.ramp_s == ramp_s_ && config.fallback == fallback_;
    ramp_s_ = config.ramp_s;
    fallback_ = config.fallback;
    const bool goes_on = (falls || winds_down) && free && !raised && same && out.phase == phase_;
    heading_for_zero_s_ = goes_on ? heading_for_zero_s_ + moved_s : 0.0;
    const double ramp_s = winds_down ? std::min(config.ramp_s, 0.3) : config.ramp_s;
    if (heading_for_zero_s_ <= ramp_s + 1e-9) return;
    expect(!out.send_torque || out.torque.isZero(0.0), "a ramp to zero ends in time");
  }

  /// Number by number: without inlining, which sanitizers hinder, Eigen's own way takes ten times as long.
  static bool finite(const double* numbers, Index count) {
    bool all = true;
    for (Index i = 0; i < count; ++i) all = all && std::isfinite(numbers[i]);
    return all;
  }
  static bool finite(const VectorXd& v) { return finite(v.data(), v.size()); }

  static void judge_results(const EngineOutputs& out) {
    expect(!out.send_acceleration || finite(out.acceleration), "accelerations are finite");
    expect(!out.send_external_torque || finite(out.external_torque), "external torques are finite");
    if (!out.send_terms) return;
    for (const VectorXd* term : {&out.terms.gravity, &out.terms.coriolis, &out.terms.inertial,
                                 &out.terms.friction, &out.terms.external}) {
      expect(finite(*term), "terms are finite");
    }
    expect(finite(out.mass_matrix.data(), out.mass_matrix.size()), "the mass matrix is finite");
  }

  /// No torque of a mode with a state that is too old.
  static void judge_age(const EngineInputs& in, const EngineOutputs& out, bool floating_base,
                        std::int64_t now) {
    if (out.phase != Phase::kRunning) return;
    const double timeout_ns = in.settings.config.state_timeout_s * 1e9;
    const auto fresh = [&](std::int64_t received) {
      return static_cast<double>(now - received) <= timeout_ns;
    };
    bool all = !floating_base || fresh(in.states.base_received);
    for (const std::int64_t received : in.states.received) all = all && fresh(received);
    expect(all, "stale states end the mode's torques");
  }

  VectorXd last_;  // torque sent; zero after the end
  VectorXd effort_limit_;
  double ramp_s_ = 0.0;
  Fallback fallback_ = Fallback::kZero;
  bool sent_ = false;
  bool is_new_ = true;  // an engine without a step yet takes a period for the time since the last
  bool took_over_ = false;
  Phase phase_ = Phase::kInactive;
  double heading_for_zero_s_ = 0.0;
};

}  // namespace spatial_dynamics::fuzz

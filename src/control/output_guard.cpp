#include "output_guard.hpp"

#include <algorithm>
#include <cmath>

namespace spatial_dynamics {

OutputGuard::OutputGuard(Index nv)
    : sent_(VectorXd::Zero(nv)),
      before_limits_(sent_),
      lowest_(sent_),
      highest_(sent_),
      crossfade_(nv),
      effort_limit_(sent_),
      rate_limit_(sent_),
      rate_is_default_(static_cast<std::size_t>(nv), 0) {}

void OutputGuard::reset() noexcept {
  sent_.setZero();
  was_limited_ = false;
}

Faults OutputGuard::limit(const JointSettings& joints, const VectorXd& desired,
                          const Cycle& cycle) noexcept {
  note_limits(joints);
  crossfade_.advance(cycle.share);
  Faults faults = 0;
  for (Index k = 0; k < sent_.size(); ++k) {
    const double limit = joints.effort_limit(k);
    const double rate = joints.torque_rate_limit(k);
    double torque = crossfade_.blend(k, desired(k));
    if (!std::isfinite(torque)) {  // std::clamp returns a NaN unchanged
      faults |= static_cast<Faults>(Fault::kNonFinite);
      torque = sent_(k);
      crossfade_.set_start(k, torque);
    }
    before_limits_(k) = torque;
    const double within = std::clamp(torque, -limit, limit);
    if (within != torque) faults |= static_cast<Faults>(Fault::kSaturated);
    const bool limited = std::isfinite(rate) && !is_exempt_from_rate(joints, k, within, cycle);
    const double change = limited ? rate * cycle.dt_s : kUnlimited;  // avoids infinity times zero
    const double slow = std::clamp(within, sent_(k) - change, sent_(k) + change);
    if (slow != within) faults |= static_cast<Faults>(Fault::kRateLimited);
    const double most = joints.rate_is_default[to_size(k)] == 0 ? change : kUnlimited;
    lowest_(k) = std::clamp(sent_(k) - most, -limit, limit);
    highest_(k) = std::clamp(sent_(k) + most, -limit, limit);
    sent_(k) = std::clamp(slow, -limit, limit);  // a lowered limit applies at once
  }
  first_torque_ = false;
  was_limited_ = has(faults, Fault::kSaturated) || has(faults, Fault::kRateLimited);
  return faults;
}

/// If a limit that applied to the last torque is raised, starts a crossfade, so that the torque
/// does not step.
void OutputGuard::note_limits(const JointSettings& joints) noexcept {
  bool raised = (joints.effort_limit.array() > effort_limit_.array()).any() ||
                (joints.torque_rate_limit.array() > rate_limit_.array()).any();
  for (std::size_t k = 0; k < rate_is_default_.size(); ++k) {
    // The default limit has exceptions, a given limit has none.
    raised = raised || joints.rate_is_default[k] > rate_is_default_[k];
    rate_is_default_[k] = joints.rate_is_default[k];
  }
  effort_limit_ = joints.effort_limit;
  rate_limit_ = joints.torque_rate_limit;
  if (raised && was_limited_) begin_crossfade();
}

/// The default rate limit does not apply to
///  - the first torque after activation, which has the whole gravity torque,
///  - a torque against the motion of a joint that is faster than braking_speed,
///  - a decreasing torque while not running,
///  - the torque after a torque that the envelope changed.
/// A given rate limit always applies.
bool OutputGuard::is_exempt_from_rate(const JointSettings& joints, Index k, double torque,
                                      const Cycle& cycle) const noexcept {
  if (joints.rate_is_default[static_cast<std::size_t>(k)] == 0) return false;
  const double speed = std::abs(cycle.velocity(k));
  const bool brakes = speed > joints.braking_speed(k) && torque * cycle.velocity(k) < 0.0;
  const bool falls =
      cycle.ramps_down && std::abs(torque) <= std::abs(sent_(k)) && torque * sent_(k) >= 0.0;
  const bool braked = cycle.braked != nullptr && (*cycle.braked)[to_size(k)] != 0;
  return first_torque_ || brakes || falls || braked;
}

}  // namespace spatial_dynamics

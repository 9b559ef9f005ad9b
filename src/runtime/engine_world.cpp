// The part of Engine that takes in parameters and the world: gravity, payloads, wrenches.
#include <algorithm>

#include "spatial_dynamics/runtime/clock.hpp"
#include "spatial_dynamics/runtime/engine.hpp"

namespace spatial_dynamics {
namespace {

double step_towards(double now, double target, double longest) noexcept {
  return std::clamp(target, now - longest, now + longest);
}

}  // namespace

/// How much of a ramp this cycle is.
double Engine::share_of_ramp(const Settings& settings) const noexcept {
  return settings.config.ramp_s > 0.0 ? std::min(1.0, dt_s_ / settings.config.ramp_s) : 1.0;
}

void Engine::apply_settings(const Settings& settings, bool at_once) noexcept {
  const Config& config = settings.config;
  const HardwareCompensation& hardware = config.compensated_by_hardware;
  const double share = at_once ? 1.0 : share_of_ramp(settings);
  // Of fixed size, so that nothing allocates.
  const Eigen::Vector4d ours(hardware.gravity ? 0.0 : 1.0, hardware.coriolis ? 0.0 : 1.0,
                             config.friction_compensation && !hardware.friction ? 1.0 : 0.0,
                             hardware.friction ? 1.0 : 0.0);
  if (at_once) {
    kp_.jump(settings.joints.kp);
    kd_.jump(settings.joints.kd);
    shares_.jump(ours);
    return;
  }
  kp_.move(settings.joints.kp, share);
  kd_.move(settings.joints.kd, share);
  shares_.move(ours, share);
}

/// Gravity turns or grows by no more than the earth's in ramp_s. So a step of it is spread, and that of a mount which moves passes
/// as it is: a ramp from message to message would lag behind.
void Engine::apply_gravity(const EngineInputs& in, bool at_once) noexcept {
  const Vector3& target =
      in.gravity.generation != 0 ? in.gravity.vector : in.settings.config.gravity;
  const double longest = share_of_ramp(in.settings) * kStandardGravity.norm();
  const bool ramped = !at_once && in.settings.config.ramp_s > 0.0;
  const Vector3 gravity = ramped ? towards(model_.gravity(), target, longest) : target;
  if (gravity == model_.gravity()) return;
  model_.set_gravity(gravity);
  compiled_ = false;
}

void Engine::apply_payloads(const EngineInputs& in, bool at_once) noexcept {
  if (in.payloads.generation != payload_generation_) {
    payload_generation_ = in.payloads.generation;
    payload_moving_ = true;
    payload_share_ = 0.0;
    std::copy(payload_now_.begin(), payload_now_.end(), payload_from_.begin());
    std::fill(payload_to_.begin(), payload_to_.end(), Inertia::Zero());
    for (const LinkPayload& payload : in.payloads.links) {
      payload_to_[static_cast<std::size_t>(payload.link)] = payload.inertia;
    }
  }
  if (!payload_moving_) return;
  // Share by share, so that a new ramp_s changes the pace and not the payload.
  payload_share_ = at_once ? 1.0 : std::min(1.0, payload_share_ + share_of_ramp(in.settings));
  const double s = payload_share_;
  payload_moving_ = s < 1.0;
  for (std::size_t l = 0; l < payload_now_.size(); ++l) {
    const bool same = payload_from_[l].mass == 0.0 && payload_to_[l].mass == 0.0;
    if (same) continue;
    // Inertias add, so every mixture of two payloads is a payload that matter can have.
    payload_now_[l] = s < 1.0 ? (1.0 - s) * payload_from_[l] + s * payload_to_[l] : payload_to_[l];
    model_.set_payload(static_cast<Index>(l), payload_now_[l]);
    compiled_ = false;
  }
}

/// A wrench fades in when the first message names its link, follows the messages while they come, and fades out when they stop.
/// One that was zero at the end is not missed.
void Engine::apply_wrenches(std::int64_t now, const EngineInputs& in, bool at_once) noexcept {
  if (wrenches_on_) wrenches_.clear();
  wrenches_on_ = wrench_is_stale_ = false;
  const double longest = at_once ? 1.0 : share_of_ramp(in.settings);
  for (const LinkWrench& wrench : in.wrenches.links) {
    const double age_s = to_seconds(now - wrench.received);
    const bool fresh = age_s <= in.settings.config.reference_timeout_s;
    const bool zero = wrench.wrench.force.isZero(0.0) && wrench.wrench.couple.isZero(0.0);
    wrench_is_stale_ = wrench_is_stale_ || (!fresh && !zero);
    double& weight = wrench_weights_[static_cast<std::size_t>(wrench.link)];
    weight = step_towards(weight, fresh ? 1.0 : 0.0, longest);
    if (weight == 0.0) continue;
    wrenches_.add(model_, wrench.link, weight * wrench.wrench);
    wrenches_on_ = true;
  }
}

}  // namespace spatial_dynamics

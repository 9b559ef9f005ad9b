#include "world.hpp"

#include <algorithm>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {

namespace {

std::vector<Inertia> payloads_of(const Model& model) {
  std::vector<Inertia> payloads;
  for (Index l = 0; l < model.link_count(); ++l) payloads.push_back(model.payload(l));
  return payloads;
}

}  // namespace

World::World(const Model& model)
    : own_(payloads_of(model)),
      from_(own_),
      to_(own_),
      payloads_(own_),
      wrenches_(model),
      known_(own_.size()) {}

void World::update(std::int64_t now, const ControlView& in, const RampStep& step,
                   RobotDynamics& robot) noexcept {
  update_gravity(in, step, robot);
  update_payloads(in.payloads, step, robot);
  update_wrenches(now, in, step, robot.model());
}

/// While torques are sent, gravity changes by at most 9.80665 m/s^2 in ramp_s. This spreads steps
/// over time; slower changes, as of a moving mount, are followed without a lag.
void World::update_gravity(const ControlView& in, const RampStep& step,
                           RobotDynamics& robot) noexcept {
  const Vector3& target = in.gravity.generation != 0 ? in.gravity.vector : in.configured_gravity;
  const double longest = step.share * kStandardGravity.norm();
  const Vector3& before = robot.model().gravity();
  const Vector3 gravity = step.at_once ? target : towards(before, target, longest);
  if (gravity != before) robot.set_gravity(gravity);
}

/// While torques are sent, a new payload replaces the old one over ramp_s. A link that is not
/// listed has the payload of the model that the controller was constructed from.
void World::update_payloads(const Payloads& payloads, const RampStep& step,
                            RobotDynamics& robot) noexcept {
  if (payloads.generation != generation_) {
    generation_ = payloads.generation;
    payload_progress_ = 0.0;
    std::copy(payloads_.begin(), payloads_.end(), from_.begin());
    std::copy(own_.begin(), own_.end(), to_.begin());
    for (const LinkPayload& payload : payloads.links) {
      to_[static_cast<std::size_t>(payload.link)] = payload.inertia;
    }
  }
  if (payload_progress_ == 1.0) return;
  // The ramp advances by its share of ramp_s in each cycle: a change of ramp_s changes its speed,
  // but not the present payload.
  payload_progress_ = step.at_once ? 1.0 : std::min(1.0, payload_progress_ + step.share);
  const double s = payload_progress_;
  for (std::size_t l = 0; l < payloads_.size(); ++l) {
    // A weighted sum of two physically consistent inertias is physically consistent.
    payloads_[l] = s < 1.0 ? (1.0 - s) * from_[l] + s * to_[l] : to_[l];
    robot.set_payload(static_cast<Index>(l), payloads_[l]);
  }
}

/// A wrench is compensated from its first message, ramped in over ramp_s. When its last message is
/// older than reference_timeout_s, it is ramped out over ramp_s, and this is a fault unless that
/// message was zero. A wrench that is no longer listed is ramped out too.
void World::update_wrenches(std::int64_t now, const ControlView& in, const RampStep& step,
                            const Model& model) noexcept {
  for (KnownWrench& known : known_) known.fresh = false;
  wrench_is_stale_ = false;
  for (const LinkWrench& wrench : in.wrenches.links) {
    KnownWrench& known = known_[static_cast<std::size_t>(wrench.link)];  // Sizes has checked it
    known.fresh = is_fresh(now, wrench.received, in.settings.reference_timeout_s);
    if (known.fresh) known.wrench = wrench.wrench;
    wrench_is_stale_ = wrench_is_stale_ || (!known.fresh && !wrench.wrench.vector().isZero(0.0));
  }
  if (has_wrenches_) wrenches_.clear();
  has_wrenches_ = false;
  const double longest = step.at_once ? 1.0 : step.share;
  for (std::size_t l = 0; l < known_.size(); ++l) {
    double& weight = known_[l].weight;
    weight = std::clamp(known_[l].fresh ? 1.0 : 0.0, weight - longest, weight + longest);
    if (weight == 0.0) continue;
    const Link& link = model.link(static_cast<Index>(l));
    const Force wrench = link.placement.apply_transpose(weight * known_[l].wrench);
    wrenches_.set_on_body(link.body, wrenches_.on_body(link.body) + wrench);
    has_wrenches_ = true;
  }
}

}  // namespace spatial_dynamics

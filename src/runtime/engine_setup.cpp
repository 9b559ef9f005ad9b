// The part of Engine that comes before the first step: sizes, boxes, and taking over from another one.
#include <algorithm>
#include <utility>

#include "spatial_dynamics/algorithms/configuration.hpp"
#include "spatial_dynamics/runtime/engine.hpp"

namespace spatial_dynamics {

Engine::Engine(Model model)
    : model_(std::move(model)),
      data_(model_),
      compact_(compile(model_)),
      work_(compact_),
      coordinates_(scalar_coordinates(model_)),
      floating_base_(has_floating_base(model_)),
      tracker_(coordinates_),
      observer_(model_),
      wrenches_(model_),
      kp_(model_.nv()),
      kd_(model_.nv()),
      shares_(4) {
  const VectorXd zero = VectorXd::Zero(model_.nv());
  computed_ = sent_ = from_ = wanted_ = a_command_ = v_viscous_ = v_coulomb_ = feed_forward_ =
      hardware_ = effort_ = external_ = follows_ = friction_ = effort_limit_ = rate_limit_ = zero;
  held_q_ = neutral_configuration(model_);
  const auto links = static_cast<std::size_t>(model_.link_count());
  wrench_weights_.assign(links, 0.0);
  payload_from_.assign(links, Inertia::Zero());
  payload_to_ = payload_now_ = payload_from_;
}

EngineOutputs Engine::make_outputs() const {
  const VectorXd zero = VectorXd::Zero(model_.nv());
  EngineOutputs out;
  out.q = neutral_configuration(model_);
  out.v = out.torque = out.acceleration = out.external_torque = zero;
  out.terms = {zero, zero, zero, zero, zero};
  out.position_error = VectorXd::Zero(static_cast<Index>(coordinates_.size()));
  out.mass_matrix = MatrixXd::Zero(model_.nv(), model_.nv());
  return out;
}

JointStates Engine::make_states() const {
  JointStates states;
  states.q = neutral_configuration(model_);
  states.v = states.effort = VectorXd::Zero(model_.nv());
  states.received.assign(coordinates_.size(), 0);
  states.has_effort.assign(coordinates_.size(), 0);
  return states;
}

References Engine::make_references() const {
  References references;
  references.joints.resize(coordinates_.size());
  return references;
}

EffortCommand Engine::make_effort_command() const {
  return {VectorXd::Zero(model_.nv()), std::vector<std::int64_t>(coordinates_.size(), 0)};
}

bool Engine::has_coordinates_of(const Engine& other) const noexcept {
  const auto same = [&](const ScalarCoordinate& a, const ScalarCoordinate& b) {
    return a.name == b.name && a.q == b.q && a.v == b.v && a.wraps == b.wraps &&
           model_.joint(a.joint).type == other.model_.joint(b.joint).type;
  };
  return floating_base_ == other.floating_base_ && model_.nq() == other.model_.nq() &&
         model_.nv() == other.model_.nv() &&
         std::equal(coordinates_.begin(), coordinates_.end(), other.coordinates_.begin(),
                    other.coordinates_.end(), same);
}

void Engine::continue_from(const Engine& other) noexcept {
  cycle_ = other.cycle_;
  last_time_ = other.last_time_;
  phase_ = other.phase_;
  phase_since_ = other.phase_since_;
  gravity_over_ = other.gravity_over_;
  following_ = false;
  mode_ = other.mode_;
  fallback_ = other.fallback_;
  new_ = true;  // the fade takes care of it
  first_running_cycle_ = other.first_running_cycle_;
  non_finite_ = other.non_finite_;
  resets_seen_ = other.resets_seen_;
  computed_ = other.computed_;
  held_q_ = other.held_q_;
  sent_ = other.sent_;
  was_cut_ = other.was_cut_;
  effort_limit_ = other.effort_limit_;
  rate_limit_ = other.rate_limit_;
  tracker_.continue_from(other.tracker_);
  begin_fade();
  // Zero is the same for every model: the way there goes on, lest robots that are exchanged again and again make it longer.
  const bool falls =
      phase_ == Phase::kFallback && (fallback_ != Fallback::kGravityOnly || gravity_over_);
  if (falls || phase_ == Phase::kWindingDown) {
    from_ = other.from_;
    fade_ = other.fade_;
  }
}

}  // namespace spatial_dynamics

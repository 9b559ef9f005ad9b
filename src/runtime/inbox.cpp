#include "runtime/inbox.hpp"

#include "support/text.hpp"

namespace spatial_dynamics {

Inbox::Inbox(const Model& model, const Coordinates& coordinates)
    : Inbox(model, coordinates, make_control_input(model, coordinates)) {}

Inbox::Inbox(const Model& model, const Coordinates& coordinates, const ControlInput& blank)
    : coordinates_(coordinates),
      states_(model, coordinates_, blank.states, rejections_),
      references_(model, coordinates_, blank.references, rejections_),
      world_(model, rejections_),
      merged_effort_(blank.effort_command),
      merged_stiffness_(blank.stiffness),
      effort_command_(merged_effort_),
      stiffness_(merged_stiffness_) {}

std::vector<std::string> Inbox::copy_from(const Inbox& other) {
  states_.copy_from(other.states_);
  references_.copy_from(other.references_);
  {
    const std::scoped_lock lock(effort_mutex_, other.effort_mutex_);
    merged_effort_ = other.merged_effort_;
    effort_command_.write_slot() = merged_effort_;
    effort_command_.publish();
    merged_stiffness_ = other.merged_stiffness_;
    stiffness_.write_slot() = merged_stiffness_;
    stiffness_.publish();
  }
  return world_.copy_from(other.world_);
}

std::vector<std::string> Inbox::copy_world_from(const Inbox& other) {
  references_.number_after(other.references_);
  return world_.copy_from(other.world_);
}

void Inbox::update() noexcept {
  states_.update();
  references_.update();
  effort_command_.update();
  stiffness_.update();
  world_.update();
}

RejectionReason Inbox::on_effort_command(const JointStateView& message, std::int64_t now) {
  const std::lock_guard<std::mutex> lock(effort_mutex_);
  const RejectionReason rejection = effort_names_.update(coordinates_, message.names);
  if (rejection != RejectionReason::kNone) return rejections_.add(rejection);
  if (message.effort.size != message.names.size())
    return rejections_.add(RejectionReason::kLengthMismatch);
  if (!is_plausible(message.effort)) return rejections_.add(RejectionReason::kBadNumber);
  if (effort_names_.has_unknown()) return reject_unknown(effort_names_);
  for (std::size_t i = 0; i < effort_names_.index().size(); ++i) {
    const auto k = static_cast<std::size_t>(effort_names_.index()[i]);
    merged_effort_.effort(coordinates_[k].v) = message.effort[i];
    merged_effort_.received[k] = now;
  }
  effort_command_.write_slot() = merged_effort_;
  effort_command_.publish();
  return RejectionReason::kNone;
}

RejectionReason Inbox::reject_unknown(const NameMap& names) {
  return rejections_.add(RejectionReason::kUnknownJoint,
                         in_quotes(names.unknown()) + "; choose among " +
                             list_of_names(names_of(coordinates_.scalars())));
}

RejectionReason Inbox::on_stiffness(const JointStateView& message) {
  const std::lock_guard<std::mutex> lock(effort_mutex_);
  const bool for_all = message.names.empty() && message.effort.size == 1;
  if (!for_all) {
    const RejectionReason rejection = stiffness_names_.update(coordinates_, message.names);
    if (rejection != RejectionReason::kNone) return rejections_.add(rejection);
    if (message.effort.size != message.names.size())
      return rejections_.add(RejectionReason::kLengthMismatch);
  }
  for (std::size_t i = 0; i < message.effort.size; ++i) {
    const double given = message.effort[i];
    if (is_plausible(given) && given >= 0.0) continue;
    return rejections_.add(
        RejectionReason::kBadStiffness,
        number_text(given) +
            (for_all ? " for all joints" : " for joint " + in_quotes(message.names[i])) +
            "; give 0 to 1e9 N m/rad or N/m");
  }
  if (!for_all && stiffness_names_.has_unknown()) return reject_unknown(stiffness_names_);
  for (std::size_t i = 0; i < (for_all ? coordinates_.size() : message.names.size()); ++i) {
    const std::size_t k = for_all ? i : static_cast<std::size_t>(stiffness_names_.index()[i]);
    merged_stiffness_.stiffness(coordinates_[k].v) = message.effort[for_all ? 0 : i];
  }
  stiffness_.write_slot() = merged_stiffness_;
  stiffness_.publish();
  return RejectionReason::kNone;
}

}  // namespace spatial_dynamics

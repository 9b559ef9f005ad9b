#include "contact_guard.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "reference_tracker.hpp"

namespace spatial_dynamics {

void PathMemory::record(const VectorXd& q, double dt_s) noexcept {
  since_newest_s_ += dt_s;
  if (count_ > 0 && since_newest_s_ < kStepSeconds) return;
  since_newest_s_ = 0.0;
  newest_ = (newest_ + 1) % kPoints;
  points_[newest_] = q;
  count_ = std::min(count_ + 1, kPoints);
}

void PathMemory::look_back(const ScalarCoordinate& c, double back_s, double& q,
                           double& v) const noexcept {
  const double steps = std::clamp(back_s, 0.0, length_s()) / kStepSeconds;
  const auto whole = static_cast<std::size_t>(steps);
  q = before(std::min(whole, count_ - 1))(c.q);
  v = 0.0;
  if (whole + 1 >= count_) return;
  const double change = before(whole + 1)(c.q) - q;
  const double way = c.wraps ? std::remainder(change, kTurn) : change;
  q += (steps - static_cast<double>(whole)) * way;
  v = -way / kStepSeconds;  // of the motion that was recorded
}

ContactGuard::ContactGuard(const Coordinates& coordinates)
    : coordinates_(coordinates.scalars()),
      path_(coordinates.nq()),
      position_(VectorXd::Zero(coordinates.nq())),
      velocity_(VectorXd::Zero(coordinates.nv())) {}

bool ContactGuard::detect(ContactReaction reaction, const VectorXd& threshold,
                          const VectorXd& external, const VectorXd& q, double dt_s) noexcept {
  path_.record(q, dt_s);
  if (reaction == ContactReaction::kNone) return false;
  double largest = 1.0;
  Index joint = -1;
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const Index i = coordinates_[k].v;
    const double share = std::abs(external(i)) / threshold(i);
    if (!(share > largest)) continue;
    largest = share;
    joint = static_cast<Index>(k);
  }
  exceeded_s_ = joint >= 0 ? exceeded_s_ + dt_s : 0.0;
  if (exceeded_s_ < kShortestSeconds) return false;
  exceeded_s_ = retreat_s_ = 0.0;
  latched_ = true;
  reaction_ = reaction;
  joint_ = joint;
  position_ = q;
  velocity_.setZero();
  return true;
}

bool ContactGuard::acknowledge(std::uint64_t number) noexcept {
  const bool is_new = std::exchange(acknowledgement_, number) != number;
  return is_new && release();
}

bool ContactGuard::release() noexcept {
  joint_ = -1;
  exceeded_s_ = 0.0;
  path_.clear();
  return std::exchange(latched_, false);
}

void ContactGuard::restart(const VectorXd& q) noexcept {
  exceeded_s_ = 0.0;
  path_.clear();
  position_ = q;
  velocity_.setZero();
}

void ContactGuard::continue_latched(const ContactGuard& other) noexcept {
  latched_ = other.latched_;
  reaction_ = other.reaction_;
  acknowledgement_ = other.acknowledgement_;
}

void ContactGuard::continue_from(const ContactGuard& other) noexcept {
  continue_latched(other);
  path_ = other.path_;
  exceeded_s_ = other.exceeded_s_;
  joint_ = other.joint_;
  retreat_s_ = other.retreat_s_;
  position_ = other.position_;
  velocity_ = other.velocity_;
}

/// The retreat follows the recorded path backwards and starts and ends at rest: after the time t it
/// is s(t) = L (3 (t/T)^2 - 2 (t/T)^3) before the contact.
void ContactGuard::advance(double dt_s) noexcept {
  velocity_.setZero();
  const double length_s = path_.length_s();
  if (reaction_ != ContactReaction::kRetreat || length_s == 0.0) return;
  retreat_s_ = std::min(retreat_s_ + dt_s, kRetreatSeconds);
  const double x = retreat_s_ / kRetreatSeconds;
  const double back_s = length_s * x * x * (3.0 - 2.0 * x);
  const double pace = length_s * 6.0 * x * (1.0 - x) / kRetreatSeconds;
  for (const ScalarCoordinate& c : coordinates_) {
    double q = 0.0, v = 0.0;
    path_.look_back(c, back_s, q, v);
    position_(c.q) = q;
    velocity_(c.v) = -pace * v;
  }
}

}  // namespace spatial_dynamics

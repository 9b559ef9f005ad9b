#include "following_guard.hpp"

#include <cmath>

namespace spatial_dynamics {
namespace {

bool exceeds_limit(const Coordinates& coordinates, const VectorXd& limit, const VectorXd& q,
                   const ReferenceTracker& tracker) noexcept {
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const ScalarCoordinate& c = coordinates[k];
    if (std::abs(position_error(c, tracker[k], q)) > limit(c.v)) return true;
  }
  return false;
}

}  // namespace

bool FollowingGuard::update(const Coordinates& coordinates, const VectorXd& limit,
                            const VectorXd& q, const References& references,
                            ReferenceTracker& tracker) noexcept {
  const bool checks =
      !holds_ ||
      tracker.follows();  // without a reference, the held position stays held at any error
  if (checks && exceeds_limit(coordinates, limit, q, tracker)) {
    const bool begins = !holds_;
    if (begins) held_q_ = q;
    holds_ = true;
    tracker.restart(references, held_q_);
    return begins;
  }
  if (tracker.follows()) holds_ = false;
  return false;
}

}  // namespace spatial_dynamics

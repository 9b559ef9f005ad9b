// Limits the position error of a robot that follows references.
#pragma once

#include "reference_tracker.hpp"

namespace spatial_dynamics {

/// If a position error exceeds its limit, all references are discarded and the present position is
/// held. It stays held until a new reference arrives whose error is within the limit. Construction
/// allocates; everything else is real-time safe.
class FollowingGuard {
 public:
  explicit FollowingGuard(Index nq) : held_q_(VectorXd::Zero(nq)) {}

  /// One cycle, after tracker.update(). `limit` has nv numbers, rad or m. Returns true in the cycle
  /// in which holding begins; the caller must then crossfade.
  [[nodiscard]] bool update(const Coordinates& coordinates, const VectorXd& limit,
                            const VectorXd& q, const References& references,
                            ReferenceTracker& tracker) noexcept;
  /// Stops holding.
  void reset() noexcept { holds_ = false; }
  /// True while the position is held.
  [[nodiscard]] bool holds() const noexcept { return holds_; }

 private:
  bool holds_ = false;
  VectorXd held_q_;
};

}  // namespace spatial_dynamics

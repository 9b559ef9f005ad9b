// Numbers that change over time where somebody has changed them at once.
#pragma once

#include <algorithm>

#include "spatial_dynamics/spatial/types.hpp"

namespace spatial_dynamics {

/// Moves a vector along a straight line to where it shall be, in a given time from the last change of mind. Construction
/// allocates; everything else is real-time safe.
class Glide {
 public:
  explicit Glide(Eigen::Index size)
      : from_(VectorXd::Zero(size)), to_(VectorXd::Zero(size)), now_(VectorXd::Zero(size)) {}

  [[nodiscard]] const VectorXd& now() const noexcept { return now_; }

  /// Is at `target` from now on.
  void jump(VectorIn target) noexcept {
    to_ = now_ = target;
    progress_ = 1.0;
  }
  /// One step towards `target`; `share` of the way from where it was when the target last changed (1: all of it).
  void move(VectorIn target, double share) noexcept {
    if (target != to_) {
      from_ = now_;
      to_ = target;
      progress_ = 0.0;
    }
    if (progress_ == 1.0) return;
    progress_ = std::min(1.0, progress_ + share);
    if (progress_ < 1.0) {
      now_ = (1.0 - progress_) * from_ + progress_ * to_;
    } else {
      now_ = to_;
    }
  }

 private:
  VectorXd from_, to_, now_;
  double progress_ = 1.0;  // from from_ to to_
};

/// Goes from `now` towards `target`, but not further than `longest`. Real-time safe.
inline Vector3 towards(const Vector3& now, const Vector3& target, double longest) noexcept {
  const Vector3 way = target - now;
  const double length = way.norm();
  return length <= longest ? target : Vector3(now + way * (longest / length));
}

}  // namespace spatial_dynamics

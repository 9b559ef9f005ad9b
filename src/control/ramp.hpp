// Ramps: values that change over time instead of stepping.
#pragma once

#include <algorithm>

#include "spatial_dynamics/spatial/types.hpp"

namespace spatial_dynamics {

/// The part of a ramp that one cycle covers.
struct RampStep {
  double share = 1.0;    ///< 0 to 1
  bool at_once = false;  ///< no ramp: its duration is 0, or no torque is sent that could step

  /// `ramp_s` is the duration of a whole ramp; 0: none.
  static RampStep of(double dt_s, double ramp_s, bool at_once) noexcept {
    if (!(ramp_s > 0.0)) return {1.0, true};
    return {std::min(1.0, dt_s / ramp_s), at_once};
  }
};

/// Moves a vector along a straight line to its target. The ramp restarts when the target changes.
/// Construction allocates; everything else is real-time safe.
class Ramp {
 public:
  explicit Ramp(Eigen::Index size)
      : from_(VectorXd::Zero(size)), to_(VectorXd::Zero(size)), now_(VectorXd::Zero(size)) {}

  [[nodiscard]] const VectorXd& now() const noexcept { return now_; }

  /// Sets the value to `target`, without a ramp.
  void jump(VectorIn target) noexcept {
    to_ = now_ = target;
    progress_ = 1.0;
  }
  /// One step towards `target`. `share` is its part of the way from the value at the last change of
  /// the target; 1: all of it.
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
  void update(VectorIn target, const RampStep& step) noexcept {
    step.at_once ? jump(target) : move(target, step.share);
  }

 private:
  VectorXd from_, to_, now_;
  double progress_ = 1.0;  // from from_ to to_
};

/// Blends from a torque to a target that may change in every cycle. Construction allocates;
/// everything else is real-time safe.
class Crossfade {
 public:
  explicit Crossfade(Eigen::Index size) : from_(VectorXd::Zero(size)) {}

  /// Starts at `from`.
  void begin(const VectorXd& from) noexcept {
    from_ = from;
    progress_ = 0.0;
    moves_ = false;
  }
  void finish() noexcept { progress_ = 1.0; }
  void advance(double share) noexcept { progress_ = std::min(1.0, progress_ + share); }
  /// 0: at the start; 1: at the target.
  [[nodiscard]] double progress() const noexcept { return progress_; }
  [[nodiscard]] double blend(Eigen::Index k, double target) const noexcept {
    return progress_ < 1.0 ? (1.0 - progress_) * from_(k) + progress_ * target : target;
  }

  /// The caller moves the start with the target, so that feedback in the target stays active.
  void move_with_target() noexcept { moves_ = true; }
  [[nodiscard]] bool moves_with_target() const noexcept { return moves_; }
  void add_to_start(const VectorXd& change) noexcept { from_ += change; }
  void subtract_from_start(const VectorXd& change) noexcept { from_ -= change; }
  void set_start(Eigen::Index k, double value) noexcept { from_(k) = value; }

 private:
  VectorXd from_;
  double progress_ = 1.0;
  bool moves_ = false;
};

/// Moves from `now` towards `target`, by at most `longest`. Real-time safe.
inline Vector3 towards(const Vector3& now, const Vector3& target, double longest) noexcept {
  const Vector3 way = target - now;
  const double length = way.norm();
  return length <= longest ? target : Vector3(now + way * (longest / length));
}

}  // namespace spatial_dynamics

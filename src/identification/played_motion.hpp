// A motion as it is sent to a robot: a slow approach, the motion, and a smooth stop at any time.
#pragma once

#include <optional>

#include "spatial_dynamics/identification/motion.hpp"

namespace spatial_dynamics {

class PlayedMotion {
 public:
  /// Begins at `present`, one number per row of the motion. Throws std::invalid_argument for
  /// another size. Allocates.
  PlayedMotion(JointMotion motion, const VectorXd& present);

  /// When the motion itself begins, s.
  [[nodiscard]] double begin_s() const noexcept { return approach_.duration(); }
  /// When everything ends, with stop() earlier, s.
  [[nodiscard]] double end_s() const noexcept;
  [[nodiscard]] const JointMotion& motion() const noexcept { return motion_; }

  /// At time t, s: the approach from 0 on, then the motion, then rest.
  void sample(double t, VectorXd& position, VectorXd& velocity, VectorXd& acceleration) const;

  /// Comes to rest from time t on, at no more than about twice the accelerations of the motion. A
  /// second call has no effect. Allocates.
  void stop(double t);
  [[nodiscard]] bool stopped() const noexcept { return stop_.has_value(); }

 private:
  JointMotion motion_, approach_;
  std::optional<JointMotion> stop_;
  double stop_s_ = 0.0;
};

}  // namespace spatial_dynamics

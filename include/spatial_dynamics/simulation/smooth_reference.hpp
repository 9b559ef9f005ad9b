// The reference motion of the demo: each joint moves around the middle of its range as a sum of
// slow sines.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics {

/// Numbers per scalar coordinate, in order: rad or m, and their first and second derivatives.
struct MotionPoint {
  std::vector<double> position, velocity, acceleration;
};

/// The middle of each joint's range, 0 without limits: one number per scalar coordinate, rad or m.
/// Allocates.
std::vector<double> middle_posture(const Model& model);

/// q(t) = present + e(t/T) (centre + sum_i A_i sin(w_i t) - present), with e(s) = 10 s^3 - 15 s^4 +
/// 6 s^5 up to s = 1 and e(s) = 1 above. e, e' and e'' are zero at s = 0, so the motion starts at
/// rest without a jump of the acceleration.
///
/// Amplitudes leave a fifth of the distance to the nearer position limit, half of the velocity
/// limit and, as far as gravity permits, a fifth of the effort limit. Allocates; throws ModelError
/// as scalar_coordinates().
class SmoothReference {
 public:
  static constexpr double kStartSeconds = 2.0;  ///< T; longer if the centre is far away
  static constexpr double kEffortShare = 0.8;   ///< of the limit

  // The motion is sent in pieces. Each piece begins slightly in the past and ends well after the
  // next one is due, so a late message has no effect.
  static constexpr double kPastSeconds = 0.05;
  static constexpr double kHorizonSeconds = 0.5;
  static constexpr double kKnotSeconds = 0.025;
  static constexpr std::size_t kKnots = 23;  ///< from -kPastSeconds to kHorizonSeconds

  /// `effort_limit` has nv numbers.
  SmoothReference(const Model& model, const VectorXd& effort_limit);

  /// Sets the position at t = 0. Default: the centre.
  void begin(const std::vector<double>& present);
  /// The motion at t seconds; at rest before 0.
  void sample(double t, MotionPoint& point) const;

  /// The joint that needs the largest share of its effort limit.
  struct Demand {
    double share = 0.0;  ///< of the limit
    std::string joint;   ///< its coordinate's name; empty if no joint has a limit
  };
  /// Of the whole motion. Above kEffortShare only if the smallest amplitudes still need that much.
  [[nodiscard]] const Demand& demand() const noexcept { return demand_; }
  /// Of holding the centre.
  [[nodiscard]] const Demand& holding() const noexcept { return holding_; }

 private:
  struct Sine {
    double amplitude = 0.0;  ///< rad or m
    double w = 0.0;          ///< rad/s
  };
  using Swing = std::array<Sine, 2>;

  [[nodiscard]] Demand largest_demand(const Model& model, const VectorXd& effort_limit) const;

  std::vector<double> centre_, present_;
  std::vector<double> pace_;  // mean speed of the approach to the centre, rad/s or m/s
  double start_seconds_ = kStartSeconds;
  std::vector<Swing> swings_;
  Demand demand_, holding_;
};

}  // namespace spatial_dynamics

// Periodic motions as Fourier series that begin and end at rest.
#pragma once

#include <vector>

#include "spatial_dynamics/model/coordinates.hpp"

namespace spatial_dynamics {

/// The limits of one coordinate; a coordinate that stands still has lower = upper.
struct ExcitationLimits {
  double lower = 0.0, upper = 0.0;
  double velocity = 0.0, acceleration = 0.0, effort = 0.0;
  [[nodiscard]] bool moves() const noexcept { return upper > lower; }
};

/// The shape of one coordinate's motion:
///   q(t) = centre + size * amplitude * sum over l of (a_l sin(l w t) - b_l cos(l w t)) / (l w),
/// where `size` is the largest number for which all limits hold.
struct FourierJoint {
  double centre = 0.0;
  double amplitude = 1.0;  ///< share of `size` that is used, up to 1
  VectorXd a, b;
};
using FourierMotion = std::vector<FourierJoint>;

/// Columns are times.
struct SampledMotion {
  MatrixXd q, v, a;
};

/// Evaluates motions at fixed times. Construction allocates.
class FourierSampler {
 public:
  FourierSampler(double period_s, int harmonics, Index samples);

  /// Makes velocity and acceleration zero at t = 0.
  static void begin_at_rest(FourierJoint& joint);
  /// Samples within the limits at the times i / samples * period. `out` has the right size.
  void sample(const FourierMotion& motion, const std::vector<ExcitationLimits>& limits,
              SampledMotion& out) const;
  /// The largest factor of the series for which the limits hold at the sampled times.
  [[nodiscard]] double size(const FourierJoint& joint, const ExcitationLimits& limits) const {
    return size(joint, limits, 1.0);
  }
  /// A factor for which the limits hold at all times, also between the sampled ones. Needs more
  /// than two samples per harmonic.
  [[nodiscard]] double size_at_all_times(const FourierJoint& joint,
                                         const ExcitationLimits& limits) const;

 private:
  /// The deviation of each curve from its middle is `growth` times that of its samples.
  [[nodiscard]] double size(const FourierJoint& joint, const ExcitationLimits& limits,
                            double growth) const;

  MatrixXd sines_, cosines_;  // times x harmonics
  VectorXd frequency_;        // l w
};

}  // namespace spatial_dynamics

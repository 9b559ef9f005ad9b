// Point masses connected by springs: a body as rigid as its springs are stiff. [PES eq. 1 to 3]
#pragma once

#include "spatial_dynamics/bodies/point_masses.hpp"

namespace spatial_dynamics {

/// A spring between two points. Its tension acts along the line between them, on both with the same
/// magnitude [PES eq. 3].
struct Spring {
  std::size_t a;
  std::size_t b;
  double rest_length;    ///< m
  double stiffness;      ///< N/m
  double damping = 0.0;  ///< N s/m, against the rate of its length
};

/// Tension in N, positive if it pulls, from the spring's length (m) and its rate (m/s).
using TensionLaw = std::function<double(const Spring& spring, double length, double rate)>;
/// stiffness (length - rest_length) + damping rate.
double linear_tension(const Spring& spring, double length, double rate) noexcept;

/// Adds the springs' forces to `forces`, one per point; tensions[i] belongs to springs[i].
/// Coincident points have no direction between them and get no force. [PES eq. 1] Real-time safe.
void add_spring_forces(const PointMasses& points, const std::vector<Spring>& springs,
                       const std::vector<double>& tensions, std::vector<Vector3>& forces) noexcept;

/// A simulated network. Only external forces change its momentum and angular momentum, to rounding,
/// for every step size: the springs' forces cancel in pairs [PES eq. 8, 15].
class SpringNetwork {
 public:
  /// Allocates; throws std::invalid_argument if a spring names a point that does not exist or a
  /// mass is not positive.
  SpringNetwork(PointMasses points, std::vector<Spring> springs, TensionLaw law = linear_tension);

  /// One step of dt seconds by velocity Verlet, of second order in dt. Stable below about 2
  /// sqrt(mass / stiffness), where stiffness is the sum of all springs on a point. Does not
  /// allocate, unless `outer` does.
  void step(double dt, const PointForce& outer = nullptr);

  [[nodiscard]] const PointMasses& points() const noexcept { return points_; }
  [[nodiscard]] const std::vector<Spring>& springs() const noexcept { return springs_; }
  [[nodiscard]] double time() const noexcept { return time_; }
  /// Energy stored in linear springs: 1/2 stiffness (length - rest_length)^2 each, J. Real-time
  /// safe.
  [[nodiscard]] double elastic_energy() const noexcept;

 private:
  void compute_forces(const PointForce& outer);

  PointMasses points_;
  std::vector<Spring> springs_;
  TensionLaw law_;
  std::vector<double> tensions_;
  std::vector<Vector3> forces_;
  double time_ = 0.0;
};

/// Springs of one stiffness between all pairs of points, at their rest lengths. Allocates.
std::vector<Spring> springs_between_all(const PointMasses& points, double stiffness,
                                        double damping = 0.0);

}  // namespace spatial_dynamics

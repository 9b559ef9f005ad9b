#include "spatial_dynamics/spatial/inertia.hpp"

#include <Eigen/Eigenvalues>

#include "spatial_dynamics/spatial/articulated_inertia.hpp"

namespace spatial_dynamics {

Inertia to_parent(const Transform& X, const Inertia& in_b) noexcept {
  // Rotate into A's axes, then move from B's origin to A's: with h_b the first moment about B's
  // origin and h_a about A's, I_a = I_b - r~ h_b~ - h_a~ r~. [L4, Steiner]
  const Vector3 h_b = X.E.transpose() * in_b.h;
  const Vector3 h_a = h_b + in_b.mass * X.r;
  const Matrix3 I_b = X.E.transpose() * in_b.I * X.E;
  return {in_b.mass, h_a, I_b - skew(X.r) * skew(h_b) - skew(h_a) * skew(X.r)};
}

Inertia to_child(const Transform& X, const Inertia& in_a) noexcept {
  return to_parent(X.inverse(), in_a);
}

ArticulatedInertia to_parent(const Transform& X, const ArticulatedInertia& in_b) noexcept {
  // [1 r~; 0 1] [I H; H' M] [1 0; -r~ 1] with the blocks rotated into A's axes.
  const Matrix3 I = X.E.transpose() * in_b.I * X.E;
  const Matrix3 H = X.E.transpose() * in_b.H * X.E;
  const Matrix3 M = X.E.transpose() * in_b.M * X.E;
  const Matrix3 r = skew(X.r);
  const Matrix3 H_a = H + r * M;
  return {I + r * H.transpose() - H_a * r, H_a, M};
}

InertiaValidity check_inertia(const Matrix3& inertia_about_com) noexcept {
  constexpr double kRounding = 1e-9;  // of the trace: error of printing with ten digits
  constexpr double kNothing = 1e-18;  // kg m^2: rounding of a CAD program on a point mass
  InertiaValidity result{inertia_about_com.allFinite(), false, false, Vector3::Zero()};
  if (!result.finite) return result;
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(inertia_about_com, Eigen::EigenvaluesOnly);
  const Vector3& moment = result.principal_moments = solver.eigenvalues();
  const double slack = std::max(kRounding * std::abs(inertia_about_com.trace()), kNothing);
  result.positive_semidefinite = moment(0) >= -slack;
  result.triangle_inequality = moment(2) <= moment(0) + moment(1) + slack;
  return result;
}

bool is_physical(const Inertia& inertia) noexcept {
  if (!std::isfinite(inertia.mass) || !inertia.h.allFinite() || inertia.mass < 0.0) return false;
  if (inertia.mass == 0.0) return inertia.h.isZero(0.0) && inertia.I.isZero(0.0);
  const InertiaValidity validity = check_inertia(inertia.inertia_about_com());
  return validity.finite && validity.positive_semidefinite && validity.triangle_inequality;
}

}  // namespace spatial_dynamics

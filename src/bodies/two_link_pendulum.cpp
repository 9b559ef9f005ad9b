#include "spatial_dynamics/bodies/two_link_pendulum.hpp"

#include <Eigen/LU>
#include <cmath>

namespace spatial_dynamics {
namespace {

/// The inertias of the two angles: a = I1 + m1 c1^2 + m2 l1^2, b = m2 l1 c2, d = I2 + m2 c2^2.
struct Coefficients {
  double a, b, d;
  explicit Coefficients(const TwoLinkPendulum& p) noexcept
      : a(p.I1 + p.m1 * p.c1 * p.c1 + p.m2 * p.l1 * p.l1),
        b(p.m2 * p.l1 * p.c2),
        d(p.I2 + p.m2 * p.c2 * p.c2) {}
};

EquationOfMotion relative_equation(const TwoLinkPendulum& p, const VectorXd& q, const VectorXd& v) {
  const Coefficients k(p);
  const double c = std::cos(q(1)), s = std::sin(q(1));
  const double elbow_weight = p.m2 * p.c2 * p.g * std::sin(q(0) + q(1));
  EquationOfMotion e{MatrixXd(2, 2), VectorXd(2)};
  e.M << k.a + k.d + 2 * k.b * c, k.d + k.b * c, k.d + k.b * c, k.d;
  e.bias << -k.b * s * v(1) * (2 * v(0) + v(1)) +
                (p.m1 * p.c1 + p.m2 * p.l1) * p.g * std::sin(q(0)) + elbow_weight,
      k.b * s * v(0) * v(0) + elbow_weight;
  return e;
}

EquationOfMotion absolute_equation(const TwoLinkPendulum& p, const VectorXd& q, const VectorXd& v) {
  // No products of different rates: only centrifugal terms, each from the other link's rotation.
  const Coefficients k(p);
  const double c = std::cos(q(0) - q(1)), s = std::sin(q(0) - q(1));
  EquationOfMotion e{MatrixXd(2, 2), VectorXd(2)};
  e.M << k.a, k.b * c, k.b * c, k.d;
  e.bias << k.b * s * v(1) * v(1) + (p.m1 * p.c1 + p.m2 * p.l1) * p.g * std::sin(q(0)),
      -k.b * s * v(0) * v(0) + p.m2 * p.c2 * p.g * std::sin(q(1));
  return e;
}

}  // namespace

VectorXd change_force(const MatrixXd& A, const VectorXd& T) {
  return A.transpose().partialPivLu().solve(T);
}

EquationOfMotion change_velocity(const EquationOfMotion& equation, const MatrixXd& A,
                                 const MatrixXd& A_rate, const VectorXd& beta) {
  // From beta' = A^-1 (beta1' - A_rate beta), and both sides times A^-T.
  const Eigen::PartialPivLU<MatrixXd> lu(A.transpose());
  const MatrixXd M_A_inverse = lu.solve(equation.M).transpose();  // M being symmetric
  const VectorXd drift = A_rate * beta;
  return {lu.solve(M_A_inverse), lu.solve(equation.bias - M_A_inverse * drift)};
}

EquationOfMotion equation_of_motion(const TwoLinkPendulum& pendulum, PendulumAngles angles,
                                    const VectorXd& q, const VectorXd& v) {
  return angles == PendulumAngles::kRelative ? relative_equation(pendulum, q, v)
                                             : absolute_equation(pendulum, q, v);
}

double energy(const TwoLinkPendulum& p, PendulumAngles angles, VectorIn q, VectorIn v) noexcept {
  const bool relative = angles == PendulumAngles::kRelative;
  const double q2 = relative ? q(0) + q(1) : q(1), v2 = relative ? v(0) + v(1) : v(1);
  const Coefficients k(p);
  const double kinetic =
      0.5 * (k.a * v(0) * v(0) + k.d * v2 * v2) + k.b * std::cos(q(0) - q2) * v(0) * v2;
  const double height1 = -p.c1 * std::cos(q(0));
  const double height2 = -p.l1 * std::cos(q(0)) - p.c2 * std::cos(q2);
  return kinetic + p.g * (p.m1 * height1 + p.m2 * height2);
}

Eigen::Matrix2d absolute_from_relative() noexcept {
  Eigen::Matrix2d A;
  A << 1.0, 0.0, 1.0, 1.0;
  return A;
}

}  // namespace spatial_dynamics

#include "spatial_dynamics/bodies/two_bodies.hpp"

#include <Eigen/Cholesky>

namespace spatial_dynamics {

Matrix6 TwoBodyEquation::matrix() const noexcept {
  Matrix6 m;
  m << A, B, C, D;
  return m;
}

TwoBodyEquation two_body_equation(const TwoBodies& b) noexcept {
  TwoBodyEquation e;
  e.m2 = b.m2;
  e.s = b.s;
  e.r2 = b.p - b.c2;
  const Matrix3 r1 = skew(b.p - b.c1);
  const Matrix3 r2 = skew(e.r2);
  const Vector3& s = b.s;
  // J = I2 + m2 r2~' r2~ [eq. 19],  K = J + m2 r1~ r2~ [eq. 23]
  e.J = b.I2 + b.m2 * r2.transpose() * r2;
  e.K = e.J + b.m2 * r1 * r2;
  e.denominator = s.dot(e.J * s);
  // [eq. 21, 25], collected as below eq. 25
  const Vector3 r2s = r2 * s;
  const Vector3 Ks = e.K * s;
  const Matrix3 r12 = r1 - r2;
  e.A = (b.m1 + b.m2) * Matrix3::Identity() -
        (b.m2 * b.m2 / e.denominator) * r2s * r2s.transpose();  // s' r2~ = -(r2~ s)'
  e.B = -b.m2 * r12 - (b.m2 / e.denominator) * r2s * Ks.transpose();
  e.C = b.m2 * r12 - (b.m2 / e.denominator) * Ks * r2s.transpose();
  e.D = b.I1 + b.I2 - b.m2 * r12 * r12 - Ks * Ks.transpose() / e.denominator;
  return e;
}

LinearAngular acceleration_of_first(const TwoBodyEquation& equation, const Vector3& force,
                                    const Vector3& moment) noexcept {
  Vector6 applied;
  applied << force, moment;
  const Vector6 a = equation.matrix().llt().solve(applied);  // [eq. 26]
  return {a.head<3>(), a.tail<3>()};
}

double joint_acceleration(const TwoBodyEquation& e, const LinearAngular& first) noexcept {
  // alpha = -s' (K' w1' - m2 r2~ a1) / s' J s [eq. 24]
  const Vector3 moment = e.K.transpose() * first.angular - e.m2 * e.r2.cross(first.linear);
  return -e.s.dot(moment) / e.denominator;
}

Matrix6 inertia_with_hinged_body(const Inertia& I1, const Inertia& I2, const Motion& s) noexcept {
  const Force I2s = I2 * s;
  const Vector6 U = I2s.vector();
  return (I1 + I2).matrix() - U * U.transpose() / dot(s, I2s);  // [eq. 7]
}

TwoBodyResponse push_first(const Inertia& I1, const Inertia& I2, const Motion& s,
                           const Force& f) noexcept {
  TwoBodyResponse r;
  r.a1 = Motion(Vector6(inertia_with_hinged_body(I1, I2, s).llt().solve(f.vector())));  // [eq. 7]
  r.alpha = -dot(s, I2 * r.a1) / dot(s, I2 * s);                                        // [eq. 6]
  r.a2 = r.a1 + s * r.alpha;                                                            // [eq. 3]
  r.joint_force = I2 * r.a2;                                                            // [eq. 5]
  return r;
}

}  // namespace spatial_dynamics

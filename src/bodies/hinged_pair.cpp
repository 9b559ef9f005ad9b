#include "spatial_dynamics/bodies/hinged_pair.hpp"

#include <Eigen/Cholesky>

#include "spatial_dynamics/spatial/rotation.hpp"

namespace spatial_dynamics {
namespace {

/// From B1's frame to the frame of B2, which coincides with it at angle 0.
Transform to_second(const TwoBodies& pair, double angle) noexcept {
  // Rotation about P: the origin moves to p - R p.
  const Matrix3 R = exp_rotation(angle * pair.s);
  return Transform::from_pose(R, pair.p - R * pair.p);
}

struct State {
  Quaternion attitude;
  Vector3 position;
  HingedPairMotion motion;
};
State read(const VectorXd& x) {
  Quaternion attitude(x(3), x(0), x(1), x(2));
  attitude.normalize();
  return {attitude, x.segment<3>(4), {Motion(Vector6(x.segment<6>(8))), x(7), x(14)}};
}

VectorXd rate_of(const TwoBodies& pair, const VectorXd& x, const VectorXd& u) {
  const State s = read(x);
  const HingedPairAcceleration a = accelerate(pair, s.motion, Force(Vector6(u.head<6>())), u(6));
  const Vector3& w = s.motion.v1.angular;
  // q' = 1/2 q (w, 0) for w along the body's axes
  const Quaternion turn = s.attitude * Quaternion(0.0, w.x(), w.y(), w.z());
  VectorXd rate(15);
  rate << 0.5 * turn.coeffs(), s.attitude * s.motion.v1.linear, s.motion.rate, a.a1.vector(),
      a.alpha;
  return rate;
}

VectorXd outputs_of(const TwoBodies& pair, const VectorXd& x) {
  const State s = read(x);
  const Transform frame = Transform::from_pose(s.attitude.toRotationMatrix(), s.position);
  const Inertia I1 = pair.first(), I2 = second_body_at(pair, s.motion.angle);
  const Motion& v1 = s.motion.v1;
  const Motion v2 = v1 + pair.axis() * s.motion.rate;
  VectorXd y(13);
  y << frame.inverse_point(pair.c1), frame.inverse_point(I2.com()),
      frame.apply_transpose(I1 * v1 + I2 * v2).vector(),
      0.5 * (quadratic_form(I1, v1) + quadratic_form(I2, v2));
  return y;
}

}  // namespace

Inertia second_body_at(const TwoBodies& pair, double angle) noexcept {
  return to_parent(to_second(pair, angle), pair.second());
}

HingedPairAcceleration accelerate(const TwoBodies& pair, const HingedPairMotion& motion,
                                  const Force& f, double torque) noexcept {
  const Inertia I1 = pair.first(), I2 = second_body_at(pair, motion.angle);
  const Motion s = pair.axis(), &v1 = motion.v1;
  const Motion v2 = v1 + s * motion.rate;
  const Force p1 = cross_star(v1, I1 * v1), p2 = cross_star(v2, I2 * v2);
  const Motion c = cross(v1, s) * motion.rate;  // the axis moves with B1
  // f_J = I2 (a1 + s alpha + c) + p2 with s' f_J = torque; then f - f_J = I1 a1 + p1 gives a1
  // through [F6D eq. 7].
  const Force I2s = I2 * s, bias = I2 * c + p2;
  const double sI2s = dot(s, I2s);
  const Force rest = f - p1 - bias - I2s * ((torque - dot(s, bias)) / sI2s);
  HingedPairAcceleration a;
  a.a1 = Motion(Vector6(inertia_with_hinged_body(I1, I2, s).llt().solve(rest.vector())));
  a.alpha = (torque - dot(s, bias + I2 * a.a1)) / sI2s;
  a.joint_force = I2 * (a.a1 + s * a.alpha) + bias;
  return a;
}

StateSpace hinged_pair_system(const TwoBodies& pair) {
  return {15, 7, 13, [pair](const VectorXd& x, const VectorXd& u) { return rate_of(pair, x, u); },
          [pair](const VectorXd& x, const VectorXd&) { return outputs_of(pair, x); }};
}

}  // namespace spatial_dynamics

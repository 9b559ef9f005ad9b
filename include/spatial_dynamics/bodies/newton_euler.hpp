// Recursive Newton-Euler as in the lecture: once with spatial vectors, once with 3-D vectors. [L4]
//
// Templates on the scalar type, so that operations can be counted; with double they are a reference
// that shares no code with textbook/. Matrices are dense: this file is for reading, textbook/ for
// computing.
#pragma once

#include <cmath>
#include <vector>

#include "spatial_dynamics/spatial/transform.hpp"

namespace spatial_dynamics {

/// A body and the joint that connects it to its parent. Bodies are numbered from 0 with p(i) < i,
/// as in [L4 conventions]; the ground is -1.
struct TreeBody {
  Eigen::Index parent;
  bool prismatic;             ///< else revolute
  Transform placement;        ///< from the parent's frame to the joint's
  Vector3 axis;               ///< unit vector, in the joint's and the body's frame
  double mass;                ///< kg
  Vector3 com;                ///< m, in the body's frame
  Matrix3 inertia_about_com;  ///< kg m^2
};

/// How gravity enters: a_0 = -a_g, which shifts all accelerations by -a_g, or as a force on each
/// body.
enum class GravityTreatment { kAsBaseAcceleration, kAsForce };

template <typename Scalar>
struct NewtonEulerResult {
  std::vector<Scalar> tau;                                ///< per joint
  std::vector<Eigen::Matrix<Scalar, 6, 1>> acceleration;  ///< spatial, per body, in its own frame
};

namespace newton_euler_detail {

template <typename Scalar>
using Vec3 = Eigen::Matrix<Scalar, 3, 1>;
template <typename Scalar>
using Mat3 = Eigen::Matrix<Scalar, 3, 3>;

template <typename Scalar>
Mat3<Scalar> cross_matrix3(const Vec3<Scalar>& a) {
  const Scalar zero(0.0);
  Mat3<Scalar> m;
  m << zero, -a(2), a(1), a(2), zero, -a(0), -a(1), a(0), zero;
  return m;
}

/// E and r of the transform from the parent's frame to body i's.
template <typename Scalar>
struct Pose {
  Mat3<Scalar> E;
  Vec3<Scalar> r;
};
template <typename Scalar>
Pose<Scalar> pose(const TreeBody& body, const Scalar& q) {
  using std::cos;
  using std::sin;
  const Vec3<Scalar> axis = body.axis.cast<Scalar>();
  const Mat3<Scalar> E = body.placement.E.template cast<Scalar>();
  const Vec3<Scalar> r = body.placement.r.template cast<Scalar>();
  if (body.prismatic) return {E, r + E.transpose() * (axis * q)};
  const Mat3<Scalar> W = cross_matrix3<Scalar>(axis);
  const Mat3<Scalar> turn = Mat3<Scalar>::Identity() - W * sin(q) + W * W * (Scalar(1.0) - cos(q));
  return {turn * E, r};
}

}  // namespace newton_euler_detail

/// tau(q, v, a) for a tree of single joints by the recursion [L4 RNEA]. `gravity` in the ground's
/// frame. Allocates.
template <typename Scalar>
NewtonEulerResult<Scalar> newton_euler_6d(const std::vector<TreeBody>& bodies,
                                          const std::vector<Scalar>& q,
                                          const std::vector<Scalar>& qd,
                                          const std::vector<Scalar>& qdd, const Vector3& gravity,
                                          GravityTreatment treatment) {
  namespace detail = newton_euler_detail;
  using V6 = Eigen::Matrix<Scalar, 6, 1>;
  using M6 = Eigen::Matrix<Scalar, 6, 6>;
  using M3 = detail::Mat3<Scalar>;
  const auto matrix_of_cross = [](const V6& v) {
    M6 m = M6::Zero();
    m.template topLeftCorner<3, 3>() = detail::cross_matrix3<Scalar>(v.template head<3>());
    m.template bottomLeftCorner<3, 3>() = detail::cross_matrix3<Scalar>(v.template tail<3>());
    m.template bottomRightCorner<3, 3>() = m.template topLeftCorner<3, 3>();
    return m;
  };
  V6 a_g = V6::Zero();
  a_g.template tail<3>() = gravity.cast<Scalar>();
  const std::size_t n = bodies.size();
  NewtonEulerResult<Scalar> result{std::vector<Scalar>(n), std::vector<V6>(n)};
  std::vector<M6> X(n);
  std::vector<V6> v(n), phi(n), f(n), g(n);
  std::vector<V6>& a = result.acceleration;
  for (std::size_t i = 0; i < n; ++i) {
    const TreeBody& body = bodies[i];
    const detail::Pose<Scalar> pose = detail::pose(body, q[i]);
    X[i] = M6::Zero();
    X[i].template topLeftCorner<3, 3>() = pose.E;
    X[i].template bottomRightCorner<3, 3>() = pose.E;
    X[i].template bottomLeftCorner<3, 3>() = -pose.E * detail::cross_matrix3<Scalar>(pose.r);
    phi[i] = V6::Zero();
    phi[i].template segment<3>(body.prismatic ? 3 : 0) = body.axis.cast<Scalar>();
    const bool on_ground = body.parent < 0;
    const std::size_t p = on_ground ? 0 : static_cast<std::size_t>(body.parent);
    const bool shifted = treatment == GravityTreatment::kAsBaseAcceleration;
    const V6 v_0 = V6::Zero(), a_0 = shifted ? V6(-a_g) : v_0;
    // v_i = X v_p + phi q',  a_i = X a_p + phi q'' + v_i x phi q'
    v[i] = X[i] * (on_ground ? v_0 : v[p]) + phi[i] * qd[i];
    a[i] = X[i] * (on_ground ? a_0 : a[p]) + phi[i] * qdd[i] +
           matrix_of_cross(v[i]) * (phi[i] * qd[i]);
    g[i] = X[i] * (on_ground ? a_g : g[p]);  // iX0 a_g
    // I_i, by Steiner's theorem
    const M3 c = detail::cross_matrix3<Scalar>(body.com.cast<Scalar>());
    const Scalar m(body.mass);
    M6 I;
    I << body.inertia_about_com.cast<Scalar>() + c * c.transpose() * m, c * m, c.transpose() * m,
        M3::Identity() * m;
    // f_i = I a + v x* I v, less I iX0 a_g where gravity is a force
    f[i] = I * a[i] - matrix_of_cross(v[i]).transpose() * (I * v[i]);
    if (!shifted) f[i] -= I * g[i];
  }
  for (std::size_t i = n; i-- > 0;) {
    result.tau[i] = phi[i].dot(f[i]);  // tau_i = phi' f_i
    // f_p += iX_p' f_i
    if (bodies[i].parent >= 0) {
      f[static_cast<std::size_t>(bodies[i].parent)] += X[i].transpose() * f[i];
    }
  }
  return result;
}

/// The same torques with 3-D vectors: angular velocities, and accelerations of points. [L4, last
/// page] Allocates.
template <typename Scalar>
std::vector<Scalar> newton_euler_3d(const std::vector<TreeBody>& bodies,
                                    const std::vector<Scalar>& q, const std::vector<Scalar>& qd,
                                    const std::vector<Scalar>& qdd, const Vector3& gravity) {
  namespace detail = newton_euler_detail;
  using V3 = detail::Vec3<Scalar>;
  const std::size_t n = bodies.size();
  std::vector<detail::Pose<Scalar>> pose(n);
  std::vector<V3> w(n), w_rate(n), v_rate(n), force(n), moment(n);
  for (std::size_t i = 0; i < n; ++i) {
    const TreeBody& body = bodies[i];
    pose[i] = detail::pose(body, q[i]);
    const auto& [R, p] = pose[i];
    const V3 z = body.axis.cast<Scalar>();
    const bool on_ground = body.parent < 0;
    const std::size_t k = on_ground ? 0 : static_cast<std::size_t>(body.parent);
    const V3 zero = V3::Zero();
    const V3 w_p = on_ground ? zero : w[k], w_rate_p = on_ground ? zero : w_rate[k];
    const V3 v_rate_p = on_ground ? V3(-gravity.cast<Scalar>()) : v_rate[k];
    w[i] = R * w_p;
    w_rate[i] = R * w_rate_p;
    v_rate[i] = R * (v_rate_p + w_rate_p.cross(p) + w_p.cross(w_p.cross(p)));
    if (body.prismatic) {
      v_rate[i] += w[i].cross(z * qd[i]) * Scalar(2.0) + z * qdd[i];
    } else {
      w[i] += z * qd[i];
      w_rate[i] += w[i].cross(z * qd[i]) + z * qdd[i];
    }
    const V3 c = body.com.cast<Scalar>();
    const V3 v_rate_c = v_rate[i] + w_rate[i].cross(c) + w[i].cross(w[i].cross(c));
    const detail::Mat3<Scalar> I = body.inertia_about_com.cast<Scalar>();
    const V3 F = v_rate_c * Scalar(body.mass);          // Newton
    const V3 N = I * w_rate[i] + w[i].cross(I * w[i]);  // Euler
    force[i] = F;
    moment[i] = N + c.cross(F);
  }
  std::vector<Scalar> tau(n);
  for (std::size_t i = n; i-- > 0;) {
    const V3 z = bodies[i].axis.cast<Scalar>();
    tau[i] = z.dot(bodies[i].prismatic ? force[i] : moment[i]);
    if (bodies[i].parent < 0) continue;
    const auto k = static_cast<std::size_t>(bodies[i].parent);
    const V3 f = pose[i].E.transpose() * force[i];
    force[k] += f;
    moment[k] += pose[i].E.transpose() * moment[i] + pose[i].r.cross(f);
  }
  return tau;
}

}  // namespace spatial_dynamics

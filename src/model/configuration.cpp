#include "spatial_dynamics/model/configuration.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "spatial_dynamics/spatial/rotation.hpp"

namespace spatial_dynamics {
namespace {

constexpr auto kWholeTurn = static_cast<double>(2.0L * EIGEN_PI);

// A planar pose and its velocity (vx, vy, w) in the moving frame are a floating one with w along z.
Motion planar_motion(double vx, double vy, double w) noexcept {
  return {Vector3(0.0, 0.0, w), Vector3(vx, vy, 0.0)};
}

Quaternion quaternion_at(const double* q) noexcept {
  return Quaternion(q[3], q[0], q[1], q[2]).normalized();
}

void integrate_planar(const double* q, const double* v, double dt, double* out) noexcept {
  const Vector3 step = exp_motion(planar_motion(v[0] * dt, v[1] * dt, v[2] * dt)).position();
  const double c = std::cos(q[2]), s = std::sin(q[2]);
  out[0] = q[0] + c * step.x() - s * step.y();
  out[1] = q[1] + s * step.x() + c * step.y();
  out[2] = q[2] + v[2] * dt;
}

void integrate_floating(const double* q, const double* v, double dt, double* out) noexcept {
  const Vector3 angular(v[0], v[1], v[2]);
  const Vector3 linear(v[3], v[4], v[5]);
  const Quaternion start = quaternion_at(q + 3);
  const Vector3 step = exp_motion(Motion(dt * angular, dt * linear)).position();
  const Vector3 position = Vector3(q[0], q[1], q[2]) + start * step;
  const Quaternion end = integrate_quaternion(start, angular, dt);
  Eigen::Map<Vector3>{out} = position;
  Eigen::Map<Eigen::Vector4d>{out + 3} = end.coeffs();
}

void difference_planar(const double* q0, const double* q1, double* v) noexcept {
  // The inverse of the exponential on the plane. Of the arcs that end at this pose, the result is
  // the one with the smallest rotation.
  const double angle = std::remainder(q1[2] - q0[2], kWholeTurn);
  const double c = std::cos(q0[2]), s = std::sin(q0[2]);
  const double dx = c * (q1[0] - q0[0]) + s * (q1[1] - q0[1]);
  const double dy = -s * (q1[0] - q0[0]) + c * (q1[1] - q0[1]);
  const double half = 0.5 * angle;
  const double cot = half == 0.0 ? 1.0 : half / std::tan(half);  // half * cot(half)
  v[0] = cot * dx + half * dy;
  v[1] = -half * dx + cot * dy;
  v[2] = angle;
}

void difference_floating(const double* q0, const double* q1, double* v) noexcept {
  const Quaternion start = quaternion_at(q0 + 3);
  const Quaternion turn = start.conjugate() * quaternion_at(q1 + 3);
  const Vector3 step =
      start.conjugate() * (Vector3(q1[0], q1[1], q1[2]) - Vector3(q0[0], q0[1], q0[2]));
  const Motion m = log_motion(Transform::from_pose(turn.toRotationMatrix(), step));
  Eigen::Map<Vector6>{v} = m.vector();
}

[[noreturn, gnu::cold]] void wrong_size(const char* function, const Model& model,
                                        const char* argument, Index size, Index expected) {
  throw std::invalid_argument(std::string(function) + "() on model '" + model.name() +
                              "': " + argument + " has " + std::to_string(size) +
                              " numbers, expected " + std::to_string(expected) + ".");
}

}  // namespace

VectorXd neutral_configuration(const Model& model) {
  VectorXd q = VectorXd::Zero(model.nq());
  for (const Index i : model.coordinate_joints()) {
    const Joint& joint = model.joint(i);
    if (joint.type == JointType::kFloating) q(joint.q_index + 6) = 1.0;
  }
  return q;
}

void integrate(const Model& model, VectorView q, VectorView v, double dt,
               Eigen::Ref<VectorXd> q_out) {
  const auto check = [&](const char* argument, Index size, Index expected) {
    if (size != expected) wrong_size("integrate", model, argument, size, expected);
  };
  check("q", q.size(), model.nq());
  check("v", v.size(), model.nv());
  check("q_out", q_out.size(), model.nq());
  for (const Index i : model.coordinate_joints()) {
    const Joint& joint = model.joint(i);
    const double* from = q.data() + joint.q_index;
    const double* rate = v.data() + joint.v_index;
    double* to = q_out.data() + joint.q_index;
    if (joint.type == JointType::kPlanar) {
      integrate_planar(from, rate, dt, to);
    } else if (joint.type == JointType::kFloating) {
      integrate_floating(from, rate, dt, to);
    } else {
      *to = *from + *rate * dt;
    }
  }
}

void difference(const Model& model, VectorView q0, VectorView q1, Eigen::Ref<VectorXd> v) {
  const auto check = [&](const char* argument, Index size, Index expected) {
    if (size != expected) wrong_size("difference", model, argument, size, expected);
  };
  check("q0", q0.size(), model.nq());
  check("q1", q1.size(), model.nq());
  check("v", v.size(), model.nv());
  for (const Index i : model.coordinate_joints()) {
    const Joint& joint = model.joint(i);
    const double* from = q0.data() + joint.q_index;
    const double* to = q1.data() + joint.q_index;
    double* rate = v.data() + joint.v_index;
    if (joint.type == JointType::kPlanar) {
      difference_planar(from, to, rate);
    } else if (joint.type == JointType::kFloating) {
      difference_floating(from, to, rate);
    } else {
      *rate = *to - *from;
    }
  }
}

}  // namespace spatial_dynamics

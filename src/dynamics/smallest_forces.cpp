#include "smallest_forces.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace spatial_dynamics {
namespace {

// The problem: minimise sum |f_i|^2 / 2 with f_i in the cone K and sum A_i f_i = w, where A_i f =
// [p_i x f; f] (6 x 3) and w is the wrench. With multipliers x (six numbers), the forces are the
// projections
//
//     f_i = P(A_i' x)                                                                        (1)
//
// of A_i' x on K, and x maximises the concave function
//
//     D(x) = w.x - sum |P(A_i' x)|^2 / 2   with gradient   w - sum A_i P(A_i' x).            (2)
//
// x has the form of a twist [angular; linear], and A_i' x is the velocity of point i. D need not
// have a unique maximum (points on a line), so each step maximises D(x) - e |x - x_0|^2 / 2 from
// the last x_0 (the proximal point method) by Newton's method, with decreasing e.
//
// If possible forces exist, every x bounds them from below: w.x = sum f_i.A_i' x <= |f| |P(A' x)|
// because the part of A_i' x outside of K does not add to the product. So
//
//     |f| >= w.x / |P(A' x)|.                                                                (3)
//
// If they do not exist, the bound grows beyond any limit.

/// Scaled to a wrench of length 1 and points at distances of about 1 from their centre.
constexpr double kBalanced = 1e-10;    ///< largest remainder: rounding, with a margin
constexpr double kConverged = 1e-14;   ///< remainder that rounding hardly allows to reduce
constexpr double kLargestForce = 1e6;  ///< see smallest_forces()
constexpr int kProximalSteps = 24;
constexpr int kNewtonSteps = 60;
constexpr int kLineSearchSteps = 60;

struct Projection {
  Vector3 force;
  Matrix3 derivative;  ///< symmetric, eigenvalues from 0 to 1
};

/// The possible force that is nearest to y.
Projection project(const Vector3& y, const Ground& ground) noexcept {
  const Vector3& n = ground.normal;
  const double mu = ground.friction;
  const double height = n.dot(y);
  const Vector3 t = y - height * n;
  if (std::isinf(mu)) {
    if (height > 0.0) return {y, Matrix3::Identity()};
    return {t, Matrix3::Identity() - n * n.transpose()};
  }
  const double length = t.norm();
  if (mu * length <= -height) return {Vector3::Zero(), Matrix3::Zero()};
  if (length < mu * height) return {y, Matrix3::Identity()};
  // On the surface of the cone: y is projected on the ray along n + mu u.
  const Vector3 u = length > 0.0 ? Vector3(t / length) : Vector3::Zero();
  const Vector3 ray = n + mu * u;
  const double square = 1.0 + mu * mu;
  const double normal_force = (height + mu * length) / square;
  Matrix3 derivative = ray * ray.transpose() / square;
  if (length > 0.0) {
    derivative +=
        mu * normal_force / length * (Matrix3::Identity() - n * n.transpose() - u * u.transpose());
  }
  return {normal_force * ray, derivative};
}

class Problem {
 public:
  Problem(const std::vector<Vector3>& points, const Force& wrench, const Ground& ground,
          std::vector<Vector3>& forces) noexcept
      : points_(points), ground_(ground), forces_(forces) {
    for (const Vector3& p : points) centre_ += p / static_cast<double>(points.size());
    double square = 0.0;
    for (const Vector3& p : points) square += (p - centre_).squaredNorm();
    if (square > 0.0) length_ = std::sqrt(square / static_cast<double>(points.size()));
    w_ << (wrench.moment - centre_.cross(wrench.force)) / length_, wrench.force;
    scale_ = w_.norm();
    if (scale_ > 0.0) w_ /= scale_;
  }

  bool solve() noexcept {
    if (scale_ == 0.0) {
      for (Vector3& f : forces_) f.setZero();
      return true;
    }
    double e = 1e-2;
    for (int step = 0; step < kProximalSteps; ++step) {
      maximise(e);
      e = std::max(0.01 * e, 1e-9);
      if (remainder_ <= kConverged) break;
      const double bound = w_.dot(x_) / std::sqrt(squares_);  // (3); infinite or NaN without forces
      if (!(bound <= kLargestForce)) return false;
    }
    for (Vector3& f : forces_) f *= scale_;
    return remainder_ <= kBalanced;
  }

 private:
  /// Sets the forces (1) at x and returns the gradient (2), and if requested minus its derivative.
  Vector6 gradient(const Vector6& x, Matrix6* hessian = nullptr) noexcept {
    Vector6 rest = w_;
    if (hessian != nullptr) hessian->setZero();
    squares_ = 0.0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Vector3 r = (points_[i] - centre_) / length_;
      const Projection p = project(x.tail<3>() + x.head<3>().cross(r), ground_);
      forces_[i] = p.force;
      squares_ += p.force.squaredNorm();
      rest.head<3>() -= r.cross(p.force);
      rest.tail<3>() -= p.force;
      if (hessian == nullptr) continue;
      const Matrix3 R = skew(r), RJ = R * p.derivative;
      hessian->topLeftCorner<3, 3>() += RJ * R.transpose();
      hessian->topRightCorner<3, 3>() += RJ;
      hessian->bottomLeftCorner<3, 3>() += RJ.transpose();
      hessian->bottomRightCorner<3, 3>() += p.derivative;
    }
    remainder_ = rest.norm();
    return rest;
  }

  /// One proximal step: moves x to the maximum of D(x) - e |x - x_0|^2 / 2, where x_0 is x before.
  void maximise(double e) noexcept {
    const Vector6 start = x_;
    Matrix6 hessian;
    Vector6 rest = gradient(x_, &hessian);
    for (int step = 0; step < kNewtonSteps; ++step) {
      const Vector6 steepest = rest - e * (x_ - start);
      if (steepest.norm() <= 1e-16 * (1.0 + x_.norm())) return;
      hessian.diagonal().array() += e;
      const Vector6 direction = hessian.ldlt().solve(steepest);
      const double ascent = steepest.dot(direction);
      if (!(ascent > 0.0)) return;  // rounding
      x_ += line_search(e, start, direction, ascent) * direction;
      const double before = steepest.norm();
      rest = gradient(x_, &hessian);
      // Newton's method is exact once the shape of the projections no longer changes: what is then
      // left is rounding.
      const double after = (rest - e * (x_ - start)).norm();
      if (after >= 0.5 * before && before <= 1e-13 * (1.0 + x_.norm())) return;
    }
  }

  /// The fraction of a Newton step that does not pass the maximum along its direction. The
  /// derivative along it decreases, so bisection finds where it is between zero and half of its
  /// initial value.
  double line_search(double e, const Vector6& start, const Vector6& direction,
                     double ascent) noexcept {
    double low = 0.0, high = 1.0, t = 1.0;
    for (int step = 0; step < kLineSearchSteps; ++step) {
      const Vector6 x = x_ + t * direction;
      const double derivative = direction.dot(gradient(x) - e * (x - start));
      if (derivative < -1e-6 * ascent) {
        high = t;
      } else if (derivative > 0.5 * ascent && t < 1.0) {
        low = t;
      } else {
        break;
      }
      t = 0.5 * (low + high);
    }
    return t;
  }

  const std::vector<Vector3>& points_;
  const Ground& ground_;
  std::vector<Vector3>& forces_;
  Vector3 centre_ = Vector3::Zero();
  double length_ = 1.0;          // root mean square of the points' distances from their centre
  Vector6 w_ = Vector6::Zero();  // [moment; force], scaled
  double scale_ = 0.0;           // length of the wrench before it was scaled
  Vector6 x_ = Vector6::Zero();  // multipliers
  double remainder_ = 0.0;       // |w - sum A_i f_i|
  double squares_ = 0.0;         // sum |f_i|^2
};

}  // namespace

bool smallest_forces(const std::vector<Vector3>& points, const Force& wrench, const Ground& ground,
                     std::vector<Vector3>& forces) noexcept {
  return Problem(points, wrench, ground, forces).solve();
}

}  // namespace spatial_dynamics

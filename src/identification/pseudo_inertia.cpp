#include "identification/pseudo_inertia.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <array>

namespace spatial_dynamics {

PseudoInertia pseudo_inertia(const InertialParameters& p) noexcept {
  const double half = 0.5 * (p(4) + p(7) + p(9));
  PseudoInertia J;
  J << half - p(4), -p(5), -p(6), p(1),  //
      -p(5), half - p(7), -p(8), p(2),   //
      -p(6), -p(8), half - p(9), p(3),   //
      p(1), p(2), p(3), p(0);
  return J;
}

InertialParameters parameters_of(const PseudoInertia& J) noexcept {
  InertialParameters p;
  p << J(3, 3), J(0, 3), J(1, 3), J(2, 3), J(1, 1) + J(2, 2), -J(0, 1), -J(0, 2), J(0, 0) + J(2, 2),
      -J(1, 2), J(0, 0) + J(1, 1);
  return p;
}

PseudoInertia with_least_spread(const PseudoInertia& J, double radius) {
  const double mass = J(3, 3);
  const Vector3 com = J.topRightCorner<3, 1>() / mass;
  const Matrix3 spread = J.topLeftCorner<3, 3>() - mass * com * com.transpose();
  const Eigen::SelfAdjointEigenSolver<Matrix3> eigen(spread);
  const Vector3 least = eigen.eigenvalues().cwiseMax(mass * radius * radius);
  PseudoInertia wider = J;
  wider.topLeftCorner<3, 3>() =
      eigen.eigenvectors() * least.asDiagonal() * eigen.eigenvectors().transpose() +
      mass * com * com.transpose();
  return wider;
}

Eigen::Matrix<double, 10, 10> relative_metric(const PseudoInertia& J) {
  const Eigen::Matrix4d inverse = J.inverse();
  std::array<Eigen::Matrix4d, 10> changes;
  for (Index i = 0; i < 10; ++i) {
    changes[to_size(i)] = inverse * pseudo_inertia(InertialParameters::Unit(i));
  }
  Eigen::Matrix<double, 10, 10> metric;
  for (Index i = 0; i < 10; ++i) {
    for (Index j = 0; j < 10; ++j) {
      metric(i, j) = (changes[to_size(i)] * changes[to_size(j)]).trace();
    }
  }
  return metric;
}

InertialParameters trace_gradient(const PseudoInertia& J0) {
  const Eigen::Matrix4d inverse = J0.inverse();
  InertialParameters c;
  for (Index i = 0; i < 10; ++i) {
    c(i) = (inverse * pseudo_inertia(InertialParameters::Unit(i))).trace();
  }
  return c;
}

}  // namespace spatial_dynamics

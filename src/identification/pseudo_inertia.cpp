#include "identification/pseudo_inertia.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <array>
#include <cmath>

namespace spatial_dynamics {
namespace {

/// U of the comment in the header.
Eigen::Matrix4d factor_of(const LogCholesky& theta) noexcept {
  Eigen::Matrix4d U;
  U << std::exp(theta(1)), theta(4), theta(6), theta(7),  //
      0.0, std::exp(theta(2)), theta(5), theta(8),        //
      0.0, 0.0, std::exp(theta(3)), theta(9),             //
      0.0, 0.0, 0.0, 1.0;
  return std::exp(theta(0)) * U;
}

constexpr std::array<std::array<Index, 2>, 6> kPlaces{
    {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};  // of theta 4 … 9 in U

}  // namespace

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

LogCholesky log_cholesky(const PseudoInertia& J) noexcept {
  // U is the Cholesky factor of the reversed matrix: P J P = L L', U = P L P.
  const Eigen::Matrix4d reversed = J.reverse();
  const Eigen::Matrix4d L = reversed.llt().matrixL();
  Eigen::Matrix4d U = L.reverse();
  const double scale = U(3, 3);
  U /= scale;
  LogCholesky theta;
  theta << std::log(scale), std::log(U(0, 0)), std::log(U(1, 1)), std::log(U(2, 2)), U(0, 1),
      U(1, 2), U(0, 2), U(0, 3), U(1, 3), U(2, 3);
  return theta;
}

PseudoInertia pseudo_inertia_of(const LogCholesky& theta) noexcept {
  const Eigen::Matrix4d U = factor_of(theta);
  return U * U.transpose();
}

Eigen::Matrix<double, 10, 10> parameters_jacobian(const LogCholesky& theta) noexcept {
  const Eigen::Matrix4d U = factor_of(theta);
  Eigen::Matrix<double, 10, 10> jacobian;
  for (Index i = 0; i < 10; ++i) {
    Eigen::Matrix4d dU = Eigen::Matrix4d::Zero();
    if (i == 0) {
      dU = U;
    } else if (i < 4) {
      dU(i - 1, i - 1) = U(i - 1, i - 1);
    } else {
      const auto& place = kPlaces[to_size(i - 4)];
      dU(place[0], place[1]) = U(3, 3);
    }
    const Eigen::Matrix4d half = dU * U.transpose();
    jacobian.col(i) = parameters_of(half + half.transpose());
  }
  return jacobian;
}

LogCholesky log_determinant_gradient() noexcept {
  LogCholesky gradient = LogCholesky::Zero();
  gradient.head<4>() << 8.0, 2.0, 2.0, 2.0;
  return gradient;
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

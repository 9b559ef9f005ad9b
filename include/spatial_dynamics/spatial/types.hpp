// The small fixed-size vectors and matrices of 3-D and 6-D algebra.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace spatial_dynamics {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;
using Quaternion = Eigen::Quaterniond;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A read-only vector argument. Pass a VectorXd or a segment of one: an expression such as `2 * a`
/// would be evaluated into a temporary, which allocates.
using VectorIn = const Eigen::Ref<const VectorXd>&;

/// The matrix of the cross product: skew(a) * b = a x b.
inline Matrix3 skew(const Vector3& a) noexcept {
  Matrix3 m;
  m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return m;
}

}  // namespace spatial_dynamics

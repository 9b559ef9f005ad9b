#include "spatial_dynamics/bodies/hinge.hpp"

#include <Eigen/SVD>
#include <stdexcept>
#include <string>

#include "spatial_dynamics/spatial/rotation.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kRankTolerance = 1e-10;

/// Rows of length 1, so that their units do not matter.
ConstraintMatrix normalised(ConstraintMatrix G) {
  for (Eigen::Index i = 0; i < G.rows(); ++i) {
    const double length = G.row(i).norm();
    if (length > 0.0) G.row(i) /= length;
  }
  return G;
}

}  // namespace

Hinge hinge_from_constraints(const ConstraintMatrix& G) {
  if (!G.allFinite()) {
    throw std::invalid_argument("the constraint matrix of a hinge has a number that is not finite");
  }
  if (G.rows() == 0) return {0, 6, Matrix6::Identity(), Eigen::Matrix<double, 6, 0>()};
  Eigen::JacobiSVD<MatrixXd> svd(normalised(G), Eigen::ComputeFullV);
  svd.setThreshold(kRankTolerance);
  const Eigen::Index rank = svd.rank();
  return {rank, 6 - rank, svd.matrixV().rightCols(6 - rank), svd.matrixV().leftCols(rank)};
}

Motion driven_velocity(const ConstraintMatrix& G, const VectorXd& U) {
  if (G.rows() != U.size()) {
    throw std::invalid_argument("the constraint matrix has " + std::to_string(G.rows()) +
                                " rows and the drive " + std::to_string(U.size()) + " numbers");
  }
  if (G.rows() == 0) return Motion::Zero();
  Eigen::JacobiSVD<MatrixXd> svd(G, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(kRankTolerance);
  const Vector6 V = svd.solve(U);
  if (!((G * V - U).norm() <= kRankTolerance * (U.norm() + G.norm() * V.norm()))) {
    throw std::invalid_argument(
        "rows of the constraint matrix contradict each other: no velocity satisfies them all");
  }
  return Motion(V);
}

ConstraintMatrix constraint_gradient(const std::function<VectorXd(const Transform& X)>& d,
                                     const Transform& X) {
  // The error of the formula grows with h^2, the rounding error with 1e-16 / h.
  constexpr double kStep = 1e-5;
  ConstraintMatrix G(d(X).size(), 6);
  for (Eigen::Index k = 0; k < 6; ++k) {
    const Motion m(Vector6(kStep * Vector6::Unit(k)));
    G.col(k) = (d(exp_motion(m) * X) - d(exp_motion(-m) * X)) / (2.0 * kStep);
  }
  return G;
}

ConstraintMatrix rolling_ball(double radius, const Vector3& normal) {
  // The lowest point is at -radius normal: v + w x (-radius normal) = 0.
  ConstraintMatrix G(3, 6);
  G << skew(radius * normal), Matrix3::Identity();
  return G;
}

ConstraintMatrix car() {
  ConstraintMatrix G = ConstraintMatrix::Zero(4, 6);
  G(0, 0) = 1.0;  // no roll,
  G(1, 1) = 1.0;  // no pitch,
  G(2, 5) = 1.0;  // no lifting,
  G(3, 4) = 1.0;  // no slipping sideways
  return G;
}

}  // namespace spatial_dynamics

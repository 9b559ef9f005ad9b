#include "singularity.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

/// An inertia below this fraction of the numbers it was computed from is rounding error.
constexpr double kRounding = 1e-13;

using JointMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

/// A configuration without symmetries. The determinant of M is analytic in q, so where it vanishes
/// at a generic point, it vanishes everywhere.
VectorXd generic_configuration(Index nq) {
  constexpr double kStep = 0.6180339887498949;  // fraction of the golden ratio: all numbers differ
  VectorXd q(nq);
  for (Index k = 0; k < nq; ++k) {
    q(k) = 0.4 + std::fmod(static_cast<double>(k + 1) * kStep, 1.0);
  }
  return q;
}

/// True if D, an inertia along the columns of S, is zero in some direction. `magnitude` is the
/// matrix whose rounding errors D has.
bool is_singular(const JointMatrix& D, const MotionSubspace& S, const Matrix6& magnitude,
                 double armature) {
  const double angular = magnitude.topLeftCorner<3, 3>().trace();
  const double linear = magnitude.bottomRightCorner<3, 3>().trace();
  Matrix6 scaled = Matrix6::Identity();  // rows beyond those of D add eigenvalues of 1
  scaled.topLeftCorner(D.rows(), D.cols()) = D;
  for (Index k = 0; k < D.cols(); ++k) {
    const double scale = S.col(k).head<3>().squaredNorm() * angular +
                         S.col(k).tail<3>().squaredNorm() * linear + armature;
    if (!(scale > 0.0)) {
      return true;
    }
    scaled.row(k) /= std::sqrt(scale);
    scaled.col(k) /= std::sqrt(scale);
  }
  if (D.cols() == 1) {
    return scaled(0, 0) <= kRounding;
  }
  const Eigen::SelfAdjointEigenSolver<Matrix6> solver(scaled, Eigen::EigenvaluesOnly);
  return solver.eigenvalues()(0) <= kRounding;
}

Singularity describe(const Joint& joint, const std::string& link, bool massless) {
  const std::string why =
      massless ? link_element(link) + " and all links beyond it have no mass"
               : "the masses that " + joint_element(joint.name) +
                     " moves do not resist it (they lie on its axis, or other joints make the same "
                     "motion)";
  const std::string lock = joint.nv == 1 ? ", lock " + joint_element(joint.name) : "";
  const std::string element = joint_element(joint.name);
  return {element, why + ", so that no effort determines the acceleration of " + element,
          "give " + link_element(link) + " a mass and an inertia (<inertial>)" + lock +
              ", or set an armature for " + element};
}

}  // namespace

// The articulated-body recursion from the tips to the root, at one generic configuration: D_i = S'
// IA_i S is the inertia at joint i while all joints beyond it move freely, and det M is the product
// of det D_i. [L4, SOA track 6]
//
// Mimic joints and their leaders are kept rigid in this recursion, which leaves a principal
// submatrix of M: if that is singular, so is M. The inertias of a leader and its followers are then
// added; a sum of zero means that the group moves without inertia.
Singularity find_singularity(const Model& model, const std::vector<std::string>& child_links) {
  const std::size_t count = to_size(model.body_count());
  const VectorXd q = generic_configuration(model.nq());
  std::vector<Matrix6> IA(count);         // articulated inertias
  std::vector<Matrix6> magnitude(count);  // the same before cancellation
  std::vector<double> mass(count);        // of the whole subtree
  std::vector<bool> in_group(count, false);
  std::vector<bool> group_moves_mass(count, false);
  for (std::size_t i = 0; i < count; ++i) {
    const Index body = static_cast<Index>(i);
    IA[i] = magnitude[i] = model.inertia(body).matrix();
    mass[i] = model.inertia(body).mass;
    if (i > 0 && model.joint(body).is_mimic()) {
      in_group[i] = in_group[to_size(model.joint(body).mimics)] = true;
    }
  }

  for (std::size_t i = count - 1; i > 0; --i) {
    const Joint& joint = model.joint(static_cast<Index>(i));
    const std::size_t parent = to_size(joint.parent);
    const Matrix6 X = parent_to_child(joint, q).motion_matrix();
    const MotionSubspace U = IA[i] * joint.S;
    JointMatrix D = joint.S.transpose() * U;
    D.diagonal().array() += joint.armature;
    const bool singular = is_singular(D, joint.S, magnitude[i], joint.armature);
    magnitude[parent] += X.transpose() * IA[i] * X;
    if (in_group[i]) {
      const std::size_t leader = joint.is_mimic() ? to_size(joint.mimics) : i;
      group_moves_mass[leader] = group_moves_mass[leader] || !singular;
    } else if (singular) {
      return describe(joint, child_links[i], mass[i] == 0.0);
    } else {
      IA[i] -= U * D.ldlt().solve(U.transpose());
    }
    IA[parent] += X.transpose() * IA[i] * X;
    mass[parent] += mass[i];
  }
  for (std::size_t i = 1; i < count; ++i) {
    const Joint& joint = model.joint(static_cast<Index>(i));
    if (in_group[i] && !joint.is_mimic() && !group_moves_mass[i]) {
      return describe(joint, child_links[i], mass[i] == 0.0);
    }
  }
  return {};
}

}  // namespace spatial_dynamics

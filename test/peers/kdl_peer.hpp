// The robot as a model of Orocos KDL, built from the same lists as the Model.
#pragma once

#include <kdl/tree.hpp>
#include <kdl/treefksolverpos_recursive.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <kdl/treejnttojacsolver.hpp>

#include "peers/coordinates.hpp"

namespace spatial_dynamics::peers {

/// Vectors and matrices are "full" (see Coordinates). A segment of KDL's tree represents a link and
/// has its frame. KDL has revolute, prismatic and fixed joints on a fixed base; the armature is its
/// joint inertia.
class KdlPeer {
 public:
  KdlPeer(const Robot& robot, const Vector3& gravity);

  [[nodiscard]] Transform pose(const VectorXd& q, const std::string& link);
  /// Rows [angular; linear], world's axes, at the link's origin.
  [[nodiscard]] MatrixXd jacobian(const VectorXd& q, const std::string& link);
  [[nodiscard]] VectorXd inverse_dynamics(const VectorXd& q, const VectorXd& v, const VectorXd& a,
                                          const std::vector<LinkWrench>& wrenches = {});

  // Only for a robot without branches.
  [[nodiscard]] bool is_chain() const { return !tip_.empty(); }
  [[nodiscard]] MatrixXd chain_mass_matrix(const VectorXd& q) const;
  [[nodiscard]] VectorXd chain_coriolis(const VectorXd& q, const VectorXd& v) const;
  [[nodiscard]] VectorXd chain_gravity(const VectorXd& q) const;
  [[nodiscard]] VectorXd chain_forward_dynamics(const VectorXd& q, const VectorXd& v,
                                                const VectorXd& tau) const;

 private:
  [[nodiscard]] KDL::JntArray to_kdl(const VectorXd& full) const;
  [[nodiscard]] VectorXd from_kdl(const KDL::JntArray& array) const;
  [[nodiscard]] KDL::Chain chain() const;

  Robot robot_;
  KDL::Vector gravity_;
  KDL::Tree tree_;
  std::string root_;
  std::string tip_;          // the one leaf of a chain
  std::vector<Index> q_nr_;  // per full coordinate, KDL's number
  KDL::TreeFkSolverPos_recursive positions_;
  KDL::TreeJntToJacSolver jacobians_;
  KDL::TreeIdSolver_RNE inverse_dynamics_;
};

}  // namespace spatial_dynamics::peers

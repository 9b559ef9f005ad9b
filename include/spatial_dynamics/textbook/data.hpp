// Intermediate and final results of the algorithms.
#pragma once

#include <vector>

#include "spatial_dynamics/model/external_forces.hpp"
#include "spatial_dynamics/spatial/articulated_inertia.hpp"

namespace spatial_dynamics::textbook {

/// Matrices of one joint, of at most six columns. Never allocate.
using JointBlock = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
using JointVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1>;

/// Results and scratch space of the algorithms on one model. The constructor allocates; algorithms
/// do not. One Data per thread. M and C are n x n and uninitialised until computed, so a long chain
/// uses address space, but no memory, for them.
///
/// Vectors of bodies are indexed by body; [0] is the base. Everything with an index i is expressed
/// in body i's frame.
struct Data {
  /// Without `with_matrices` M, C and the factor of M are empty: mass_matrix(), coriolis_matrix(),
  /// derivatives, and with mimic joints forward_dynamics() and the inverse of M may not be called.
  /// Allocates.
  explicit Data(const Model& model, bool with_matrices = true);

  // kinematics
  std::vector<Transform> X;        ///< from the parent's frame to body i's
  std::vector<Transform> X_world;  ///< from the world's frame to body i's
  std::vector<Motion> v;           ///< velocity
  std::vector<Motion> a;  ///< acceleration; see each algorithm for its treatment of gravity
  std::vector<Motion> c;  ///< v x S v_joint

  // forces
  /// After inverse_dynamics: the wrench that the parent exerts on body i through joint i.
  std::vector<Force> f;

  // articulated bodies [SOA track 6, 8]
  std::vector<ArticulatedInertia> IA;
  std::vector<Force> pA;
  std::vector<Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>> U;  ///< IA S
  std::vector<JointBlock> D_inverse;  ///< (S' IA S + armature)^-1
  std::vector<JointVector> u;         ///< tau - S' pA

  // composite bodies [SOA track 5]
  std::vector<Inertia> Ic;
  std::vector<Matrix6> Bc;  ///< composite of the body-level Coriolis matrices

  // results
  VectorXd tau;           ///< inverse_dynamics
  VectorXd acceleration;  ///< forward_dynamics
  VectorXd bias;          ///< bias_torque
  VectorXd gravity;       ///< gravity_torque
  VectorXd friction;      ///< friction_torque
  MatrixXd M;             ///< mass_matrix
  MatrixXd C;             ///< coriolis_matrix
  bool singular = false;  ///< forward_dynamics found no unique acceleration and returned zero

  // scratch
  MatrixXd M_factor;  ///< Cholesky factor of M; sized only for models with mimic joints
  VectorXd zero;      ///< nv zeros
};

}  // namespace spatial_dynamics::textbook

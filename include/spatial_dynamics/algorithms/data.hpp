// Where algorithms keep their intermediate and final results.
#pragma once

#include <vector>

#include "spatial_dynamics/model/model.hpp"
#include "spatial_dynamics/spatial/articulated_inertia.hpp"

namespace spatial_dynamics {

using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;
/// Six-row and square matrices of at most six columns, for one joint's block. Never allocate.
using JointBlock = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
using JointVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1>;

/// Wrenches that act on the robot, summed per body. Construct one per model and reuse it.
class ExternalForces {
 public:
  ExternalForces() = default;                  ///< none
  explicit ExternalForces(const Model& model)  ///< Allocates.
      : on_body_(to_size(model.body_count()), Force::Zero()) {}

  [[nodiscard]] bool empty() const noexcept { return on_body_.empty(); }
  [[nodiscard]] Index body_count() const noexcept { return static_cast<Index>(on_body_.size()); }
  /// Takes all wrenches off. Real-time safe.
  void clear() noexcept {
    for (Force& f : on_body_) f = Force::Zero();
  }
  /// Adds a wrench ON the robot at the link's origin, in the link's frame. Real-time safe.
  void add(const Model& model, Index link, const Force& wrench) noexcept {
    const Link& l = model.link(link);
    on_body_[to_size(l.body)] += l.placement.apply_transpose(wrench);
  }
  /// The sum on body i, in the body's frame at its origin.
  [[nodiscard]] const Force& on_body(Index i) const noexcept { return on_body_[to_size(i)]; }

 private:
  std::vector<Force> on_body_;
};

inline const ExternalForces kNoExternalForces{};

/// Results and scratch space of the algorithms on one model. Construct once (allocates), then every algorithm is free of
/// allocation. One Data per thread. M and C are n x n, uninitialised until asked for: a long chain costs address space, not memory.
///
/// Vectors of bodies are indexed by body; [0] is the base. Everything with an index i is expressed in body i's frame.
struct Data {
  explicit Data(const Model& model);

  // kinematics
  std::vector<Transform> X;        ///< from the parent's frame to body i's
  std::vector<Transform> X_world;  ///< from the world's frame to body i's
  std::vector<Motion> v;           ///< velocity
  std::vector<Motion> a;  ///< acceleration; see each algorithm for its treatment of gravity
  std::vector<Motion> c;  ///< v x S v_joint

  // forces
  std::vector<Force>
      f;  ///< after inverse_dynamics: the wrench that the parent exerts on body i through joint i

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
  bool singular = false;  ///< forward_dynamics found no unique acceleration, and answered zero

  // scratch
  MatrixXd M_factor;  ///< Cholesky factor of M; sized only for models with mimic joints
  VectorXd zero;      ///< nv zeros
};

}  // namespace spatial_dynamics

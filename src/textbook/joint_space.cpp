#include "joint_space.hpp"

#include "cholesky.hpp"

namespace spatial_dynamics::textbook {

bool factorise_joint(const Joint& joint, Data& data, std::size_t b) noexcept {
  const ArticulatedInertia& IA = data.IA[b];
  data.U[b].resize(6, joint.nv);
  for (Index k = 0; k < joint.nv; ++k) {
    data.U[b].col(k) = (IA * subspace_column(joint, k)).vector();
  }
  JointBlock D = joint.S.transpose().lazyProduct(data.U[b]);
  D.diagonal().array() += joint.armature;
  // The magnitude of D without cancellation, to distinguish a small inertia from zero.
  for (Index k = 0; k < joint.nv; ++k) {
    const double largest = joint.S.col(k).head<3>().squaredNorm() * IA.I.trace() +
                           joint.S.col(k).tail<3>().squaredNorm() * IA.M.trace();
    if (!(D(k, k) > kSingularPivot * largest)) return false;
  }
  if (joint.nv == 1) {
    data.D_inverse[b] = JointBlock::Constant(1, 1, 1.0 / D(0, 0));
    return true;
  }
  if (!factorise_in_place(D)) return false;
  data.D_inverse[b] = JointBlock::Identity(joint.nv, joint.nv);
  for (Index k = 0; k < joint.nv; ++k) {
    auto column = data.D_inverse[b].col(k);
    solve_in_place(D, column);
  }
  return true;
}

ArticulatedInertia inertia_through_joint(const Data& data, std::size_t b) noexcept {
  const auto gain = data.U[b].lazyProduct(data.D_inverse[b]).eval();
  const Matrix6 reduced = gain.lazyProduct(data.U[b].transpose());
  return {data.IA[b].I - reduced.topLeftCorner<3, 3>(),
          data.IA[b].H - reduced.topRightCorner<3, 3>(),
          data.IA[b].M - reduced.bottomRightCorner<3, 3>()};
}

}  // namespace spatial_dynamics::textbook

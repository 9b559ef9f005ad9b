#include "joint_springs.hpp"

#include <algorithm>
#include <cmath>

namespace spatial_dynamics {

JointSprings::JointSprings(Index nv)
    : stiffness_(nv), damping_(nv), ratio_(nv), damping_at_q_(VectorXd::Zero(nv)) {}

void JointSprings::update_settings(const JointSettings& joints, const VectorXd& stiffness,
                                   const RampStep& step) noexcept {
  stiffness_.update(stiffness, step);
  damping_.update(joints.damping, step);
  ratio_.update(joints.damping_ratio, step);
}

void JointSprings::clear() noexcept {
  damping_at_q_.setZero();
  stiffness_.jump(damping_at_q_);
  damping_.jump(damping_at_q_);
}

void JointSprings::update_damping(const VectorXd& q, RobotDynamics& robot) noexcept {
  damping_at_q_ = damping_.now();
  const VectorXd &K = stiffness_.now(), &ratio = ratio_.now();
  if (ratio.isZero(0.0) || K.isZero(0.0)) return;
  const MatrixXd& M = robot.mass_matrix(q);
  for (Index k = 0; k < K.size(); ++k) {
    damping_at_q_(k) += 2.0 * ratio(k) * std::sqrt(K(k) * std::max(0.0, M(k, k)));
  }
}

}  // namespace spatial_dynamics

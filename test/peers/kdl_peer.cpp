#include "peers/kdl_peer.hpp"

#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <stdexcept>

namespace spatial_dynamics::peers {
namespace {

KDL::Vector to_kdl(const Vector3& v) { return {v.x(), v.y(), v.z()}; }

KDL::Frame to_kdl(const Transform& X) {
  const Matrix3 R = X.rotation();
  return {KDL::Rotation(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1),
                        R(2, 2)),
          to_kdl(X.position())};
}

KDL::RigidBodyInertia to_kdl(const std::optional<MassProperties>& properties) {
  if (!properties) return KDL::RigidBodyInertia::Zero();
  const Matrix3& I = properties->inertia_about_com;
  return KDL::RigidBodyInertia(
      properties->mass, to_kdl(properties->com),
      KDL::RotationalInertia(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)));
}

/// KDL places a joint's origin and axis in the parent's frame.
KDL::Joint to_kdl(const JointDescription& joint) {
  if (joint.type == JointType::kFixed) return KDL::Joint(joint.name, KDL::Joint::Fixed);
  if (velocity_count(joint.type) != 1) throw std::runtime_error("KDL has no such joint");
  const Vector3 axis = joint.origin.rotation() * joint.axis;
  return KDL::Joint(
      joint.name, to_kdl(joint.origin.position()), to_kdl(axis),
      joint.type == JointType::kPrismatic ? KDL::Joint::TransAxis : KDL::Joint::RotAxis, 1.0, 0.0,
      joint.armature);
}

KDL::Tree to_kdl(const Robot& robot) {
  KDL::Tree tree(robot.links[robot.root()].name);
  for (const std::size_t j : robot.joints_from_root()) {
    const JointDescription& joint = robot.joints[j];
    const KDL::RigidBodyInertia inertia =
        to_kdl(robot.links[robot.link(joint.child)].mass_properties);
    if (!tree.addSegment(KDL::Segment(joint.child, to_kdl(joint), to_kdl(joint.origin), inertia),
                         joint.parent)) {
      throw std::runtime_error("KDL rejected " + joint.name);
    }
  }
  return tree;
}

void require(int status, const char* what) {
  if (status < 0) throw std::runtime_error(std::string("KDL failed: ") + what);
}

}  // namespace

KdlPeer::KdlPeer(const Robot& robot, const Vector3& gravity)
    : robot_(robot),
      gravity_(peers::to_kdl(gravity)),
      tree_(peers::to_kdl(robot)),
      root_(robot.links[robot.root()].name),
      positions_(tree_),
      jacobians_(tree_),
      inverse_dynamics_(tree_, gravity_) {
  int leaves = 0;
  for (const auto& [name, element] : tree_.getSegments()) {
    if (!element.children.empty()) continue;
    ++leaves;
    tip_ = name;
  }
  if (leaves != 1) tip_.clear();
  for (const JointDescription& joint : robot.joints) {
    if (joint.type == JointType::kFixed) continue;
    q_nr_.push_back(static_cast<Index>(tree_.getSegment(joint.child)->second.q_nr));
  }
}

KDL::JntArray KdlPeer::to_kdl(const VectorXd& full) const {
  KDL::JntArray array(static_cast<unsigned int>(full.size()));
  for (Index i = 0; i < full.size(); ++i) {
    array.data[q_nr_[static_cast<std::size_t>(i)]] = full[i];
  }
  return array;
}

VectorXd KdlPeer::from_kdl(const KDL::JntArray& array) const {
  VectorXd full(array.data.size());
  for (Index i = 0; i < full.size(); ++i) {
    full[i] = array.data[q_nr_[static_cast<std::size_t>(i)]];
  }
  return full;
}

KDL::Chain KdlPeer::chain() const {
  KDL::Chain chain;
  if (!tree_.getChain(root_, tip_, chain)) throw std::runtime_error("KDL made no chain");
  return chain;
}

Transform KdlPeer::pose(const VectorXd& q, const std::string& link) {
  if (link == root_) return Transform::Identity();
  KDL::Frame frame;
  require(positions_.JntToCart(to_kdl(q), frame, link), "positions");
  Matrix3 R;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) R(i, j) = frame.M(i, j);
  }
  return Transform::from_pose(R, {frame.p.x(), frame.p.y(), frame.p.z()});
}

MatrixXd KdlPeer::jacobian(const VectorXd& q, const std::string& link) {
  const Index n = q.size();
  if (link == root_) return MatrixXd::Zero(6, n);
  KDL::Jacobian J(static_cast<unsigned int>(n));
  require(jacobians_.JntToJac(to_kdl(q), J, link), "Jacobian");
  MatrixXd result(6, n);
  for (Index i = 0; i < n; ++i) {  // KDL's rows are [linear; angular]
    const Index k = q_nr_[static_cast<std::size_t>(i)];
    result.col(i) << J.data.col(k).tail<3>(), J.data.col(k).head<3>();
  }
  return result;
}

VectorXd KdlPeer::inverse_dynamics(const VectorXd& q, const VectorXd& v, const VectorXd& a,
                                   const std::vector<LinkWrench>& wrenches) {
  KDL::WrenchMap external;
  for (const LinkWrench& w : wrenches) {
    KDL::Wrench& sum =
        external.emplace(robot_.links[w.link].name, KDL::Wrench::Zero()).first->second;
    sum += KDL::Wrench(peers::to_kdl(w.wrench.force), peers::to_kdl(w.wrench.moment));
  }
  KDL::JntArray torques(static_cast<unsigned int>(q.size()));
  require(inverse_dynamics_.CartToJnt(to_kdl(q), to_kdl(v), to_kdl(a), external, torques),
          "inverse dynamics");
  return from_kdl(torques);
}

MatrixXd KdlPeer::chain_mass_matrix(const VectorXd& q) const {
  const KDL::Chain chain = this->chain();
  KDL::ChainDynParam solver(chain, gravity_);
  KDL::JntSpaceInertiaMatrix H(static_cast<int>(q.size()));
  require(solver.JntToMass(to_kdl(q), H), "mass matrix");
  MatrixXd M(q.size(), q.size());
  for (Index i = 0; i < q.size(); ++i) {
    for (Index j = 0; j < q.size(); ++j) {
      M(i, j) = H.data(q_nr_[static_cast<std::size_t>(i)], q_nr_[static_cast<std::size_t>(j)]);
    }
  }
  return M;
}

VectorXd KdlPeer::chain_coriolis(const VectorXd& q, const VectorXd& v) const {
  const KDL::Chain chain = this->chain();
  KDL::ChainDynParam solver(chain, gravity_);
  KDL::JntArray result(static_cast<unsigned int>(q.size()));
  require(solver.JntToCoriolis(to_kdl(q), to_kdl(v), result), "Coriolis torques");
  return from_kdl(result);
}

VectorXd KdlPeer::chain_gravity(const VectorXd& q) const {
  const KDL::Chain chain = this->chain();
  KDL::ChainDynParam solver(chain, gravity_);
  KDL::JntArray result(static_cast<unsigned int>(q.size()));
  require(solver.JntToGravity(to_kdl(q), result), "gravity torques");
  return from_kdl(result);
}

VectorXd KdlPeer::chain_forward_dynamics(const VectorXd& q, const VectorXd& v,
                                         const VectorXd& tau) const {
  const KDL::Chain chain = this->chain();
  KDL::ChainFdSolver_RNE solver(chain, gravity_);
  KDL::JntArray result(static_cast<unsigned int>(q.size()));
  const KDL::Wrenches none(chain.getNrOfSegments(), KDL::Wrench::Zero());
  require(solver.CartToJnt(to_kdl(q), to_kdl(v), to_kdl(tau), none, result), "forward dynamics");
  return from_kdl(result);
}

}  // namespace spatial_dynamics::peers

// Orocos KDL for `spatial_dynamics bench`: chains of joints with one degree of freedom.
#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <memory>

#include "peer.hpp"

namespace spatial_dynamics::bench {
namespace {

KDL::Vector to_kdl(const Vector3& v) { return {v.x(), v.y(), v.z()}; }

KDL::Frame to_kdl(const Transform& X) {
  const Matrix3 R = X.rotation();
  return {KDL::Rotation(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1),
                        R(2, 2)),
          to_kdl(X.position())};
}

KDL::Chain make_chain(const Model& model) {
  KDL::Chain chain;
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    const Inertia& I = model.inertia(i);
    const Matrix3 about_com = I.inertia_about_com();
    const Vector3 axis = joint.placement.rotation() * joint.axis;
    const KDL::Joint kdl_joint(
        joint.name, to_kdl(joint.placement.position()), to_kdl(axis),
        joint.type == JointType::kPrismatic ? KDL::Joint::TransAxis : KDL::Joint::RotAxis, 1.0, 0.0,
        joint.armature);
    chain.addSegment(KDL::Segment(
        joint.name, kdl_joint, to_kdl(joint.placement),
        KDL::RigidBodyInertia(
            I.mass, to_kdl(I.com()),
            KDL::RotationalInertia(about_com(0, 0), about_com(1, 1), about_com(2, 2),
                                   about_com(0, 1), about_com(0, 2), about_com(1, 2)))));
  }
  return chain;
}

struct Robot {
  explicit Robot(const Model& model)
      : chain(make_chain(model)),
        n(static_cast<unsigned>(model.nv())),
        gravity(to_kdl(model.gravity())),
        inverse(chain, gravity),
        parameters(chain, gravity),
        forward(chain, gravity),
        q(n),
        v(n),
        x(n),
        result(n),
        M(static_cast<int>(n)),
        none(n, KDL::Wrench::Zero()) {}

  static void fill(KDL::JntArray& to, const double* from) {
    to.data = Eigen::Map<const VectorXd>(from, to.data.size());
  }

  KDL::Chain chain;
  unsigned n;
  KDL::Vector gravity;
  KDL::ChainIdSolver_RNE inverse;
  KDL::ChainDynParam parameters;
  KDL::ChainFdSolver_RNE forward;
  KDL::JntArray q, v, x, result;
  KDL::JntSpaceInertiaMatrix M;
  KDL::Wrenches none;
};

void* open(const Model& model) {
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    if (joint.nv != 1 || joint.parent != i - 1 || joint.is_mimic()) return nullptr;
  }
  return new Robot(model);
}
void close(void* robot) { delete static_cast<Robot*>(robot); }

void inverse_dynamics(void* robot, const double* q, const double* v, const double* a, double* tau) {
  Robot& r = *static_cast<Robot*>(robot);
  Robot::fill(r.q, q);
  Robot::fill(r.v, v);
  Robot::fill(r.x, a);
  r.inverse.CartToJnt(r.q, r.v, r.x, r.none, r.result);
  Eigen::Map<VectorXd>(tau, r.result.data.size()) = r.result.data;
}
void mass_matrix(void* robot, const double* q, double* M) {
  Robot& r = *static_cast<Robot*>(robot);
  Robot::fill(r.q, q);
  r.parameters.JntToMass(r.q, r.M);
  Eigen::Map<MatrixXd>(M, r.M.data.rows(), r.M.data.cols()) = r.M.data;
}
void forward_dynamics(void* robot, const double* q, const double* v, const double* tau, double* a) {
  Robot& r = *static_cast<Robot*>(robot);
  Robot::fill(r.q, q);
  Robot::fill(r.v, v);
  Robot::fill(r.x, tau);
  r.forward.CartToJnt(r.q, r.v, r.x, r.none, r.result);
  Eigen::Map<VectorXd>(a, r.result.data.size()) = r.result.data;
}

constexpr Peer kPeer{"KDL", open, close, inverse_dynamics, mass_matrix, forward_dynamics};

}  // namespace
}  // namespace spatial_dynamics::bench

extern "C" const spatial_dynamics::bench::Peer* spatial_dynamics_bench_peer() {
  return &spatial_dynamics::bench::kPeer;
}

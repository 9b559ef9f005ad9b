// Orocos KDL for `spatial_dynamics bench`: chains of joints with one degree of freedom.
#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <memory>

#include "peer.hpp"

namespace spatial_dynamics::bench {
namespace {

KDL::Vector to_kdl(const double* v) { return {v[0], v[1], v[2]}; }

KDL::Chain make_chain(const PeerModel& model) {
  KDL::Chain chain;
  for (int i = 0; i < model.joint_count; ++i) {
    const PeerJoint& joint = model.joints[i];
    const double* R = joint.rotation;
    const KDL::Frame placement(KDL::Rotation(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]),
                               to_kdl(joint.position));
    const KDL::Joint kdl_joint(
        joint.name, placement.p, placement.M * to_kdl(joint.axis),
        joint.kind == PeerJoint::Kind::kPrismatic ? KDL::Joint::TransAxis : KDL::Joint::RotAxis,
        1.0, 0.0, joint.armature);
    const double* I = joint.inertia;
    chain.addSegment(KDL::Segment(
        joint.name, kdl_joint, placement,
        KDL::RigidBodyInertia(joint.mass, to_kdl(joint.com),
                              KDL::RotationalInertia(I[0], I[4], I[8], I[1], I[2], I[5]))));
  }
  return chain;
}

struct Robot {
  explicit Robot(const PeerModel& model)
      : chain(make_chain(model)),
        n(static_cast<unsigned>(model.nv)),
        gravity(to_kdl(model.gravity)),
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
    to.data = Eigen::Map<const Eigen::VectorXd>(from, to.data.size());
  }

  double write(double* to) const {
    if (to != nullptr) Eigen::Map<Eigen::VectorXd>(to, result.data.size()) = result.data;
    return result.data(0);
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

void* open(const PeerModel& model) {
  for (int i = 0; i < model.joint_count; ++i) {
    const PeerJoint& joint = model.joints[i];
    if (joint.nv != 1 || joint.parent != i - 1 || joint.is_mimic) return nullptr;
  }
  return new Robot(model);
}
void close(void* robot) { delete static_cast<Robot*>(robot); }

double inverse_dynamics(void* robot, const double* q, const double* v, const double* a,
                        double* tau) {
  Robot& r = *static_cast<Robot*>(robot);
  Robot::fill(r.q, q);
  Robot::fill(r.v, v);
  Robot::fill(r.x, a);
  r.inverse.CartToJnt(r.q, r.v, r.x, r.none, r.result);
  return r.write(tau);
}
double mass_matrix(void* robot, const double* q, const double* /*v*/, const double* /*x*/,
                   double* M) {
  Robot& r = *static_cast<Robot*>(robot);
  Robot::fill(r.q, q);
  r.parameters.JntToMass(r.q, r.M);
  if (M != nullptr) Eigen::Map<Eigen::MatrixXd>(M, r.M.data.rows(), r.M.data.cols()) = r.M.data;
  return r.M.data(0, 0);
}
double forward_dynamics(void* robot, const double* q, const double* v, const double* tau,
                        double* a) {
  Robot& r = *static_cast<Robot*>(robot);
  Robot::fill(r.q, q);
  Robot::fill(r.v, v);
  Robot::fill(r.x, tau);
  r.forward.CartToJnt(r.q, r.v, r.x, r.none, r.result);
  return r.write(a);
}

constexpr Peer kPeer{"KDL", open, close, inverse_dynamics, mass_matrix, forward_dynamics};

}  // namespace
}  // namespace spatial_dynamics::bench

extern "C" const spatial_dynamics::bench::Peer* spatial_dynamics_bench_peer() {
  return &spatial_dynamics::bench::kPeer;
}

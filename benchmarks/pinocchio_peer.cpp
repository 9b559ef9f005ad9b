// Pinocchio for `spatial_dynamics bench`: trees of revolute, prismatic and floating joints.
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>
#include <vector>

#include "peer.hpp"

namespace spatial_dynamics::bench {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using MapIn = Eigen::Map<const VectorXd>;
using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

/// The joint type that Pinocchio's URDF reader chooses: axes along x, y or z have special types.
pinocchio::JointModel to_pinocchio(const PeerJoint& joint) {
  const Vector3 axis(joint.axis);
  if (joint.kind == PeerJoint::Kind::kFloating) return pinocchio::JointModelFreeFlyer();
  if (joint.kind == PeerJoint::Kind::kPrismatic) {
    if (axis == Vector3::UnitX()) return pinocchio::JointModelPX();
    if (axis == Vector3::UnitY()) return pinocchio::JointModelPY();
    if (axis == Vector3::UnitZ()) return pinocchio::JointModelPZ();
    return pinocchio::JointModelPrismaticUnaligned(axis);
  }
  if (axis == Vector3::UnitX()) return pinocchio::JointModelRX();
  if (axis == Vector3::UnitY()) return pinocchio::JointModelRY();
  if (axis == Vector3::UnitZ()) return pinocchio::JointModelRZ();
  return pinocchio::JointModelRevoluteUnaligned(axis);
}

pinocchio::Model to_pinocchio(const PeerModel& model) {
  pinocchio::Model tree;
  tree.gravity.linear() = Vector3(model.gravity);
  for (int i = 0; i < model.joint_count; ++i) {
    const PeerJoint& joint = model.joints[i];
    const pinocchio::SE3 placement(Matrix3(joint.rotation), Vector3(joint.position));
    // Pinocchio's joint 0 is the base.
    const auto parent = static_cast<pinocchio::JointIndex>(joint.parent + 1);
    const pinocchio::JointIndex id =
        tree.addJoint(parent, to_pinocchio(joint), placement, joint.name);
    tree.appendBodyToJoint(
        id, pinocchio::Inertia(joint.mass, Vector3(joint.com), Matrix3(joint.inertia)));
    tree.armature.segment(joint.v_index, joint.nv).setConstant(joint.armature);
  }
  return tree;
}

struct Robot {
  explicit Robot(const PeerModel& model)
      : tree(to_pinocchio(model)), data(tree), v(model.nv), x(model.nv), M(model.nv, model.nv) {
    for (int i = 0; i < model.joint_count; ++i) {
      const PeerJoint& joint = model.joints[i];
      if (joint.kind == PeerJoint::Kind::kFloating) floating.push_back(joint.v_index);
    }
  }

  // In Pinocchio a floating joint's velocity has its linear part first. The exchange is its own
  // inverse.
  template <typename Rows>
  void exchange(Rows&& rows) const {
    for (const int k : floating) {
      rows.template middleRows<3>(k).swap(rows.template middleRows<3>(k + 3));
    }
  }
  [[nodiscard]] MapIn position(const double* q) const { return {q, tree.nq}; }
  /// Read in place, unless there is a floating joint. Then the times include the copies of both
  /// vectors, about 16 ns. Valid until the next call for the same `copy`.
  MapIn velocity(const double* from, VectorXd& copy) const {
    const MapIn in_place(from, tree.nv);
    if (floating.empty()) return in_place;
    copy = in_place;
    exchange(copy);
    return {copy.data(), tree.nv};
  }
  /// Copies to `to` unless it is null. Returns a number of the result.
  double write(const VectorXd& from, double* to) const {
    if (to == nullptr) return from(0);
    Eigen::Map<VectorXd> result(to, from.size());
    result = from;
    exchange(result);
    return from(0);
  }
  template <typename Matrix>
  double* write_matrix(const Matrix& from, double* to) const {
    Eigen::Map<MatrixXd> result(to, from.rows(), from.cols());
    result = from;
    exchange(result);
    exchange(result.transpose());
    return to + from.size();
  }
  /// For a matrix whose upper half alone was computed.
  template <typename Matrix>
  double* write_symmetric(const Matrix& upper, double* to) {
    M = upper.template selfadjointView<Eigen::Upper>();
    return write_matrix(M, to);
  }

  pinocchio::Model tree;
  pinocchio::Data data;
  VectorXd v, x;
  MatrixXd M;
  std::vector<int> floating;  ///< first coordinates of v
};

void* open(const PeerModel& model) {
  for (int i = 0; i < model.joint_count; ++i) {
    const PeerJoint& joint = model.joints[i];
    if (joint.kind == PeerJoint::Kind::kPlanar || joint.is_mimic) return nullptr;
  }
  return new Robot(model);
}
void close(void* robot) { delete static_cast<Robot*>(robot); }

double inverse_dynamics(void* robot, const double* q, const double* v, const double* a,
                        double* tau) {
  Robot& r = *static_cast<Robot*>(robot);
  return r.write(
      pinocchio::rnea(r.tree, r.data, r.position(q), r.velocity(v, r.v), r.velocity(a, r.x)), tau);
}
double mass_matrix(void* robot, const double* q, const double* /*v*/, const double* /*x*/,
                   double* M) {
  Robot& r = *static_cast<Robot*>(robot);
  // WORLD takes 1.2 to 1.5 times as long.
  pinocchio::crba(r.tree, r.data, r.position(q), pinocchio::Convention::LOCAL);
  if (M != nullptr) r.write_symmetric(r.data.M, M);
  return r.data.M(0, 0);
}
double forward_dynamics(void* robot, const double* q, const double* v, const double* tau,
                        double* a) {
  Robot& r = *static_cast<Robot*>(robot);
  // WORLD takes 1.1 times as long.
  return r.write(pinocchio::aba(r.tree, r.data, r.position(q), r.velocity(v, r.v),
                                r.velocity(tau, r.x), pinocchio::Convention::LOCAL),
                 a);
}
double inverse_mass_matrix(void* robot, const double* q, const double* /*v*/, const double* /*x*/,
                           double* inverse) {
  Robot& r = *static_cast<Robot*>(robot);
  pinocchio::computeMinverse(r.tree, r.data, r.position(q));
  if (inverse != nullptr) r.write_symmetric(r.data.Minv, inverse);
  return r.data.Minv(0, 0);
}
double inverse_dynamics_derivatives(void* robot, const double* q, const double* v, const double* a,
                                    double* result) {
  Robot& r = *static_cast<Robot*>(robot);
  pinocchio::computeRNEADerivatives(r.tree, r.data, r.position(q), r.velocity(v, r.v),
                                    r.velocity(a, r.x));
  const double number = r.data.dtau_dq(0, 0);
  if (result == nullptr) return number;
  result = r.write_matrix(r.data.dtau_dq, result);
  result = r.write_matrix(r.data.dtau_dv, result);
  r.write_symmetric(r.data.M, result);
  return number;
}
double forward_dynamics_derivatives(void* robot, const double* q, const double* v,
                                    const double* tau, double* result) {
  Robot& r = *static_cast<Robot*>(robot);
  pinocchio::computeABADerivatives(r.tree, r.data, r.position(q), r.velocity(v, r.v),
                                   r.velocity(tau, r.x));
  const double number = r.data.ddq_dq(0, 0);
  if (result == nullptr) return number;
  result = r.write_matrix(r.data.ddq_dq, result);
  result = r.write_matrix(r.data.ddq_dv, result);
  r.write_symmetric(r.data.Minv, result);
  return number;
}

constexpr Peer kPeer{"Pinocchio",
                     open,
                     close,
                     inverse_dynamics,
                     mass_matrix,
                     forward_dynamics,
                     inverse_mass_matrix,
                     inverse_dynamics_derivatives,
                     forward_dynamics_derivatives};

}  // namespace
}  // namespace spatial_dynamics::bench

extern "C" const spatial_dynamics::bench::Peer* spatial_dynamics_bench_peer() {
  return &spatial_dynamics::bench::kPeer;
}

#include "peers/mujoco_peer.hpp"

#include <Eigen/Eigenvalues>
#include <stdexcept>

#include "peers/mujoco_tree.hpp"

namespace spatial_dynamics::peers {
namespace {

using VectorMap = Eigen::Map<VectorXd>;
using Vector3Map = Eigen::Map<Vector3>;
using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMajorMatrix3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

Vector3 vector_at(const mjtNum* array, Index index) {
  return Eigen::Map<const Vector3>(array + 3 * index);
}

Matrix3 matrix_at(const mjtNum* array, Index index) {
  return Eigen::Map<const RowMajorMatrix3>(array + 9 * index);
}

void write_vector(mjtNum* array, Index index, const Vector3& v) {
  Vector3Map(array + 3 * index) = v;
}

void write_rotation(mjtNum* array, Index index, const Matrix3& R) {
  const Quaternion quaternion(R);
  Eigen::Map<Eigen::Vector4d>(array + 4 * index) << quaternion.w(), quaternion.vec();
}

/// The in-plane axes of a planar joint, as joint.hpp defines them.
Matrix3 planar_axes(const Vector3& normal) {
  int nearest = 2;
  for (const int i : {1, 0}) {
    if (std::abs(normal[i]) > std::abs(normal[nearest])) nearest = i;
  }
  const Vector3 next = Vector3::Unit((nearest + 1) % 3);
  Matrix3 axes;
  axes.col(0) = (next - normal.dot(next) * normal).normalized();
  axes.col(1) = normal.cross(axes.col(0));
  axes.col(2) = normal;
  return axes;
}

}  // namespace

MujocoPeer::MujocoPeer(const Robot& robot, const Vector3& gravity) : robot_(robot) {
  // A massless moving link makes MuJoCo's factor of M singular, and MuJoCo would write a warning to
  // a file. Inverse dynamics does not need that factor, and forward dynamics is not called then.
  mju_user_warning = [](const char*) {};
  Index nq = 0;
  Index nv = 0;
  slots_ = assign_slots(robot, nq, nv);
  m_.reset(compile_tree(robot));
  if (m_->nv != nv || m_->nq != nq) throw std::logic_error("coordinates do not match");
  for (std::size_t l = 0; l < robot.links.size(); ++l) {
    bodies_.push_back(body_of_link(*m_, robot, l));
  }
  m_->opt.disableflags |= mjDSBL_CONSTRAINT;
  m_->opt.enableflags |= mjENBL_ENERGY;
  write_vector(m_->opt.gravity, 0, gravity);
  write_numbers();
  d_.reset(mj_makeData(m_.get()));
  mj_setConst(m_.get(), d_.get());
}

void MujocoPeer::write_numbers() {
  for (int b = 1; b < m_->nbody; ++b) {
    if (m_->body_sameframe[b] != 0) throw std::logic_error("MuJoCo simplified a body");
  }
  for (std::size_t l = 0; l < robot_.links.size(); ++l) {
    if (body(l) == 0) continue;
    const MassProperties properties = robot_.links[l].mass_properties.value_or(MassProperties{});
    const Eigen::SelfAdjointEigenSolver<Matrix3> principal(properties.inertia_about_com);
    Matrix3 axes = principal.eigenvectors();
    if (axes.determinant() < 0.0) axes.col(0) *= -1.0;
    m_->body_mass[body(l)] = properties.mass;
    write_vector(m_->body_ipos, body(l), properties.com);
    write_vector(m_->body_inertia, body(l), principal.eigenvalues());
    write_rotation(m_->body_iquat, body(l), axes);
  }
  for (const JointDescription& joint : robot_.joints)
    write_joint(joint, body(robot_.link(joint.child)));
}

void MujocoPeer::write_joint(const JointDescription& joint, int body) {
  write_vector(m_->body_pos, body, joint.origin.position());
  write_rotation(m_->body_quat, body, joint.origin.rotation());
  const int first = m_->body_jntadr[body];
  if (velocity_count(joint.type) == 1) {
    write_vector(m_->jnt_axis, first, joint.axis);
    m_->dof_damping[m_->body_dofadr[body]] = joint.damping;
    m_->dof_armature[m_->body_dofadr[body]] = joint.armature;
  } else if (joint.type != JointType::kFixed && !is_free(robot_, joint)) {
    const Matrix3 axes =
        joint.type == JointType::kPlanar ? planar_axes(joint.axis) : Matrix3::Identity();
    for (int i = 0; i < 3; ++i) write_vector(m_->jnt_axis, first + i, axes.col(i));
    // The same along both axes, so that the rotation between them and ours does not matter.
    if (joint.type == JointType::kPlanar) {
      for (int i = 0; i < 3; ++i) m_->dof_damping[m_->body_dofadr[body] + i] = joint.damping;
    }
  }
}

void MujocoPeer::set_state(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  T_ = MatrixXd::Zero(m_->nv, m_->nv);
  T_dot_v_ = VectorXd::Zero(m_->nv);
  for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
    const JointDescription& joint = robot_.joints[j];
    if (joint.type == JointType::kFixed) continue;
    const int b = body(robot_.link(joint.child));
    double* qpos = d_->qpos + m_->jnt_qposadr[m_->body_jntadr[b]];
    const int dof = m_->body_dofadr[b];
    const Slot slot = slots_[j];
    if (joint.type == JointType::kFloating) {
      const Quaternion quaternion =
          Quaternion(Eigen::Vector4d(q.segment<4>(slot.q + 3))).normalized();
      Eigen::Map<Eigen::Matrix<double, 7, 1>>{qpos} << q.segment<3>(slot.q), quaternion.w(),
          quaternion.vec();
      const Matrix3 R = quaternion.toRotationMatrix();
      T_.block<3, 3>(dof, slot.v + 3) = R;
      T_.block<3, 3>(dof + 3, slot.v).setIdentity();
      const Vector3 angular = v.segment<3>(slot.v);
      T_dot_v_.segment<3>(dof) = R * angular.cross(Vector3(v.segment<3>(slot.v + 3)));
    } else if (joint.type == JointType::kPlanar) {
      Vector3Map{qpos} = q.segment<3>(slot.q);
      const Eigen::Matrix2d R = Eigen::Rotation2Dd(q[slot.q + 2]).toRotationMatrix();
      T_.block<2, 2>(dof, slot.v) = R;
      T_(dof + 2, slot.v + 2) = 1.0;
      T_dot_v_.segment<2>(dof) = v[slot.v + 2] * (R * Eigen::Vector2d(-v[slot.v + 1], v[slot.v]));
    } else {
      *qpos = q[slot.q];
      T_(dof, slot.v) = 1.0;
    }
  }
  VectorMap(d_->qvel, m_->nv) = T_ * v;
  qacc_ = T_ * a + T_dot_v_;
  set_wrenches({});
  mj_forward(m_.get(), d_.get());
  VectorMap(d_->qacc, m_->nv) = qacc_;
  mj_rnePostConstraint(m_.get(), d_.get());
  mj_subtreeVel(m_.get(), d_.get());
}

Transform MujocoPeer::pose(std::size_t link) const {
  return Transform::from_pose(matrix_at(d_->xmat, body(link)), vector_at(d_->xpos, body(link)));
}

MatrixXd MujocoPeer::jacobian(std::size_t link) const {
  RowMajorMatrix J(6, m_->nv);
  mj_jacBody(m_.get(), d_.get(), J.bottomRows<3>().data(), J.data(), body(link));
  return J * T_;
}

Motion MujocoPeer::velocity(std::size_t link) const {
  Vector6 v;
  mj_objectVelocity(m_.get(), d_.get(), mjOBJ_XBODY, body(link), v.data(), 0);
  return Motion(v);
}

Motion MujocoPeer::classical_acceleration(std::size_t link) const {
  Vector6 a;
  mj_objectAcceleration(m_.get(), d_.get(), mjOBJ_XBODY, body(link), a.data(), 0);
  a.tail<3>() += vector_at(m_->opt.gravity, 0);  // MuJoCo reports accelerations minus gravity
  return Motion(a);
}

/// MuJoCo takes forces at a body's centre of mass, along the world's axes, force first.
void MujocoPeer::set_wrenches(const std::vector<LinkWrench>& wrenches) {
  VectorMap(d_->xfrc_applied, Index{6} * m_->nbody).setZero();
  for (const LinkWrench& w : wrenches) {
    const int b = body(w.link);
    const Matrix3 R = matrix_at(d_->xmat, b);
    const Vector3 force = R * w.wrench.force;
    const Vector3 lever = vector_at(d_->xpos, b) - vector_at(d_->xipos, b);
    Eigen::Map<Vector6> sum(d_->xfrc_applied + Index{6} * b);
    sum.head<3>() += force;
    sum.tail<3>() += R * w.wrench.moment + lever.cross(force);
  }
}

VectorXd MujocoPeer::inverse_dynamics(const std::vector<LinkWrench>& wrenches) {
  VectorMap(d_->qacc, m_->nv) = qacc_;
  mj_inverse(m_.get(), d_.get());
  VectorXd tau = VectorMap(d_->qfrc_inverse, m_->nv);
  for (const LinkWrench& w : wrenches) {  // wrenches reduce the torques of the joints
    const int b = body(w.link);
    const Matrix3 R = matrix_at(d_->xmat, b);
    const Vector3 force = R * w.wrench.force;
    const Vector3 torque = R * w.wrench.moment;
    const Vector3 point = vector_at(d_->xpos, b);
    VectorXd done = VectorXd::Zero(m_->nv);
    mj_applyFT(m_.get(), d_.get(), force.data(), torque.data(), point.data(), b, done.data());
    tau -= done;
  }
  return T_.transpose() * tau;
}

VectorXd MujocoPeer::bias() const {
  RowMajorMatrix M(m_->nv, m_->nv);
  mj_fullM(m_.get(), M.data(), d_->qM);
  return T_.transpose() * (VectorMap(d_->qfrc_bias, m_->nv) + M * T_dot_v_);
}

MatrixXd MujocoPeer::mass_matrix() const {
  RowMajorMatrix M(m_->nv, m_->nv);
  mj_fullM(m_.get(), M.data(), d_->qM);
  return T_.transpose() * M * T_;
}

VectorXd MujocoPeer::forward_dynamics(const VectorXd& tau,
                                      const std::vector<LinkWrench>& wrenches) {
  set_wrenches(wrenches);
  VectorMap applied(d_->qfrc_applied, m_->nv);
  applied = T_ * tau;  // T is orthogonal
  mj_forward(m_.get(), d_.get());
  applied.setZero();
  set_wrenches({});
  return T_.transpose() * (VectorMap(d_->qacc, m_->nv) - T_dot_v_);
}

Force MujocoPeer::reaction(std::size_t link, const std::vector<LinkWrench>& wrenches) {
  set_wrenches(wrenches);
  VectorMap(d_->qacc, m_->nv) = qacc_;
  mj_rnePostConstraint(m_.get(), d_.get());
  set_wrenches({});
  const int b = body(link);
  const Eigen::Map<Vector6> sum(d_->cfrc_int + Index{6} * b);  // moment first
  const Vector3 moment = sum.head<3>();
  const Vector3 force = sum.tail<3>();
  const Vector3 lever = vector_at(d_->subtree_com, m_->body_rootid[b]) - vector_at(d_->xpos, b);
  const Matrix3 to_link = matrix_at(d_->xmat, b).transpose();
  return {to_link * (moment + lever.cross(force)), to_link * force};
}

double MujocoPeer::kinetic_energy() {
  mj_energyVel(m_.get(), d_.get());
  return d_->energy[1];
}

double MujocoPeer::potential_energy() {
  mj_energyPos(m_.get(), d_.get());
  return d_->energy[0];
}

Vector3 MujocoPeer::center_of_mass() const { return vector_at(d_->subtree_com, 0); }

Force MujocoPeer::centroidal_momentum() {
  const Vector3 velocity = vector_at(d_->subtree_linvel, 0);
  return {vector_at(d_->subtree_angmom, 0), m_->body_subtreemass[0] * velocity};
}

}  // namespace spatial_dynamics::peers

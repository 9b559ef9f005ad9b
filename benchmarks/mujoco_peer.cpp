// MuJoCo for `spatial_dynamics bench`: trees of joints with one degree of freedom on a fixed base.
// Only those stages of its pipeline that the quantity needs are run.
#include <mujoco/mujoco.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <string>

#include "peer.hpp"

namespace spatial_dynamics::bench {
namespace {

std::string numbers(const double* x, int count) {
  std::ostringstream text;
  text.precision(17);
  for (int i = 0; i < count; ++i) text << (i > 0 ? " " : "") << x[i];
  return text.str();
}

/// MuJoCo writes the scalar part first.
std::array<double, 4> quaternion(const double* R) {
  Eigen::Matrix3d rotation;
  rotation << R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8];
  const Eigen::Quaterniond turn(rotation);
  return {turn.w(), turn.x(), turn.y(), turn.z()};
}

/// The joints on link `parent` with their subtrees.
void write_bodies(const PeerModel& model, int parent, std::ostream& out) {
  for (int i = parent + 1; i < model.joint_count; ++i) {
    const PeerJoint& joint = model.joints[i];
    if (joint.parent != parent) continue;
    const double* I = joint.inertia;
    const double full[6] = {I[0], I[4], I[8], I[1], I[2], I[5]};
    out << "<body pos='" << numbers(joint.position, 3) << "' quat='"
        << numbers(quaternion(joint.rotation).data(), 4) << "'><inertial pos='"
        << numbers(joint.com, 3) << "' mass='" << numbers(&joint.mass, 1) << "' fullinertia='"
        << numbers(full, 6) << "'/><joint type='"
        << (joint.kind == PeerJoint::Kind::kPrismatic ? "slide" : "hinge") << "' axis='"
        << numbers(joint.axis, 3) << "' armature='" << numbers(&joint.armature, 1) << "'/>";
    write_bodies(model, i, out);
    out << "</body>";
  }
}

struct Robot {
  mjModel* model = nullptr;
  mjData* data = nullptr;
  ~Robot() {
    if (data) mj_deleteData(data);
    if (model) mj_deleteModel(model);
  }
  void set(const double* q, const double* v) const {
    std::copy_n(q, model->nq, data->qpos);
    if (v) std::copy_n(v, model->nv, data->qvel);
    mj_kinematics(model, data);
    mj_comPos(model, data);
  }
};

void* open(const PeerModel& model) {
  for (int i = 0; i < model.joint_count; ++i) {
    if (model.joints[i].nv != 1 || model.joints[i].is_mimic) return nullptr;
  }
  std::ostringstream mjcf;
  mjcf << "<mujoco><compiler angle='radian' boundmass='0' balanceinertia='false'/><option gravity='"
       << numbers(model.gravity, 3) << "'/><worldbody>";
  write_bodies(model, -1, mjcf);
  mjcf << "</worldbody></mujoco>";
  const std::string text = mjcf.str();
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  if (mj_makeEmptyFileVFS(files.get(), "robot.xml", static_cast<int>(text.size())) != 0) {
    return nullptr;
  }
  std::copy(text.begin(), text.end(), static_cast<char*>(files->filedata[0]));
  std::array<char, 1000> error{};
  auto robot = std::make_unique<Robot>();
  robot->model = mj_loadXML("robot.xml", files.get(), error.data(), static_cast<int>(error.size()));
  mj_deleteVFS(files.get());
  if (robot->model == nullptr) return nullptr;
  robot->data = mj_makeData(robot->model);
  return robot.release();
}
void close(void* robot) { delete static_cast<Robot*>(robot); }

double inverse_dynamics(void* robot, const double* q, const double* v, const double* a,
                        double* tau) {
  const Robot& r = *static_cast<Robot*>(robot);
  r.set(q, v);
  mj_comVel(r.model, r.data);
  std::copy_n(a, r.model->nv, r.data->qacc);
  if (tau == nullptr) tau = r.data->qfrc_inverse;
  mj_rne(r.model, r.data, 1, tau);
  for (int k = 0; k < r.model->nv; ++k) tau[k] += r.model->dof_armature[k] * a[k];
  return tau[0];
}
double mass_matrix(void* robot, const double* q, const double* /*v*/, const double* /*x*/,
                   double* M) {
  const Robot& r = *static_cast<Robot*>(robot);
  r.set(q, nullptr);
  mj_crb(r.model, r.data);
  if (M != nullptr) mj_fullM(r.model, M, r.data->qM);
  return r.data->qM[0];
}
double forward_dynamics(void* robot, const double* q, const double* v, const double* tau,
                        double* a) {
  const Robot& r = *static_cast<Robot*>(robot);
  r.set(q, v);
  mj_crb(r.model, r.data);
  mj_factorM(r.model, r.data);
  mj_comVel(r.model, r.data);
  mj_rne(r.model, r.data, 0, r.data->qfrc_bias);
  for (int k = 0; k < r.model->nv; ++k) r.data->qfrc_smooth[k] = tau[k] - r.data->qfrc_bias[k];
  if (a == nullptr) a = r.data->qacc;
  mj_solveM(r.model, r.data, a, r.data->qfrc_smooth, 1);
  return a[0];
}

constexpr Peer kPeer{"MuJoCo", open, close, inverse_dynamics, mass_matrix, forward_dynamics};

}  // namespace
}  // namespace spatial_dynamics::bench

extern "C" const spatial_dynamics::bench::Peer* spatial_dynamics_bench_peer() {
  return &spatial_dynamics::bench::kPeer;
}

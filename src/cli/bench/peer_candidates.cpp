#include "cli/bench/candidate.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>

#include "../../../benchmarks/peer.hpp"

namespace spatial_dynamics::cli {
namespace {

class PeerCandidate : public Candidate {
 public:
  PeerCandidate(const bench::Peer& peer, void* robot)
      : Candidate(peer.name), peer_(peer), robot_(robot) {}
  ~PeerCandidate() override { peer_.close(robot_); }
  [[nodiscard]] bool is_peer() const override { return true; }
  [[nodiscard]] bool can(Task task) const override { return function(task) != nullptr; }
  double compute(Task task, const double* q, const double* v, const double* x,
                 double* result) override {
    return function(task)(robot_, q, v, x, result);
  }

 private:
  [[nodiscard]] bench::Peer::Function function(Task task) const {
    switch (task) {
      case Task::kInverseDynamics:
        return peer_.inverse_dynamics;
      case Task::kMassMatrix:
        return peer_.mass_matrix;
      case Task::kForwardDynamics:
        return peer_.forward_dynamics;
      case Task::kInverseMassMatrix:
        return peer_.inverse_mass_matrix;
      case Task::kInverseDerivatives:
        return peer_.inverse_dynamics_derivatives;
      case Task::kForwardDerivatives:
        break;
    }
    return peer_.forward_dynamics_derivatives;
  }

  const bench::Peer& peer_;
  void* robot_;
};

bench::PeerJoint::Kind kind_of(JointType type) {
  switch (type) {
    case JointType::kPrismatic:
      return bench::PeerJoint::Kind::kPrismatic;
    case JointType::kPlanar:
      return bench::PeerJoint::Kind::kPlanar;
    case JointType::kFloating:
      return bench::PeerJoint::Kind::kFloating;
    default:
      return bench::PeerJoint::Kind::kRevolute;
  }
}

/// The model's joints as plain numbers, with pointers into the model.
std::vector<bench::PeerJoint> to_peer(const Model& model) {
  using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  std::vector<bench::PeerJoint> joints;
  joints.reserve(static_cast<std::size_t>(model.body_count()));
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    const Inertia& I = model.inertia(i);
    bench::PeerJoint to{};
    to.name = joint.name.c_str();
    to.kind = kind_of(joint.type);
    to.is_mimic = joint.is_mimic();
    to.parent = static_cast<int>(joint.parent - 1);
    to.v_index = static_cast<int>(joint.v_index);
    to.nv = static_cast<int>(joint.nv);
    Eigen::Map<Vector3>{to.position} = joint.placement.position();
    Eigen::Map<RowMajor>{to.rotation} = joint.placement.rotation();
    Eigen::Map<Vector3>{to.axis} = joint.axis;
    to.armature = joint.armature;
    to.mass = I.mass;
    Eigen::Map<Vector3>{to.com} = I.com();
    Eigen::Map<RowMajor>{to.inertia} = I.inertia_about_com();
    joints.push_back(to);
  }
  return joints;
}

}  // namespace

void add_peers(const Model& model, const std::string& folder, Candidates& candidates,
               std::vector<std::string>& notes) {
  std::vector<std::string> files;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing)) {
    const std::string name = entry.path().filename().string();
    if (name.size() > 8 && name.substr(name.size() - 8) == "_peer.so")
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) notes.push_back("no other library was found in " + folder);
  const std::vector<bench::PeerJoint> joints = to_peer(model);
  const Vector3& g = model.gravity();
  const bench::PeerModel peer_model{static_cast<int>(joints.size()),
                                    joints.data(),
                                    static_cast<int>(model.nq()),
                                    static_cast<int>(model.nv()),
                                    {g.x(), g.y(), g.z()}};
  for (const std::string& file : files) {
    void* object = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto find = object == nullptr
                          ? nullptr
                          : reinterpret_cast<bench::FindPeer>(dlsym(object, bench::kFindPeer));
    if (find == nullptr) {
      notes.push_back(file + " can't be loaded");
      continue;
    }
    const bench::Peer& peer = *find();
    void* robot = peer.open(peer_model);
    if (robot == nullptr) {
      notes.push_back(std::string(peer.name) + " does not support this robot");
    } else {
      candidates.push_back(std::make_unique<PeerCandidate>(peer, robot));
    }
  }
}

}  // namespace spatial_dynamics::cli

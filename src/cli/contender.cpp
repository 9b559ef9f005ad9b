#include "contender.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cassert>
#include <filesystem>

#include "../../benchmarks/peer.hpp"
#include "backend.hpp"
#include "spatial_dynamics/algorithms/derivatives.hpp"
#include "spatial_dynamics/algorithms/forward_dynamics.hpp"
#include "spatial_dynamics/algorithms/inverse_dynamics.hpp"
#include "spatial_dynamics/algorithms/mass_matrix.hpp"
#include "spatial_dynamics/algorithms/mass_matrix_inverse.hpp"
#include "spatial_dynamics/kernels/batch.hpp"
#include "spatial_dynamics/kernels/derivatives.hpp"
#include "spatial_dynamics/kernels/forward_dynamics.hpp"
#include "spatial_dynamics/kernels/generated_library.hpp"
#include "spatial_dynamics/kernels/inverse_dynamics.hpp"
#include "spatial_dynamics/kernels/mass_matrix.hpp"

namespace spatial_dynamics::cli {
namespace {

using MapIn = Eigen::Map<const VectorXd>;
using MatrixOut = Eigen::Map<MatrixXd>;

void write_three(const MatrixXd& a, const MatrixXd& b, const MatrixXd& c, double* result) {
  for (const MatrixXd* matrix : {&a, &b, &c}) {
    MatrixOut(result, matrix->rows(), matrix->cols()) = *matrix;
    result += matrix->size();
  }
}

// What the textbook and the kernels call by different names.

struct TextbookSlopes {
  explicit TextbookSlopes(const Model& model) : inverse(model), forward(model) {}
  InverseDynamicsDerivatives inverse;
  ForwardDynamicsDerivatives forward;
};
void invert(const Model& model, Data& data, const MapIn& q, double* result) {
  (void)mass_matrix_inverse(model, data, q, MatrixOut(result, model.nv(), model.nv()));
}
void differentiate_inverse(const Model& model, Data& data, TextbookSlopes& slopes, const MapIn& q,
                           const MapIn& v, const MapIn& a, double* result) {
  InverseDynamicsDerivatives& s = slopes.inverse;
  inverse_dynamics_derivatives(model, data, q, v, a, s);
  write_three(s.dtau_dq, s.dtau_dv, s.dtau_da, result);
}
void differentiate_forward(const Model& model, Data& data, TextbookSlopes& slopes, const MapIn& q,
                           const MapIn& v, const MapIn& tau, double* result) {
  ForwardDynamicsDerivatives& s = slopes.forward;
  (void)forward_dynamics_derivatives(model, data, q, v, tau, s);
  write_three(s.da_dq, s.da_dv, s.da_dtau, result);
}

void invert(const CompactModel& model, Workspace& workspace, const MapIn& q, double* result) {
  (void)inverse_mass_matrix(model, workspace, q, MatrixOut(result, model.nv(), model.nv()));
}
void differentiate_inverse(const CompactModel& model, Workspace& /*workspace*/, Derivatives& slopes,
                           const MapIn& q, const MapIn& v, const MapIn& a, double* result) {
  inverse_dynamics_derivatives(model, slopes, q, v, a);
  write_three(slopes.by_q, slopes.by_v, slopes.by_effort, result);
}
void differentiate_forward(const CompactModel& model, Workspace& /*workspace*/, Derivatives& slopes,
                           const MapIn& q, const MapIn& v, const MapIn& tau, double* result) {
  (void)forward_dynamics_derivatives(model, slopes, q, v, tau);
  write_three(slopes.by_q, slopes.by_v, slopes.by_effort, result);
}

/// The textbook on Model and Data, or the kernels on CompactModel and Workspace: they are called alike.
template <typename Robot, typename Space, typename Slopes>
class OurContender : public Contender {
 public:
  OurContender(const std::string& name, Robot robot)
      : Contender(name), robot_(std::move(robot)), space_(robot_), slopes_(robot_) {}
  [[nodiscard]] bool can(Task) const override { return true; }
  void compute(Task task, const double* q, const double* v, const double* x,
               double* result) override {
    const Index n = robot_.nv();
    const MapIn q_in(q, robot_.nq()), v_in(v, n), x_in(x, n);
    Eigen::Map<VectorXd> out(result, n);
    switch (task) {
      case Task::kInverseDynamics:
        out = inverse_dynamics(robot_, space_, q_in, v_in, x_in);
        return;
      case Task::kMassMatrix:
        MatrixOut(result, n, n) = mass_matrix(robot_, space_, q_in);
        return;
      case Task::kForwardDynamics:
        out = forward_dynamics(robot_, space_, q_in, v_in, x_in);
        return;
      case Task::kInverseMassMatrix:
        return invert(robot_, space_, q_in, result);
      case Task::kInverseDerivatives:
        return differentiate_inverse(robot_, space_, slopes_, q_in, v_in, x_in, result);
      case Task::kForwardDerivatives:
        differentiate_forward(robot_, space_, slopes_, q_in, v_in, x_in, result);
    }
  }

 private:
  Robot robot_;
  Space space_;
  Slopes slopes_;
};

/// Batch and generated code have the three quantities that control loops and sampling need.
bool is_basic(Task task) noexcept {
  return task == Task::kInverseDynamics || task == Task::kMassMatrix ||
         task == Task::kForwardDynamics;
}

class GeneratedContender : public Contender {
 public:
  explicit GeneratedContender(const Model& model)
      : Contender("generated"),
        library_(GeneratedLibrary::build(model, {}, cache_folder())),
        gravity_(model.gravity()) {}
  [[nodiscard]] bool can(Task task) const override { return is_basic(task); }
  void compute(Task task, const double* q, const double* v, const double* x,
               double* result) override {
    const GeneratedFunctions& f = library_.functions();
    switch (task) {
      case Task::kInverseDynamics:
        return f.inverse_dynamics(q, v, x, gravity_.data(), nullptr, result);
      case Task::kMassMatrix:
        return f.mass_matrix(q, nullptr, result);
      case Task::kForwardDynamics:
        f.forward_dynamics(q, v, x, gravity_.data(), nullptr, result);
        return;
      default:
        assert(false);  // can() says so
    }
  }

 private:
  GeneratedLibrary library_;
  Vector3 gravity_;
};

class BatchContender : public Contender {
 public:
  explicit BatchContender(const Model& model)
      : Contender("batch"), compact_(compile(model)), workspace_(compact_) {}
  [[nodiscard]] bool can(Task task) const override { return is_basic(task); }
  [[nodiscard]] bool has_latency() const override { return false; }
  void compute(Task task, const double* q, const double* v, const double* x,
               double* result) override {
    const Index n = compact_.nv();
    const BenchStates one{Eigen::Map<const VectorXd>(q, compact_.nq()),
                          Eigen::Map<const VectorXd>(v, n), Eigen::Map<const VectorXd>(x, n)};
    MatrixXd results(result_size(task, n), 1);
    compute_all(task, one, results);
    std::copy_n(results.data(), results.size(), result);
  }
  void compute_all(Task task, const BenchStates& s, MatrixXd& results) override {
    switch (task) {
      case Task::kInverseDynamics:
        return inverse_dynamics_batch(compact_, workspace_, s.q, s.v, s.x, results);
      case Task::kMassMatrix:
        return mass_matrix_batch(compact_, workspace_, s.q, results);
      case Task::kForwardDynamics:
        forward_dynamics_batch(compact_, workspace_, s.q, s.v, s.x, results);
        return;
      default:
        assert(false);  // can() says so
    }
  }

 private:
  CompactModel compact_;
  BatchWorkspace workspace_;
};

class PeerContender : public Contender {
 public:
  PeerContender(const bench::Peer& peer, void* robot)
      : Contender(peer.name), peer_(peer), robot_(robot) {}
  ~PeerContender() override { peer_.close(robot_); }
  [[nodiscard]] bool is_peer() const override { return true; }
  [[nodiscard]] bool can(Task task) const override { return function(task) != nullptr; }
  void compute(Task task, const double* q, const double* v, const double* x,
               double* result) override {
    function(task)(robot_, q, v, x, result);
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

/// The model's joints in plain numbers; they point into the model.
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

/// Peers' shared objects stay loaded until the process ends.
void add_peers(const Model& model, const std::string& folder,
               std::vector<std::unique_ptr<Contender>>& contenders,
               std::vector<std::string>& notes) {
  std::vector<std::string> files;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing)) {
    const std::string name = entry.path().filename().string();
    if (name.size() > 8 && name.substr(name.size() - 8) == "_peer.so")
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) notes.push_back("no peer was found in " + folder);
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
      notes.push_back(std::string(peer.name) + " has no such robot");
    } else {
      contenders.push_back(std::make_unique<PeerContender>(peer, robot));
    }
  }
}

}  // namespace

const char* to_string(Task task) noexcept {
  switch (task) {
    case Task::kInverseDynamics:
      return "inverse_dynamics";
    case Task::kMassMatrix:
      return "mass_matrix";
    case Task::kForwardDynamics:
      return "forward_dynamics";
    case Task::kInverseMassMatrix:
      return "inverse_mass_matrix";
    case Task::kInverseDerivatives:
      return "inverse_derivatives";
    case Task::kForwardDerivatives:
      break;
  }
  return "forward_derivatives";
}

Index result_size(Task task, Index nv) noexcept {
  switch (task) {
    case Task::kInverseDynamics:
    case Task::kForwardDynamics:
      return nv;
    case Task::kMassMatrix:
    case Task::kInverseMassMatrix:
      return nv * nv;
    case Task::kInverseDerivatives:
    case Task::kForwardDerivatives:
      break;
  }
  return 3 * nv * nv;
}

bool needs_inverse(Task task) noexcept {
  return task == Task::kForwardDynamics || task == Task::kInverseMassMatrix ||
         task == Task::kForwardDerivatives;
}

void Contender::compute_all(Task task, const BenchStates& s, MatrixXd& results) {
  for (Index i = 0; i < s.q.cols(); ++i) {
    compute(task, s.q.col(i).data(), s.v.col(i).data(), s.x.col(i).data(), results.col(i).data());
  }
}

std::vector<std::unique_ptr<Contender>> find_contenders(const Model& model,
                                                        const std::string& peer_folder,
                                                        std::vector<std::string>& notes) {
  std::vector<std::unique_ptr<Contender>> contenders;
  contenders.push_back(
      std::make_unique<OurContender<Model, Data, TextbookSlopes>>("textbook", model));
  contenders.push_back(std::make_unique<OurContender<CompactModel, Workspace, Derivatives>>(
      "kernel", compile(model)));
  contenders.push_back(std::make_unique<BatchContender>(model));
  try {
    contenders.push_back(std::make_unique<GeneratedContender>(model));
  } catch (const std::exception& error) {
    notes.push_back(std::string("no generated code: ") + error.what());
  }
  add_peers(model, peer_folder, contenders, notes);
  return contenders;
}

}  // namespace spatial_dynamics::cli

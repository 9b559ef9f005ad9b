#include "contender.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>

#include "../../benchmarks/peer.hpp"
#include "backend.hpp"
#include "spatial_dynamics/algorithms/forward_dynamics.hpp"
#include "spatial_dynamics/algorithms/inverse_dynamics.hpp"
#include "spatial_dynamics/algorithms/mass_matrix.hpp"
#include "spatial_dynamics/kernels/batch.hpp"
#include "spatial_dynamics/kernels/forward_dynamics.hpp"
#include "spatial_dynamics/kernels/generated_library.hpp"
#include "spatial_dynamics/kernels/inverse_dynamics.hpp"
#include "spatial_dynamics/kernels/mass_matrix.hpp"

namespace spatial_dynamics::cli {
namespace {

/// The textbook on Model and Data, or the kernels on CompactModel and Workspace: they are called alike.
template <typename Robot, typename Space>
class OurContender : public Contender {
 public:
  OurContender(const std::string& name, Robot robot)
      : Contender(name), robot_(std::move(robot)), space_(robot_) {}
  [[nodiscard]] bool can(Task) const override { return true; }
  void compute(Task task, const double* q, const double* v, const double* x,
               double* result) override {
    const Index n = robot_.nv();
    const Eigen::Map<const VectorXd> q_in(q, robot_.nq()), v_in(v, n), x_in(x, n);
    Eigen::Map<VectorXd> out(result, n);
    switch (task) {
      case Task::kInverseDynamics:
        out = inverse_dynamics(robot_, space_, q_in, v_in, x_in);
        return;
      case Task::kMassMatrix:
        Eigen::Map<MatrixXd>(result, n, n) = mass_matrix(robot_, space_, q_in);
        return;
      case Task::kForwardDynamics:
        out = forward_dynamics(robot_, space_, q_in, v_in, x_in);
    }
  }

 private:
  Robot robot_;
  Space space_;
};

class GeneratedContender : public Contender {
 public:
  explicit GeneratedContender(const Model& model)
      : Contender("generated"),
        library_(GeneratedLibrary::build(model, {}, cache_folder())),
        gravity_(model.gravity()) {}
  [[nodiscard]] bool can(Task) const override { return true; }
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
  [[nodiscard]] bool can(Task) const override { return true; }
  [[nodiscard]] bool has_latency() const override { return false; }
  void compute(Task task, const double* q, const double* v, const double* x,
               double* result) override {
    const Index n = compact_.nv();
    const BenchStates one{Eigen::Map<const VectorXd>(q, compact_.nq()),
                          Eigen::Map<const VectorXd>(v, n), Eigen::Map<const VectorXd>(x, n)};
    MatrixXd results(task == Task::kMassMatrix ? n * n : n, 1);
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
  [[nodiscard]] bool can(Task task) const override {
    switch (task) {
      case Task::kInverseDynamics:
        return peer_.inverse_dynamics != nullptr;
      case Task::kMassMatrix:
        return peer_.mass_matrix != nullptr;
      case Task::kForwardDynamics:
        break;
    }
    return peer_.forward_dynamics != nullptr;
  }
  void compute(Task task, const double* q, const double* v, const double* x,
               double* result) override {
    switch (task) {
      case Task::kInverseDynamics:
        return peer_.inverse_dynamics(robot_, q, v, x, result);
      case Task::kMassMatrix:
        return peer_.mass_matrix(robot_, q, result);
      case Task::kForwardDynamics:
        return peer_.forward_dynamics(robot_, q, v, x, result);
    }
  }

 private:
  const bench::Peer& peer_;
  void* robot_;
};

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
    void* robot = peer.open(model);
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
      break;
  }
  return "forward_dynamics";
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
  contenders.push_back(std::make_unique<OurContender<Model, Data>>("textbook", model));
  contenders.push_back(
      std::make_unique<OurContender<CompactModel, Workspace>>("kernel", compile(model)));
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

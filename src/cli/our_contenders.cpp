#include "our_contenders.hpp"

#include <algorithm>
#include <cassert>

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
  GeneratedContender(std::shared_ptr<const GeneratedLibrary> library, const Model& model)
      : Contender("generated"), library_(std::move(library)), gravity_(model.gravity()) {}
  [[nodiscard]] bool can(Task task) const override { return is_basic(task); }
  void compute(Task task, const double* q, const double* v, const double* x,
               double* result) override {
    const GeneratedFunctions& f = library_->functions();
    switch (task) {
      case Task::kInverseDynamics:
        return f.inverse_dynamics(q, v, x, gravity_.data(), nullptr, nullptr, result);
      case Task::kMassMatrix:
        return f.mass_matrix(q, nullptr, result);
      case Task::kForwardDynamics:
        f.forward_dynamics(q, v, x, gravity_.data(), nullptr, nullptr, result);
        return;
      default:
        assert(false);  // can() says so
    }
  }

 private:
  std::shared_ptr<const GeneratedLibrary> library_;
  Vector3 gravity_;
};

/// What computes many states at once.
class ManyStates : public Contender {
 public:
  using Contender::Contender;
  [[nodiscard]] bool can(Task task) const override { return is_basic(task); }
  [[nodiscard]] bool has_latency() const override { return false; }
  void compute(Task task, const double* q, const double* v, const double* x,
               double* result) override {
    const BenchStates one{MapIn(q, nq()), MapIn(v, nv()), MapIn(x, nv())};
    MatrixXd results(result_size(task, nv()), 1);
    compute_all(task, one, results);
    std::copy_n(results.data(), results.size(), result);
  }

 private:
  [[nodiscard]] virtual Index nq() const = 0;
  [[nodiscard]] virtual Index nv() const = 0;
};

class BatchContender : public ManyStates {
 public:
  explicit BatchContender(const Model& model)
      : ManyStates("batch"), compact_(compile(model)), workspace_(compact_) {}
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
  [[nodiscard]] Index nq() const override { return compact_.nq(); }
  [[nodiscard]] Index nv() const override { return compact_.nv(); }
  CompactModel compact_;
  BatchWorkspace workspace_;
};

class GeneratedBatchContender : public ManyStates {
 public:
  GeneratedBatchContender(std::shared_ptr<const GeneratedLibrary> library, const Model& model)
      : ManyStates("generated batch"), library_(std::move(library)), gravity_(model.gravity()) {}
  void compute_all(Task task, const BenchStates& s, MatrixXd& results) override {
    const GeneratedFunctions& f = library_->functions();
    const int states = static_cast<int>(s.q.cols());
    const double* gravity = gravity_.data();
    switch (task) {
      case Task::kInverseDynamics:
        return f.inverse_dynamics_batch(states, s.q.data(), s.v.data(), s.x.data(), gravity,
                                        nullptr, nullptr, results.data());
      case Task::kMassMatrix:
        return f.mass_matrix_batch(states, s.q.data(), nullptr, results.data());
      case Task::kForwardDynamics:
        f.forward_dynamics_batch(states, s.q.data(), s.v.data(), s.x.data(), gravity, nullptr,
                                 nullptr, results.data());
        return;
      default:
        assert(false);  // can() says so
    }
  }

 private:
  [[nodiscard]] Index nq() const override { return library_->functions().nq(); }
  [[nodiscard]] Index nv() const override { return library_->functions().nv(); }
  std::shared_ptr<const GeneratedLibrary> library_;
  Vector3 gravity_;
};

}  // namespace

void add_ours(const Model& model, Contenders& contenders, std::vector<std::string>& notes) {
  contenders.push_back(
      std::make_unique<OurContender<Model, Data, TextbookSlopes>>("textbook", model));
  contenders.push_back(std::make_unique<OurContender<CompactModel, Workspace, Derivatives>>(
      "kernel", compile(model)));
  contenders.push_back(std::make_unique<BatchContender>(model));
  try {
    const auto library = std::make_shared<const GeneratedLibrary>(
        GeneratedLibrary::build(model, {}, cache_folder()));
    contenders.push_back(std::make_unique<GeneratedContender>(library, model));
    contenders.push_back(std::make_unique<GeneratedBatchContender>(library, model));
  } catch (const std::exception& error) {
    notes.push_back(std::string("no generated code: ") + error.what());
  }
}

}  // namespace spatial_dynamics::cli

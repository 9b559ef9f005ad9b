#include "cli/bench/candidate.hpp"

#include <algorithm>
#include <cassert>

#include "cli/common/progress.hpp"
#include "cli/compute/backend.hpp"
#include "spatial_dynamics/dynamics/batch.hpp"
#include "spatial_dynamics/dynamics/derivatives.hpp"
#include "spatial_dynamics/dynamics/forward_dynamics.hpp"
#include "spatial_dynamics/dynamics/generated_library.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/dynamics/mass_matrix.hpp"
#include "spatial_dynamics/textbook/derivatives.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"

namespace spatial_dynamics::cli {
namespace {

using MapIn = Eigen::Map<const VectorXd>;

/// Copies matrices in a row, unless `to` is null. Returns a number of the first.
double write(std::initializer_list<const MatrixXd*> matrices, double* to) {
  for (const MatrixXd* matrix : matrices) {
    if (to == nullptr) break;
    to = std::copy_n(matrix->data(), matrix->size(), to);
  }
  return (*matrices.begin())->coeff(0);
}
double write(const VectorXd& vector, double* to) {
  if (to != nullptr) std::copy_n(vector.data(), vector.size(), to);
  return vector(0);
}

class TextbookCandidate : public Candidate {
 public:
  explicit TextbookCandidate(const Model& model)
      : Candidate("textbook"),
        model_(model),
        data_(model_),
        inverse_(model_),
        forward_(model_),
        M_inverse_(model.nv(), model.nv()) {}
  [[nodiscard]] bool can(Task) const override { return true; }
  double compute(Task task, const double* q_in, const double* v_in, const double* x_in,
                 double* result) override {
    const MapIn q(q_in, model_.nq()), v(v_in, model_.nv()), x(x_in, model_.nv());
    switch (task) {
      case Task::kInverseDynamics:
        return write(inverse_dynamics(model_, data_, q, v, x), result);
      case Task::kMassMatrix:
        return write({&mass_matrix(model_, data_, q)}, result);
      case Task::kForwardDynamics:
        return write(forward_dynamics(model_, data_, q, v, x), result);
      case Task::kInverseMassMatrix:
        (void)mass_matrix_inverse(model_, data_, q, M_inverse_);
        return write({&M_inverse_}, result);
      case Task::kInverseDerivatives:
        inverse_dynamics_derivatives(model_, data_, q, v, x, inverse_);
        return write({&inverse_.dtau_dq, &inverse_.dtau_dv, &inverse_.dtau_da}, result);
      case Task::kForwardDerivatives:
        break;
    }
    (void)forward_dynamics_derivatives(model_, data_, q, v, x, forward_);
    return write({&forward_.da_dq, &forward_.da_dv, &forward_.da_dtau}, result);
  }

 private:
  Model model_;
  textbook::Data data_;
  textbook::InverseDynamicsDerivatives inverse_;
  textbook::ForwardDynamicsDerivatives forward_;
  MatrixXd M_inverse_;
};

/// The library's API as users call it.
class LibraryCandidate : public Candidate {
 public:
  explicit LibraryCandidate(const Model& model)
      : Candidate("kernel"), model_(model), data_(model_, Dense::kAll) {}
  [[nodiscard]] bool can(Task) const override { return true; }
  double compute(Task task, const double* q_in, const double* v_in, const double* x_in,
                 double* result) override {
    const MapIn q(q_in, model_.nq()), v(v_in, model_.nv()), x(x_in, model_.nv());
    switch (task) {
      case Task::kInverseDynamics:
        return write(inverse_dynamics(model_, data_, q, v, x), result);
      case Task::kMassMatrix:
        return write({&mass_matrix(model_, data_, q)}, result);
      case Task::kForwardDynamics:
        return write(forward_dynamics(model_, data_, q, v, x), result);
      case Task::kInverseMassMatrix:
        return write({&mass_matrix_inverse(model_, data_, q)}, result);
      case Task::kInverseDerivatives: {
        const InverseDynamicsDerivatives& d = inverse_dynamics_derivatives(model_, data_, q, v, x);
        return write({&d.dtau_dq, &d.dtau_dv, &d.dtau_da}, result);
      }
      case Task::kForwardDerivatives:
        break;
    }
    const ForwardDynamicsDerivatives& d = forward_dynamics_derivatives(model_, data_, q, v, x);
    return write({&d.da_dq, &d.da_dv, &d.da_dtau}, result);
  }

 private:
  Model model_;
  Data data_;
};

/// Generated code has these three tasks; batches are compared with it.
bool is_basic(Task task) noexcept {
  return task == Task::kInverseDynamics || task == Task::kMassMatrix ||
         task == Task::kForwardDynamics;
}

class GeneratedCandidate : public Candidate {
 public:
  GeneratedCandidate(std::shared_ptr<const GeneratedLibrary> library, const Model& model)
      : Candidate("generated"),
        library_(std::move(library)),
        gravity_(model.gravity()),
        own_(model.nv() * model.nv()) {}
  [[nodiscard]] bool can(Task task) const override { return is_basic(task); }
  double compute(Task task, const double* q, const double* v, const double* x,
                 double* result) override {
    const GeneratedFunctions& f = library_->functions();
    if (result == nullptr) result = own_.data();
    switch (task) {
      case Task::kInverseDynamics:
        f.inverse_dynamics(q, v, x, gravity_.data(), nullptr, nullptr, result);
        break;
      case Task::kMassMatrix:
        f.mass_matrix(q, nullptr, result);
        break;
      case Task::kForwardDynamics:
        f.forward_dynamics(q, v, x, gravity_.data(), nullptr, nullptr, result);
        break;
      default:
        assert(false);  // excluded by can()
    }
    return result[0];
  }

 private:
  std::shared_ptr<const GeneratedLibrary> library_;
  Vector3 gravity_;
  VectorXd own_;  ///< for results that are not copied
};

/// A candidate that computes many states at once.
class ManyStates : public Candidate {
 public:
  using Candidate::Candidate;
  [[nodiscard]] bool can(Task task) const override { return is_basic(task); }
  [[nodiscard]] bool has_latency() const override { return false; }
  double compute(Task task, const double* q, const double* v, const double* x,
                 double* result) override {
    const BenchStates one{MapIn(q, nq()), MapIn(v, nv()), MapIn(x, nv())};
    MatrixXd results(result_size(task, nv()), 1);
    compute_all(task, one, &results);
    if (result != nullptr) std::copy_n(results.data(), results.size(), result);
    return results(0);
  }

 private:
  [[nodiscard]] virtual Index nq() const = 0;
  [[nodiscard]] virtual Index nv() const = 0;
};

class BatchCandidate : public ManyStates {
 public:
  explicit BatchCandidate(const Model& model)
      : ManyStates("batch"), model_(model), data_(model_, 0, Dense::kMassMatrix) {}
  void compute_all(Task task, const BenchStates& s, MatrixXd* results) override {
    if (s.q.cols() > data_.capacity()) data_ = BatchData(model_, s.q.cols(), Dense::kMassMatrix);
    const BatchData::Result result =
        task == Task::kInverseDynamics ? inverse_dynamics(model_, data_, s.q, s.v, s.x)
        : task == Task::kMassMatrix    ? mass_matrix(model_, data_, s.q)
                                       : forward_dynamics(model_, data_, s.q, s.v, s.x);
    if (results != nullptr) *results = result;
  }

 private:
  [[nodiscard]] Index nq() const override { return model_.nq(); }
  [[nodiscard]] Index nv() const override { return model_.nv(); }
  Model model_;
  BatchData data_;
};

class GeneratedBatchCandidate : public ManyStates {
 public:
  GeneratedBatchCandidate(std::shared_ptr<const GeneratedLibrary> library, const Model& model)
      : ManyStates("generated batch"), library_(std::move(library)), gravity_(model.gravity()) {}
  void compute_all(Task task, const BenchStates& s, MatrixXd* requested) override {
    const GeneratedFunctions& f = library_->functions();
    const int states = static_cast<int>(s.q.cols());
    own_.resize(result_size(task, nv()), s.q.cols());
    MatrixXd& results = requested != nullptr ? *requested : own_;
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
        assert(false);  // excluded by can()
    }
  }

 private:
  [[nodiscard]] Index nq() const override { return library_->functions().nq(); }
  [[nodiscard]] Index nv() const override { return library_->functions().nv(); }
  std::shared_ptr<const GeneratedLibrary> library_;
  Vector3 gravity_;
  MatrixXd own_;  ///< for results that are not copied
};

}  // namespace

void add_ours(const Model& model, Candidates& candidates, std::vector<std::string>& notes) {
  candidates.push_back(std::make_unique<TextbookCandidate>(model));
  candidates.push_back(std::make_unique<LibraryCandidate>(model));
  candidates.push_back(std::make_unique<BatchCandidate>(model));
  try {
    Progress progress("compiling generated code");
    progress.show_name();
    const auto library = std::make_shared<const GeneratedLibrary>(
        GeneratedLibrary::build(model, {}, cache_folder()));
    candidates.push_back(std::make_unique<GeneratedCandidate>(library, model));
    candidates.push_back(std::make_unique<GeneratedBatchCandidate>(library, model));
  } catch (const std::exception& error) {
    notes.push_back(std::string("no generated code: ") + error.what());
  }
}

}  // namespace spatial_dynamics::cli

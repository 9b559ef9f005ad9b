#include "backend.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>

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

class Textbook : public Backend {
 public:
  explicit Textbook(const Model& model) : model_(model), data_(model) {}
  const VectorXd& inverse_dynamics(const State& s) override {
    return spatial_dynamics::inverse_dynamics(model_, data_, s.q.values, s.v.values, s.a.values,
                                              s.wrenches);
  }
  const VectorXd& forward_dynamics(const State& s, bool& singular) override {
    const VectorXd& a = spatial_dynamics::forward_dynamics(model_, data_, s.q.values, s.v.values,
                                                           s.tau.values, s.wrenches);
    singular = data_.singular;
    return a;
  }
  const MatrixXd& mass_matrix(const State& s) override {
    return spatial_dynamics::mass_matrix(model_, data_, s.q.values);
  }

 private:
  const Model& model_;
  Data data_;
};

class Kernel : public Backend {
 public:
  explicit Kernel(const Model& model) : compact_(compile(model)), workspace_(compact_) {}
  const VectorXd& inverse_dynamics(const State& s) override {
    return spatial_dynamics::inverse_dynamics(compact_, workspace_, s.q.values, s.v.values,
                                              s.a.values, on_bodies(s));
  }
  const VectorXd& forward_dynamics(const State& s, bool& singular) override {
    const VectorXd& a = spatial_dynamics::forward_dynamics(compact_, workspace_, s.q.values,
                                                           s.v.values, s.tau.values, on_bodies(s));
    singular = workspace_.singular;
    return a;
  }
  const MatrixXd& mass_matrix(const State& s) override {
    return spatial_dynamics::mass_matrix(compact_, workspace_, s.q.values);
  }

 private:
  static const Force* on_bodies(const State& s) {
    return s.wrenches.empty() ? nullptr : &s.wrenches.on_body(0);
  }
  CompactModel compact_;
  Workspace workspace_;
};

/// The wrenches on all bodies, six numbers each, one behind the other; null if all are zero.
const double* wrenches_of(const State& state) {
  static_assert(sizeof(Force) == 6 * sizeof(double), "couple and force, nothing else");
  for (Index i = 0; i < state.wrenches.body_count(); ++i) {
    if (state.wrenches.on_body(i).vector().isZero(0.0)) continue;
    return state.wrenches.on_body(0).couple.data();
  }
  return nullptr;
}

class Batch : public Backend {
 public:
  explicit Batch(const Model& model)
      : compact_(compile(model)), workspace_(compact_), n_(model.nv()) {}
  const VectorXd& inverse_dynamics(const State& s) override {
    vector_.resize(n_);
    if (const double* wrenches = wrenches_of(s); wrenches != nullptr) {
      inverse_dynamics_batch(compact_, workspace_, s.q.values, s.v.values, s.a.values,
                             on_bodies(wrenches), vector_);
    } else {
      inverse_dynamics_batch(compact_, workspace_, s.q.values, s.v.values, s.a.values, vector_);
    }
    return vector_;
  }
  const VectorXd& forward_dynamics(const State& s, bool& singular) override {
    vector_.resize(n_);
    if (const double* wrenches = wrenches_of(s); wrenches != nullptr) {
      singular = forward_dynamics_batch(compact_, workspace_, s.q.values, s.v.values, s.tau.values,
                                        on_bodies(wrenches), vector_) != 0;
    } else {
      singular = forward_dynamics_batch(compact_, workspace_, s.q.values, s.v.values, s.tau.values,
                                        vector_) != 0;
    }
    return vector_;
  }
  const MatrixXd& mass_matrix(const State& s) override {
    matrix_.resize(n_ * n_, 1);
    mass_matrix_batch(compact_, workspace_, s.q.values, matrix_);
    matrix_.resize(n_, n_);
    return matrix_;
  }

 private:
  [[nodiscard]] Eigen::Map<const VectorXd> on_bodies(const double* wrenches) const {
    return {wrenches, 6 * compact_.body_count()};
  }
  CompactModel compact_;
  BatchWorkspace workspace_;
  Index n_;
  VectorXd vector_;
  MatrixXd matrix_;
};

class Generated : public Backend {
 public:
  explicit Generated(const Model& model)
      : model_(model),
        library_(GeneratedLibrary::build(model, {}, cache_folder())),
        vector_(model.nv()),
        matrix_(model.nv(), model.nv()) {}
  const VectorXd& inverse_dynamics(const State& s) override {
    library_.functions().inverse_dynamics(s.q.values.data(), s.v.values.data(), s.a.values.data(),
                                          model_.gravity().data(), nullptr, wrenches_of(s),
                                          vector_.data());
    return vector_;
  }
  const VectorXd& forward_dynamics(const State& s, bool& singular) override {
    singular = library_.functions().forward_dynamics(s.q.values.data(), s.v.values.data(),
                                                     s.tau.values.data(), model_.gravity().data(),
                                                     nullptr, wrenches_of(s), vector_.data()) == 0;
    return vector_;
  }
  const MatrixXd& mass_matrix(const State& s) override {
    library_.functions().mass_matrix(s.q.values.data(), nullptr, matrix_.data());
    return matrix_;
  }

 private:
  const Model& model_;
  GeneratedLibrary library_;
  VectorXd vector_;
  MatrixXd matrix_;
};

}  // namespace

std::string cache_folder() {
  std::filesystem::path folder;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    folder = std::filesystem::path(home) / ".cache";
  }
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    folder = cache;
  }
  // A folder that others may write to would let them choose what is loaded.
  if (folder.empty()) {
    throw std::runtime_error(
        "generated code is compiled in a folder of your own: set HOME or XDG_CACHE_HOME");
  }
  return (folder / "spatial_dynamics").string();
}

const std::vector<std::string>& backend_names() {
  static const std::vector<std::string> names{"textbook", "kernel", "batch", "generated"};
  return names;
}

std::unique_ptr<Backend> make_backend(const std::string& name, const Model& model) {
  if (name == "kernel") return std::make_unique<Kernel>(model);
  if (name == "batch") return std::make_unique<Batch>(model);
  if (name == "generated") return std::make_unique<Generated>(model);
  return std::make_unique<Textbook>(model);
}

}  // namespace spatial_dynamics::cli

#include "cli/compute/backend.hpp"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "cli/common/progress.hpp"
#include "spatial_dynamics/dynamics/batch.hpp"
#include "spatial_dynamics/dynamics/generated_library.hpp"

namespace spatial_dynamics::cli {
namespace {

/// The wrenches on all bodies, six numbers each; null if all are zero.
const double* wrenches_of(const State& state) {
  static_assert(sizeof(Force) == 6 * sizeof(double), "moment and force, nothing else");
  for (Index i = 0; i < state.wrenches.body_count(); ++i) {
    if (state.wrenches.on_body(i).vector().isZero(0.0)) continue;
    return state.wrenches.on_body(0).moment.data();
  }
  return nullptr;
}

/// Batches of one state.
class BatchBackend : public Backend {
 public:
  explicit BatchBackend(const Model& model) : model_(model), data_(model, 1, Dense::kMassMatrix) {}

  bool write(const State& s, const RequestedQuantity& request, AnswerWriter& writer) override {
    const VectorXd &q = s.q.values, &v = s.v.values;
    switch (request.quantity) {
      case Quantity::kInverseDynamics:
        writer.joint_vector(inverse_dynamics(model_, data_, q, v, s.a.values, wrenches(s)));
        return true;
      case Quantity::kForwardDynamics: {
        require_forward_dynamics(model_);
        const VectorXd a = forward_dynamics(model_, data_, q, v, s.tau.values, wrenches(s));
        require_regular(data_.singular_count() != 0, "fd");
        writer.joint_vector(a);
        return true;
      }
      case Quantity::kBias:
        writer.joint_vector(bias_torque(model_, data_, q, v));
        return true;
      case Quantity::kGravity:
        writer.joint_vector(gravity_torque(model_, data_, q));
        return true;
      case Quantity::kMassMatrix:
        writer.joint_matrix(square(mass_matrix(model_, data_, q)));
        return true;
      case Quantity::kMassMatrixInverse: {
        require_forward_dynamics(model_);
        data_.reserve(Dense::kMassMatrixInverse);
        const MatrixXd inverse = square(mass_matrix_inverse(model_, data_, q));
        require_regular(data_.singular_count() != 0, "mass_matrix_inverse");
        writer.joint_matrix(inverse);
        return true;
      }
      default:
        return false;
    }
  }

 private:
  /// Without wrenches, other code is chosen.
  static const ExternalForces& wrenches(const State& s) {
    return wrenches_of(s) != nullptr ? s.wrenches : kNoExternalForces;
  }
  [[nodiscard]] MatrixXd square(const BatchData::Result& column) const {
    return Eigen::Map<const MatrixXd>(column.data(), model_.nv(), model_.nv());
  }

  const Model& model_;
  BatchData data_;
};

GeneratedLibrary build_generated(const Model& model) {
  Progress progress("compiling generated code");
  progress.show_name();
  return GeneratedLibrary::build(model, {}, cache_folder());
}

/// Code generated for this robot.
class GeneratedBackend : public Backend {
 public:
  explicit GeneratedBackend(const Model& model)
      : model_(model),
        library_(build_generated(model)),
        vector_(model.nv()),
        matrix_(model.nv(), model.nv()) {}

  bool write(const State& s, const RequestedQuantity& request, AnswerWriter& writer) override {
    const GeneratedFunctions& f = library_.functions();
    const double *q = s.q.values.data(), *v = s.v.values.data();
    switch (request.quantity) {
      case Quantity::kInverseDynamics:
        f.inverse_dynamics(q, v, s.a.values.data(), model_.gravity().data(), nullptr,
                           wrenches_of(s), vector_.data());
        writer.joint_vector(vector_);
        return true;
      case Quantity::kForwardDynamics:
        require_forward_dynamics(model_);
        require_regular(f.forward_dynamics(q, v, s.tau.values.data(), model_.gravity().data(),
                                           nullptr, wrenches_of(s), vector_.data()) == 0,
                        "fd");
        writer.joint_vector(vector_);
        return true;
      case Quantity::kMassMatrix:
        f.mass_matrix(q, nullptr, matrix_.data());
        writer.joint_matrix(matrix_);
        return true;
      default:
        return false;
    }
  }

 private:
  const Model& model_;
  GeneratedLibrary library_;
  VectorXd vector_;
  MatrixXd matrix_;
};

}  // namespace

void Backend::require_forward_dynamics(const Model& model) {
  if (!model.why_forward_dynamics_fails().empty())
    throw InputError(model.why_forward_dynamics_fails());
}

void Backend::require_regular(bool singular, const std::string& quantity) {
  if (!singular) return;
  throw InputError(quantity +
                   ": the mass matrix is singular at this state, so no forces determine an "
                   "acceleration; add armature or mass where the robot has none");
}

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
  // Not in a folder that other users can write to: they could replace the code that is loaded.
  if (folder.empty()) {
    throw std::runtime_error(
        "generated code is compiled in your cache folder: set HOME or XDG_CACHE_HOME");
  }
  return (folder / "spatial_dynamics").string();
}

const std::vector<std::string>& backend_names() {
  static const std::vector<std::string> names{"textbook", "kernel", "batch", "generated"};
  return names;
}

std::unique_ptr<Backend> make_backend(const std::string& name, const Model& model) {
  if (name == "kernel") return make_kernel_backend(model);
  if (name == "batch") return std::make_unique<BatchBackend>(model);
  if (name == "generated") return std::make_unique<GeneratedBackend>(model);
  return make_textbook_backend(model);
}

}  // namespace spatial_dynamics::cli

#include "cli/compute/backend.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "cli/common/progress.hpp"
#include "spatial_dynamics/dynamics/batch.hpp"
#include "spatial_dynamics/dynamics/derivatives.hpp"
#include "spatial_dynamics/dynamics/energy.hpp"
#include "spatial_dynamics/dynamics/forward_dynamics.hpp"
#include "spatial_dynamics/dynamics/generated_library.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/dynamics/kinematics.hpp"
#include "spatial_dynamics/dynamics/mass_matrix.hpp"
#include "spatial_dynamics/dynamics/regressor.hpp"
#include "spatial_dynamics/textbook/derivatives.hpp"
#include "spatial_dynamics/textbook/energy.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/kinematics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "spatial_dynamics/textbook/regressor.hpp"

namespace spatial_dynamics::cli {
namespace {

/// Throws InputError unless forces determine an acceleration of this model.
void require_forward_dynamics(const Model& model) {
  if (!model.forward_dynamics_refusal().empty()) throw InputError(model.forward_dynamics_refusal());
}

void require_regular(bool singular, const std::string& quantity) {
  if (!singular) return;
  throw InputError(quantity +
                   ": the mass matrix is singular at this state, so no forces determine an "
                   "acceleration; add armature or mass where the robot has none");
}

/// The textbook's functions where their form differs from the library's.
class TextbookFunctions {
 public:
  explicit TextbookFunctions(const Model& model)
      : model_(model), data_(model), jacobian_(6, model.nv()) {}

  textbook::Data& data() { return data_; }
  void reserve_coriolis_matrix() {}
  [[nodiscard]] bool singular() const { return data_.singular; }
  Transform pose(const VectorXd& q, Index link) {
    textbook::forward_kinematics(model_, data_, q);
    return textbook::link_transform(model_, data_, link);
  }
  const Matrix6X& jacobian(const VectorXd& q, Index link) {
    textbook::forward_kinematics(model_, data_, q);
    textbook::link_jacobian(model_, data_, link, Frame::kLocalWorldAligned, jacobian_);
    return jacobian_;
  }
  const std::vector<Force>& joint_wrenches(const State& s, const VectorXd& a) {
    textbook::inverse_dynamics(model_, data_, s.q.values, s.v.values, a, s.wrenches);
    return data_.f;
  }
  const MatrixXd& mass_matrix_inverse(const VectorXd& q, bool& is_singular) {
    inverse_.resize(model_.nv(), model_.nv());
    is_singular = !textbook::mass_matrix_inverse(model_, data_, q, inverse_);
    return inverse_;
  }
  const textbook::InverseDynamicsDerivatives& id_derivatives(const State& s) {
    if (!id_) id_.emplace(model_);
    textbook::inverse_dynamics_derivatives(model_, data_, s.q.values, s.v.values, s.a.values, *id_,
                                           s.wrenches);
    return *id_;
  }
  const textbook::ForwardDynamicsDerivatives& fd_derivatives(const State& s, bool& is_singular) {
    if (!fd_) fd_.emplace(model_);
    is_singular = !textbook::forward_dynamics_derivatives(model_, data_, s.q.values, s.v.values,
                                                          s.tau.values, *fd_, s.wrenches);
    return *fd_;
  }
  const MatrixXd& regressor(const State& s) {
    regressor_.resize(model_.nv(), kInertialParameters * model_.link_count());
    textbook::regressor(model_, data_, s.q.values, s.v.values, s.a.values, regressor_);
    return regressor_;
  }

 private:
  const Model& model_;
  textbook::Data data_;
  Matrix6X jacobian_;
  // Sized when first requested, as they grow with the square of the number of joints.
  MatrixXd inverse_, regressor_;
  std::optional<textbook::InverseDynamicsDerivatives> id_;
  std::optional<textbook::ForwardDynamicsDerivatives> fd_;
};

/// The library's functions, which run the kernels. Memory as above.
class LibraryFunctions {
 public:
  explicit LibraryFunctions(const Model& model) : model_(model), data_(model, Dense::kMassMatrix) {}

  Data& data() { return data_; }
  void reserve_coriolis_matrix() { data_.reserve(Dense::kCoriolisMatrix); }
  [[nodiscard]] bool singular() const { return data_.singular(); }
  Transform pose(const VectorXd& q, Index link) { return link_pose(model_, data_, q, link); }
  const Matrix6X& jacobian(const VectorXd& q, Index link) {
    return spatial_dynamics::jacobian(model_, data_, q, link, Frame::kLocalWorldAligned);
  }
  const std::vector<Force>& joint_wrenches(const State& s, const VectorXd& a) {
    return spatial_dynamics::joint_wrenches(model_, data_, s.q.values, s.v.values, a, s.wrenches);
  }
  const MatrixXd& mass_matrix_inverse(const VectorXd& q, bool& is_singular) {
    data_.reserve(Dense::kMassMatrixInverse);
    const MatrixXd& inverse = spatial_dynamics::mass_matrix_inverse(model_, data_, q);
    is_singular = data_.singular();
    return inverse;
  }
  const InverseDynamicsDerivatives& id_derivatives(const State& s) {
    data_.reserve(Dense::kInverseDynamicsDerivatives);
    return inverse_dynamics_derivatives(model_, data_, s.q.values, s.v.values, s.a.values,
                                        s.wrenches);
  }
  const ForwardDynamicsDerivatives& fd_derivatives(const State& s, bool& is_singular) {
    data_.reserve(Dense::kForwardDynamicsDerivatives);
    const ForwardDynamicsDerivatives& d = forward_dynamics_derivatives(
        model_, data_, s.q.values, s.v.values, s.tau.values, s.wrenches);
    is_singular = data_.singular();
    return d;
  }
  const MatrixXd& regressor(const State& s) {
    data_.reserve(Dense::kRegressor);
    return spatial_dynamics::regressor(model_, data_, s.q.values, s.v.values, s.a.values);
  }

 private:
  const Model& model_;
  Data data_;
};

/// All quantities, by the textbook or by the library.
template <typename Functions>
class CompleteBackend : public Backend {
 public:
  explicit CompleteBackend(const Model& model) : model_(model), functions_(model) {}

  // One case per quantity. NOLINTNEXTLINE(readability-function-size)
  bool write(const State& s, const RequestedQuantity& request, AnswerWriter& writer) override {
    const VectorXd &q = s.q.values, &v = s.v.values;
    auto& data = functions_.data();
    switch (request.quantity) {
      case Quantity::kInverseDynamics:
        writer.joint_vector(inverse_dynamics(model_, data, q, v, s.a.values, s.wrenches));
        break;
      case Quantity::kForwardDynamics:
        writer.joint_vector(acceleration(s));
        break;
      case Quantity::kBias:
        writer.joint_vector(bias_torque(model_, data, q, v));
        break;
      case Quantity::kGravity:
        writer.joint_vector(gravity_torque(model_, data, q));
        break;
      case Quantity::kCoriolisMatrix:
        functions_.reserve_coriolis_matrix();
        writer.joint_matrix(coriolis_matrix(model_, data, q, v));
        break;
      case Quantity::kMassMatrix:
        writer.joint_matrix(mass_matrix(model_, data, q));
        break;
      case Quantity::kKineticEnergy:
        writer.number(kinetic_energy(model_, data, q, v));
        break;
      case Quantity::kPotentialEnergy:
        writer.number(potential_energy(model_, data, q));
        break;
      case Quantity::kCenterOfMass:
        writer.vector3(center_of_mass(model_, data, q));
        break;
      case Quantity::kPose:
        writer.pose(functions_.pose(q, request.link));
        break;
      case Quantity::kJacobian:
        writer.jacobian(functions_.jacobian(q, request.link));
        break;
      case Quantity::kJointWrenches:
        writer.joint_wrenches(
            functions_.joint_wrenches(s, s.a.given ? s.a.values : acceleration(s)));
        break;
      case Quantity::kMassMatrixInverse:
        write_mass_matrix_inverse(s, writer);
        break;
      case Quantity::kMomentum:
        writer.momentum(centroidal_momentum(model_, data, q, v));
        break;
      case Quantity::kInverseDynamicsDerivatives: {
        const auto& d = functions_.id_derivatives(s);
        writer.joint_matrices(
            {{"dtau_dq", d.dtau_dq}, {"dtau_dv", d.dtau_dv}, {"dtau_da", d.dtau_da}});
        break;
      }
      case Quantity::kForwardDynamicsDerivatives:
        write_fd_derivatives(s, writer);
        break;
      case Quantity::kRegressor:
        writer.regressor(functions_.regressor(s), link_parameters(model_));
        break;
    }
    return true;
  }

 private:
  const VectorXd& acceleration(const State& s) {
    require_forward_dynamics(model_);
    const VectorXd& a = forward_dynamics(model_, functions_.data(), s.q.values, s.v.values,
                                         s.tau.values, s.wrenches);
    require_regular(functions_.singular(), "fd");
    return a;
  }
  void write_mass_matrix_inverse(const State& s, AnswerWriter& writer) {
    require_forward_dynamics(model_);
    bool singular = false;
    const MatrixXd& inverse = functions_.mass_matrix_inverse(s.q.values, singular);
    require_regular(singular, "mass_matrix_inverse");
    writer.joint_matrix(inverse);
  }
  void write_fd_derivatives(const State& s, AnswerWriter& writer) {
    require_forward_dynamics(model_);
    bool singular = false;
    const auto& d = functions_.fd_derivatives(s, singular);
    require_regular(singular, "fd_derivatives");
    writer.joint_matrices({{"da_dq", d.da_dq}, {"da_dv", d.da_dv}, {"da_dtau", d.da_dtau}});
  }

  const Model& model_;
  Functions functions_;
};

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
  if (name == "kernel") return std::make_unique<CompleteBackend<LibraryFunctions>>(model);
  if (name == "batch") return std::make_unique<BatchBackend>(model);
  if (name == "generated") return std::make_unique<GeneratedBackend>(model);
  return std::make_unique<CompleteBackend<TextbookFunctions>>(model);
}

}  // namespace spatial_dynamics::cli

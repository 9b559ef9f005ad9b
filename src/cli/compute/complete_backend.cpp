#include <optional>

#include "cli/compute/backend.hpp"
#include "spatial_dynamics/dynamics/derivatives.hpp"
#include "spatial_dynamics/dynamics/energy.hpp"
#include "spatial_dynamics/dynamics/forward_dynamics.hpp"
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
      case Quantity::kContactForces:
      case Quantity::kNeededFriction:
        return false;  // the same for all backends: see Answerer
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

}  // namespace

std::unique_ptr<Backend> make_textbook_backend(const Model& model) {
  return std::make_unique<CompleteBackend<TextbookFunctions>>(model);
}

std::unique_ptr<Backend> make_kernel_backend(const Model& model) {
  return std::make_unique<CompleteBackend<LibraryFunctions>>(model);
}

}  // namespace spatial_dynamics::cli

// Members of Data.
#pragma once

#include <optional>
#include <vector>

#include "checks.hpp"
#include "kernels/derivatives.hpp"
#include "spatial_dynamics/dynamics/data.hpp"
#include "spatial_dynamics/dynamics/derivatives.hpp"
#include "spatial_dynamics/textbook/data.hpp"

namespace spatial_dynamics {

struct Data::Impl {
  Impl(const Model& model, Dense dense);

  void reserve(Dense wanted);
  [[nodiscard]] bool has(Dense one) const noexcept { return (reserved & one) == one; }

  std::uint64_t structure;  ///< of the model that it was constructed from
  std::uint64_t stamp;      ///< of the model that `compact` was last updated from
  Index links;              ///< of that model
  Dense reserved = Dense::kJacobian | Dense::kJointWrenches;  ///< O(n), so always reserved
  bool singular = false;

  kernels::CompactModel compact;
  kernels::Workspace work;          ///< has tau, acceleration, bias, gravity and M
  textbook::Data textbook;          ///< scratch space of functions without a kernel; C is a result
  VectorXd q_copy, v_copy, x_copy;  ///< copies of arguments that share memory with a result

  // results
  VectorXd friction, rotor;
  MatrixXd M_inverse, Y;
  Matrix6X J, J_rate;
  std::vector<Force> wrenches;
  struct InverseDerivatives {
    explicit InverseDerivatives(const kernels::CompactModel& model) : d(model) {}
    kernels::Derivatives d;
    InverseDynamicsDerivatives result{d.by_q, d.by_v, d.by_effort};
  };
  struct ForwardDerivatives {
    explicit ForwardDerivatives(const kernels::CompactModel& model) : d(model) {}
    kernels::Derivatives d;
    ForwardDynamicsDerivatives result{d.by_q, d.by_v, d.by_effort, d.acceleration};
  };
  std::optional<InverseDerivatives> inverse;
  std::optional<ForwardDerivatives> forward;
};

/// Checks the Data against the model and updates it if the model has changed.
inline Data::Impl& prepare(const Checks& check, const Model& model, Data& data) {
  Data::Impl& d = check.data(data.impl());
  if (d.stamp != model.stamp()) {
    d.compact.update(model);
    d.work.discard_matrix();
    d.stamp = model.stamp();
  }
  return d;
}

/// Wrenches as kernels expect them.
inline const Force* on_bodies(const ExternalForces& external) noexcept {
  return external.empty() ? nullptr : &external.on_body(0);
}

/// An argument as kernels and textbook expect it.
inline Eigen::Map<const VectorXd> numbers(const double* data, Index size) noexcept {
  return {data, size};
}

}  // namespace spatial_dynamics

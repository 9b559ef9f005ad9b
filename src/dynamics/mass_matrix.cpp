#include "spatial_dynamics/dynamics/mass_matrix.hpp"

#include "data_impl.hpp"
#include "kernels/mass_matrix.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"

namespace spatial_dynamics {

const MatrixXd& mass_matrix(const Model& model, Data& data, VectorView q) {
  const Checks check("mass_matrix", model);
  Data::Impl& d = prepare(check, model, data);
  check.q(q);
  check.reserved(d.has(Dense::kMassMatrix), "Data", "kMassMatrix");
  const MatrixXd& M = d.work.M;
  return kernels::mass_matrix(d.compact, d.work,
                              numbers(detached(q, M.data(), M.size(), d.q_copy), model.nq()));
}

const MatrixXd& mass_matrix_inverse(const Model& model, Data& data, VectorView q) {
  const Checks check("mass_matrix_inverse", model);
  Data::Impl& d = prepare(check, model, data);
  check.q(q);
  check.reserved(d.has(Dense::kMassMatrixInverse), "Data", "kMassMatrixInverse");
  MatrixXd& inverse = d.M_inverse;
  d.singular = !kernels::inverse_mass_matrix(
      d.compact, d.work, numbers(detached(q, inverse.data(), inverse.size(), d.q_copy), model.nq()),
      inverse);
  if (!inverse.allFinite()) {  // an inertia so small that its inverse overflows
    inverse.setZero();
    d.singular = true;
  }
  return inverse;
}

const MatrixXd& coriolis_matrix(const Model& model, Data& data, VectorView q, VectorView v) {
  const Checks check("coriolis_matrix", model);
  Data::Impl& d = prepare(check, model, data);
  check.state(q, v);
  check.reserved(d.has(Dense::kCoriolisMatrix), "Data", "kCoriolisMatrix");
  const MatrixXd& C = d.textbook.C;
  return textbook::coriolis_matrix(model, d.textbook,
                                   numbers(detached(q, C.data(), C.size(), d.q_copy), model.nq()),
                                   numbers(detached(v, C.data(), C.size(), d.v_copy), model.nv()));
}

}  // namespace spatial_dynamics

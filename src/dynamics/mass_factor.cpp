#include "mass_factor.hpp"

#include "data_impl.hpp"
#include "kernels/mass_factor.hpp"

namespace spatial_dynamics {

namespace {

Data::Impl& prepare_factor(const char* function, const Model& model, Data& data, const VectorXd& q,
                           const VectorXd& added) {
  const Checks check(function, model);
  Data::Impl& d = prepare(check, model, data);
  check.q(q);
  check.v("added", added);
  check.reserved(d.has(Dense::kMassMatrix), "Data", "kMassMatrix");
  return d;
}

}  // namespace

bool factorise_mass_matrix(const Model& model, Data& data, const VectorXd& q,
                           const VectorXd& added) {
  Data::Impl& d = prepare_factor("factorise_mass_matrix", model, data, q, added);
  return kernels::factorise_mass_matrix(d.compact, d.work, q, added);
}

void solve_factorised(Data& data, double* x) noexcept {
  Data::Impl& d = *data.impl();
  kernels::solve_factorised(d.compact, d.work, x);
}

double inverse_pivot(Data& data, Index i) noexcept {
  return data.impl()->work.memory.scratch().pivot[i];
}

void prepare_locked(const Model& model, Data& data, const VectorXd& q, const VectorXd& added) {
  Data::Impl& d = prepare_factor("prepare_locked", model, data, q, added);
  kernels::prepare_locked(d.compact, d.work, q, added);
}

bool solve_locked(Data& data, const std::uint8_t* locked, double* x, double* torque) noexcept {
  Data::Impl& d = *data.impl();
  return kernels::solve_locked(d.compact, d.work, locked, x, torque);
}

}  // namespace spatial_dynamics

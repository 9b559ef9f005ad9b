#include "mass_factor.hpp"

#include "data_impl.hpp"
#include "kernels/mass_factor.hpp"

namespace spatial_dynamics {

std::uint64_t factorise_mass_matrix(const Model& model, Data& data, const VectorXd& q,
                                    const VectorXd& added) {
  const Checks check("factorise_mass_matrix", model);
  Data::Impl& d = prepare(check, model, data);
  check.q(q);
  check.v("added", added);
  check.reserved(d.has(Dense::kMassMatrix), "Data", "kMassMatrix");
  return kernels::factorise_mass_matrix(d.compact, d.work, q, added) ? d.work.factor : 0;
}

std::uint64_t mass_factor(const Model& model, Data& data) {
  return prepare(Checks("mass_factor", model), model, data).work.factor;
}

void solve_factorised(Data& data, double* x) noexcept {
  Data::Impl& d = *data.impl();
  kernels::solve_factorised(d.compact, d.work, x);
}

const double* inverse_pivots(Data& data) noexcept {
  return data.impl()->work.memory.scratch().pivot;
}

bool solve_locked(Data& data, const std::uint8_t* locked, double* x, double* torque) noexcept {
  Data::Impl& d = *data.impl();
  return kernels::solve_locked(d.compact, d.work, locked, x, torque);
}

}  // namespace spatial_dynamics

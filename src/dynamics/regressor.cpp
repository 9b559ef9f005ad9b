#include "spatial_dynamics/dynamics/regressor.hpp"

#include "data_impl.hpp"
#include "spatial_dynamics/textbook/regressor.hpp"

namespace spatial_dynamics {

const MatrixXd& regressor(const Model& model, Data& data, VectorView q, VectorView v,
                          VectorView a) {
  const Checks check("regressor", model);
  Data::Impl& d = prepare(check, model, data);
  check.state(q, v, "a", a);
  check.reserved(d.has(Dense::kRegressor), "Data", "kRegressor");
  // d.textbook has what Y needs of q, v and a before Y is written.
  textbook::regressor(model, d.textbook, q.map(), v.map(), a.map(), d.Y);
  return d.Y;
}

}  // namespace spatial_dynamics

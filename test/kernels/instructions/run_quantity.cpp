// Computes one quantity of a robot a number of times, so that a tool can count what a call costs:
// run_quantity ROBOT.urdf fixed|floating QUANTITY COUNT
// A name that ends in _batch computes a batch of 4 states by one call.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#include "spatial_dynamics/dynamics/batch.hpp"
#include "spatial_dynamics/dynamics/derivatives.hpp"
#include "spatial_dynamics/dynamics/forward_dynamics.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/dynamics/mass_matrix.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"

// NOLINTNEXTLINE(google-build-using-namespace): a program of one function
using namespace spatial_dynamics;

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  LoadOptions options;
  options.floating_base = std::string(argv[2]) == "floating";
  const Model model = load_urdf_file(argv[1], options);
  const long count = std::strtol(argv[4], nullptr, 10);
  Data data(model);
  constexpr Index kStates = 4;
  BatchData batch(model, kStates, Dense::kMassMatrix);
  const VectorXd speed = VectorXd::LinSpaced(model.nv(), 0.1, 1.2);
  VectorXd q(model.nq());
  integrate(model, neutral_configuration(model), speed, 1.0, q);
  const VectorXd v = VectorXd::LinSpaced(model.nv(), -1.0, 0.9);
  const VectorXd x = VectorXd::LinSpaced(model.nv(), 0.5, -1.5);
  const MatrixXd Q = q.replicate(1, kStates), V = v.replicate(1, kStates),
                 X = x.replicate(1, kStates);
  const std::map<std::string, std::function<double()>> quantities{
      {"inverse_dynamics", [&] { return inverse_dynamics(model, data, q, v, x)[0]; }},
      {"mass_matrix", [&] { return mass_matrix(model, data, q)(0); }},
      {"forward_dynamics", [&] { return forward_dynamics(model, data, q, v, x)[0]; }},
      {"mass_matrix_inverse", [&] { return mass_matrix_inverse(model, data, q)(0); }},
      {"inverse_dynamics_derivatives",
       [&] { return inverse_dynamics_derivatives(model, data, q, v, x).dtau_dq(0); }},
      {"forward_dynamics_derivatives",
       [&] { return forward_dynamics_derivatives(model, data, q, v, x).da_dq(0); }},
      {"inverse_dynamics_batch", [&] { return inverse_dynamics(model, batch, Q, V, X)(0); }},
      {"mass_matrix_batch", [&] { return mass_matrix(model, batch, Q)(0); }},
      {"forward_dynamics_batch", [&] { return forward_dynamics(model, batch, Q, V, X)(0); }}};
  const auto quantity = quantities.find(argv[3]);
  if (quantity == quantities.end()) return 2;
  double sum = 0.0;
  for (long i = 0; i < count; ++i) sum += quantity->second();
  std::printf("%.17g\n", sum);
  return 0;
}

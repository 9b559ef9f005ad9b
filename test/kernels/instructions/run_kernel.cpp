// Runs one kernel on the 7-DoF arm a number of times, so that callgrind can count what a call
// costs: run_kernel ROBOT.urdf KERNEL COUNT
#include <cstdio>
#include <cstdlib>
#include <string>

#include "arm7.hpp"
#include "kernels/derivatives.hpp"
#include "kernels/forward_dynamics.hpp"
#include "kernels/inverse_dynamics.hpp"
#include "kernels/mass_matrix.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"

// NOLINTNEXTLINE(google-build-using-namespace): a program of one function
using namespace spatial_dynamics;
using namespace spatial_dynamics::kernels;  // NOLINT(google-build-using-namespace)

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string kernel = argv[2];
  const long count = std::strtol(argv[3], nullptr, 10);
  const Model model = load_urdf_file(argv[1]);
  const CompactModel compact = compile(model);
  Workspace workspace(compact);
  Derivatives derivatives(compact);
  const VectorXd q = VectorXd::LinSpaced(model.nq(), 0.1, 1.2);
  const VectorXd v = VectorXd::LinSpaced(model.nv(), -1.0, 0.9);
  const VectorXd x = VectorXd::LinSpaced(model.nv(), 0.5, -1.5);
  double sum = 0.0;
  if (kernel == "inverse_dynamics") {
    for (long i = 0; i < count; ++i) sum += inverse_dynamics(compact, workspace, q, v, x)[0];
  } else if (kernel == "library_inverse_dynamics") {
    Data data(model);
    for (long i = 0; i < count; ++i) sum += inverse_dynamics(model, data, q, v, x)[0];
  } else if (kernel == "gravity_torque") {
    for (long i = 0; i < count; ++i) sum += gravity_torque(compact, workspace, q)[0];
  } else if (kernel == "mass_matrix") {
    for (long i = 0; i < count; ++i) sum += mass_matrix(compact, workspace, q)(0);
  } else if (kernel == "forward_dynamics") {
    for (long i = 0; i < count; ++i) sum += forward_dynamics(compact, workspace, q, v, x)[0];
  } else if (kernel == "inverse_dynamics_derivatives") {
    for (long i = 0; i < count; ++i) {
      inverse_dynamics_derivatives(compact, workspace, derivatives, q, v, x);
      sum += derivatives.by_q(0);
    }
  } else if (kernel == "forward_dynamics_derivatives") {
    for (long i = 0; i < count; ++i) {
      if (!forward_dynamics_derivatives(compact, workspace, derivatives, q, v, x)) return 1;
      sum += derivatives.by_q(0);
    }
  } else if (kernel == "generated_inverse_dynamics") {
    VectorXd tau(model.nv());
    for (long i = 0; i < count; ++i) {
      arm7_inverse_dynamics(q.data(), v.data(), x.data(), model.gravity().data(), nullptr, nullptr,
                            tau.data());
      sum += tau[0];
    }
  } else {
    return 2;
  }
  std::printf("%.17g\n", sum);
  return 0;
}

// Runs one kernel on one robot a number of times, so that callgrind can count what a call costs:
// run_kernel FOLDER ROBOT_KERNEL COUNT, e.g. run_kernel urdf arm7_mass_matrix 100. The arm has
// friction; other robots float and have none. A batch counts as one call per state.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#include "arm7.hpp"
#include "kernels/batch.hpp"
#include "kernels/derivatives.hpp"
#include "kernels/forward_dynamics.hpp"
#include "kernels/inverse_dynamics.hpp"
#include "kernels/mass_matrix.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"

// NOLINTNEXTLINE(google-build-using-namespace): a program of few functions
using namespace spatial_dynamics;
using namespace spatial_dynamics::kernels;  // NOLINT(google-build-using-namespace)

namespace {

Model load(const std::string& folder, const std::string& robot) {
  LoadOptions options;
  options.floating_base = robot != "arm7";
  options.friction = robot == "arm7";
  return load_urdf_file(folder + "/" + robot + ".urdf", options);
}

struct Kernels {
  explicit Kernels(const Model& loaded)
      : model(loaded),
        compact(compile(model)),
        workspace(compact),
        batch(compact),
        derivatives(compact),
        data(model),
        q(VectorXd::LinSpaced(model.nq(), 0.1, 1.2)),
        v(VectorXd::LinSpaced(model.nv(), -1.0, 0.9)),
        x(VectorXd::LinSpaced(model.nv(), 0.5, -1.5)),
        tau(model.nv()),
        inverse(model.nv(), model.nv()),
        qs(q.replicate(1, kBatch)),
        vs(v.replicate(1, kBatch)),
        xs(x.replicate(1, kBatch)),
        results(model.nv(), kBatch),
        matrices(MatrixXd::Zero(model.nv() * model.nv(), kBatch)) {}

  static constexpr Index kBatch = 4;

  Model model;
  CompactModel compact;
  Workspace workspace;
  BatchWorkspace batch;
  Derivatives derivatives;
  Data data;
  VectorXd q, v, x, tau;
  MatrixXd inverse;
  MatrixXd qs, vs, xs, results, matrices;
};

/// Each computes once and returns one number of its result.
const std::map<std::string, std::function<double(Kernels&)>>& all_kernels() {
  static const std::map<std::string, std::function<double(Kernels&)>> all = {
      {"inverse_dynamics",
       [](Kernels& k) { return inverse_dynamics(k.compact, k.workspace, k.q, k.v, k.x)[0]; }},
      {"library_inverse_dynamics",
       [](Kernels& k) { return inverse_dynamics(k.model, k.data, k.q, k.v, k.x)[0]; }},
      {"gravity_torque", [](Kernels& k) { return gravity_torque(k.compact, k.workspace, k.q)[0]; }},
      {"mass_matrix", [](Kernels& k) { return mass_matrix(k.compact, k.workspace, k.q)(0); }},
      {"inverse_mass_matrix",
       [](Kernels& k) {
         if (!inverse_mass_matrix(k.compact, k.workspace, k.q, k.inverse)) std::exit(1);
         return k.inverse(0);
       }},
      {"forward_dynamics",
       [](Kernels& k) { return forward_dynamics(k.compact, k.workspace, k.q, k.v, k.x)[0]; }},
      {"inverse_dynamics_derivatives",
       [](Kernels& k) {
         inverse_dynamics_derivatives(k.compact, k.workspace, k.derivatives, k.q, k.v, k.x);
         return k.derivatives.by_q(0);
       }},
      {"forward_dynamics_derivatives",
       [](Kernels& k) {
         if (!forward_dynamics_derivatives(k.compact, k.workspace, k.derivatives, k.q, k.v, k.x)) {
           std::exit(1);
         }
         return k.derivatives.by_q(0);
       }},
      {"batch_inverse_dynamics",
       [](Kernels& k) {
         inverse_dynamics_batch(k.compact, k.batch, k.qs, k.vs, k.xs, k.results);
         return k.results(0);
       }},
      {"batch_mass_matrix",
       [](Kernels& k) {
         mass_matrix_batch(k.compact, k.batch, k.qs, k.matrices);
         return k.matrices(0);
       }},
      {"batch_forward_dynamics",
       [](Kernels& k) {
         forward_dynamics_batch(k.compact, k.batch, k.qs, k.vs, k.xs, k.results);
         return k.results(0);
       }},
      {"generated_inverse_dynamics",
       [](Kernels& k) {
         arm7_inverse_dynamics(k.q.data(), k.v.data(), k.x.data(), k.model.gravity().data(),
                               nullptr, nullptr, k.tau.data());
         return k.tau[0];
       }},
  };
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string what = argv[2];
  const auto split = what.find('_');
  if (split == std::string::npos) return 2;
  const auto kernel = all_kernels().find(what.substr(split + 1));
  if (kernel == all_kernels().end()) return 2;
  const bool is_batch = kernel->first.rfind("batch_", 0) == 0;
  Kernels robot(load(argv[1], what.substr(0, split)));
  double sum = 0.0;
  const Index per_call = is_batch ? Kernels::kBatch : 1;
  for (long i = std::strtol(argv[3], nullptr, 10) / per_call; i > 0; --i)
    sum += kernel->second(robot);
  std::printf("%.17g\n", sum);
  return 0;
}

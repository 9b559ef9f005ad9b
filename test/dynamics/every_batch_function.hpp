// All functions on a BatchData by name, and batches of random states.
#pragma once

#include "dynamics/every_function.hpp"

namespace spatial_dynamics::test {

/// Not a multiple of 4, the number of states that kernels compute at once.
inline constexpr Index kStates = 7;

class BatchTest : public LawTest {
 protected:
  BatchTest()
      : fast(model, Dense::kAll),
        batch(model, kStates, Dense::kAll),
        q(model.nq(), kStates),
        v(model.nv(), kStates),
        a(model.nv(), kStates) {
    for (Index i = 0; i < kStates; ++i) {
      const State s = random_state();
      q.col(i) = s.q;
      v.col(i) = s.v;
      a.col(i) = s.a;
    }
  }
  static void expect_near(const MatrixXd& value, const MatrixXd& expected, double factor = 1.0) {
    EXPECT_LE(largest(value - expected), 1e-12 * factor * (1e-3 + largest(expected)));
  }
  Data fast;
  BatchData batch;
  MatrixXd q, v, a;
};

/// A batch function: its name, how many of q, v, x it has as arguments, and the parts of its
/// result.
struct BatchFunction {
  std::string name;
  int arguments;
  std::function<std::vector<BatchData::Result>(const Model&, BatchData&, StatesView q, StatesView v,
                                               StatesView x)>
      call;
};

/// All batch functions. Their names include all names of every_function().
inline std::vector<BatchFunction> every_batch_function(const MatrixXd& f, Index link) {
  using M = const Model&;
  using D = BatchData&;
  using S = StatesView;
  using Parts = std::vector<BatchData::Result>;
  constexpr Frame kLocal = Frame::kLocal;
  return {
      {"inverse_dynamics", 3,
       [&f](M m, D d, S q, S v, S x) { return Parts{inverse_dynamics(m, d, q, v, x, f)}; }},
      {"rigid_body_torque", 3,
       [&f](M m, D d, S q, S v, S x) { return Parts{rigid_body_torque(m, d, q, v, x, f)}; }},
      {"friction_torque", 2, [](M m, D d, S, S v, S) { return Parts{friction_torque(m, d, v)}; }},
      {"rotor_torque", 3, [](M m, D d, S, S, S x) { return Parts{rotor_torque(m, d, x)}; }},
      {"bias_torque", 2, [&f](M m, D d, S q, S v, S) { return Parts{bias_torque(m, d, q, v, f)}; }},
      {"gravity_torque", 1,
       [&f](M m, D d, S q, S, S) { return Parts{gravity_torque(m, d, q, f)}; }},
      {"forward_dynamics", 3,
       [&f](M m, D d, S q, S v, S x) { return Parts{forward_dynamics(m, d, q, v, x, f)}; }},
      {"mass_matrix", 1, [](M m, D d, S q, S, S) { return Parts{mass_matrix(m, d, q)}; }},
      {"mass_matrix_inverse", 1,
       [](M m, D d, S q, S, S) { return Parts{mass_matrix_inverse(m, d, q)}; }},
      {"coriolis_matrix", 2,
       [](M m, D d, S q, S v, S) { return Parts{coriolis_matrix(m, d, q, v)}; }},
      {"inverse_dynamics_derivatives", 3,
       [&f](M m, D d, S q, S v, S x) {
         const auto r = inverse_dynamics_derivatives(m, d, q, v, x, f);
         return Parts{r.dtau_dq, r.dtau_dv, r.dtau_da};
       }},
      {"forward_dynamics_derivatives", 3,
       [&f](M m, D d, S q, S v, S x) {
         const auto r = forward_dynamics_derivatives(m, d, q, v, x, f);
         return Parts{r.da_dq, r.da_dv, r.da_dtau, r.a};
       }},
      {"regressor", 3, [](M m, D d, S q, S v, S x) { return Parts{regressor(m, d, q, v, x)}; }},
      {"joint_wrenches", 3,
       [&f](M m, D d, S q, S v, S x) { return Parts{joint_wrenches(m, d, q, v, x, f)}; }},
      {"jacobian", 1, [link](M m, D d, S q, S, S) { return Parts{jacobian(m, d, q, link)}; }},
      {"jacobian_rate", 2,
       [link](M m, D d, S q, S v, S) { return Parts{jacobian_rate(m, d, q, v, link)}; }},
      {"link_pose", 1, [link](M m, D d, S q, S, S) { return Parts{link_pose(m, d, q, link)}; }},
      {"link_velocity", 2,
       [link](M m, D d, S q, S v, S) { return Parts{link_velocity(m, d, q, v, link, kLocal)}; }},
      {"link_acceleration", 3,
       [link](M m, D d, S q, S v, S x) {
         return Parts{link_acceleration(m, d, q, v, x, link, kLocal)};
       }},
      {"link_classical_acceleration", 3,
       [link](M m, D d, S q, S v, S x) {
         return Parts{link_classical_acceleration(m, d, q, v, x, link)};
       }},
      {"kinetic_energy", 2,
       [](M m, D d, S q, S v, S) { return Parts{kinetic_energy(m, d, q, v)}; }},
      {"potential_energy", 1, [](M m, D d, S q, S, S) { return Parts{potential_energy(m, d, q)}; }},
      {"center_of_mass", 1, [](M m, D d, S q, S, S) { return Parts{center_of_mass(m, d, q)}; }},
      {"centroidal_momentum", 2,
       [](M m, D d, S q, S v, S) { return Parts{centroidal_momentum(m, d, q, v)}; }},
  };
}

}  // namespace spatial_dynamics::test

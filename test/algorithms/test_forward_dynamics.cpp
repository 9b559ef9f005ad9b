#include "spatial_dynamics/algorithms/forward_dynamics.hpp"

#include <Eigen/Cholesky>

#include "spatial_dynamics/algorithms/inverse_dynamics.hpp"
#include "spatial_dynamics/algorithms/mass_matrix.hpp"
#include "support/law_test.hpp"

namespace spatial_dynamics::test {
namespace {

class ForwardDynamics : public LawTest {
 protected:
  double condition(const VectorXd& q) { return condition_number(mass_matrix(model, data, q)); }
};
INSTANTIATE_TEST_SUITE_P(Robots, ForwardDynamics, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(ForwardDynamics, UndoesInverseDynamics) {
  for (int trial = 0; trial < 5; ++trial) {
    const State s = random_state();
    const ExternalForces forces = random_wrenches();
    const VectorXd tau = inverse_dynamics(model, data, s.q, s.v, s.a, forces);
    const VectorXd a = forward_dynamics(model, data, s.q, s.v, tau, forces);
    ASSERT_FALSE(data.singular);
    // M a rounds with M a itself, and the wrenches of 10 N that cancel in tau with a hundred times their size through
    // the lever arms; an error in tau reaches a through M^-1, whose norm is cond(M) / |M|.
    const double inverse_norm = condition(s.q) / mass_matrix(model, data, s.q).norm();
    const double tau_error = kEpsilon * (largest(tau) + 1000.0);
    EXPECT_LT(largest(a - s.a), 100.0 * (kEpsilon * condition(s.q) + tau_error * inverse_norm));
  }
}

TEST_P(ForwardDynamics, IsUndoneByInverseDynamics) {
  for (int trial = 0; trial < 5; ++trial) {
    const State s = random_state();
    const ExternalForces forces = random_wrenches();
    const VectorXd a = forward_dynamics(model, data, s.q, s.v, s.tau, forces);
    ASSERT_FALSE(data.singular);
    const VectorXd tau = inverse_dynamics(model, data, s.q, s.v, a, forces);
    // The torques that cancel in the sum are as large as M times a.
    const double scale = 1.0 + largest(tau) + largest(mass_matrix(model, data, s.q)) * largest(a);
    EXPECT_LT(largest(tau - s.tau), rounding(scale) * std::sqrt(condition(s.q)));
  }
}

TEST_P(ForwardDynamics, SolvesTheEquationOfMotion) {
  const State s = random_state();
  const VectorXd a = forward_dynamics(model, data, s.q, s.v, s.tau);
  const VectorXd rest =
      s.tau - bias_torque(model, data, s.q, s.v) - friction_torque(model, data, s.v);
  const VectorXd expected = mass_matrix(model, data, s.q).ldlt().solve(rest);
  EXPECT_LT(largest(a - expected), kEpsilon * 100.0 * condition(s.q) * (1.0 + largest(expected)));
}

TEST(SingularMassMatrix, IsFlaggedAndAnswersZeroInsteadOfNaN) {
  const Model model = rod_and_tip(std::nullopt).build();
  EXPECT_NE(model.forward_dynamics_refusal().find("tip"), std::string::npos);
  Data data(model);
  const VectorXd q = VectorXd::Constant(2, 0.3), v = VectorXd::Ones(2), tau = VectorXd::Ones(2);
  EXPECT_EQ(forward_dynamics(model, data, q, v, tau), VectorXd(VectorXd::Zero(2)));
  EXPECT_TRUE(data.singular);
  EXPECT_TRUE(inverse_dynamics(model, data, q, v, tau).allFinite());
}

TEST(SingularMassMatrix, BecomesRegularByArmature) {
  BuildOptions options;
  options.armature["wrist"] = 0.01;
  const Model model = rod_and_tip(std::nullopt).build(options);
  EXPECT_EQ(model.forward_dynamics_refusal(), "");
  Data data(model);
  const VectorXd q = VectorXd::Constant(2, 0.3), v = VectorXd::Ones(2), a = VectorXd::Ones(2);
  const VectorXd tau = inverse_dynamics(model, data, q, v, a);
  EXPECT_LT(largest(forward_dynamics(model, data, q, v, tau) - a), 1e-12);
  EXPECT_FALSE(data.singular);
}

TEST(SingularMassMatrix, IsForgottenByTheNextRegularCall) {
  const Model singular = rod_and_tip(std::nullopt).build();
  Model model = singular;
  Data data(model);
  const VectorXd q = VectorXd::Zero(2), v = VectorXd::Zero(2), tau = VectorXd::Zero(2);
  forward_dynamics(model, data, q, v, tau);
  ASSERT_TRUE(data.singular);
  model.set_payload(model.find_link("tip"),
                    Inertia::from_com(0.5, {0, 0, 0.1}, 1e-3 * Matrix3::Identity()));
  forward_dynamics(model, data, q, v, tau);
  EXPECT_FALSE(data.singular);
}

TEST(SmallInertia, ThatOverflowsIsFlaggedInsteadOfAnsweredWithNaN) {
  const MassProperties nothing{1e-310, {0, 0, 1.0}, Matrix3::Zero()};
  const Model model = rod_and_tip(nothing).build();
  Data data(model);
  const VectorXd q = VectorXd::Zero(2), v = VectorXd::Zero(2), tau = VectorXd::Ones(2);
  EXPECT_TRUE(forward_dynamics(model, data, q, v, tau).allFinite());
  EXPECT_TRUE(data.singular);
}

TEST(SmallInertia, IsNotTakenForNone) {
  // A tip of a millionth of a gram: badly conditioned, but regular.
  const MassProperties speck{1e-9, {0, 0, 0.01}, 1e-14 * Matrix3::Identity()};
  const Model model = rod_and_tip(speck).build();
  Data data(model);
  const VectorXd q = VectorXd::Constant(2, 0.3), v = VectorXd::Ones(2), a = VectorXd::Ones(2);
  const VectorXd tau = inverse_dynamics(model, data, q, v, a);
  const VectorXd back = forward_dynamics(model, data, q, v, tau);
  EXPECT_FALSE(data.singular);
  EXPECT_LT(largest(back - a), kEpsilon * 100 * condition_number(mass_matrix(model, data, q)));
}

}  // namespace
}  // namespace spatial_dynamics::test

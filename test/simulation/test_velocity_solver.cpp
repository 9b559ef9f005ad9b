#include "simulation/velocity_solver.hpp"

#include "simulation/two_sliders.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "support/law_test.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

class VelocitySolverTest : public LawTest {
 protected:
  double speed() const { return model.friction_speed(); }
};
INSTANTIATE_TEST_SUITE_P(Robots, VelocitySolverTest, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(VelocitySolverTest, NeverAddsKineticEnergyForAnyStep) {
  const JointResistance resistance(model, true);
  VelocitySolver solver(model.nv());
  const VectorXd q = random_configuration(random, model);
  const MatrixXd M = mass_matrix(model, data, q);
  for (const double h : {1e-5, 1e-3, 0.1, 100.0}) {
    const VectorXd u = random_vector(random, model.nv());
    const VectorXd impulse = M * u;
    VectorXd x = random_vector(random, model.nv());  // the start must not matter
    ASSERT_TRUE(solver.solve(resistance, speed(), M, impulse, q, h, x));
    EXPECT_LE(x.dot(M * x), u.dot(M * u) * (1.0 + 1e-12)) << h;
  }
}

TEST_P(VelocitySolverTest, SolvedVelocityBalancesImpulseFrictionAndStops) {
  const JointResistance resistance(model, true);
  VelocitySolver solver(model.nv());
  const VectorXd q = random_configuration(random, model);
  const MatrixXd M = mass_matrix(model, data, q);
  VectorXd lower(model.nv()), upper(model.nv());
  for (const double h : {1e-4, 1e-3, 1e-2}) {
    const VectorXd impulse = M * random_vector(random, model.nv());
    VectorXd x = VectorXd::Zero(model.nv());
    ASSERT_TRUE(solver.solve(resistance, speed(), M, impulse, q, h, x));
    resistance.velocity_bounds(q, h, lower, upper);
    const VectorXd left = M * x + h * friction_torque(model, data, x) - impulse;
    for (Index k = 0; k < model.nv(); ++k) {
      const double tolerance =
          1e-6 * (M.row(k).cwiseAbs().dot(x.cwiseAbs()) + std::abs(impulse(k)));
      ASSERT_GE(x(k), lower(k));
      ASSERT_LE(x(k), upper(k));
      // A lower stop may add to the momentum of the impulse, an upper stop may only reduce it.
      EXPECT_TRUE(left(k) <= tolerance || x(k) == lower(k)) << k << ": " << left(k);
      EXPECT_TRUE(left(k) >= -tolerance || x(k) == upper(k)) << k << ": " << left(k);
    }
  }
}

TEST_P(VelocitySolverTest, DoesNotAllocate) {
  const JointResistance resistance(model, true);
  VelocitySolver solver(model.nv());
  const State state = random_state();
  const MatrixXd M = mass_matrix(model, data, state.q);
  VectorXd x = state.v;
  const HeapWatch watch;
  ASSERT_TRUE(solver.solve(resistance, speed(), M, state.tau, state.q, 1e-3, x));
  EXPECT_EQ(watch.count(), 0u);
}

TEST(VelocitySolverAtStops, ReachesThemExactlyAndDoesNotPass) {
  const Model model = two_sliders(0.0, -1.0, 1.0);
  textbook::Data data(model);
  const JointResistance resistance(model, true);
  VelocitySolver solver(2);
  const VectorXd q = (VectorXd(2) << 0.99, 0.0).finished();
  const MatrixXd M = mass_matrix(model, data, q);
  VectorXd x = (VectorXd(2) << 2.0, 0.0).finished();
  const VectorXd impulse = M * x;
  ASSERT_TRUE(solver.solve(resistance, 1e-3, M, impulse, q, 0.1, x));
  EXPECT_DOUBLE_EQ(q(0) + 0.1 * x(0), 1.0);
  // The second slider keeps its momentum: only the first one's stop has acted, along the first
  // coordinate.
  EXPECT_NEAR((M * x)(1), impulse(1), 1e-14);
}

TEST(VelocitySolverAtStops, ReleasesImmediately) {
  const Model model = two_sliders(0.0, -1.0, 1.0);
  const JointResistance resistance(model, true);
  VelocitySolver solver(2);
  const VectorXd q = (VectorXd(2) << 1.0, -1.0).finished();
  const MatrixXd M = (MatrixXd(2, 2) << 2.0, 1.0, 1.0, 1.0).finished();
  VectorXd x = VectorXd::Zero(2);
  const VectorXd away = (VectorXd(2) << -1.0, 1.0).finished();
  ASSERT_TRUE(solver.solve(resistance, 1e-3, M, M * away, q, 1e-3, x));
  EXPECT_LT(largest(x - away), 1e-14);
}

TEST(VelocitySolverWithFriction, HoldsSmallerForcesAndSlidesUnderLargerOnes) {
  const Model model = two_sliders(10.0, -kUnlimited, kUnlimited);
  const JointResistance resistance(model, true);
  VelocitySolver solver(2);
  const VectorXd q = VectorXd::Zero(2);
  const MatrixXd M = (MatrixXd(2, 2) << 2.0, 1.0, 1.0, 1.0).finished();
  const double h = 1e-3;
  // 5 N on each: half the friction. The smoothed friction balances that at atanh(1/2) of its speed,
  // for every mass.
  VectorXd x = VectorXd::Zero(2);
  ASSERT_TRUE(solver.solve(resistance, 1e-3, M, VectorXd::Constant(2, 5.0 * h), q, h, x));
  EXPECT_LT(largest(x), 1e-3 * std::atanh(0.5));
  // From 1 m/s without a force: slowed by 10 N h / m, not reversed.
  x << 1.0, 0.0;
  ASSERT_TRUE(solver.solve(resistance, 1e-3, M, M * x, q, h, x));
  EXPECT_GT(x(0), 0.98);
  EXPECT_LT(x(0), 1.0);
  // A step long enough to stop it ends at rest.
  x << 1.0, 0.0;
  ASSERT_TRUE(solver.solve(resistance, 1e-3, M, M * x, q, 10.0, x));
  EXPECT_LT(largest(x), 1e-3);
}

TEST(VelocitySolverWithPrescribedVelocity, ReachesItAndReportsTheImpulse) {
  const Model model = two_sliders(0.0, -kUnlimited, kUnlimited);
  textbook::Data data(model);
  const JointResistance resistance(model, true);
  VelocitySolver solver(2);
  const VectorXd q = VectorXd::Zero(2);
  const MatrixXd M = textbook::mass_matrix(model, data, q);
  const VectorXd impulse = (VectorXd(2) << 0.3, -0.2).finished();
  PrescribedVelocities given(2);
  given.prescribed[0] = true;
  given.velocity(0) = 0.5;
  given.count = 1;
  VectorXd x = VectorXd::Zero(2);
  ASSERT_TRUE(solver.solve(resistance, 1e-3, M, impulse, q, 1e-3, x, &given));
  EXPECT_EQ(x(0), 0.5);
  // With the impulse of the servo the momentum is balanced.
  EXPECT_LT((M * x - impulse - given.impulse).cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace spatial_dynamics::test

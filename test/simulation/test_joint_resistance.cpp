#include "simulation/velocity_solver.hpp"

#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "support/law_test.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

class Resistance : public LawTest {
 protected:
  double speed() const { return model.friction_speed(); }
};
INSTANTIATE_TEST_SUITE_P(Robots, Resistance, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(Resistance, SecantTimesVelocityIsTheFrictionTorqueAndAtLeastTheTangent) {
  const JointResistance resistance(model, true);
  VectorXd s(model.nv()), t(model.nv());
  for (const double scale : {1.0, 1e-3, 1e-6, 1e-12, 0.0}) {
    const VectorXd v = scale * random_vector(random, model.nv());
    resistance.friction_coefficients(speed(), v, s, t);
    const VectorXd expected = friction_torque(model, data, v);
    EXPECT_TRUE((t.array() >= 0.0).all() && (s.array() >= t.array()).all());
    // tanh_over() leaves out u^4 terms below u = 1e-4.
    EXPECT_LT(largest(s.cwiseProduct(v) - expected), 1e-14 * (1.0 + largest(expected)));
  }
}

TEST_P(Resistance, NeverAddsKineticEnergyForAnyStep) {
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

TEST_P(Resistance, SolvedVelocityBalancesImpulseFrictionAndStops) {
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

TEST_P(Resistance, DoesNotAllocate) {
  const JointResistance resistance(model, true);
  VelocitySolver solver(model.nv());
  const State state = random_state();
  const MatrixXd M = mass_matrix(model, data, state.q);
  VectorXd x = state.v;
  const HeapWatch watch;
  ASSERT_TRUE(solver.solve(resistance, speed(), M, state.tau, state.q, 1e-3, x));
  EXPECT_EQ(watch.count(), 0u);
}

/// Two sliders on one rail, the second on top of the first, with friction and limits.
Model two_sliders(double friction, double lower, double upper) {
  ModelBuilder builder("sliders");
  builder.add_link("rail");
  std::string parent = "rail";
  for (const char* const name : {"first", "second"}) {
    builder.add_link(name, {1.0, Vector3::Zero(), 0.01 * Matrix3::Identity()});
    JointDescription joint;
    joint.name = std::string(name) + "_joint";
    joint.type = JointType::kPrismatic;
    joint.parent = parent;
    joint.child = name;
    joint.axis = Vector3::UnitX();
    joint.friction = friction;
    joint.limits.lower = lower;
    joint.limits.upper = upper;
    builder.add_joint(joint);
    parent = name;
  }
  return builder.build();
}

TEST(Stops, AreReachedExactlyAndNotPassed) {
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

TEST(Stops, ReleaseImmediately) {
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

/// Two sliders with these limits; the second follows the first.
Model gripper(double lower, double upper, const MimicDescription& mimic) {
  ModelBuilder builder("gripper");
  builder.add_link("palm");
  for (const char* const name : {"left", "right"}) {
    builder.add_link(name, {0.1, Vector3::Zero(), 1e-4 * Matrix3::Identity()});
    JointDescription joint;
    joint.name = name;
    joint.type = JointType::kPrismatic;
    joint.parent = "palm";
    joint.child = name;
    joint.limits.lower = lower;
    joint.limits.upper = upper;
    if (joint.name == "right") joint.mimic = mimic;
    builder.add_joint(joint);
  }
  return builder.build();
}

TEST(Stops, OfAMimicJointStopItsLeader) {
  const JointResistance resistance(gripper(-0.5, 0.5, {"left", -2.0, 0.1}), true);
  // right = -2 left + 0.1 in [-0.5, 0.5]: left in [-0.2, 0.3]
  VectorXd q(1), lower(1), upper(1);
  q << 0.0;
  resistance.velocity_bounds(q, 1.0, lower, upper);
  EXPECT_NEAR(lower(0), -0.2, 1e-15);
  EXPECT_NEAR(upper(0), 0.3, 1e-15);
}

// As in PR2's URDF: right = -left, and both in [0, 0.5].
TEST(Stops, OfAMimicJointThatWouldBlockItsLeaderAreIgnored) {
  const JointResistance resistance(gripper(0.0, 0.5, {"left", -1.0, 0.0}), true);
  VectorXd q(1), lower(1), upper(1);
  q << 0.0;
  resistance.velocity_bounds(q, 1.0, lower, upper);
  EXPECT_EQ(lower(0), 0.0);
  EXPECT_EQ(upper(0), 0.5);
}

TEST(Stops, HoldJointsFromBeyond) {
  const Model model = two_sliders(0.0, -1.0, 1.0);
  const JointResistance resistance(model, true);
  const VectorXd q = (VectorXd(2) << 1.5, -1.5).finished();
  VectorXd lower(2), upper(2);
  resistance.velocity_bounds(q, 0.1, lower, upper);
  EXPECT_EQ(upper(0), 0.0);
  EXPECT_EQ(lower(1), 0.0);
  EXPECT_FALSE(resistance.is_within_stops(q));
}

TEST(CoulombFriction, HoldsSmallerForcesAndSlidesUnderLargerOnes) {
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

}  // namespace
}  // namespace spatial_dynamics::test

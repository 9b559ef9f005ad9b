#include "spatial_dynamics/textbook/forward_dynamics.hpp"

#include <Eigen/Cholesky>

#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/kinematics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "support/law_test.hpp"
#include "textbook/free_of_mimic.hpp"

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
    // Rounding errors of tau: those of M a, and of the wrenches of 10 N that cancel in tau, times
    // 100 for the lever arms. They enter a through M^-1, whose norm is cond(M) / |M|.
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

TEST(SingularMassMatrix, IsFlaggedAndGivesZeroInsteadOfNaN) {
  const Model model = rod_and_tip(std::nullopt).build();
  EXPECT_NE(model.why_forward_dynamics_fails().find("tip"), std::string::npos);
  textbook::Data data(model);
  const VectorXd q = VectorXd::Constant(2, 0.3), v = VectorXd::Ones(2), tau = VectorXd::Ones(2);
  EXPECT_EQ(forward_dynamics(model, data, q, v, tau), VectorXd(VectorXd::Zero(2)));
  EXPECT_TRUE(data.singular);
  EXPECT_TRUE(inverse_dynamics(model, data, q, v, tau).allFinite());
}

TEST(SingularMassMatrix, BecomesRegularByArmature) {
  BuildOptions options;
  options.armature["wrist"] = 0.01;
  const Model model = rod_and_tip(std::nullopt).build(options);
  EXPECT_EQ(model.why_forward_dynamics_fails(), "");
  textbook::Data data(model);
  const VectorXd q = VectorXd::Constant(2, 0.3), v = VectorXd::Ones(2), a = VectorXd::Ones(2);
  const VectorXd tau = inverse_dynamics(model, data, q, v, a);
  EXPECT_LT(largest(forward_dynamics(model, data, q, v, tau) - a), 1e-12);
  EXPECT_FALSE(data.singular);
}

TEST(SingularMassMatrix, FlagIsResetByTheNextRegularCall) {
  const Model singular = rod_and_tip(std::nullopt).build();
  Model model = singular;
  textbook::Data data(model);
  const VectorXd q = VectorXd::Zero(2), v = VectorXd::Zero(2), tau = VectorXd::Zero(2);
  forward_dynamics(model, data, q, v, tau);
  ASSERT_TRUE(data.singular);
  model.set_payload(model.find_link("tip"),
                    Inertia::from_com(0.5, {0, 0, 0.1}, 1e-3 * Matrix3::Identity()));
  forward_dynamics(model, data, q, v, tau);
  EXPECT_FALSE(data.singular);
}

TEST(SmallInertia, OverflowIsFlagged) {
  const MassProperties nothing{1e-310, {0, 0, 1.0}, Matrix3::Zero()};
  const Model model = rod_and_tip(nothing).build();
  textbook::Data data(model);
  const VectorXd q = VectorXd::Zero(2), v = VectorXd::Zero(2), tau = VectorXd::Ones(2);
  EXPECT_TRUE(forward_dynamics(model, data, q, v, tau).allFinite());
  EXPECT_TRUE(data.singular);
}

TEST(SmallInertia, IsNotTreatedAsZero) {
  // A tip of a millionth of a gram: badly conditioned, but regular.
  const MassProperties speck{1e-9, {0, 0, 0.01}, 1e-14 * Matrix3::Identity()};
  const Model model = rod_and_tip(speck).build();
  textbook::Data data(model);
  const VectorXd q = VectorXd::Constant(2, 0.3), v = VectorXd::Ones(2), a = VectorXd::Ones(2);
  const VectorXd tau = inverse_dynamics(model, data, q, v, a);
  const VectorXd back = forward_dynamics(model, data, q, v, tau);
  EXPECT_FALSE(data.singular);
  EXPECT_LT(largest(back - a), kEpsilon * 100 * condition_number(mass_matrix(model, data, q)));
}

class SOAInterBodyForces : public LawTest {};
INSTANTIATE_TEST_SUITE_P(Robots, SOAInterBodyForces, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(SOAInterBodyForces, AreThoseOfInverseDynamicsWithExternalForcesAndGravity) {
  const State s = random_state();
  const ExternalForces forces = random_wrenches();
  const std::vector<Force> f = inter_body_forces(model, data, s.q, s.v, s.tau, forces);
  const VectorXd a = data.acceleration;
  ASSERT_FALSE(data.singular);
  const double condition = condition_number(mass_matrix(model, data, s.q));
  inverse_dynamics(model, data, s.q, s.v, a, forces);
  double scale = 1.0;
  for (const Force& wrench : data.f) scale = std::max(scale, wrench.vector().norm());
  for (std::size_t b = 0; b < f.size(); ++b) {
    // Rounding errors of accelerations grow with cond(M), and those of wrenches with them.
    EXPECT_LT((f[b] - data.f[b]).vector().norm(), rounding(scale) * std::sqrt(condition)) << b;
  }
}

// Not with mimic joints, where a follower is driven by its leader.
class SOAForcesAtJoints : public LawTest {};
INSTANTIATE_TEST_SUITE_P(Robots, SOAForcesAtJoints, ::testing::ValuesIn(robots_free_of_mimic()),
                         robot_name);

TEST_P(SOAForcesAtJoints, AlongAJointAreDriveMinusFrictionAndRotor) {
  const State s = random_state();
  const std::vector<Force> f = inter_body_forces(model, data, s.q, s.v, s.tau);
  const VectorXd a = data.acceleration;
  const VectorXd friction = friction_torque(model, data, s.v);
  const double condition = condition_number(mass_matrix(model, data, s.q));
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    for (Index k = 0; k < joint.nv; ++k) {
      const Index c = joint.v_index + k;
      const Vector6 wrench = f[to_size(i)].vector();
      const double drive = s.tau(c) - friction(c) - joint.armature * a(c);
      EXPECT_NEAR(joint.S.col(k).dot(wrench), drive,
                  rounding(wrench.norm() + std::abs(drive)) * std::sqrt(condition));
    }
  }
}

TEST(SOAInterBodyForces, InFreeFallAreZero) {
  // A floating chain at rest without drives: all links fall alike, and no joint transmits a force.
  RandomTreeOptions options;
  options.floating_base = true;
  Random random(5);
  const Model model = random_tree(random, options);
  textbook::Data data(model);
  const VectorXd q = random_configuration(random, model), zero = VectorXd::Zero(model.nv());
  for (const Force& f : inter_body_forces(model, data, q, zero, zero)) {
    EXPECT_LT(f.vector().norm(), 1e-11);  // weights of 200 N that cancel
  }
}

class L4Gravity : public LawTest {};
INSTANTIATE_TEST_SUITE_P(Robots, L4Gravity, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(L4Gravity, AsABaseAccelerationOrAsForcesGivesTheSameTorques) {
  const State s = random_state();
  const VectorXd tau = inverse_dynamics(model, data, s.q, s.v, s.a);
  const std::vector<Motion> shifted = data.a;
  // f_i = I a + v x* I v - I iX0 a_g with a_0 = 0.
  const Motion a_g(Vector3::Zero(), model.gravity());
  forward_kinematics(model, data, s.q, s.v, s.a);
  const std::vector<Motion> real = data.a;
  ExternalForces weight(model);
  for (Index l = 0; l < model.link_count(); ++l) {
    weight.add(model, l, model.link(l).inertia * (link_transform(model, data, l) * a_g));
  }
  for (Index i = 0; i < model.body_count(); ++i) {
    const std::size_t b = to_size(i);
    const Motion difference = real[b] - shifted[b] - data.X_world[b] * a_g;
    EXPECT_LT(difference.vector().norm(), rounding(shifted[b].vector().norm())) << i;
  }
  model.set_gravity(Vector3::Zero());
  const VectorXd as_force = inverse_dynamics(model, data, s.q, s.v, s.a, weight);
  EXPECT_LT(largest(tau - as_force), rounding(largest(tau) + 10.0 * model.total_mass()));
}

}  // namespace
}  // namespace spatial_dynamics::test

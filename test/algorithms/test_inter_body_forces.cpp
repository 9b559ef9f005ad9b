#include "spatial_dynamics/algorithms/inter_body_forces.hpp"

#include "algorithms/free_of_mimic.hpp"
#include "spatial_dynamics/algorithms/inverse_dynamics.hpp"
#include "spatial_dynamics/algorithms/kinematics.hpp"
#include "spatial_dynamics/algorithms/mass_matrix.hpp"

namespace spatial_dynamics::test {
namespace {

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
    // Accelerations round with cond(M), and wrenches with them.
    EXPECT_LT((f[b] - data.f[b]).vector().norm(), rounding(scale) * std::sqrt(condition)) << b;
  }
}

// Not with mimic joints, where a follower is driven by its leader.
class SOAForcesAtJoints : public LawTest {};
INSTANTIATE_TEST_SUITE_P(Robots, SOAForcesAtJoints, ::testing::ValuesIn(robots_free_of_mimic()),
                         robot_name);

TEST_P(SOAForcesAtJoints, AlongAJointAreItsDriveLessFrictionAndRotor) {
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

TEST(SOAInterBodyForces, InFreeFallNothingHoldsAnything) {
  // A floating chain at rest without drives: all fall alike, and no joint bears anything.
  RandomTreeOptions options;
  options.floating_base = true;
  Random random(5);
  const Model model = random_tree(random, options);
  Data data(model);
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

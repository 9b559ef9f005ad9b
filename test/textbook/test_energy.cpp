#include "spatial_dynamics/textbook/energy.hpp"

#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "spatial_dynamics/textbook/kinematics.hpp"
#include "support/law_test.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kEnergyStep = 1e-4;

class Energy : public LawTest {};
INSTANTIATE_TEST_SUITE_P(Robots, Energy, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(Energy, PotentialIsWeightTimesHeightOfTheCentreOfMass) {
  const State s = random_state();
  const Vector3 com = center_of_mass(model, data, s.q);
  const double expected = -model.total_mass() * model.gravity().dot(com);
  EXPECT_NEAR(potential_energy(model, data, s.q), expected, rounding(std::abs(expected)));
}

TEST_P(Energy, CentreOfMassIsTheMeanOverAllLinks) {
  // Link by link, with the inertias of the description: also checks the merging of fixed joints.
  const State s = random_state();
  forward_kinematics(model, data, s.q);
  double mass = 0.0;
  Vector3 moment = Vector3::Zero();
  for (Index l = 0; l < model.link_count(); ++l) {
    const Inertia& I = model.link(l).inertia;
    mass += I.mass;
    moment += I.mass * link_transform(model, data, l).inverse_point(I.com());
  }
  EXPECT_NEAR(mass, model.total_mass(), rounding(mass));
  EXPECT_LT((center_of_mass(model, data, s.q) - moment / mass).norm(), rounding(100.0));
}

TEST_P(Energy, KineticIsTheSumOverAllLinksAndRotors) {
  const State s = random_state();
  const double energy = kinetic_energy(model, data, s.q, s.v);
  double sum = 0.0;
  for (Index l = 0; l < model.link_count(); ++l) {
    const Motion v = link_velocity(model, data, l, Frame::kLocal);
    sum += 0.5 * quadratic_form(model.link(l).inertia, v);
  }
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    for (Index k = 0; k < joint.nv; ++k) {
      const double speed = joint.ratio * s.v(joint.v_index + k);
      sum += 0.5 * joint.armature * speed * speed;
    }
  }
  EXPECT_NEAR(energy, sum, rounding(sum));
}

TEST_P(Energy, LinearMomentumIsMassTimesVelocityOfTheCentreOfMass) {
  const State s = random_state();
  const Vector3 ahead = center_of_mass(model, data, moved(s.q, s.v, kEnergyStep));
  const Vector3 behind = center_of_mass(model, data, moved(s.q, s.v, -kEnergyStep));
  const Vector3 expected = model.total_mass() * (ahead - behind) / (2 * kEnergyStep);
  const Force momentum = centroidal_momentum(model, data, s.q, s.v);
  EXPECT_LT((momentum.force - expected).norm(), 1e-5 * (1.0 + expected.norm()));
}

class FreeRobot : public LawTest {};
INSTANTIATE_TEST_SUITE_P(Robots, FreeRobot, ::testing::ValuesIn(free_robots()), robot_name);

TEST_P(FreeRobot, JointMotionKeepsItsMomentum) {
  // Under joint torques alone gravity changes the momentum, and only its linear part. [PES eq. 9,
  // 16]
  State s = random_state();
  s.tau.head<6>().setZero();
  const VectorXd a = forward_dynamics(model, data, s.q, s.v, s.tau);
  const auto momentum = [&](double t) {
    return centroidal_momentum(model, data, moved(s.q, s.v + 0.5 * t * a, t), s.v + t * a);
  };
  const double step = 1e-5 / (1.0 + std::sqrt(largest(a)));
  const Force rate = (1.0 / (2 * step)) * (momentum(step) - momentum(-step));
  const double scale = 1.0 + largest(a);
  EXPECT_LT(rate.moment.norm(), 1e-5 * scale);
  EXPECT_LT((rate.force - model.total_mass() * model.gravity()).norm(), 1e-5 * scale);
}

}  // namespace
}  // namespace spatial_dynamics::test

#include "spatial_dynamics/textbook/inverse_dynamics.hpp"

#include "spatial_dynamics/textbook/energy.hpp"
#include "spatial_dynamics/textbook/kinematics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "support/law_test.hpp"

namespace spatial_dynamics::test {
namespace {

// Central differences: the error of the formula falls with h^2, that of rounding rises with epsilon
// / h.
constexpr double kStep = 1e-4;
// h^2 = 1e-8 times third derivatives of up to a few hundred, against epsilon / h = 2e-12.
constexpr double kDifferenceTolerance = 1e-5;

class InverseDynamics : public LawTest {};
INSTANTIATE_TEST_SUITE_P(Robots, InverseDynamics, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(InverseDynamics, IsInertiaPlusBiasPlusFriction) {
  for (int trial = 0; trial < 5; ++trial) {
    const State s = random_state();
    const VectorXd tau = inverse_dynamics(model, data, s.q, s.v, s.a);
    const VectorXd bias = bias_torque(model, data, s.q, s.v);
    const VectorXd friction = friction_torque(model, data, s.v);
    const VectorXd sum = mass_matrix(model, data, s.q) * s.a + bias + friction;
    EXPECT_LT(largest(tau - sum), rounding(largest(tau) + largest(bias)));
  }
}

TEST_P(InverseDynamics, GravityTorqueIsTheGradientOfPotentialEnergy) {
  const State s = random_state();
  const VectorXd gravity = gravity_torque(model, data, s.q);
  VectorXd direction = VectorXd::Zero(model.nv());
  for (Index k = 0; k < model.nv(); ++k) {
    direction(k) = 1.0;
    const double ahead = potential_energy(model, data, moved(s.q, direction, kStep));
    const double behind = potential_energy(model, data, moved(s.q, direction, -kStep));
    EXPECT_NEAR((ahead - behind) / (2 * kStep), gravity(k),
                kDifferenceTolerance * (1.0 + largest(gravity)))
        << "coordinate " << k;
    direction(k) = 0.0;
  }
}

TEST_P(InverseDynamics, PowerInIsTheRateOfEnergy) {
  // tau.v + sum of f.v_link - friction.v = dE/dt along the motion (q, v, a).
  const State s = random_state();
  const ExternalForces forces = random_wrenches();
  const VectorXd tau = inverse_dynamics(model, data, s.q, s.v, s.a, forces);
  forward_kinematics(model, data, s.q, s.v);
  double power = tau.dot(s.v) - friction_torque(model, data, s.v).dot(s.v);
  for (Index i = 1; i < model.body_count(); ++i) {
    power += dot(data.v[static_cast<std::size_t>(i)], forces.on_body(i));
  }
  const auto energy = [&](double t) {
    const VectorXd q = moved(s.q, s.v + 0.5 * t * s.a, t), v = s.v + t * s.a;
    return kinetic_energy(model, data, q, v) + potential_energy(model, data, q);
  };
  const double rate = (energy(kStep) - energy(-kStep)) / (2 * kStep);
  const double scale = 1.0 + std::abs(power) + std::abs(energy(0.0));
  EXPECT_NEAR(rate, power, kDifferenceTolerance * scale);
}

TEST_P(InverseDynamics, ExternalWrenchesActThroughTheJacobian) {
  const State s = random_state();
  const VectorXd without = inverse_dynamics(model, data, s.q, s.v, s.a);
  ExternalForces forces(model);
  VectorXd expected = without;
  Matrix6X J(6, model.nv());
  forward_kinematics(model, data, s.q);
  for (Index l = 0; l < model.link_count(); l += 2) {
    const Force wrench = random_force(random);
    forces.add(model, l, wrench);
    link_jacobian(model, data, l, Frame::kLocal, J);
    expected -= J.transpose() * wrench.vector();
  }
  const VectorXd with = inverse_dynamics(model, data, s.q, s.v, s.a, forces);
  EXPECT_LT(largest(with - expected), rounding(largest(with) + largest(expected)));
}

TEST_P(InverseDynamics, BaseReactionSupportsTheWholeRobot) {
  // Newton for all bodies together: the base supports m (a_com - g).
  const State s = random_state();
  inverse_dynamics(model, data, s.q, s.v, s.a);
  const Vector3 reaction = data.f[0].force;
  const auto com = [&](double t) {
    return center_of_mass(model, data, moved(s.q, s.v + 0.5 * t * s.a, t));
  };
  constexpr double kLongStep = 1e-3;  // second differences: epsilon / h^2
  const Vector3 a_com =
      (com(kLongStep) - 2.0 * com(0.0) + com(-kLongStep)) / (kLongStep * kLongStep);
  const Vector3 expected = model.total_mass() * (a_com - model.gravity());
  // h^2 = 1e-6 times the fourth derivative of the centre of mass, which grows with the depth of the
  // tree.
  EXPECT_LT((reaction - expected).norm(), 1e-3 * (1.0 + expected.norm()));
}

TEST_P(InverseDynamics, GravityMayChangeBetweenCalls) {
  const State s = random_state();
  model.set_gravity(Vector3::Zero());
  EXPECT_LT(largest(gravity_torque(model, data, s.q)), rounding(0.0));
  model.set_gravity({1.0, 2.0, 3.0});
  const VectorXd once = gravity_torque(model, data, s.q);
  model.set_gravity({2.0, 4.0, 6.0});
  EXPECT_LT(largest(gravity_torque(model, data, s.q) - 2.0 * once), rounding(2.0 * largest(once)));
}

TEST_P(InverseDynamics, PayloadActsAsAnAdditionalLink) {
  // A payload's torque is that of its inertia under the link's motion: J' (I a + v x* I v), gravity
  // in a.
  const State s = random_state();
  const Index link = model.link_count() - 1;
  const VectorXd without = inverse_dynamics(model, data, s.q, s.v, s.a);
  const MassProperties p = random_mass_properties(random);
  const Inertia payload = Inertia::from_com(p.mass, p.com, p.inertia_about_com);
  forward_kinematics(model, data, s.q, s.v, s.a);
  const Motion v = link_velocity(model, data, link, Frame::kLocal);
  Motion a = link_acceleration(model, data, link, Frame::kLocal);
  a.linear -= link_transform(model, data, link).E * model.gravity();
  Matrix6X J(6, model.nv());
  link_jacobian(model, data, link, Frame::kLocal, J);
  const Force force = payload * a + cross_star(v, payload * v);
  const VectorXd expected = without + J.transpose() * force.vector();
  model.set_payload(link, payload);
  const VectorXd with = inverse_dynamics(model, data, s.q, s.v, s.a);
  EXPECT_LT(largest(with - expected), rounding(largest(with)));
  model.set_payload(link, Inertia::Zero());
  EXPECT_EQ(largest(inverse_dynamics(model, data, s.q, s.v, s.a) - without), 0.0);
}

// With q' = v, Lagrange's equations hold for the energies: tau = d/dt (dT/dv) - dT/dq + dV/dq +
// friction.
class Lagrange : public LawTest {};
INSTANTIATE_TEST_SUITE_P(Robots, Lagrange, ::testing::ValuesIn(single_dof_robots()), robot_name);

TEST_P(Lagrange, EquationsGiveTheTorqueOfInverseDynamics) {
  const State s = random_state();
  const VectorXd tau = inverse_dynamics(model, data, s.q, s.v, s.a);
  const VectorXd friction = friction_torque(model, data, s.v);
  const auto kinetic = [&](const VectorXd& q, const VectorXd& v) {
    return kinetic_energy(model, data, q, v);
  };
  for (Index k = 0; k < model.nv(); ++k) {
    const VectorXd e = VectorXd::Unit(model.nv(), k);
    // T is quadratic in v, so this difference is exact for any step.
    const auto momentum = [&](double t) {
      const VectorXd q = s.q + t * s.v + 0.5 * t * t * s.a, v = s.v + t * s.a;
      return 0.5 * (kinetic(q, v + e) - kinetic(q, v - e));
    };
    const double momentum_rate = (momentum(kStep) - momentum(-kStep)) / (2 * kStep);
    const VectorXd ahead = s.q + kStep * e, behind = s.q - kStep * e;
    const double kinetic_slope = (kinetic(ahead, s.v) - kinetic(behind, s.v)) / (2 * kStep);
    const double potential_slope =
        (potential_energy(model, data, ahead) - potential_energy(model, data, behind)) /
        (2 * kStep);
    EXPECT_NEAR(momentum_rate - kinetic_slope + potential_slope + friction(k), tau(k),
                1e-6 * (1.0 + largest(tau)))
        << "coordinate " << k;
  }
}

TEST(Friction, IsViscousPlusSmoothedCoulomb) {
  JointDescription joint;
  joint.name = "hinge";
  joint.type = JointType::kContinuous;
  joint.parent = "base";
  joint.child = "rod";
  joint.damping = 0.5;
  joint.friction = 2.0;
  const Model model = ModelBuilder("rod")
                          .add_link("base")
                          .add_link("rod", {1.0, {0, 0, -1}, Matrix3::Identity()})
                          .add_joint(joint)
                          .build();
  textbook::Data data(model);
  const auto friction = [&](double v) {
    return friction_torque(model, data, VectorXd::Constant(1, v))(0);
  };
  EXPECT_EQ(friction(0.0), 0.0);
  EXPECT_DOUBLE_EQ(friction(3.0), 0.5 * 3.0 + 2.0);
  EXPECT_DOUBLE_EQ(friction(-3.0), -friction(3.0));
  EXPECT_DOUBLE_EQ(friction(1e-3), 0.5e-3 + 2.0 * std::tanh(1e-3 / model.friction_speed()));
}

}  // namespace
}  // namespace spatial_dynamics::test

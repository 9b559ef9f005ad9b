// The functions give the same results as the textbook functions, on every robot.
#include "dynamics/every_function.hpp"
#include "spatial_dynamics/textbook/derivatives.hpp"
#include "spatial_dynamics/textbook/energy.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/kinematics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "spatial_dynamics/textbook/regressor.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kTolerance =
    1e-12;  // relative to the largest number, as in the tests of the kernels

class Dynamics : public LawTest {
 protected:
  Dynamics() : fast(model, Dense::kAll) { model.set_friction_speed(0.5); }
  static void expect_near(const MatrixXd& value, const MatrixXd& expected, double factor = 1.0) {
    ASSERT_EQ(value.rows(), expected.rows());
    ASSERT_EQ(value.cols(), expected.cols());
    EXPECT_LE(largest(value - expected), factor * kTolerance * (1e-3 + largest(expected)));
  }
  Data fast;
};
INSTANTIATE_TEST_SUITE_P(Robots, Dynamics, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(Dynamics, TorquesMatchTextbook) {
  const State s = random_state();
  const ExternalForces external = random_wrenches();
  expect_near(inverse_dynamics(model, fast, s.q, s.v, s.a, external),
              inverse_dynamics(model, data, s.q, s.v, s.a, external));
  expect_near(bias_torque(model, fast, s.q, s.v), bias_torque(model, data, s.q, s.v));
  expect_near(gravity_torque(model, fast, s.q), gravity_torque(model, data, s.q));
  expect_near(friction_torque(model, fast, s.v), friction_torque(model, data, s.v));
  expect_near(friction_torque(model, fast, s.v, s.a), friction_torque(model, data, s.v, s.a));
  inverse_dynamics(model, data, s.q, s.v, s.a, external);
  const std::vector<Force>& wrenches = joint_wrenches(model, fast, s.q, s.v, s.a, external);
  for (std::size_t i = 0; i < wrenches.size(); ++i) {
    EXPECT_EQ(wrenches[i].vector(), data.f[i].vector());
  }
}

TEST_P(Dynamics, MatricesMatchTextbook) {
  const State s = random_state();
  const MatrixXd M = mass_matrix(model, data, s.q);
  expect_near(mass_matrix(model, fast, s.q), M);
  expect_near(coriolis_matrix(model, fast, s.q, s.v), coriolis_matrix(model, data, s.q, s.v));
  MatrixXd Y(model.nv(), kInertialParameters * model.link_count());
  regressor(model, data, s.q, s.v, s.a, Y);
  expect_near(regressor(model, fast, s.q, s.v, s.a), Y);
  MatrixXd inverse(model.nv(), model.nv());
  ASSERT_TRUE(mass_matrix_inverse(model, data, s.q, inverse));
  expect_near(mass_matrix_inverse(model, fast, s.q), inverse, condition_number(M));
  EXPECT_FALSE(fast.singular());
}

TEST_P(Dynamics, AccelerationsMatchTextbook) {
  const State s = random_state();
  const ExternalForces external = random_wrenches();
  const double condition = condition_number(mass_matrix(model, data, s.q));
  expect_near(forward_dynamics(model, fast, s.q, s.v, s.tau, external),
              forward_dynamics(model, data, s.q, s.v, s.tau, external), condition);
}

TEST_P(Dynamics, DerivativesWithWrenchesMatchTextbook) {
  const State s = random_state();
  const ExternalForces external = random_wrenches();
  textbook::InverseDynamicsDerivatives id(model);
  inverse_dynamics_derivatives(model, data, s.q, s.v, s.a, id, external);
  const auto& result = inverse_dynamics_derivatives(model, fast, s.q, s.v, s.a, external);
  expect_near(result.dtau_dq, id.dtau_dq);
  expect_near(result.dtau_dv, id.dtau_dv);
  expect_near(result.dtau_da, id.dtau_da);
  textbook::ForwardDynamicsDerivatives fd(model);
  ASSERT_TRUE(forward_dynamics_derivatives(model, data, s.q, s.v, s.tau, fd, external));
  const auto& forward = forward_dynamics_derivatives(model, fast, s.q, s.v, s.tau, external);
  const double condition = condition_number(id.dtau_da);
  expect_near(forward.da_dq, fd.da_dq, condition);
  expect_near(forward.da_dv, fd.da_dv, condition);
  expect_near(forward.da_dtau, fd.da_dtau, condition);
  expect_near(forward.a, fd.a, condition);
}

TEST_P(Dynamics, DerivativesWithWrenchesMatchFiniteDifferences) {
  if (GetParam().large) return;  // each test needs nv calls of inverse dynamics
  const State s = random_state();
  const ExternalForces external = random_wrenches();
  const MatrixXd dtau_dq =
      inverse_dynamics_derivatives(model, fast, s.q, s.v, s.a, external).dtau_dq;
  // Differences of five points have an error of step^4 / 30 times the fifth derivative, and of
  // rounding divided by the step.
  constexpr double kStep = 1e-3;
  for (Index k = 0; k < model.nv(); ++k) {
    const VectorXd e = VectorXd::Unit(model.nv(), k);
    const auto tau = [&](double h) {
      return VectorXd(inverse_dynamics(model, fast, moved(s.q, e, h), s.v, s.a, external));
    };
    const VectorXd near = tau(kStep) - tau(-kStep), far = tau(2 * kStep) - tau(-2 * kStep);
    const VectorXd difference = (8.0 * near - far) / (12.0 * kStep);
    const double size = 1.0 + largest(dtau_dq) + largest(tau(0.0));
    ASSERT_LT(largest(dtau_dq.col(k) - difference), 1e-8 * size) << k;
  }
}

TEST_P(Dynamics, KinematicsAndEnergiesMatchTextbook) {
  const State s = random_state();
  forward_kinematics(model, data, s.q, s.v, s.a);
  Matrix6X J(6, model.nv());
  for (Index l = 0; l < model.link_count(); l += 1 + model.link_count() / 4) {
    EXPECT_EQ(link_pose(model, fast, s.q, l).r, link_transform(model, data, l).r);
    for (const Frame frame : {Frame::kLocal, Frame::kWorld, Frame::kLocalWorldAligned}) {
      EXPECT_EQ(link_velocity(model, fast, s.q, s.v, l, frame).vector(),
                link_velocity(model, data, l, frame).vector());
      EXPECT_EQ(link_acceleration(model, fast, s.q, s.v, s.a, l, frame).vector(),
                link_acceleration(model, data, l, frame).vector());
      link_jacobian(model, data, l, frame, J);
      expect_near(jacobian(model, fast, s.q, l, frame), J);
      link_jacobian_derivative(model, data, l, frame, J);
      expect_near(jacobian_rate(model, fast, s.q, s.v, l, frame), J);
    }
    EXPECT_EQ(link_classical_acceleration(model, fast, s.q, s.v, s.a, l).vector(),
              link_classical_acceleration(model, data, l).vector());
  }
  EXPECT_EQ(kinetic_energy(model, fast, s.q, s.v), kinetic_energy(model, data, s.q, s.v));
  EXPECT_EQ(potential_energy(model, fast, s.q), potential_energy(model, data, s.q));
  EXPECT_EQ(center_of_mass(model, fast, s.q), center_of_mass(model, data, s.q));
  EXPECT_EQ(centroidal_momentum(model, fast, s.q, s.v).vector(),
            centroidal_momentum(model, data, s.q, s.v).vector());
}

}  // namespace
}  // namespace spatial_dynamics::test

#include "control/torque_laws.hpp"

#include "control/controller_harness.hpp"

namespace spatial_dynamics::test {
namespace {

class TorqueLawsTest : public ::testing::Test {
 protected:
  TorqueLawsTest() {
    settings.kp = {90.0};
    settings.kd = {15.0};
    update(true);
    tracker.restart(references, q);
    refer(1);
  }
  void update(bool at_once) {
    laws.update_settings(settings, resolve_joint_settings(settings, model),
                         RampStep::of(0.1, 0.3, at_once));
  }
  void refer(std::uint64_t generation) {
    for (std::size_t k = 0; k < 7; ++k) {
      const auto i = static_cast<Index>(k);
      const Knot setpoint{0.0, q_ref(i), v_ref(i), a_ref(i), effort(i)};
      references.joints[k] = full_reference(generation, 1, true, {setpoint});
    }
    tracker.update(2, 0.5, 0.3, references, q, v, true);
  }
  VectorXd torque(TorqueMode mode, const ExternalForces& external = kNoExternalForces) {
    EXPECT_TRUE(laws.compute(mode, coordinates, tracker, q, v, external, robot));
    return laws.torque();
  }
  static void expect_near(const VectorXd& a, const VectorXd& b) {
    EXPECT_LE((a - b).cwiseAbs().maxCoeff(), 1e-12 * (1.0 + b.cwiseAbs().maxCoeff()));
  }

  Random random{11};
  Model model = load_urdf_file(shipped_urdf("arm7"));
  textbook::Data data{model};
  Coordinates coordinates{model};
  RobotDynamics robot{model};
  TorqueLaws laws{7, 7};
  ControlSettings settings;
  ReferenceTracker tracker{coordinates.scalars()};
  References references = make_control_input(model, coordinates).references;
  VectorXd q = random_configuration(random, model), v = random_vector(random, 7);
  VectorXd q_ref = q + 0.01 * random_vector(random, 7), v_ref = random_vector(random, 7),
           a_ref = random_vector(random, 7), effort = random_vector(random, 7);
  const VectorXd zero = VectorXd::Zero(7);
};

TEST_F(TorqueLawsTest, GravityCompensationFollowsItsFormula) {
  expect_near(torque(TorqueMode::kGravityCompensation), gravity_torque(model, data, q) + effort);
}

TEST_F(TorqueLawsTest, InverseDynamicsFollowsItsFormula) {
  VectorXd expected = inverse_dynamics(model, data, q, v, a_ref);
  expected -= friction_torque(model, data, v);
  expected += friction_torque(model, data, v, v_ref);
  expect_near(torque(TorqueMode::kInverseDynamics), expected + effort);
}

TEST_F(TorqueLawsTest, ComputedTorqueFollowsItsFormula) {
  settings.friction_compensation = false;
  update(true);
  const VectorXd a = a_ref + 15.0 * (v_ref - v) + 90.0 * (q_ref - q);
  VectorXd expected = inverse_dynamics(model, data, q, v, a);
  expected -= friction_torque(model, data, v);
  expect_near(torque(TorqueMode::kComputedTorque), expected + effort);
  expect_near(laws.acceleration(), a);
  expect_near(laws.position_error(), q_ref - q);
}

TEST_F(TorqueLawsTest, CompensatesKnownWrenches) {
  ExternalForces external(model);
  external.add(model, model.link_count() - 1, random_force(random));
  expect_near(torque(TorqueMode::kGravityCompensation, external),
              inverse_dynamics(model, data, q, zero, zero, external) + effort);
}

TEST_F(TorqueLawsTest, ClearedGainsKeepReferenceAcceleration) {
  laws.clear_gains();
  torque(TorqueMode::kComputedTorque);
  expect_near(laws.acceleration(), a_ref);
  update(false);
  torque(TorqueMode::kComputedTorque);
  const VectorXd third = (15.0 * (v_ref - v) + 90.0 * (q_ref - q)) / 3.0;
  EXPECT_LE((laws.acceleration() - a_ref - third).norm(), 1e-9) << "a third of the ramp";
}

TEST_F(TorqueLawsTest, LeavesOutTermsOfHardware) {
  const VectorXd whole = torque(TorqueMode::kInverseDynamics);
  settings.compensated_by_hardware = {true, true, false};
  update(true);
  const VectorXd ours = torque(TorqueMode::kInverseDynamics);
  expect_near(laws.hardware(), bias_torque(model, data, q, v));
  expect_near(ours + laws.hardware(), whole);
  EXPECT_EQ(laws.gravity_share(), 0.0);
}

TEST_F(TorqueLawsTest, NonFiniteTorqueKeepsLastFiniteTorque) {
  const VectorXd good = torque(TorqueMode::kInverseDynamics);
  v(3) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(laws.compute(TorqueMode::kInverseDynamics, coordinates, tracker, q, v,
                            kNoExternalForces, robot));
  EXPECT_EQ(laws.torque(), good);
}

TEST(ErrorDecayRate, IsSlowRootIfOverdampedAndAtMostHalfFrequency) {
  EXPECT_DOUBLE_EQ(error_decay_rate(100.0, 20.0), 5.0);  // critical: w / 2
  EXPECT_DOUBLE_EQ(error_decay_rate(100.0, 1.0), 5.0);
  EXPECT_DOUBLE_EQ(error_decay_rate(100.0, 0.0), 5.0);
  EXPECT_DOUBLE_EQ(error_decay_rate(0.0, 20.0), 0.0);
  EXPECT_DOUBLE_EQ(error_decay_rate(0.0, 0.0), 0.0);
  // s^2 + 1000 s + 100 = 0
  EXPECT_NEAR(error_decay_rate(100.0, 1000.0), 500.0 - std::sqrt(500.0 * 500.0 - 100.0), 1e-4);
}

}  // namespace
}  // namespace spatial_dynamics::test

#include "control/optional_results.hpp"

#include "control/controller_harness.hpp"

namespace spatial_dynamics::test {
namespace {

class OptionalResultsTest : public ::testing::Test {
 protected:
  OptionalResultsTest() {
    out.q = random_configuration(random, model);
    out.v = random_vector(random, 7);
    out.faults = 0;
  }
  void accelerate(const VectorXd& own_effort) {
    const ControlView view{settings,          joints,      gravity,     in.states, in.references,
                           in.effort_command, in.wrenches, in.payloads, in.gravity};
    results.compute_acceleration(now, view, own_effort, false, kNoExternalForces, envelope, robot,
                                 out);
  }

  Random random{4};
  Model model = load_urdf_file(shipped_urdf("arm7"));
  textbook::Data data{model};
  Coordinates coordinates{model};
  RobotDynamics robot{model};
  Envelope envelope{model, coordinates};
  OptionalResults results{model};
  TorqueLaws laws{7, 7};
  ControlSettings settings;
  JointSettings joints;
  Vector3 gravity = kStandardGravity;
  TorqueController controller{model};
  ControlInput in = controller.make_input();
  ControlOutput out = controller.make_output();
  const std::int64_t now = 1000 * kMillisecond;
};

TEST_F(OptionalResultsTest, ComputesOnlyRequestedResults) {
  results.compute_terms(settings, settings.torque_mode, laws, kNoExternalForces, robot, out);
  EXPECT_TRUE(out.mass_matrix.isZero(0.0));
  EXPECT_TRUE(out.terms.gravity.isZero(0.0));
}

TEST_F(OptionalResultsTest, TermsAndMassMatrixMatchModel) {
  settings.compute = {true, true, true};
  out.mass_matrix = MatrixXd::Zero(7, 7);
  results.compute_terms(settings, settings.torque_mode, laws, kNoExternalForces, robot, out);
  EXPECT_LE((out.terms.gravity - gravity_torque(model, data, out.q)).norm(), 1e-9);
  const VectorXd bias = bias_torque(model, data, out.q, out.v);
  EXPECT_LE((out.terms.gravity + out.terms.coriolis - bias).norm(), 1e-9);
  EXPECT_GT(out.mass_matrix.norm(), 0.1);
}

TEST_F(OptionalResultsTest, AccelerationMatchesSelectedEffort) {
  const VectorXd own = 5.0 * random_vector(random, 7);
  accelerate(own);
  ASSERT_TRUE(out.send_acceleration);
  const VectorXd expected = forward_dynamics(model, data, out.q, out.v, own);
  EXPECT_LE((out.acceleration - expected).norm(), 1e-9 * (1.0 + expected.norm()));
}

TEST_F(OptionalResultsTest, UnknownEffortIsFault) {
  settings.effort_source = EffortSource::kMeasured;
  accelerate(VectorXd::Zero(7));
  EXPECT_TRUE(has(out.faults, Fault::kNoEffort));
  EXPECT_FALSE(out.send_acceleration);
  settings.effort_source = EffortSource::kCommand;
  accelerate(VectorXd::Zero(7));
  EXPECT_TRUE(has(out.faults, Fault::kStaleCommand));
  EXPECT_FALSE(out.send_acceleration);
}

}  // namespace
}  // namespace spatial_dynamics::test

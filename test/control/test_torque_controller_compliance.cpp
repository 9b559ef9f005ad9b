// Springs and dampers in the joints, in the whole controller.
#include <cmath>

#include "control/controller_harness.hpp"

namespace spatial_dynamics::test {
namespace {

class ImpedanceTest : public TorqueControllerTest {
 protected:
  ImpedanceTest() {
    settings.config.torque_mode = TorqueMode::kJointImpedance;
    settings.config.stiffness = {40.0};
    settings.config.damping = {2.0};
    settings.config.torque_rate_limit = {0.0};
    resolve();
  }
  void activate() {
    repeat(301, [&] { cycle(); });  // until feedback is ramped in
  }
  [[nodiscard]] VectorXd feedback() { return out.torque - gravity_torque(model, data, states.q); }
};

TEST_F(ImpedanceTest, HoldsPositionOfActivationWithASpring) {
  activate();
  EXPECT_LE(feedback().norm(), 1e-9);
  states.q(1) += 0.1;
  states.v(2) = 0.5;
  cycle();
  EXPECT_NEAR(feedback()(1), -4.0, 1e-9);
  EXPECT_NEAR(feedback()(2), -1.0, 1e-9);
  EXPECT_NEAR(feedback()(3), 0.0, 1e-9);
}

TEST_F(ImpedanceTest, MissingPartsOfAReferenceAreZeroAndWithoutAPositionThereIsNoSpring) {
  activate();
  states.q(1) += 0.1;
  const VectorXd zero = VectorXd::Zero(7);
  set_reference(zero, zero, zero);
  for (JointReference& reference : references.joints) {
    reference.has_position = false;
    set_effort(reference, 0.3);
  }
  cycle();
  EXPECT_LE((feedback() - VectorXd::Constant(7, 0.3)).norm(), 1e-9);
}

TEST_F(ImpedanceTest, StiffnessIsRampedWhenItChanges) {
  activate();
  states.q(1) += 0.1;
  cycle();
  settings.config.stiffness = {80.0};
  resolve();
  double before = feedback()(1);
  for (int i = 0; i < 300; ++i) {
    cycle();
    EXPECT_LE(std::abs(feedback()(1) - before), 4.0 / 300.0 + 1e-9);
    before = feedback()(1);
  }
  EXPECT_NEAR(before, -8.0, 1e-9);
}

TEST_F(ImpedanceTest, TermsAddUpToTheTorque) {
  settings.config.compute.torque_terms = true;
  activate();
  states.v = 0.3 * random_vector(random, 7);
  set_reference(states.q + 0.1 * random_vector(random, 7), random_vector(random, 7),
                random_vector(random, 7));
  cycle();
  const TorqueTerms& t = out.terms;
  const VectorXd sum = t.gravity + t.coriolis + t.inertial + t.friction + t.external;
  EXPECT_LE((sum - out.torque).norm(), 1e-9);
}

TEST_F(ImpedanceTest, HardwareThatCompensatesGravityAndCoriolisAddsUpToTheSameTorque) {
  activate();
  states.v = 0.3 * random_vector(random, 7);
  states.q(1) += 0.1;
  cycle();
  const VectorXd whole = out.torque;
  settings.config.compensated_by_hardware = {true, true, false};
  repeat(301, [&] { cycle(); });
  EXPECT_LE((out.torque + bias_torque(model, data, states.q, states.v) - whole).norm(), 1e-9);
}

/// A continuous hinge without weight.
Model turntable() {
  JointDescription joint;
  joint.name = "turn";
  joint.type = JointType::kContinuous;
  joint.parent = "base";
  joint.child = "plate";
  joint.axis = Vector3::UnitZ();
  joint.limits.effort = 100.0;
  ModelBuilder builder("turntable");
  builder.add_link("base").add_link("plate", {1.0, Vector3::Zero(), Matrix3::Identity()});
  return builder.add_joint(joint).build();
}

class TurntableTest : public TorqueControllerTest {
 protected:
  TurntableTest() : TorqueControllerTest(turntable()) {
    settings.config.torque_mode = TorqueMode::kJointImpedance;
    settings.config.stiffness = {10.0};
    settings.config.damping = {0.0};
    settings.config.torque_rate_limit = {0.0};
    resolve();
    states.q.setZero();
    repeat(301, [&] { cycle(); });
  }
};

TEST_F(TurntableTest, NewReferenceAfterMoreThanHalfATurnDoesNotStepTheTorque) {
  for (int i = 1; i <= 50; ++i) {
    states.q(0) = 0.1 * i;
    cycle();
  }
  EXPECT_NEAR(out.torque(0), -50.0, 1e-9);
  set_reference(VectorXd::Zero(1), VectorXd::Zero(1), VectorXd::Zero(1));
  const double after = 10.0 * (2.0 * M_PI - 5.0);
  double before = out.torque(0);
  for (int i = 0; i < 300; ++i) {
    cycle();
    EXPECT_LE(std::abs(out.torque(0) - before), (after + 50.0) / 300.0 + 1e-9);
    before = out.torque(0);
  }
  EXPECT_NEAR(before, after, 1e-9);
}

}  // namespace
}  // namespace spatial_dynamics::test

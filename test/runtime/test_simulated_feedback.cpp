// Computed torque on a simulated joint whose states are late.
#include <cmath>
#include <deque>

#include "control/controller_harness.hpp"
#include "control/torque_laws.hpp"
#include "simulation/motion_stepper.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kInertia = 0.002, kDamping = 1.0;  // a neck: friction stops it within 2 ms

Model neck() {
  JointDescription joint;
  joint.name = "neck";
  joint.type = JointType::kRevolute;
  joint.parent = "base";
  joint.child = "head";
  joint.axis = Vector3::UnitZ();
  joint.damping = kDamping;
  joint.limits.effort = 20.0;
  ModelBuilder builder("neck");
  builder.add_link("base").add_link("head", {0.5, Vector3::Zero(), kInertia * Matrix3::Identity()});
  return builder.add_joint(joint).build();
}

/// A light, strongly damped joint under computed torque. Its states are 4 ms old when they are
/// seen, twice as long as friction takes to stop it.
class NeckTest : public TorqueControllerTest {
 protected:
  NeckTest() : TorqueControllerTest(neck()), stepper(model, Integrator::kSemiImplicit, true) {
    settings.config.torque_mode = TorqueMode::kComputedTorque;
    settings.config.compute.torque_terms = true;
    resolve();
    states.q.setZero();
    q = v = VectorXd::Zero(1);
    cycle();  // activation
  }
  /// One cycle towards a setpoint; then the robot moves for a millisecond.
  void follow(double position, double velocity, double acceleration) {
    constexpr std::size_t kDelay = 4;  // cycles
    past.emplace_back(q(0), v(0));
    if (past.size() > kDelay + 1) past.pop_front();
    states.q(0) = past.front().first;
    states.v(0) = past.front().second;
    now += kMillisecond;
    see_states();
    set_reference(VectorXd::Constant(1, position), VectorXd::Constant(1, velocity),
                  VectorXd::Constant(1, acceleration));
    step();
    for (int i = 0; i < 4; ++i) {
      ASSERT_TRUE(stepper.step(model, q, v, out.torque, kNoExternalForces, 0.25e-3));
    }
  }

  MotionStepper stepper;
  VectorXd q, v;
  std::deque<std::pair<double, double>> past;
};

TEST_F(NeckTest, TracksSmoothMotionWithinDelayError) {
  constexpr double kAmplitude = 0.5, kFrequency = 3.0;
  double largest = 0.0;
  for (int i = 1; i < 5000; ++i) {
    const double t = 1e-3 * i;
    follow(kAmplitude * (1.0 - std::cos(kFrequency * t)),
           kAmplitude * kFrequency * std::sin(kFrequency * t),
           kAmplitude * kFrequency * kFrequency * std::cos(kFrequency * t));
    const double here = kAmplitude * (1.0 - std::cos(kFrequency * (t + 1e-3)));
    largest = std::max(largest, std::abs(here - q(0)));
  }
  EXPECT_LT(largest, kAmplitude * kFrequency * 5e-3);
}

TEST_F(NeckTest, ReachesSetpointInTimeOfGains) {
  repeat(1000, [&] { follow(0.2, 0.0, 0.0); });
  EXPECT_NEAR(q(0), 0.2, 0.01 * 0.2);  // the error is exp(-5)
  repeat(1000, [&] { follow(0.2, 0.0, 0.0); });
  EXPECT_NEAR(q(0), 0.2, 1e-4 * 0.2);
  EXPECT_NEAR(v(0), 0.0, 1e-4);
}

TEST_F(NeckTest, DampsStifferGainsThanADelayedVelocityWouldAllow) {
  settings.config.kp = {2500.0};
  settings.config.kd = {100.0};
  resolve();
  repeat(600, [&] { follow(0.0, 0.0, 0.0); });  // gains are ramped
  double highest = 0.0;
  repeat(1000, [&] {
    follow(0.2, 0.0, 0.0);
    highest = std::max(highest, q(0));
  });
  EXPECT_LT(highest, 0.2 * 1.02);
  EXPECT_NEAR(q(0), 0.2, 1e-6);
}

TEST_F(NeckTest, FrictionUsesCommandedVelocity) {
  repeat(301, [&] { cycle(); });  // until feedback is ramped in
  states.v(0) = -3.0;             // any measured velocity
  states.q(0) = 0.1;
  now += kMillisecond;
  see_states();
  set_reference(VectorXd::Constant(1, 0.3), VectorXd::Constant(1, 0.7), VectorXd::Zero(1));
  step();
  EXPECT_NEAR(out.terms.friction(0), kDamping * (0.7 + 5.0 * 0.2), 1e-12);
}

TEST_F(NeckTest, InverseDynamicsFrictionUsesMeasuredVelocity) {
  settings.config.torque_mode = TorqueMode::kInverseDynamics;
  states.v(0) = -3.0;
  repeat(2, [&] { cycle(); });
  EXPECT_NEAR(out.terms.friction(0), kDamping * -3.0, 1e-12);
}

}  // namespace
}  // namespace spatial_dynamics::test

#include "control/torque_laws.hpp"

#include "control/controller_harness.hpp"
#include "spatial_dynamics/textbook/energy.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "support/law_test.hpp"

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

TEST_F(TorqueLawsTest, JointImpedanceFollowsItsFormula) {
  settings.stiffness = {50.0};
  settings.damping = {4.0};
  update(true);
  VectorXd expected = mass_matrix(model, data, q) * a_ref;
  expected += coriolis_matrix(model, data, q, v) * v_ref;
  expected += gravity_torque(model, data, q);
  expected += 50.0 * (q_ref - q) + 4.0 * (v_ref - v);
  expected += friction_torque(model, data, v_ref);
  expect_near(torque(TorqueMode::kJointImpedance), expected + effort);
  expect_near(laws.spring_torque(), 50.0 * (q_ref - q) + 4.0 * (v_ref - v));
  expect_near(laws.reference_coriolis(), coriolis_matrix(model, data, q, v) * v_ref);
  torque(TorqueMode::kComputedTorque);
  EXPECT_TRUE(laws.spring_torque().isZero(0.0));
}

TEST_F(TorqueLawsTest, HandGuidingFollowsItsFormula) {
  settings.hand_guiding.damping = 4.0;
  settings.hand_guiding.friction_share = 0.6;
  update(true);
  VectorXd expected = gravity_torque(model, data, q) - 4.0 * mass_matrix(model, data, q) * v;
  expected += 0.6 * friction_torque(model, data, v, 0.2 * v);
  expect_near(torque(TorqueMode::kHandGuiding), expected + effort);
}

TEST_F(TorqueLawsTest, GuidingCompensatesAtMostItsShareOfFrictionAndNothingAtRest) {
  settings.hand_guiding.friction_share = 0.6;
  update(true);
  for (const double speed : {1e-6, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0}) {
    v = speed * random_vector(random, 7);
    torque(TorqueMode::kHandGuiding);
    const VectorXd friction = friction_torque(model, data, v);
    for (Index k = 0; k < 7; ++k) {
      EXPECT_LE(std::abs(laws.friction()(k)), 0.6 * std::abs(friction(k)) * (1.0 + 1e-12));
      EXPECT_GE(laws.friction()(k) * v(k), 0.0) << "along the motion";
    }
  }
  v.setZero();
  torque(TorqueMode::kHandGuiding);
  EXPECT_TRUE(laws.friction().isZero(0.0));
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

/// One continuous hinge in joint_impedance.
class TurningHinge : public ::testing::Test {
 protected:
  TurningHinge() {
    ControlSettings settings;
    settings.stiffness = {10.0};
    settings.damping = {0.0};
    laws.update_settings(settings, resolve_joint_settings(settings, model), RampStep{1.0, true});
    tracker.restart(references, q);
  }
  static Model hinge() {
    JointDescription joint;
    joint.name = "hinge";
    joint.type = JointType::kContinuous;
    joint.parent = "base";
    joint.child = "rod";
    ModelBuilder builder("hinge");
    builder.add_link("base").add_link("rod", {1.0, Vector3::Zero(), Matrix3::Identity()});
    return builder.add_joint(joint).build();
  }
  double error_at(double angle) {
    q(0) = angle;
    ++now;
    tracker.update(now, 0.5, 0.3, references, q, v, true);
    EXPECT_TRUE(laws.compute(TorqueMode::kJointImpedance, coordinates, tracker, q, v,
                             kNoExternalForces, robot));
    EXPECT_NEAR(laws.torque()(0), 10.0 * laws.position_error()(0), 1e-9);
    return laws.position_error()(0);
  }
  void refer(double angle) {
    references.joints[0] = full_reference(++generation, now, true, {{0.0, angle, 0.0, 0.0, 0.0}});
  }

  Model model = hinge();
  Coordinates coordinates{model};
  RobotDynamics robot{model};
  TorqueLaws laws{1, 1};
  ReferenceTracker tracker{coordinates.scalars()};
  References references = make_control_input(model, coordinates).references;
  VectorXd q = VectorXd::Zero(1), v = VectorXd::Zero(1);
  std::int64_t now = 1;
  std::uint64_t generation = 0;
};

TEST_F(TurningHinge, ErrorGrowsPastHalfATurn) {
  for (int i = 0; i <= 50; ++i) EXPECT_NEAR(error_at(0.1 * i), -0.1 * i, 1e-12);
  EXPECT_FALSE(laws.turned());
}

TEST_F(TurningHinge, SensorThatStartsANewTurnDoesNotStepTheError) {
  for (int i = 0; i <= 50; ++i) {
    EXPECT_NEAR(error_at(std::remainder(0.1 * i, kTurn)), -0.1 * i, 1e-12);
  }
}

TEST_F(TurningHinge, NewReferenceTakesTheShorterDirection) {
  for (int i = 0; i <= 50; ++i) error_at(0.1 * i);
  refer(0.0);
  EXPECT_NEAR(error_at(5.0), kTurn - 5.0, 1e-12);
  EXPECT_TRUE(laws.turned());
  EXPECT_NEAR(error_at(5.1), kTurn - 5.1, 1e-12);
  EXPECT_FALSE(laws.turned());
  refer(0.1);
  EXPECT_NEAR(error_at(5.1), kTurn - 5.0, 1e-12);
  EXPECT_FALSE(laws.turned()) << "the error did not change by a turn";
}

TEST_F(TurningHinge, ReplacementKeepsTheError) {
  for (int i = 0; i <= 50; ++i) error_at(0.1 * i);
  TorqueLaws next{1, 1};
  next.continue_from(laws);
  laws = next;
  ControlSettings settings;
  settings.stiffness = {10.0};
  settings.damping = {0.0};
  laws.update_settings(settings, resolve_joint_settings(settings, model), RampStep{1.0, true});
  EXPECT_NEAR(error_at(5.1), -5.1, 1e-12);
}

class ImpedanceLaw : public LawTest {};

/// With the exact model and a reference at rest, kinetic plus spring energy changes by the external
/// power minus what the dampers take.
TEST_P(ImpedanceLaw, EnergyGrowsByExternalPowerMinusDamping) {
  const Coordinates coordinates(model);
  RobotDynamics robot(model);
  TorqueLaws laws(model.nv(), static_cast<Index>(coordinates.size()));
  ControlSettings settings;
  settings.friction_compensation = false;
  settings.stiffness = {30.0};
  const JointSettings joints = resolve_joint_settings(settings, model);
  laws.update_settings(settings, joints, RampStep{1.0, true});
  ReferenceTracker tracker(coordinates.scalars());
  const References references = make_control_input(model, coordinates).references;
  for (int i = 0; i < 3; ++i) {
    const State s = random_state();
    const VectorXd held = random_configuration(random, model);
    tracker.restart(references, held);
    ASSERT_TRUE(laws.compute(TorqueMode::kJointImpedance, coordinates, tracker, s.q, robot.zero(),
                             kNoExternalForces, robot));
    const VectorXd springs = laws.spring_torque();
    ASSERT_TRUE(laws.compute(TorqueMode::kJointImpedance, coordinates, tracker, s.q, s.v,
                             kNoExternalForces, robot));
    const VectorXd dampers = laws.spring_torque() - springs;
    // No motor drives a floating base; its weight counts as external.
    VectorXd motors = laws.torque();
    VectorXd external = s.tau;
    if (coordinates.floating_base()) {
      motors.head<6>().setZero();
      external.head<6>() -= gravity_torque(model, data, s.q).head<6>();
    }
    const VectorXd total = motors + s.tau + friction_torque(model, data, s.v);
    const VectorXd a = forward_dynamics(model, data, s.q, s.v, total);
    const auto energy = [&](double t) {
      const VectorXd q = moved(s.q, s.v, t);
      double sum = textbook::kinetic_energy(model, data, q, s.v + t * a);
      for (std::size_t k = 0; k < coordinates.size(); ++k) {
        const ScalarCoordinate& c = coordinates[k];
        const double error = laws.position_error()(static_cast<Index>(k)) + s.q(c.q) - q(c.q);
        sum += 0.5 * joints.stiffness(c.v) * error * error;
      }
      return sum;
    };
    constexpr double kStep = 1e-5;
    const double rate = (energy(kStep) - energy(-kStep)) / (2.0 * kStep);
    // The third derivative of energy times kStep^2 / 6, and rounding divided by kStep.
    const double scale = 1.0 + energy(0.0) + a.norm();
    EXPECT_NEAR(rate, external.dot(s.v) + dampers.dot(s.v), 1e-7 * scale * scale);
    EXPECT_LE(dampers.dot(s.v), 0.0) << "dampers take energy";
  }
}

/// Robots that the controller accepts: trees with single coordinates, the shipped robots with and
/// without a floating base, and a planar joint.
std::vector<NamedRobot> controllable_robots() {
  std::vector<NamedRobot> robots;
  for (const NamedRobot& robot : all_robots()) {
    const bool is_tree = robot.name.rfind("tree", 0) == 0;
    if (!is_tree) robots.push_back(robot);
  }
  for (const NamedRobot& robot : single_dof_robots()) {
    if (robot.name.rfind("chain", 0) == 0) robots.push_back(robot);
  }
  robots.push_back({"planar", [] {
                      JointDescription joint;
                      joint.name = "slide";
                      joint.type = JointType::kPlanar;
                      joint.parent = "base";
                      joint.child = "cart";
                      joint.axis = Vector3::UnitZ();
                      ModelBuilder builder("planar");
                      builder.add_link("base").add_link(
                          "cart", {1.0, Vector3(0.3, 0.2, 0.0), 0.1 * Matrix3::Identity()});
                      return builder.add_joint(joint).build();
                    }});
  return robots;
}

INSTANTIATE_TEST_SUITE_P(Robots, ImpedanceLaw, ::testing::ValuesIn(controllable_robots()),
                         robot_name);

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

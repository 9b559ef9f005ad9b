// Springs and dampers in the joints, in the whole controller.
#include <cmath>

#include "control/controller_harness.hpp"
#include "spatial_dynamics/simulation/simulator.hpp"

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

TEST_F(ImpedanceTest, StiffnessOfTheInputIsRampedAndReplacesThatOfTheSettings) {
  StiffnessCommand command{VectorXd::Constant(7, -1.0)};
  const auto commanded = [&] {
    now += kMillisecond;
    see_states();
    ControlView in = view();
    in.stiffness = &command;
    controller.step(now, in, out);
  };
  activate();
  states.q(1) += 0.1;
  states.q(2) += 0.1;
  commanded();
  EXPECT_NEAR(feedback()(1), -4.0, 1e-9) << "the settings'";
  command.stiffness(1) = 100.0;
  double before = feedback()(1);
  for (int i = 0; i < 300; ++i) {
    commanded();
    EXPECT_LE(std::abs(feedback()(1) - before), 6.0 / 300.0 + 1e-9);
    before = feedback()(1);
  }
  EXPECT_NEAR(before, -10.0, 1e-9);
  EXPECT_NEAR(feedback()(2), -4.0, 1e-9);
  command.stiffness.resize(3);
  commanded();
  EXPECT_TRUE(has(out.faults, Fault::kWrongSize));
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

/// The controller in hand_guiding and a simulated arm with friction.
class GuidedArm {
 public:
  explicit GuidedArm(const Model& model, const ControlSettings& given, double velocity_noise = 0.0)
      : simulator_(model, options(velocity_noise)), controller_(model, guiding(given)) {}

  void start(const VectorXd& q, const VectorXd& v) { simulator_.reset(q, v); }
  void run(double seconds) {
    for (double t = 0.0; t < seconds - 1e-9; t += 1e-3) {
      now_ += kMillisecond;
      in_.set_state(now_, simulator_.measured().q, simulator_.measured().v);
      controller_.step(now_, in_, out_);
      ASSERT_TRUE(out_.send_torque);
      ASSERT_TRUE(simulator_.step(1e-3, out_.torque));
    }
  }
  [[nodiscard]] Simulator& simulator() noexcept { return simulator_; }
  [[nodiscard]] TorqueController& controller() noexcept { return controller_; }
  [[nodiscard]] const ControlOutput& out() const noexcept { return out_; }

 private:
  static SimulatorOptions options(double velocity_noise) {
    SimulatorOptions options;
    options.joint_stops = false;
    options.velocity_noise = velocity_noise;
    return options;
  }
  static ControlSettings guiding(ControlSettings settings) {
    settings.torque_mode = TorqueMode::kHandGuiding;
    return settings;
  }

  Simulator simulator_;
  TorqueController controller_;
  ControlInput in_ = controller_.make_input();
  ControlOutput out_ = controller_.make_output();
  std::int64_t now_ = 1000 * kMillisecond;
};

/// The gravity error is 0.8 of the friction that is not compensated, at the joint where it is
/// largest.
TEST(HandGuiding, ReleasedArmStopsWithinHalfASecond) {
  Random random(31);
  std::vector<Model> robots{load_urdf_file(shipped_urdf("arm7"))};
  for (const int joints : {1, 3, 6}) robots.push_back(random_tree(random, {joints}));
  for (const Model& model : robots) {
    textbook::Data data(model);
    for (int i = 0; i < 5; ++i) {
      GuidedArm arm(model, {});
      const VectorXd q = random_configuration(random, model);
      const VectorXd gravity = gravity_torque(model, data, q);
      double error = 1.0;
      for (const ScalarCoordinate& c : arm.controller().coordinates()) {
        const double remaining = 0.5 * model.joint(c.joint).friction;
        if (remaining > 0.0) error = std::min(error, 0.8 * remaining / std::abs(gravity(c.v)));
      }
      ASSERT_LT(error, 1.0) << "a robot with friction";
      arm.start(q, 0.5 * random_vector(random, model.nv()));
      arm.simulator().set_gravity((1.0 + error) * model.gravity());
      arm.run(0.5);
      EXPECT_LE(arm.simulator().v().cwiseAbs().maxCoeff(), 5e-3) << model.name();
    }
  }
}

TEST(HandGuiding, ReleasedArmWithoutFrictionStopsByDamping) {
  LoadOptions options;
  options.friction = false;
  const Model model = load_urdf_file(shipped_urdf("arm6"), options);
  Random random(37);
  GuidedArm arm(model, {});
  arm.start(random_configuration(random, model), VectorXd::Constant(6, 0.5));
  arm.run(0.5);
  EXPECT_LE(arm.simulator().v().cwiseAbs().maxCoeff(), 5e-3);
}

TEST(HandGuiding, FrictionCompensationDoesNotStartAMotion) {
  ControlSettings settings;
  settings.hand_guiding.friction_share = kHighestFrictionShare;
  settings.hand_guiding.damping = 0.0;
  const Model model = load_urdf_file(shipped_urdf("arm7"));
  Random random(41);
  GuidedArm arm(model, settings, 0.02);  // rad/s: a noisy encoder
  const VectorXd q = random_configuration(random, model);
  arm.start(q, VectorXd::Zero(7));
  arm.run(5.0);
  EXPECT_LE((arm.simulator().q() - q).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(HandGuiding, ForceMovesFreeJointsAndLockedJointsYieldByTheirStiffness) {
  const Model model = load_urdf_file(shipped_urdf("arm7"));
  ControlSettings settings;
  settings.stiffness = {100.0};
  const std::size_t locked = 3;
  settings.hand_guiding.locked_joints = {scalar_coordinates(model)[locked].name};
  GuidedArm arm(model, settings);
  const VectorXd q = (VectorXd(7) << 0.3, 0.5, 0.2, -1.5, 0.1, 1.0, 0.2).finished();
  arm.start(q, VectorXd::Zero(7));
  arm.run(0.7);
  EXPECT_LE((arm.simulator().q() - q).cwiseAbs().maxCoeff(), 1e-6) << "nobody pushes";
  arm.simulator().set_wrench(model.link_count() - 1, Force(Vector3::Zero(), Vector3(0, 15, 0)));
  arm.run(0.5);
  const VectorXd moved = (arm.simulator().q() - q).cwiseAbs();
  EXPECT_GT(moved.maxCoeff(), 0.2);
  EXPECT_LT(moved(3), 15.0 * 1.0 / 100.0) << "15 N at less than 1 m";
  arm.simulator().clear_wrenches();
  arm.run(1.0);
  EXPECT_NEAR(arm.simulator().q()(3), q(3), model.joint(4).friction / 100.0 + 1e-3);
}

TEST(HandGuiding, LockingAJointDoesNotStepTheTorque) {
  const Model model = load_urdf_file(shipped_urdf("arm7"));
  GuidedArm arm(model, {});
  const VectorXd q = VectorXd::Constant(7, 0.4);
  arm.start(q, VectorXd::Constant(7, 0.3));
  arm.run(0.05);
  ControlSettings settings = arm.controller().settings();
  settings.stiffness = {100.0};
  settings.hand_guiding.locked_joints = {scalar_coordinates(model)[1].name};
  VectorXd before = arm.out().torque;
  arm.controller().set_settings(settings);
  for (int i = 0; i < 400; ++i) {
    arm.run(1e-3);
    EXPECT_LE((arm.out().torque - before).cwiseAbs().maxCoeff(), 0.3) << i;
    before = arm.out().torque;
  }
}

}  // namespace
}  // namespace spatial_dynamics::test

// The laws of the envelope, with an exact model: docs/envelope.md.
#include "control/envelope.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "control/envelope_runs.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "support/malloc_hook.hpp"
#include "support/random_tree.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

std::string name_of_robot(const ::testing::TestParamInfo<EnvelopeRobot>& tested) {
  return std::string(tested.param.name) + (tested.param.floating_base ? "_floating" : "");
}

/// The torque that holds the robot at rest; 0 for the base.
VectorXd holding(const Model& model, const EnvelopeRig& rig, const VectorXd& q) {
  textbook::Data data(model);
  const VectorXd zero = VectorXd::Zero(model.nv());
  VectorXd torque = textbook::inverse_dynamics(model, data, q, zero, zero);
  return torque.cwiseMax(-rig.highest()).cwiseMin(rig.highest());
}

VectorXd centre(const Model& model, const EnvelopeRig& rig) {
  VectorXd q = neutral_configuration(model);
  for (const ScalarCoordinate& c : rig.coordinates()) {
    const double lower = rig.limits().soft_lower(c.v), upper = rig.limits().soft_upper(c.v);
    if (std::isfinite(lower + upper)) q(c.q) = 0.5 * (lower + upper);
  }
  return q;
}

class EnvelopeLaws : public ::testing::TestWithParam<EnvelopeRobot> {};

TEST_P(EnvelopeLaws, HoldUnderRandomTorques) {
  const Model model = load(GetParam());
  EnvelopeFigures all;
  for (unsigned seed = 1000; seed < 1012; ++seed) {
    const EnvelopeFigures figures = run_random_torques(model, seed, 1000);
    EXPECT_EQ(figures.broken, "") << "seed " << seed;
    EXPECT_LE(figures.work, 0.0) << "changes of torques take energy out of the robot; seed "
                                 << seed;
    all.add(figures);
  }
  EXPECT_GT(all.changed, 100) << "the envelope was tested";
}

TEST_P(EnvelopeLaws, HoldUnderRandomReferences) {
  const Model model = load(GetParam(), GetParam().floating_base);
  EnvelopeFigures all;
  for (unsigned seed = 2000; seed < 2004; ++seed) {
    const EnvelopeFigures figures = run_random_references(model, seed, 3000);
    EXPECT_EQ(figures.broken, "") << "seed " << seed;
    EXPECT_LE(figures.work, 0.0) << "seed " << seed;
    all.add(figures);
  }
  EXPECT_GE(all.cycles, 5000) << "the runs last";
  EXPECT_GT(all.changed, 0);
}

/// Besides the torque that holds the robot, a tenth of each effort limit pushes every joint in
/// one direction, then in the other.
TEST_P(EnvelopeLaws, HoldAgainstEveryStop) {
  const Model model = load(GetParam());
  EnvelopeRig rig(model, {});
  EnvelopeFigures figures;
  rig.start(centre(model, rig), VectorXd::Zero(model.nv()));
  Faults faults = 0;
  for (const double share : {0.1, -0.1}) {
    for (int k = 0; k < 2500; ++k) {
      const VectorXd push = holding(model, rig, rig.q()) + share * rig.highest();
      if (!rig.step(push.cwiseMax(-rig.highest()).cwiseMin(rig.highest()), figures)) break;
      faults |= rig.faults();
    }
  }
  EXPECT_EQ(figures.broken, "");
  const bool has_stops = rig.limits().soft_upper.array().isFinite().any();
  EXPECT_EQ(has(faults, Fault::kStopReached), has_stops);
}

TEST_P(EnvelopeLaws, LeaveTorquesInsideAsTheyAreBitForBit) {
  const Model model = load(GetParam());
  Random random(5);
  EnvelopeRig rig(model, {});
  EnvelopeFigures figures;
  const VectorXd q = centre(model, rig);
  VectorXd v = VectorXd::Zero(model.nv());
  for (int k = 0; k < 50; ++k) {
    for (const ScalarCoordinate& c : rig.coordinates()) {
      v(c.v) = uniform(random, -1e-3, 1e-3) * std::min(rig.limits().velocity(c.v), 10.0);
    }
    rig.start(q, v);
    const VectorXd held = holding(model, rig, q);
    rig.step(held, figures);
    EXPECT_EQ(rig.torque(), held);
    EXPECT_EQ(rig.faults(), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Shipped, EnvelopeLaws, ::testing::ValuesIn(kEnvelopeRobots),
                         name_of_robot);

/// The arm without gravity, so that a torque of zero keeps it at rest.
class EnvelopeTest : public ::testing::Test {
 protected:
  static Model weightless() {
    LoadOptions options;
    options.gravity = Vector3::Zero();
    return load_urdf_file(shipped_urdf("arm7"), options);
  }
  void make(const EnvelopeSettings& settings) { rig.emplace(model, settings); }
  void start(double position, double speed) {
    VectorXd q = centre(model, *rig), v = VectorXd::Zero(7);
    q(kElbow) = position;
    v(kElbow) = speed;
    rig->start(q, v);
  }
  VectorXd only(double torque) {
    VectorXd wanted = VectorXd::Zero(7);
    wanted(kElbow) = torque;
    return wanted;
  }

  static constexpr Index kElbow = 3;
  Model model = weightless();
  std::optional<EnvelopeRig> rig;
  EnvelopeFigures figures;
};

TEST_F(EnvelopeTest, StopsAtSoftLimitWithoutOscillation) {
  make({});
  start(-1.5, 0.0);
  const double soft = rig->limits().soft_upper(kElbow);
  double slowest = 0.0;
  for (int k = 0; k < 2000; ++k) {
    rig->step(only(20.0), figures);
    slowest = std::min(slowest, rig->v()(kElbow));
  }
  EXPECT_EQ(figures.broken, "");
  EXPECT_NEAR(rig->q()(kElbow), soft, 1e-3);
  EXPECT_NEAR(rig->v()(kElbow), 0.0, 1e-3);
  EXPECT_GT(slowest, -1e-3) << "it never moves back";
  EXPECT_TRUE(has(rig->faults(), Fault::kStopReached));
  EXPECT_EQ(rig->limited().stop, kElbow);
}

TEST_F(EnvelopeTest, NothingPushesBackFromOutside) {
  make({});
  const double outside = rig->limits().hard_upper(kElbow) + 0.1;
  start(outside, 0.0);
  for (int k = 0; k < 100; ++k) {
    rig->step(only(0.0), figures);
    ASSERT_EQ(rig->torque(), only(0.0)) << "at rest, nothing changes";
  }
  rig->step(only(-5.0), figures);
  EXPECT_EQ(rig->torque(), only(-5.0)) << "a torque inwards is not changed";
  start(outside, 0.0);
  for (int k = 0; k < 100; ++k) rig->step(only(20.0), figures);
  EXPECT_NEAR(rig->q()(kElbow), outside, 1e-4) << "a torque further outwards has no effect";
}

TEST_F(EnvelopeTest, BrakesMotionFurtherOutward) {
  make({});
  const double outside = rig->limits().hard_upper(kElbow) + 0.1;
  start(outside, 0.2);
  double slowest = 1.0;
  for (int k = 0; k < 200; ++k) {
    rig->step(only(0.0), figures);
    slowest = std::min(slowest, rig->v()(kElbow));
  }
  EXPECT_NEAR(rig->v()(kElbow), 0.0, 1e-3);
  EXPECT_GT(slowest, -1e-3);
  EXPECT_LT(rig->q()(kElbow), outside + 2e-3);
}

TEST_F(EnvelopeTest, KeepsVelocityCapAndItsScale) {
  EnvelopeSettings settings;
  settings.velocity_scale = 0.5;
  make(settings);
  start(-2.5, 0.0);
  double fastest = 0.0;
  bool named = false;
  for (int k = 0; k < 1000; ++k) {
    rig->step(only(30.0), figures);
    fastest = std::max(fastest, rig->v()(kElbow));
    if (rig->limited().speed == kElbow) named = true;
  }
  EXPECT_NEAR(fastest, 0.5 * 2.175, 0.01);
  EXPECT_TRUE(named);
}

TEST_F(EnvelopeTest, PowerCapScalesDrivingTorquesOnly) {
  EnvelopeSettings settings;
  settings.power_limit = 10.0;
  make(settings);
  VectorXd q = centre(model, *rig), v = VectorXd::Constant(7, 0.5);
  v(1) = -0.5;
  rig->start(q, v);
  const VectorXd wanted = VectorXd::Constant(7, 8.0);  // 24 W of six joints; the second one brakes
  rig->step(wanted, figures);
  EXPECT_TRUE(has(rig->faults(), Fault::kPowerCap));
  EXPECT_GE(rig->limited().power, 0);
  double power = 0.0;
  for (Index i = 0; i < 7; ++i) power += std::max(0.0, rig->torque()(i) * v(i));
  EXPECT_LE(power, 10.0 + 1e-9);
  EXPECT_EQ(rig->torque()(1), 8.0) << "braking is not reduced";
}

TEST_F(EnvelopeTest, SwitchedOffChangesNothing) {
  EnvelopeSettings settings;
  settings.enabled = false;
  make(settings);
  start(rig->limits().hard_upper(kElbow) + 0.1, 3.0);
  rig->step(only(20.0), figures);
  EXPECT_EQ(rig->torque(), only(20.0));
  EXPECT_EQ(rig->faults(), 0u);
}

TEST_F(EnvelopeTest, DoesNotAllocate) {
  RobotDynamics robot(model);
  const Coordinates coordinates(model);
  Envelope envelope(model, coordinates);
  const JointSettings joints = resolve_joint_settings({}, model);
  const VectorXd q = VectorXd::Constant(7, 0.5), v = joints.envelope.velocity,
                 zero = VectorXd::Zero(7), lowest = -joints.effort_limit;
  VectorXd torque = joints.effort_limit;
  Faults faults = 0;
  const HeapWatch watch;
  faults = envelope.limit(
      joints.envelope,
      {1e-3, q, v, zero, kNoExternalForces, joints.effort_limit, lowest, joints.effort_limit},
      robot, torque);
  EXPECT_EQ(watch.count(), 0u);
  EXPECT_TRUE(has(faults, Fault::kSpeedCap));
}

}  // namespace
}  // namespace spatial_dynamics::test

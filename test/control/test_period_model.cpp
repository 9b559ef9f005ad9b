#include "control/period_model.hpp"

#include <gtest/gtest.h>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/simulation/simulator.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "support/law_test.hpp"
#include "support/malloc_hook.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

class PeriodModelTest : public ::testing::Test {
 protected:
  static Model load() {
    LoadOptions options;
    options.floating_base = true;
    return load_urdf_file(shipped_urdf("humanoid"), options);
  }
  PeriodModelTest() {
    q = random_configuration(random, robot.model());
    v = 3.0 * random_vector(random, n);
    torque = 20.0 * random_vector(random, n);
    torque.head<6>().setZero();
  }
  [[nodiscard]] PeriodModel::Period period() const {
    return {1e-3, q, v, robot.zero(), kNoExternalForces};
  }
  [[nodiscard]] VectorXd mean_acceleration(const VectorXd& u) const {
    SimulatorOptions options;
    options.substeps = 8;
    options.joint_stops = false;
    Simulator simulator(robot.model(), options);
    simulator.reset(q, v);
    EXPECT_TRUE(simulator.step(1e-3, u));
    return (simulator.v() - v) / 1e-3;
  }

  Random random{1};
  RobotDynamics robot{load()};
  Index n = robot.model().nv();
  PeriodModel model{robot.model(), Coordinates(robot.model())};
  VectorXd q, v, torque;
};

TEST_F(PeriodModelTest, BeginsWithForwardDynamics) {
  ASSERT_TRUE(model.begin(period(), robot, torque));
  textbook::Data data(robot.model());
  const VectorXd a = textbook::forward_dynamics(robot.model(), data, q, v, torque);
  EXPECT_LE((model.free() - a).norm(), 1e-9 * a.norm());
}

TEST_F(PeriodModelTest, KnowsTheAccelerationOfOtherEfforts) {
  VectorXd a;
  EXPECT_FALSE(model.start_acceleration(torque, a));
  ASSERT_TRUE(model.begin(period(), robot, torque));
  const VectorXd speed = VectorXd::Ones(n);
  EXPECT_TRUE(model.correct(period(), speed, torque, VectorXd(model.free())));
  const VectorXd effort = 0.5 * torque;
  textbook::Data data(robot.model());
  const VectorXd expected = textbook::forward_dynamics(robot.model(), data, q, v, effort);
  ASSERT_TRUE(model.start_acceleration(effort, a));
  EXPECT_LE((a - expected).norm(), 1e-9 * expected.norm());
  model.reset();
  EXPECT_FALSE(model.start_acceleration(effort, a));
}

/// The light joints of the humanoid change their speed so much within 1 ms that the acceleration of
/// the start is wrong by a third.
TEST_F(PeriodModelTest, CorrectionPredictsTheMeanOfThePeriod) {
  ASSERT_TRUE(model.begin(period(), robot, torque));
  const VectorXd exact = mean_acceleration(torque);
  const double before = (model.free() - exact).norm();
  const VectorXd speed = VectorXd::Ones(n);
  ASSERT_TRUE(model.correct(period(), speed, torque, VectorXd(model.free())));
  (void)model.correct(period(), speed, torque, VectorXd(model.free()));
  EXPECT_LE((model.free() - exact).norm(), 0.2 * before);
}

TEST_F(PeriodModelTest, ALittleChangeNeedsNoCorrection) {
  ASSERT_TRUE(model.begin(period(), robot, torque));
  const VectorXd before = model.free(), speed = VectorXd::Constant(n, 1e6);
  EXPECT_FALSE(model.leaves(period(), speed, model.free()));
  EXPECT_FALSE(model.correct(period(), speed, torque, before));
  EXPECT_EQ(model.free(), before);
}

TEST_F(PeriodModelTest, DoesNotAllocate) {
  const VectorXd speed = VectorXd::Ones(n);
  VectorXd a = torque;
  bool regular = false;
  const HeapWatch watch;
  regular = model.begin(period(), robot, torque);
  regular = model.correct(period(), speed, torque, model.free()) && regular;
  regular = model.start_acceleration(a, a) && regular;
  EXPECT_EQ(watch.count(), 0u);
  EXPECT_TRUE(regular);
}

}  // namespace
}  // namespace spatial_dynamics::test

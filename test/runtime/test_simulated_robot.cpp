#include "runtime/simulated_robot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Model swinging_pendulum(bool floating_base = false) {
  LoadOptions options;
  options.floating_base = floating_base;
  return load_urdf_file(SPATIAL_DYNAMICS_SOURCE_DIR "/urdf/double_pendulum.urdf", options);
}

SimulatorConfig starting_at(double shoulder, double elbow) {
  SimulatorConfig config;
  config.initial_position = {shoulder, elbow};
  return config;
}

const VectorXd& q(const SimulatedRobot& robot) { return robot.measured().q; }

TEST(SimulatedRobot, StandsStillUntilADriveIsSet) {
  SimulatedRobot robot(swinging_pendulum(), starting_at(1.0, 0.2));
  ASSERT_TRUE(robot.advance(100, 1e-3));
  EXPECT_TRUE(robot.braked());
  EXPECT_EQ(q(robot), Eigen::Vector2d(1.0, 0.2));
}

TEST(SimulatedRobot, ReleasesOnlyTheBrakeOfTheDrivenJoint) {
  SimulatedRobot robot(swinging_pendulum(), starting_at(1.0, 0.2));
  robot.drive(1, Drive::kEffort, 0.0);
  ASSERT_TRUE(robot.advance(100, 1e-3));
  EXPECT_FALSE(robot.braked());
  EXPECT_EQ(q(robot)(0), 1.0);
  EXPECT_GT(std::abs(q(robot)(1) - 0.2), 1e-3);
}

TEST(SimulatedRobot, HoldsFloatingBaseUntilADriveIsSet) {
  SimulatedRobot robot(swinging_pendulum(true), SimulatorConfig{});
  ASSERT_TRUE(robot.advance(100, 1e-3));
  EXPECT_EQ(q(robot)(2), 0.0);
  robot.drive(0, Drive::kEffort, 0.0);
  ASSERT_TRUE(robot.advance(100, 1e-3));
  EXPECT_LT(q(robot)(2), -0.01);
}

TEST(SimulatedRobot, ServosReachTheirCommandsInOneStep) {
  SimulatedRobot robot(swinging_pendulum(), starting_at(1.0, 0.2));
  robot.drive(0, Drive::kPosition, 1.001);
  robot.drive(1, Drive::kVelocity, -0.5);
  ASSERT_TRUE(robot.advance(1, 1e-3));
  EXPECT_NEAR(q(robot)(0), 1.001, 1e-12);
  EXPECT_NEAR(q(robot)(1), 0.2 - 0.5e-3, 1e-12);
  EXPECT_EQ(robot.measured().v(1), -0.5);
  robot.drive(0, Drive::kPosition, 1.0);
  ASSERT_TRUE(robot.advance(4, 1e-3)) << "a late cycle";
  EXPECT_NEAR(q(robot)(0), 1.0, 1e-12);
}

TEST(SimulatedRobot, PositionServoKeepsTheVelocityLimit) {
  const Model model = swinging_pendulum();
  const double limit = model.joint(1).limits.velocity;
  ASSERT_GT(limit, 0.0);
  ASSERT_LT(limit, 100.0);
  SimulatedRobot robot(model, starting_at(0.0, 0.0));
  robot.drive(0, Drive::kPosition, 1.0);
  ASSERT_TRUE(robot.advance(1, 1e-3));
  EXPECT_NEAR(q(robot)(0), limit * 1e-3, 1e-12);
  ASSERT_TRUE(robot.advance(2000, 1e-3));
  EXPECT_NEAR(q(robot)(0), 1.0, 1e-9);
}

TEST(SimulatedRobot, CommandThatIsNotFiniteIsNoCommand) {
  SimulatedRobot robot(swinging_pendulum(), starting_at(1.0, 0.2));
  robot.drive(0, Drive::kPosition, kNan);
  robot.drive(1, Drive::kVelocity, kUnlimited);
  ASSERT_TRUE(robot.advance(10, 1e-3));
  EXPECT_EQ(q(robot), Eigen::Vector2d(1.0, 0.2));
  robot.drive(0, Drive::kEffort, kNan);
  ASSERT_TRUE(robot.advance(10, 1e-3));
  EXPECT_EQ(robot.measured().effort(0), 0.0);
}

TEST(SimulatedRobot, BrakeStopsAMovingRobotWhereItIs) {
  SimulatedRobot robot(swinging_pendulum(), starting_at(1.0, 0.2));
  for (const std::size_t k : {0U, 1U}) robot.drive(k, Drive::kEffort, 0.0);
  ASSERT_TRUE(robot.advance(100, 1e-3));
  const VectorXd before = q(robot);
  robot.brake();
  ASSERT_TRUE(robot.advance(100, 1e-3));
  EXPECT_EQ(q(robot), before);
  robot.reset();
  EXPECT_EQ(q(robot), Eigen::Vector2d(1.0, 0.2));
}

TEST(SimulatedRobot, WrenchActsUntilItIsStaleAndAPayloadStays) {
  SimulatedRobot robot(swinging_pendulum(), starting_at(1.0, 0.2));
  const Index link = robot.model().link_count() - 1;
  ASSERT_TRUE(robot.advance(1, 1e-3));
  const VectorXd held = robot.measured().effort;
  const Wrenches wrenches{{{link, Force(Vector3(0, 0, 0), Vector3(10, 0, 10)), 1}}};
  robot.set_world(wrenches, {}, 1, 0.5);
  ASSERT_TRUE(robot.advance(1, 1e-3));
  EXPECT_GT((robot.measured().effort - held).norm(), 1.0);
  robot.set_world(wrenches, {}, 600'000'000, 0.5);
  ASSERT_TRUE(robot.advance(1, 1e-3));
  EXPECT_EQ(robot.measured().effort, held);

  Payloads payloads{1, {{link, Inertia::from_com(2.0, Vector3(0.1, 0, 0), Matrix3::Zero()), 0}}};
  robot.set_world({}, payloads, 1, 0.5);
  ASSERT_TRUE(robot.advance(1, 1e-3));
  Model loaded = robot.model();
  Data data(loaded);
  const VectorXd gravity = gravity_torque(loaded, data, q(robot));
  EXPECT_LT((robot.measured().effort - gravity).norm(), 1e-9);
  EXPECT_GT((robot.measured().effort - held).norm(), 1.0);
  payloads.generation = 2;
  payloads.links[0].inertia = Inertia::Zero();
  robot.set_world({}, payloads, 1, 0.5);
  ASSERT_TRUE(robot.advance(1, 1e-3));
  EXPECT_EQ(robot.measured().effort, held);
}

TEST(SimulatedRobot, PeriodsDueAreAtLeastOneAndAtMostThoseOfTheLongestGap) {
  EXPECT_EQ(SimulatedRobot::periods_due(0.0, 1000.0, 0.01), 1);
  EXPECT_EQ(SimulatedRobot::periods_due(1.2e-3, 1000.0, 0.01), 1);
  EXPECT_EQ(SimulatedRobot::periods_due(4e-3, 1000.0, 0.01), 4);
  EXPECT_EQ(SimulatedRobot::periods_due(3.0, 1000.0, 0.01), 10);
  EXPECT_EQ(SimulatedRobot::periods_due(3.0, 1000.0, 0.1), 100);
  EXPECT_EQ(SimulatedRobot::periods_due(3.0, 50.0, 0.01), 1);
}

TEST(SimulatedRobot, AdvancesByTheTimeOfItsCaller) {
  const auto fallen = [](double since_s) {
    SimulatedRobot robot(swinging_pendulum(), starting_at(1.0, 0.2));
    robot.drive(0, Drive::kEffort, 0.0);
    EXPECT_TRUE(robot.advance_by(since_s, 1000.0));
    return q(robot)(0);
  };
  const auto stepped = [](int steps, double dt) {
    SimulatedRobot robot(swinging_pendulum(), starting_at(1.0, 0.2));
    robot.drive(0, Drive::kEffort, 0.0);
    EXPECT_TRUE(robot.advance(steps, dt));
    return q(robot)(0);
  };
  EXPECT_EQ(fallen(0.0), 1.0);
  EXPECT_EQ(fallen(-1.0), 1.0);
  EXPECT_EQ(fallen(1.2e-3), stepped(1, 1.2e-3));
  EXPECT_EQ(fallen(4.4e-3), stepped(4, 1.1e-3));
  EXPECT_EQ(fallen(10.0), stepped(100, 1.5e-3)) << "a pause";
}

TEST(SimulatedRobot, DoesNotAllocate) {
  SimulatedRobot robot(swinging_pendulum(), starting_at(1.0, 0.2));
  const Wrenches wrenches{{{1, Force(Vector3(0, 0, 0), Vector3(10, 0, 10)), 1}}};
  const Payloads payloads{1, {{1, Inertia::from_com(2.0, Vector3::Zero(), Matrix3::Zero()), 0}}};
  const HeapWatch heap;
  robot.set_world(wrenches, payloads, 1, 0.5);
  bool sound = true;
  for (const Drive drive : {Drive::kBrake, Drive::kEffort, Drive::kVelocity, Drive::kPosition}) {
    robot.drive(0, drive, 0.1);
    robot.drive(1, Drive::kEffort, 0.1);
    sound = robot.advance(3, 1e-3) && sound;
  }
  robot.brake();
  robot.reset();
  EXPECT_EQ(heap.count(), 0U);
  EXPECT_TRUE(sound);
}

}  // namespace
}  // namespace spatial_dynamics::test

#include "control/world.hpp"

#include "control/controller_harness.hpp"

namespace spatial_dynamics::test {
namespace {

/// Cycles of 1 ms with a ramp of 0.1 s.
class RampedWorldTest : public ::testing::Test {
 protected:
  RampedWorldTest() : in(make_control_input(robot.model(), Coordinates(robot.model()))) {}
  void cycle(bool at_once = false) {
    now += kMillisecond;
    const ControlView view{settings,          joints,      configured,  in.states, in.references,
                           in.effort_command, in.wrenches, in.payloads, in.gravity};
    world.update(now, view, RampStep::of(1e-3, 0.1, at_once), robot);
  }
  [[nodiscard]] Index hand() const { return robot.model().link_count() - 1; }
  /// The mass of the hand's payload, kg.
  [[nodiscard]] double payload() const {
    const Index body = robot.model().link(hand()).body;
    return robot.model().inertia(body).mass - unloaded.inertia(body).mass;
  }

  RobotDynamics robot{load_urdf_file(shipped_urdf("arm7"))};
  const Model unloaded = robot.model();
  World world{robot.model()};
  ControlSettings settings;
  JointSettings joints;
  Vector3 configured = kStandardGravity;
  ControlInput in;
  std::int64_t now = 1000 * kMillisecond;
};

TEST_F(RampedWorldTest, GravityChangesByAtMostStandardGravityPerRamp) {
  in.set_gravity(-kStandardGravity);
  for (int i = 0; i < 200; ++i) {
    const Vector3 before = robot.model().gravity();
    cycle();
    EXPECT_LE((robot.model().gravity() - before).norm(), 9.80665 / 100.0 + 1e-12);
  }
  EXPECT_TRUE(robot.model().gravity().isApprox(-kStandardGravity, 1e-12));
}

TEST_F(RampedWorldTest, ChangesApplyAtOnceWhileNoTorqueIsSent) {
  in.set_gravity(Vector3(1.0, 2.0, 3.0));
  const Inertia load = Inertia::from_com(2.0, {0, 0, 0.1}, Matrix3::Identity());
  in.set_payload(hand(), load);
  in.set_wrench(now, hand(), Force(Vector3(1, 2, 3), Vector3(4, 5, 6)));
  cycle(true);
  EXPECT_EQ(robot.model().gravity(), Vector3(1.0, 2.0, 3.0));
  EXPECT_NEAR(payload(), 2.0, 1e-12);
  EXPECT_FALSE(world.wrenches().empty());
}

TEST_F(RampedWorldTest, UsesConfiguredGravityUntilSet) {
  configured = Vector3(0.0, 0.0, -1.0);
  cycle(true);
  EXPECT_EQ(robot.model().gravity(), configured);
}

TEST_F(RampedWorldTest, PayloadChangesOverRamp) {
  in.set_payload(hand(), Inertia::from_com(2.0, {0, 0, 0.1}, Matrix3::Identity()));
  for (int i = 1; i <= 100; ++i) {
    cycle();
    EXPECT_NEAR(payload(), 0.02 * i, 1e-12);
  }
  in.set_payload(hand(), Inertia::Zero());
  for (int i = 0; i < 50; ++i) cycle();
  EXPECT_NEAR(payload(), 1.0, 1e-12);
  EXPECT_EQ(world.payload_generation(), 2u);
}

/// The model given to the controller may have a payload.
TEST(WorldWithPayload, PayloadOfModelIsReplacedOverRampAndReturns) {
  Model model = load_urdf_file(shipped_urdf("arm7"));
  const Index hand = model.link_count() - 1;
  const Inertia gripper = Inertia::from_com(1.5, {0, 0, 0.1}, 0.01 * Matrix3::Identity());
  model.set_payload(hand, gripper);
  RobotDynamics robot{model};
  World world{robot.model()};
  ControlInput in = make_control_input(robot.model(), Coordinates(robot.model()));
  const ControlSettings settings;
  const JointSettings joints;
  const auto cycles = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const ControlView view{settings,    joints,        kStandardGravity,
                             in.states,   in.references, in.effort_command,
                             in.wrenches, in.payloads,   in.gravity};
      world.update(kMillisecond, view, RampStep::of(1e-3, 0.1, false), robot);
    }
    return robot.model().payload(hand).mass;
  };
  EXPECT_EQ(cycles(5), 1.5);
  in.set_payload(hand, Inertia::from_com(2.5, {0, 0, 0.1}, 0.01 * Matrix3::Identity()));
  EXPECT_NEAR(cycles(1), 1.51, 1e-12) << "a ramp from the model's payload";
  EXPECT_NEAR(cycles(99), 2.5, 1e-12);
  in.set_payload(hand, Inertia::Zero());
  EXPECT_NEAR(cycles(50), 1.25, 1e-12);
  EXPECT_EQ(cycles(50), 0.0);
  in.payloads.links.clear();  // as from a node, which lists only received payloads
  ++in.payloads.generation;
  EXPECT_NEAR(cycles(100), 1.5, 1e-12);
}

TEST_F(RampedWorldTest, WrenchIsRampedInAndAfterTimeoutOut) {
  const Force push(Vector3(1, 2, 3), Vector3(4, 5, 6));
  ExternalForces whole(robot.model());
  whole.add(robot.model(), hand(), push);
  in.set_wrench(now, hand(), push);
  const Index body = robot.model().link(hand()).body;
  for (int i = 1; i <= 100; ++i) {
    cycle();
    EXPECT_TRUE(world.wrenches().on_body(body).vector().isApprox(
        0.01 * i * whole.on_body(body).vector(), 1e-9));
  }
  EXPECT_FALSE(world.wrench_is_stale());
  for (int i = 0; i < 400; ++i) cycle();
  EXPECT_FALSE(world.wrench_is_stale()) << "0.5 s old";
  for (int i = 0; i < 101; ++i) cycle();
  EXPECT_TRUE(world.wrench_is_stale());
  EXPECT_TRUE(world.wrenches().empty());
}

TEST_F(RampedWorldTest, RemovedWrenchIsRampedOut) {
  const Force push(Vector3(1, 2, 3), Vector3(4, 5, 6));
  const Index body = robot.model().link(hand()).body;
  for (const bool erased : {false, true}) {
    in.set_wrench(now, hand(), push);
    for (int i = 0; i < 100; ++i) cycle();
    const Vector6 whole = world.wrenches().on_body(body).vector();
    ASSERT_GT(whole.norm(), 1.0);
    in.wrenches.links.back() = {hand(), Force::Zero(), 0};
    if (erased) in.wrenches.links.pop_back();
    for (int i = 1; i < 100; ++i) {
      cycle();
      ASSERT_FALSE(world.wrenches().empty()) << i;
      EXPECT_TRUE(world.wrenches().on_body(body).vector().isApprox((1.0 - 0.01 * i) * whole, 1e-9));
      EXPECT_FALSE(world.wrench_is_stale());
    }
    cycle();
    cycle();
    EXPECT_TRUE(world.wrenches().empty());
  }
}

TEST_F(RampedWorldTest, ZeroWrenchIsNotStale) {
  in.set_wrench(now, hand(), Force::Zero());
  for (int i = 0; i < 600; ++i) cycle();
  EXPECT_FALSE(world.wrench_is_stale());
}

}  // namespace
}  // namespace spatial_dynamics::test

// Rows 56, 61, 63, 66, 72, 73 and 74: limits, efforts, odometry, memory, and what is on by default.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>

#include "faults/bench.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "support/malloc_hook.hpp"
#include "support/robots.hpp"
#include "support/sanitizers.hpp"
#include "support/thread_time.hpp"

namespace spatial_dynamics::test {
namespace {

/// Holds 15.37 N m at 0.3 rad: a rod of 2 kg whose centre is 0.8203 m away, against an effort limit
/// of 12 N m.
Model pendulum() {
  return load_urdf(R"(<robot name="pendulum"><link name="base"/><link name="rod"><inertial>
<origin xyz="0.8203 0 0"/><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 -1 0"/>
<limit lower="-3" upper="3" effort="12" velocity="2"/></joint></robot>)");
}

class Defaults : public ::testing::Test {
 protected:
  Bench bench{load_urdf_file(shipped_urdf("arm7"))};

  [[nodiscard]] double step_from(const VectorXd& before) const {
    return (bench.out.torque - before).cwiseAbs().maxCoeff();
  }
};

TEST_F(Defaults, Row56GivenEffortLimitsDoNotRaiseTheUrdfs) {
  Bench rod(pendulum());
  rod.settings.config.effort_limits = {50.0};
  rod.resolve();
  rod.run(400);
  EXPECT_NEAR(rod.gravity()(0), 15.37, 0.01);
  EXPECT_EQ(rod.out.torque(0), 12.0);
  EXPECT_TRUE(rod.fault(Fault::kSaturated));
  EXPECT_NE(rod.settings.joints.ignored_limits.find("'hinge' (50 instead of 12)"),
            std::string::npos);
  rod.settings.config.allow_effort_above_urdf = true;
  rod.resolve();
  rod.run(400);
  EXPECT_NEAR(rod.out.torque(0), 15.37, 0.01);
}

TEST_F(Defaults, Row61MissingEffortsStopObserverAndAcceleration) {
  Bench rod(pendulum());
  rod.settings.config.effort_limits = {50.0};
  rod.settings.config.allow_effort_above_urdf = true;
  rod.settings.config.effort_source = EffortSource::kMeasured;
  rod.settings.config.compute.external_torque = true;
  rod.resolve();
  rod.run(500);
  EXPECT_NEAR(rod.out.torque(0), 15.37, 0.01);
  EXPECT_TRUE(rod.fault(Fault::kNoEffort));
  EXPECT_FALSE(rod.out.send_external_torque) << rod.out.external_torque(0) << " N m at rest";
  EXPECT_FALSE(rod.out.send_acceleration);
  EXPECT_EQ(rod.inbox.joint_without_effort(), "hinge");
  const std::vector<double> effort{rod.gravity()(0)};
  for (int i = 0; i < 500; ++i) {
    JointStateView m = rod.message();
    if (i % 50 != 49) m.effort = numbers(effort);  // one in fifty lacks it
    EXPECT_EQ(rod.send(m), RejectionReason::kNone);
    rod.step();
    EXPECT_FALSE(rod.fault(Fault::kNoEffort));
    EXPECT_TRUE(rod.out.send_external_torque);
    EXPECT_NEAR(rod.out.external_torque(0), 0.0, 1e-9);
  }
}

TEST_F(Defaults, Row63TwoOdometriesAreOrderedEachAndReported) {
  LoadOptions options;
  options.floating_base = true;
  Bench robot(load_urdf_file(shipped_urdf("arm7"), options));
  OdometryView upright, inverted;
  upright.source = 1;
  inverted.source = 2;
  inverted.orientation = Quaternion(0, 1, 0, 0);
  int served = 0;
  for (int i = 0; i < 300; ++i) {
    inverted.stamp = robot.ros_now;
    if (i % 3 == 0) (void)robot.inbox.on_odometry(inverted, robot.now, robot.ros_now);
    upright.stamp = robot.ros_now - 50 * kMillisecond;  // another clock
    if (robot.inbox.on_odometry(upright, robot.now, robot.ros_now) == RejectionReason::kNone)
      ++served;
    robot.run(1);
  }
  EXPECT_EQ(served, 300) << "1 of 300 before";
  EXPECT_TRUE(robot.inbox.odometry_disputed());
  EXPECT_GT(robot.inbox.count(RejectionReason::kTwoOdometries), 0u);
}

TEST_F(Defaults, Row66TrajectoriesAreBoundedInMemoryAndTime) {
  bench.run(10);
  const auto megabytes = [] {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd) / (1024.0 * 1024.0);
  };
  const std::vector<double> q(7, 0.3);
  TrajectoryView m{0, {bench.names.begin(), bench.names.end()}, {}};
  for (std::int64_t i = 1; i <= 100'000; ++i) {
    m.points.push_back({numbers(q), {}, {}, {}, i * kMillisecond});
  }
  const double before = megabytes();
  std::int64_t all = 0;
  for (int i = 1; i <= 20; ++i) {
    m.stamp = bench.ros_now + i * kSecond;
    const std::int64_t begun = thread_time_ns();
    const RejectionReason rejection = bench.inbox.on_reference(m, bench.now, bench.ros_now);
    all += thread_time_ns() - begun;
    EXPECT_EQ(rejection, i == 1 ? RejectionReason::kNone : RejectionReason::kTooLarge);
    const HeapWatch heap;
    bench.step();
    EXPECT_EQ(heap.count(), 0u) << "the loop neither copies nor frees";
  }
  if (kSanitized) return;
  EXPECT_LT(megabytes() - before, 60.0) << "2.4 GB before";
  EXPECT_LT(to_seconds(all), 0.5) << "6 s before";
}

TEST_F(Defaults, Row72JumpingStateDoesNotStepTorque) {
  bench.settings.config.torque_mode = TorqueMode::kComputedTorque;
  bench.settings.config.torque_rate_limit = {0.0};
  bench.resolve();
  bench.run(400);
  const VectorXd before = bench.out.torque;
  bench.v[1] = 1000.0;
  EXPECT_EQ(bench.send(), RejectionReason::kStateJump);
  bench.step();
  EXPECT_EQ(step_from(before), 0.0) << "N m; 104 before";
  bench.v[1] = 0.0;
  bench.q[3] += 0.5;
  EXPECT_EQ(bench.send(), RejectionReason::kStateJump);
  bench.step();
  EXPECT_EQ(step_from(before), 0.0);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(bench.send(), RejectionReason::kStateJump);
  EXPECT_EQ(bench.send(), RejectionReason::kNone) << "five consistent jumps are a real change";
  bench.step();
  EXPECT_EQ(bench.out.q(3), bench.q[3]);
  EXPECT_EQ(bench.inbox.count(RejectionReason::kStateJump), 5u);
  bench.settings.config.state_jump_factor = 0.0;
  bench.resolve();
  bench.q[3] -= 0.5;
  EXPECT_EQ(bench.send(), RejectionReason::kNone);
}

TEST_F(Defaults, Row73TorquesTakeTwentyMillisecondsToTheirLimits) {
  bench.settings.config.torque_mode = TorqueMode::kComputedTorque;
  bench.settings.config.kp = {1e5};
  bench.resolve();
  bench.run(1);
  EXPECT_LT((bench.out.torque - bench.gravity()).norm(), 1e-9) << "the first torque is not limited";
  bench.run(400);
  EXPECT_EQ(bench.refer(std::vector<double>(7, 1.0)), RejectionReason::kNone);
  bool flagged = false;
  for (int i = 0; i < 40; ++i) {
    const VectorXd before = bench.out.torque;
    bench.run(1);
    for (Index k = 0; k < 7; ++k) {
      EXPECT_LE(std::abs(bench.out.torque(k) - before(k)),
                bench.settings.joints.effort_limit(k) * 0.05 * (1.0 + 1e-9));
    }
    flagged = flagged || bench.fault(Fault::kRateLimited);
  }
  EXPECT_TRUE(flagged);
  EXPECT_EQ(std::abs(bench.out.torque(1)), bench.settings.joints.effort_limit(1));
  // The joint moves, and the reference is behind it: braking is not limited.
  const double before = bench.out.torque(1);
  bench.v[1] = bench.out.torque(1) > 0.0 ? 1.0 : -1.0;
  EXPECT_EQ(bench.refer(std::vector<double>(7, before > 0.0 ? -1.0 : 1.5)), RejectionReason::kNone);
  bench.run(1);
  EXPECT_EQ(bench.out.torque(1), before > 0.0 ? -bench.settings.joints.effort_limit(1)
                                              : bench.settings.joints.effort_limit(1));
}

TEST_F(Defaults, Row74AFollowingErrorHoldsWithoutAStep) {
  bench.settings.config.torque_mode = TorqueMode::kComputedTorque;
  bench.settings.config.following_error_limit = {0.2};
  bench.settings.config.torque_rate_limit = {0.0};
  bench.resolve();
  bench.q[3] = -0.3;  // the elbow bends to one side only
  bench.run(400);
  const auto refer = [this](double position) {
    std::vector<double> goal(7, position);
    goal[3] = -position;
    return bench.refer(goal);
  };
  EXPECT_EQ(refer(0.45), RejectionReason::kNone);
  bench.run(5);
  EXPECT_FALSE(bench.fault(Fault::kFollowingError));
  const VectorXd pulled = bench.out.torque;
  EXPECT_EQ(refer(0.8), RejectionReason::kNone);
  VectorXd before = pulled;
  for (int i = 0; i < 400; ++i) {
    bench.run(1);
    EXPECT_TRUE(bench.fault(Fault::kFollowingError)) << i;
    EXPECT_LT(step_from(before), 0.02 * (pulled - bench.gravity()).cwiseAbs().maxCoeff());
    before = bench.out.torque;
  }
  EXPECT_LT((bench.out.torque - bench.gravity()).norm(), 1e-6) << "holds the present position";
  EXPECT_EQ(refer(0.31), RejectionReason::kNone);
  bench.run(1);
  EXPECT_FALSE(bench.fault(Fault::kFollowingError));
}

}  // namespace
}  // namespace spatial_dynamics::test

// Sizes of messages, and the memory that the inbox uses for them.
#include <gtest/gtest.h>
#include <malloc.h>

#include "faults/bench.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "support/malloc_hook.hpp"
#include "support/robots.hpp"
#include "support/sanitizers.hpp"
#include "support/thread_time.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kMegabyte = 1024.0 * 1024.0;

double heap_megabytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd) / kMegabyte;
}

class InboxBounds : public ::testing::Test {
 protected:
  InboxBounds() : zeros(7, 0.3) { bench.run(10); }

  /// A trajectory of all joints; all its points refer to the same numbers.
  TrajectoryView trajectory(std::size_t points, std::int64_t start_in_ms, std::size_t joints = 7) {
    TrajectoryView m{start_in_ms == 0 ? 0 : bench.ros_now + start_in_ms * kMillisecond, {}, {}};
    m.names.assign(bench.names.begin(), bench.names.begin() + static_cast<std::ptrdiff_t>(joints));
    const NumberView positions{zeros.data(), joints};
    m.points.reserve(points);
    for (std::size_t i = 0; i < points; ++i) {
      m.points.push_back({positions, {}, {}, {}, static_cast<std::int64_t>(i + 1) * kMillisecond});
    }
    return m;
  }
  RejectionReason send(const TrajectoryView& m) {
    return bench.inbox.on_reference(m, bench.now, bench.ros_now);
  }

  Bench bench{load_urdf_file(shipped_urdf("arm7"))};
  std::vector<double> zeros;
};

TEST_F(InboxBounds, LongFutureTrajectoriesTakeBoundedMemoryAndTime) {
  const double before = heap_megabytes();
  std::int64_t longest = 0;
  int taken = 0;
  for (int i = 0; i < 20; ++i) {
    const TrajectoryView m = trajectory(100'000, 1000 * (i + 1));
    const std::int64_t begun = thread_time_ns();
    if (send(m) == RejectionReason::kNone) ++taken;
    longest = std::max(longest, thread_time_ns() - begun);
    bench.step();
  }
  EXPECT_EQ(taken, 1) << "700,000 of a million knots";
  EXPECT_EQ(bench.inbox.count(RejectionReason::kTooLarge), 19u);
  if (kSanitized) return;
  // 700,000 knots of 40 bytes are 27 MB. An earlier version kept each knot four times, and nineteen
  // trajectories more.
  EXPECT_LT(heap_megabytes() - before, 60.0);
  EXPECT_LT(to_seconds(longest), 0.15)
      << "on the thread that reads states; it was 0.3 s in an earlier version";
}

TEST_F(InboxBounds, RejectsMoreThanAMillionKnotsOfAllJoints) {
  EXPECT_EQ(send(trajectory(100'000, 1000)), RejectionReason::kNone);
  EXPECT_EQ(send(trajectory(50'000, 2000)), RejectionReason::kTooLarge);
  EXPECT_EQ(send(trajectory(40'000, 2000)), RejectionReason::kNone);  // 980,000
  EXPECT_EQ(send(trajectory(100'000, 500)), RejectionReason::kNone)
      << "replaces the trajectories after it";
  EXPECT_EQ(send(trajectory(100'001, 0, 1)), RejectionReason::kTooLarge) << "points";
  EXPECT_EQ(send(trajectory(100'000, 0)), RejectionReason::kNone) << "starts now: replaces all";
}

TEST_F(InboxBounds, AnEndedTrajectoryNoLongerCounts) {
  EXPECT_EQ(send(trajectory(100'000, 1)), RejectionReason::kNone);  // 100 s
  EXPECT_EQ(send(trajectory(100'000, 200'000)), RejectionReason::kTooLarge);
  bench.now += 150 * kSecond;
  bench.ros_now += 150 * kSecond;
  bench.run(10);
  EXPECT_EQ(send(trajectory(100'000, 50'000)), RejectionReason::kNone);
  bench.settings.config.torque_mode = TorqueMode::kComputedTorque;
  bench.run(10);
  EXPECT_TRUE(bench.out.torque.allFinite());
}

TEST_F(InboxBounds, LastTrajectoryPointIsHeldAfterRelease) {
  bench.settings.config.torque_mode = TorqueMode::kComputedTorque;
  bench.resolve();
  bench.run(1);
  TrajectoryView m = trajectory(200, 1);
  const std::vector<double> end(7, 0.31);
  m.points.back().positions = numbers(end);
  EXPECT_EQ(send(m), RejectionReason::kNone);
  bench.run(300);  // 200 ms of it, and more
  EXPECT_NEAR(bench.out.position_error(0), 0.01, 1e-12);
  EXPECT_EQ(send(trajectory(2, 60'000)), RejectionReason::kNone);  // releases the ended trajectory
  bench.run(10);
  EXPECT_NEAR(bench.out.position_error(0), 0.01, 1e-12);
}

TEST_F(InboxBounds, TheLoopNeverFreesATrajectory) {
  bench.settings.config.torque_mode = TorqueMode::kComputedTorque;
  bench.resolve();
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(send(trajectory(1000, i % 3 == 0 ? 0 : 5)), RejectionReason::kNone);
    for (int k = 0; k < 4; ++k) {
      const HeapWatch heap;
      bench.step();
      EXPECT_EQ(heap.count(), 0u);
    }
    (void)bench.send();
  }
}

TEST_F(InboxBounds, TheJumpFilterGoesOnWhenTheRobotIsExchanged) {
  Inbox next(bench.controller.model(), bench.controller.coordinates());
  EXPECT_TRUE(next.copy_from(bench.inbox).empty());
  JointStateView m = bench.message();
  const std::vector<double> jumped(7, 1.3);
  m.position = numbers(jumped);
  EXPECT_EQ(next.on_joint_states(m, bench.now + kMillisecond, bench.ros_now + kMillisecond,
                                 MissingVelocity::kZero),
            RejectionReason::kStateJump);
  EXPECT_EQ(next.on_joint_states(bench.message(), bench.now + 2 * kMillisecond,
                                 bench.ros_now + 2 * kMillisecond, MissingVelocity::kZero),
            RejectionReason::kNone);
}

TEST_F(InboxBounds, NamesAreBounded) {
  const std::string huge(200'000'000, 'x');
  JointStateView m = bench.message();
  m.names[3] = huge;
  const double before = heap_megabytes();
  EXPECT_EQ(bench.send(m), RejectionReason::kTooLarge);
  if (!kSanitized) {
    EXPECT_LT(heap_megabytes() - before, 1.0);
  }
  EXPECT_EQ(bench.send(bench.message()), RejectionReason::kNone);
  TrajectoryView reference = trajectory(1, 0);
  reference.names[0] = huge;
  EXPECT_EQ(send(reference), RejectionReason::kTooLarge);
  EXPECT_EQ(bench.inbox.on_wrench({huge, Vector3::Zero(), Vector3::Zero()}, bench.now),
            RejectionReason::kUnknownLink);
  if (!kSanitized) {
    EXPECT_LT(heap_megabytes() - before, 1.0);
  }
}

// ---- odometry of two publishers -----------------------------------------------------------------

TEST(InboxOfTwoOdometries, EachIsOrderedByItsStampsAndDisputeIsReported) {
  LoadOptions options;
  options.floating_base = true;
  const Model model = load_urdf_file(shipped_urdf("arm7"), options);
  Inbox inbox(model, Coordinates(model));
  std::int64_t now = 1000 * kSecond;
  const std::int64_t ros_now = 5000 * kSecond;
  OdometryView mine, other;
  mine.source = 1;
  other.source = 2;
  for (int i = 0; i < 300; ++i) {
    now += kMillisecond;
    mine.stamp = ros_now - 100 * kMillisecond + i;  // a clock that lags behind the other's
    EXPECT_EQ(inbox.on_odometry(mine, now, ros_now), RejectionReason::kNone) << i;
    if (i < 150) {
      EXPECT_FALSE(inbox.odometry_disputed()) << i;
      continue;
    }
    other.stamp = ros_now + i;
    EXPECT_EQ(inbox.on_odometry(other, now, ros_now), RejectionReason::kNone) << i;
  }
  EXPECT_TRUE(inbox.odometry_disputed());
  EXPECT_GT(inbox.count(RejectionReason::kTwoOdometries), 100u);
  EXPECT_EQ(inbox.count(RejectionReason::kOutdated), 0u);
  mine.stamp -= 10;
  EXPECT_EQ(inbox.on_odometry(mine, now, ros_now), RejectionReason::kOutdated)
      << "older than its own last one";
  now += 6 * kSecond;
  mine.stamp += kSecond;
  EXPECT_EQ(inbox.on_odometry(mine, now, ros_now), RejectionReason::kNone);
  EXPECT_FALSE(inbox.odometry_disputed()) << "it is over";
}

// ---- states that jump ---------------------------------------------------------------------------

TEST_F(InboxBounds, JumpingStateIsDropped) {
  const double first = bench.q[0];
  bench.q[3] += 1.0;
  bench.q[0] += 0.001;
  EXPECT_EQ(bench.send(), RejectionReason::kStateJump);
  bench.step();
  EXPECT_EQ(bench.out.q(3), 0.3);
  EXPECT_EQ(bench.out.q(0), first) << "its other joints too";
  EXPECT_EQ(bench.inbox.count(RejectionReason::kStateJump), 1u);
}

TEST_F(InboxBounds, ARealJumpRestartsTheFilters) {
  bench.inbox.update();
  const std::uint64_t resets = bench.inbox.inputs(bench.settings, true).states.resets;
  for (double& q : bench.q) q += 1.0;  // all joints at once, as at the reset of a simulation
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(bench.send(), RejectionReason::kStateJump);
    bench.step();
  }
  EXPECT_EQ(bench.send(), RejectionReason::kNone);
  bench.step();
  EXPECT_EQ(bench.out.q(3), 1.3);
  EXPECT_EQ(bench.inbox.inputs(bench.settings, true).states.resets, resets + 1);
}

TEST_F(InboxBounds, ADifferenceIsNotTakenAcrossARealJump) {
  bench.settings.config.missing_velocity = MissingVelocity::kDifferentiate;
  for (double& q : bench.q) q += 1.0;
  for (int i = 0; i < 6; ++i) {
    JointStateView m = bench.message();
    m.velocity = {};
    (void)bench.send(m);
    bench.step();
  }
  EXPECT_EQ(bench.out.q(3), 1.3);
  EXPECT_EQ(bench.out.v.norm(), 0.0);
}

TEST_F(InboxBounds, BackwardTimeRestartsInbox) {
  bench.ros_now -= 10 * kSecond;
  bench.q[3] += 1.0;
  EXPECT_EQ(bench.send(), RejectionReason::kNone);
}

TEST_F(InboxBounds, AfterAPauseAJointMayBeElsewhere) {
  bench.silence(2000);
  bench.q[3] += 1.0;
  EXPECT_EQ(bench.send(), RejectionReason::kNone);
}

TEST_F(InboxBounds, SecondPublisherIsDroppedAndReported) {
  for (int i = 0; i < 20; ++i) {
    bench.run(1);
    std::vector<double> elsewhere(7, 1.3);
    JointStateView m = bench.message();
    m.position = numbers(elsewhere);
    m.source = 2;
    EXPECT_EQ(bench.send(m), RejectionReason::kStateJump);
  }
  EXPECT_EQ(bench.inbox.disputed_joint(), bench.names[6]);
}

TEST_F(InboxBounds, AStateWithoutEffortAmongOthersKeepsTheLastForAWhile) {
  const std::vector<double> effort(7, 2.0);
  JointStateView with = bench.message();
  with.effort = numbers(effort);
  EXPECT_EQ(bench.send(with), RejectionReason::kNone);
  const auto states = [&]() -> const JointStates& {
    bench.inbox.update();
    return bench.inbox.inputs(bench.settings, true).states;
  };
  bench.run(100);
  EXPECT_EQ(states().has_effort[3], 1);
  EXPECT_EQ(states().effort(3), 2.0);
  EXPECT_EQ(bench.inbox.joint_without_effort(), "");
  bench.run(2);
  EXPECT_EQ(states().has_effort[3], 0);
  EXPECT_EQ(states().effort(3), 0.0);
  EXPECT_EQ(bench.inbox.joint_without_effort(), bench.names[0]);
}

}  // namespace
}  // namespace spatial_dynamics::test

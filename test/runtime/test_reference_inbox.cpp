// The references and trajectories that are accepted, and those that they replace.
#include "runtime/reference_inbox.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "runtime/inbox_fixture.hpp"

namespace spatial_dynamics::test {
namespace {

class ReferenceInboxTest : public InboxTest {};

TEST_F(ReferenceInboxTest, PositionsBeyondTheLimitsAreClippedAndTheMessageIsCounted) {
  position = {0.1, 9.0, 0.3, -9.0, 0.5, 0.6, 0.7};
  EXPECT_EQ(inbox.on_reference(setpoint(), now, ros_now), RejectionReason::kNone);
  EXPECT_EQ(inbox.count(RejectionReason::kClippedReference), 1u) << "messages, not joints";
  EXPECT_EQ(references().joints[1].setpoint.position, model.joint(2).limits.upper);
  EXPECT_EQ(references().joints[3].setpoint.position, model.joint(4).limits.lower);
  EXPECT_EQ(references().joints[0].setpoint.position, 0.1);
  TrajectoryView m = setpoint();
  m.points[0].time_from_start = 5;
  EXPECT_EQ(inbox.on_reference(m, now, ros_now), RejectionReason::kNone);
  EXPECT_EQ(references().joints[1].knots.front().position, model.joint(2).limits.upper);
  EXPECT_EQ(inbox.count(RejectionReason::kClippedReference), 2u);
  position = {0.1, 0.2, 0.3, -1.0, 0.5, 0.6, 0.7};
  EXPECT_EQ(inbox.on_reference(setpoint(), now, ros_now), RejectionReason::kNone);
  EXPECT_EQ(inbox.count(RejectionReason::kClippedReference), 2u);
}

TEST_F(ReferenceInboxTest, Row30ABadReferenceLeavesTheLastGoodOne) {
  position[3] = -1.0;
  EXPECT_EQ(inbox.on_reference(setpoint(), now, ros_now), RejectionReason::kNone);
  const std::uint64_t good = references().joints[0].generation;
  TrajectoryView m = setpoint();
  m.names[0] = "nobody";
  EXPECT_EQ(inbox.on_reference(m, now, ros_now), RejectionReason::kUnknownJoint);
  m = setpoint();
  m.points[0].positions.size = 6;
  EXPECT_EQ(inbox.on_reference(m, now, ros_now), RejectionReason::kLengthMismatch);
  m = setpoint();
  m.points.clear();
  EXPECT_EQ(inbox.on_reference(m, now, ros_now), RejectionReason::kLengthMismatch);
  m = setpoint();
  m.points.push_back(m.points[0]);  // twice the same time
  EXPECT_EQ(inbox.on_reference(m, now, ros_now), RejectionReason::kBadTimes);
  m = setpoint();
  m.points[0].time_from_start = -5;
  EXPECT_EQ(inbox.on_reference(m, now, ros_now), RejectionReason::kBadTimes);
  position[3] = kNaN;
  EXPECT_EQ(inbox.on_reference(setpoint(), now, ros_now), RejectionReason::kBadNumber);
  EXPECT_EQ(references().joints[0].generation, good);
  EXPECT_EQ(references().joints[3].setpoint.position, -1.0);
}

TEST_F(ReferenceInboxTest, APartialReferenceChangesOnlyTheJointsItNames) {
  inbox.on_reference(setpoint(), now, ros_now);
  const std::vector<double> one{0.5};
  TrajectoryView m{0, {names[2]}, {{numbers(one), {}, {}, {}, kSecond}}};
  EXPECT_EQ(inbox.on_reference(m, now, ros_now), RejectionReason::kNone);
  const References& r = references();
  EXPECT_FALSE(r.joints[2].immediate);
  EXPECT_EQ(r.joints[2].knots[0].position, 0.5);
  EXPECT_EQ(r.joints[2].knots[0].time_s, 1.0);
  EXPECT_TRUE(r.joints[1].immediate);
  EXPECT_LT(r.joints[1].generation, r.joints[2].generation);
}

TEST_F(ReferenceInboxTest, ATrajectoryStartsAtItsStamp) {
  TrajectoryView m = setpoint();
  m.points[0].time_from_start = kSecond;
  m.stamp = ros_now + 2 * kSecond;
  EXPECT_EQ(inbox.on_reference(m, now, ros_now), RejectionReason::kNone);
  ASSERT_EQ(references().joints[0].later.size(), 1u);
  EXPECT_EQ(references().joints[0].later[0].start, now + 2 * kSecond);
  m.stamp = ros_now + 10'000 * kSecond;
  EXPECT_EQ(inbox.on_reference(m, now, ros_now), RejectionReason::kBadTimes);
}

TEST_F(ReferenceInboxTest, TrajectoryReplacesOnlyPointsAfterItsStart) {
  TrajectoryView m = setpoint();
  m.points[0].time_from_start = kSecond;
  const auto send_for = [&](std::int64_t seconds) {
    m.stamp = ros_now + seconds * kSecond;
    return inbox.on_reference(m, now, ros_now);
  };
  EXPECT_EQ(inbox.on_reference(setpoint(), now, ros_now),
            RejectionReason::kNone);                // generation 1, now
  EXPECT_EQ(send_for(10), RejectionReason::kNone);  // 2
  EXPECT_EQ(send_for(20), RejectionReason::kNone);  // 3
  EXPECT_EQ(send_for(15), RejectionReason::kNone);  // 4, instead of 3
  const auto at = [&](std::int64_t seconds) {
    return reference_at(references().joints[0], now + seconds * kSecond).generation;
  };
  EXPECT_EQ(at(0), 1u);
  EXPECT_EQ(at(9), 1u);
  EXPECT_EQ(at(10), 2u);
  EXPECT_EQ(at(14), 2u);
  EXPECT_EQ(at(15), 4u);
  EXPECT_EQ(at(99), 4u);
  // Ended trajectories are released.
  now += 12 * kSecond;
  ros_now += 12 * kSecond;
  EXPECT_EQ(send_for(30), RejectionReason::kNone);  // 5
  EXPECT_EQ(references().joints[0].generation, 2u);
  EXPECT_EQ(references().joints[0].later.size(), 2u);
  EXPECT_EQ(inbox.on_reference(setpoint(), now, ros_now),
            RejectionReason::kNone);  // 6: starts now, the last one
  EXPECT_EQ(at(99), 6u);
  EXPECT_TRUE(references().joints[0].later.empty());
}

TEST_F(ReferenceInboxTest, TrajectoriesOfTheFutureAreBounded) {
  TrajectoryView m = setpoint();
  m.points[0].time_from_start = kSecond;
  int taken = 0;
  for (int i = 1; i <= 1000; ++i) {
    m.stamp = ros_now + i * kSecond;
    if (inbox.on_reference(m, now, ros_now) == RejectionReason::kNone) ++taken;
  }
  EXPECT_EQ(taken, 100);
  EXPECT_EQ(inbox.count(RejectionReason::kTooLarge), 900u);
}

TEST_F(ReferenceInboxTest, BeforeTheClockIsKnownStampsAreTakenAsTheyAre) {
  ros_now = 0;
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_EQ(received().stamp, stamp);
  EXPECT_EQ(inbox.count(RejectionReason::kReceiveTimeUsed), 0u);
  TrajectoryView m = setpoint();
  m.points[0].time_from_start = kSecond;
  EXPECT_EQ(inbox.on_reference(m, now, ros_now),
            RejectionReason::kNone);  // starts now, whenever that is
  m.stamp = 3 * kSecond;
  EXPECT_EQ(inbox.on_reference(m, now, ros_now), RejectionReason::kNoClock);
}

TEST_F(ReferenceInboxTest, EndedTrajectoryIsRejected) {
  TrajectoryView m = setpoint();
  m.points[0].time_from_start = kSecond;
  m.stamp = ros_now - 2 * kSecond;
  EXPECT_EQ(inbox.on_reference(m, now, ros_now), RejectionReason::kBadTimes);
}

}  // namespace
}  // namespace spatial_dynamics::test

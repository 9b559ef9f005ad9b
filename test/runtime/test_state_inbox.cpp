// Rules for joint states and odometry, by the rows of the fault table.
#include "runtime/state_inbox.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "runtime/inbox_fixture.hpp"

namespace spatial_dynamics::test {
namespace {

class StateInboxTest : public InboxTest {};

TEST_F(StateInboxTest, KeepsStatesUnchanged) {
  EXPECT_EQ(send(), RejectionReason::kNone);
  const JointStates& s = received();
  EXPECT_EQ(s.q(2), 3.0);
  EXPECT_EQ(s.v(2), 0.3);
  EXPECT_EQ(s.effort(2), 30.0);
  EXPECT_EQ(s.received[2], now);
  EXPECT_EQ(s.has_effort[2], 1);
  EXPECT_EQ(s.stamp, stamp);
}

TEST_F(StateInboxTest, Row20MissingJointKeepsItsValueAndAges) {
  send();
  JointStateView part = message();
  part.names.pop_back();
  part.position.size = part.velocity.size = part.effort.size = 6;
  now += kSecond;
  part.stamp = stamp + kSecond;
  ros_now += kSecond;
  position[0] = 1.5;
  EXPECT_EQ(send(part), RejectionReason::kNone);
  const JointStates& s = received();
  EXPECT_EQ(s.q(0), 1.5);
  EXPECT_EQ(s.q(6), 7.0);
  EXPECT_EQ(s.received[0], now);
  EXPECT_EQ(s.received[6], now - kSecond);
}

TEST_F(StateInboxTest, Row21ExtraJointsAreIgnoredAndOrderDoesNotMatter) {
  std::reverse(names.begin(), names.end());
  names.insert(names.begin(), "somebody_elses_joint");
  position = {99, 7, 6, 5, 4, 3, 2, 1};
  velocity = effort = {};
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_EQ(received().q, (VectorXd(7) << 1, 2, 3, 4, 5, 6, 7).finished());
  std::swap(names[1], names[2]);  // the names change, so they are mapped again
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_EQ(received().q, (VectorXd(7) << 1, 2, 3, 4, 5, 7, 6).finished());
}

TEST_F(StateInboxTest, Row22LengthsMustFitTheNames) {
  JointStateView m = message();
  m.position.size = 6;
  EXPECT_EQ(send(m), RejectionReason::kLengthMismatch);
  m = message();
  m.velocity.size = 1;
  EXPECT_EQ(send(m), RejectionReason::kLengthMismatch);
  m = message();
  m.effort.size = 8;
  EXPECT_EQ(send(m), RejectionReason::kLengthMismatch);
  m = message();
  m.position = {};
  EXPECT_EQ(send(m), RejectionReason::kLengthMismatch);
  EXPECT_EQ(inbox.count(RejectionReason::kLengthMismatch), 4u);
  EXPECT_EQ(received().sequence, 0u);
}

TEST_F(StateInboxTest, Row22AJointNamedTwiceIsRejected) {
  names[3] = names[2];
  EXPECT_EQ(send(), RejectionReason::kDuplicateNames);
  EXPECT_EQ(send(), RejectionReason::kDuplicateNames);  // from the cache too
}

TEST_F(StateInboxTest, Row23WithoutVelocitiesZeroIsTakenOrTheDifference) {
  velocity = {};
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_EQ(received().v(0), 0.0);
  EXPECT_EQ(inbox.count(RejectionReason::kMissingVelocity), 7u);
  missing_velocity = MissingVelocity::kDifferentiate;
  position[0] = 1.2;
  now += kSecond / 10;
  ros_now += kSecond / 10;
  stamp += kSecond / 10;
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_NEAR(received().v(0), 2.0, 1e-12);
  EXPECT_EQ(received().v(1), 0.0);
}

TEST_F(StateInboxTest, Row23ANaNVelocityOrEffortIsTakenAsMissing) {
  velocity[1] = kNaN;
  effort[2] = kInfinity;
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_EQ(received().v(1), 0.0);
  EXPECT_EQ(received().v(0), 0.1);
  EXPECT_EQ(received().has_effort[2], 0);
  EXPECT_EQ(received().has_effort[1], 1);
  EXPECT_EQ(inbox.count(RejectionReason::kMissingVelocity), 1u);
  EXPECT_EQ(inbox.count(RejectionReason::kMissingEffort), 1u);
}

TEST_F(StateInboxTest, Row23OneMessageWithoutVelocitiesDoesNotStopTheJoint) {
  send();
  for (int i = 0; i < 2; ++i) {  // a moving joint, measured ten times a second
    now += kSecond / 10;
    ros_now += kSecond / 10;
    stamp += kSecond / 10;
    position[2] += 0.03;
    velocity[2] = i == 0 ? kNaN : 0.3;
    EXPECT_EQ(send(), RejectionReason::kNone);
    EXPECT_NEAR(received().v(2), 0.3, 1e-9) << i;
  }
  EXPECT_EQ(inbox.count(RejectionReason::kMissingVelocity), 1u);
}

TEST_F(StateInboxTest, Row24AnImpossiblePositionDropsTheWholeMessage) {
  send();
  for (const double bad : {kNaN, kInfinity, -kInfinity, 1e7}) {
    position = {0, 0, 0, 0, 0, 0, bad};
    EXPECT_EQ(send(), RejectionReason::kBadPosition);
  }
  EXPECT_EQ(received().q(0), 1.0);
}

TEST_F(StateInboxTest, Row25SlightlyOlderStateIsDropped) {
  send();
  position[0] = -1.0;
  stamp -= kSecond / 2;
  EXPECT_EQ(send(), RejectionReason::kOutdated);
  EXPECT_EQ(received().q(0), 1.0);
}

TEST_F(StateInboxTest, Row25LargeStepBackRestartsInbox) {
  send();
  position[0] = -1.0;
  stamp -= 10 * kSecond;
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_EQ(received().q(0), -1.0);
  EXPECT_EQ(received().resets, 1u);
  EXPECT_EQ(inbox.count(RejectionReason::kTimeWentBack), 1u);
}

TEST_F(StateInboxTest, Row25ZeroAndFutureStampsAreReplacedByReceiveTime) {
  stamp = 0;
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_EQ(received().stamp, ros_now);
  stamp = ros_now + 60 * kSecond;
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_EQ(received().stamp, ros_now);
  EXPECT_EQ(inbox.count(RejectionReason::kReceiveTimeUsed), 2u);
}

TEST_F(StateInboxTest, Row25ClockATenthOfASecondAheadLosesNoState) {
  std::int64_t before = 0;
  for (int i = 0; i < 200; ++i) {
    now += kSecond / 1000;
    ros_now += kSecond / 1000;
    const std::int64_t jitter = (i % 2 == 0 ? 1 : -1) * kSecond / 5000;  // around the tolerance
    stamp = ros_now + kSecond / 10 + jitter;
    position[0] = 0.001 * i;
    EXPECT_EQ(send(), RejectionReason::kNone);
    EXPECT_EQ(received().q(0), position[0]);
    EXPECT_GE(received().stamp, before);  // stamps of torques do not go back
    before = received().stamp;
  }
}

TEST_F(StateInboxTest, Row25FutureStampDoesNotOutdateLaterStates) {
  send();
  for (const double ahead_s : {0.0, 0.9, 0.0, 0.0}) {
    now += kSecond / 100;
    ros_now += kSecond / 100;
    stamp = ros_now + static_cast<std::int64_t>(ahead_s * kSecond);
    EXPECT_EQ(send(), RejectionReason::kNone);
    EXPECT_EQ(received().received[0], now);
  }
  EXPECT_EQ(inbox.count(RejectionReason::kOutdated), 0u);
  EXPECT_EQ(inbox.count(RejectionReason::kReceiveTimeUsed), 1u);
}

TEST_F(StateInboxTest, Row25AClockFarAheadKeepsItsOwnOrder) {
  missing_velocity = MissingVelocity::kDifferentiate;
  velocity = {};
  stamp = ros_now + 60 * kSecond;
  EXPECT_EQ(send(), RejectionReason::kNone);
  stamp += kSecond / 10;  // two states that arrive at the same time
  position[0] += 0.5;
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_NEAR(received().v(0), 5.0, 1e-9);
  stamp -= kSecond / 20;
  EXPECT_EQ(send(), RejectionReason::kOutdated);
}

TEST_F(StateInboxTest, Row25ClocksOfTwoPublishersAreNotCompared) {
  EXPECT_EQ(send(), RejectionReason::kNone);
  JointStateView m = message();
  m.source = 2;
  m.stamp = stamp - kSecond / 2;  // its clock is slow, or it is another host's
  position[0] = -1.0;
  EXPECT_EQ(send(m), RejectionReason::kNone);
  EXPECT_EQ(received().q(0), -1.0);
}

TEST_F(StateInboxTest, WithoutStampsVelocitiesAreDifferencesOverTheTimeOfArrival) {
  missing_velocity = MissingVelocity::kDifferentiate;
  velocity = {};
  stamp = 0;
  EXPECT_EQ(send(), RejectionReason::kNone);
  now += kSecond / 10;
  position[0] += 0.5;
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_NEAR(received().v(0), 5.0, 1e-9);
}

TEST_F(StateInboxTest, Row27HugeAndEmptyMessagesAreBounded) {
  std::vector<double> million(1'000'000, 0.0);
  std::vector<std::string> strangers;
  for (int i = 0; i < 100'000; ++i) strangers.push_back("j" + std::to_string(i));
  JointStateView m{stamp, {strangers.begin(), strangers.end()}, numbers(million), {}, {}, 0};
  EXPECT_EQ(send(m), RejectionReason::kTooLarge);
  m = message();
  m.position = numbers(million);
  EXPECT_EQ(send(m), RejectionReason::kLengthMismatch);
  m = JointStateView{};
  EXPECT_EQ(send(m), RejectionReason::kNoNames);
}

TEST_F(StateInboxTest, Row28TwoPublishersOfOneJointAreNoticed) {
  send();
  EXPECT_EQ(inbox.disputed_joint(), "");
  for (const std::uint64_t source : {2u, 1u, 2u}) {
    now += kSecond / 100;
    JointStateView m = message();
    m.source = source;
    m.stamp = stamp += kSecond / 100;
    ros_now = stamp;
    EXPECT_EQ(send(m), RejectionReason::kNone);
  }
  EXPECT_EQ(inbox.disputed_joint(), names.back());
  EXPECT_GT(inbox.count(RejectionReason::kTwoPublishers), 0u);
}

TEST_F(StateInboxTest, Row28DifferentJointsFromDifferentPublishersAreNormal) {
  for (std::size_t k = 0; k < 7; ++k) {
    JointStateView m{stamp, {names[k]}, {&position[k], 1}, {&velocity[k], 1}, {}, k + 1};
    EXPECT_EQ(send(m), RejectionReason::kNone);
  }
  EXPECT_EQ(inbox.disputed_joint(), "");
  EXPECT_EQ(received().q(6), 7.0);
}

TEST_F(StateInboxTest, FixedBaseIgnoresOdometry) {
  EXPECT_EQ(inbox.on_odometry({}, now, ros_now), RejectionReason::kNone);
  EXPECT_EQ(received().sequence, 0u);
}

TEST(StateInboxOfAFloatingBase, TakesPoseAndTwistOfTheBase) {
  LoadOptions options;
  options.floating_base = true;
  const Model arm = load_urdf_file(shipped_urdf("arm7"), options);
  Inbox inbox(arm, Coordinates(arm));
  OdometryView m{kSecond, {1, 2, 3}, Quaternion(0, 1, 0, 0), {4, 5, 6}, {7, 8, 9}};
  EXPECT_EQ(inbox.on_odometry(m, 50, kSecond), RejectionReason::kNone);
  const Settings settings;
  inbox.update();
  const JointStates& s = inbox.inputs(settings, true).states;
  EXPECT_EQ(s.q.head<7>(), (VectorXd(7) << 1, 2, 3, 1, 0, 0, 0).finished());
  EXPECT_EQ(s.v.head<6>(), (VectorXd(6) << 7, 8, 9, 4, 5, 6).finished());  // [angular; linear]
  EXPECT_EQ(s.base_received, 50);
  m.orientation = Quaternion(0, 0, 0, 0);
  EXPECT_EQ(inbox.on_odometry(m, 60, kSecond), RejectionReason::kBadPosition);
  m.orientation = Quaternion::Identity();
  m.linear_velocity.x() = kNaN;
  EXPECT_EQ(inbox.on_odometry(m, 60, kSecond), RejectionReason::kBadNumber);
}

/// A second publisher whose clock is two seconds late does not cause a jump in time; each publisher
/// is ordered by its own stamps.
TEST_F(StateInboxTest, StampsOfEachPublisherAreOrderedAlone) {
  const auto from = [this](std::uint64_t source, std::int64_t its_stamp) {
    JointStateView m = message();
    m.source = source;
    m.stamp = its_stamp;
    return send(m);
  };
  EXPECT_EQ(from(1, stamp), RejectionReason::kNone);
  EXPECT_EQ(from(2, stamp - 2 * kSecond), RejectionReason::kNone);
  EXPECT_EQ(inbox.count(RejectionReason::kTimeWentBack), 0u);
  EXPECT_EQ(from(1, stamp - kSecond / 10), RejectionReason::kOutdated)
      << "older than its own last one";
  EXPECT_EQ(from(2, stamp - 2 * kSecond + 1), RejectionReason::kNone);
  EXPECT_EQ(from(2, stamp - 4 * kSecond), RejectionReason::kNone);
  EXPECT_EQ(inbox.count(RejectionReason::kTimeWentBack), 1u);
}

TEST_F(StateInboxTest, DifferentiatedVelocitiesAreCutToTheBoundOfTheJumpFilter) {
  inbox.set_jump_factor(3.0);
  missing_velocity = MissingVelocity::kDifferentiate;
  velocity.clear();
  position.assign(7, 0.0);
  ASSERT_EQ(send(), RejectionReason::kNone);
  now += kSecond / 1000;
  stamp += kSecond / 1000;
  position[0] = 0.06;  // within the filter's bound of position: 60 rad/s
  ASSERT_EQ(send(), RejectionReason::kNone);
  const double limit = model.joint(coordinates[0].joint).limits.velocity;
  ASSERT_LT(3.0 * limit, 60.0);
  EXPECT_DOUBLE_EQ(received().v(0), 3.0 * limit);
}

}  // namespace
}  // namespace spatial_dynamics::test

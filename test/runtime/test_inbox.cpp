// What messages may and may not do, row by row of the fault list.
#include "faults/bench.hpp"
#include "runtime/inbox.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <limits>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/constants.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

class InboxTest : public ::testing::Test {
 protected:
  InboxTest()
      : model(load_urdf_file(shipped_urdf("arm7"))), coordinates(model), inbox(model, coordinates) {
    for (const ScalarCoordinate& c : coordinates) names.push_back(c.name);
    inbox.set_jump_factor(0.0);  // states may be anywhere here; test_jump_filter.cpp has the rule
  }
  JointStateView message() {
    return {
        stamp, {names.begin(), names.end()}, numbers(position), numbers(velocity), numbers(effort),
        1};
  }
  RejectionReason send() { return send(message()); }
  RejectionReason send(const JointStateView& m) {
    return inbox.on_joint_states(m, now, ros_now, missing_velocity);
  }
  const JointStates& received() {
    inbox.update();
    return inbox.inputs(settings, true).states;
  }
  const References& references() {
    inbox.update();
    return inbox.inputs(settings, true).references;
  }
  /// One point at time 0 for all joints.
  TrajectoryView setpoint() {
    return {0, {names.begin(), names.end()}, {{numbers(position), {}, {}, {}, 0}}};
  }

  Model model;
  Coordinates coordinates;
  Inbox inbox;
  Settings settings;
  std::vector<std::string> names;
  std::vector<double> position{1, 2, 3, 4, 5, 6, 7}, velocity{.1, .2, .3, .4, .5, .6, .7},
      effort{10, 20, 30, 40, 50, 60, 70};
  std::int64_t now = 100 * kSecond, ros_now = 5000 * kSecond, stamp = 5000 * kSecond;
  MissingVelocity missing_velocity = MissingVelocity::kZero;
};

TEST_F(InboxTest, KeepsStatesUnchanged) {
  EXPECT_EQ(send(), RejectionReason::kNone);
  const JointStates& s = received();
  EXPECT_EQ(s.q(2), 3.0);
  EXPECT_EQ(s.v(2), 0.3);
  EXPECT_EQ(s.effort(2), 30.0);
  EXPECT_EQ(s.received[2], now);
  EXPECT_EQ(s.has_effort[2], 1);
  EXPECT_EQ(s.stamp, stamp);
}

TEST_F(InboxTest, Row20MissingJointKeepsItsValueAndAges) {
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

TEST_F(InboxTest, Row21ExtraJointsAreIgnoredAndOrderDoesNotMatter) {
  std::reverse(names.begin(), names.end());
  names.insert(names.begin(), "somebody_elses_joint");
  position = {99, 7, 6, 5, 4, 3, 2, 1};
  velocity = effort = {};
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_EQ(received().q, (VectorXd(7) << 1, 2, 3, 4, 5, 6, 7).finished());
  std::swap(names[1], names[2]);  // names change: mapped anew
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_EQ(received().q, (VectorXd(7) << 1, 2, 3, 4, 5, 7, 6).finished());
}

TEST_F(InboxTest, Row22LengthsMustFitTheNames) {
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

TEST_F(InboxTest, Row22AJointNamedTwiceIsRejected) {
  names[3] = names[2];
  EXPECT_EQ(send(), RejectionReason::kDuplicateNames);
  EXPECT_EQ(send(), RejectionReason::kDuplicateNames);  // from the cache too
}

TEST_F(InboxTest, Row23WithoutVelocitiesZeroIsTakenOrTheDifference) {
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

TEST_F(InboxTest, Row23ANaNVelocityOrEffortIsTakenAsMissing) {
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

TEST_F(InboxTest, Row23OneMessageWithoutVelocitiesDoesNotStopTheJoint) {
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

TEST_F(InboxTest, Row24AnImpossiblePositionDropsTheWholeMessage) {
  send();
  for (const double bad : {kNaN, kInfinity, -kInfinity, 1e7}) {
    position = {0, 0, 0, 0, 0, 0, bad};
    EXPECT_EQ(send(), RejectionReason::kBadPosition);
  }
  EXPECT_EQ(received().q(0), 1.0);
}

TEST_F(InboxTest, RejectsStatesBeyondAMillionAndCommandsBeyondABillion) {
  position[3] = 1e6;
  velocity[3] = -1e6;
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_EQ(received().v(3), -1e6);
  now += kSecond;
  ros_now += kSecond;
  stamp += kSecond;
  velocity[3] = 1.1e6;  // as good as none: the position is differentiated
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_EQ(inbox.count(RejectionReason::kMissingVelocity), 1u);
  EXPECT_EQ(received().v(3), 0.0);
  position[3] = 1.1e6;
  EXPECT_EQ(send(), RejectionReason::kBadPosition);
  EXPECT_EQ(inbox.on_reference(setpoint(), now, ros_now), RejectionReason::kNone);
  position[3] = 1.1e9;
  EXPECT_EQ(inbox.on_reference(setpoint(), now, ros_now), RejectionReason::kBadNumber);
}

TEST_F(InboxTest, Row25SlightlyOlderStateIsDropped) {
  send();
  position[0] = -1.0;
  stamp -= kSecond / 2;
  EXPECT_EQ(send(), RejectionReason::kOutdated);
  EXPECT_EQ(received().q(0), 1.0);
}

TEST_F(InboxTest, Row25LargeStepBackRestartsInbox) {
  send();
  position[0] = -1.0;
  stamp -= 10 * kSecond;
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_EQ(received().q(0), -1.0);
  EXPECT_EQ(received().resets, 1u);
  EXPECT_EQ(inbox.count(RejectionReason::kTimeWentBack), 1u);
}

TEST_F(InboxTest, Row25ZeroAndFutureStampsAreReplacedByReceiveTime) {
  stamp = 0;
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_EQ(received().stamp, ros_now);
  stamp = ros_now + 60 * kSecond;
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_EQ(received().stamp, ros_now);
  EXPECT_EQ(inbox.count(RejectionReason::kReceiveTimeUsed), 2u);
}

TEST_F(InboxTest, Row25ClockATenthOfASecondAheadLosesNoState) {
  std::int64_t before = 0;
  for (int i = 0; i < 200; ++i) {
    now += kSecond / 1000;
    ros_now += kSecond / 1000;
    const std::int64_t jitter = (i % 2 == 0 ? 1 : -1) * kSecond / 5000;  // about the tolerance
    stamp = ros_now + kSecond / 10 + jitter;
    position[0] = 0.001 * i;
    EXPECT_EQ(send(), RejectionReason::kNone);
    EXPECT_EQ(received().q(0), position[0]);
    EXPECT_GE(received().stamp, before);  // nor do stamps of torques go to and fro
    before = received().stamp;
  }
}

TEST_F(InboxTest, Row25FutureStampDoesNotOutdateLaterStates) {
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

TEST_F(InboxTest, Row25AClockFarAheadKeepsItsOwnOrder) {
  missing_velocity = MissingVelocity::kDifferentiate;
  velocity = {};
  stamp = ros_now + 60 * kSecond;
  EXPECT_EQ(send(), RejectionReason::kNone);
  stamp += kSecond / 10;  // two states that arrive in one moment
  position[0] += 0.5;
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_NEAR(received().v(0), 5.0, 1e-9);
  stamp -= kSecond / 20;
  EXPECT_EQ(send(), RejectionReason::kOutdated);
}

TEST_F(InboxTest, Row25ClocksOfTwoPublishersAreNotCompared) {
  EXPECT_EQ(send(), RejectionReason::kNone);
  JointStateView m = message();
  m.source = 2;
  m.stamp = stamp - kSecond / 2;  // its clock is slow, or it is another host's
  position[0] = -1.0;
  EXPECT_EQ(send(m), RejectionReason::kNone);
  EXPECT_EQ(received().q(0), -1.0);
}

TEST_F(InboxTest, WithoutStampsVelocitiesAreDifferencesOverTheTimeOfArrival) {
  missing_velocity = MissingVelocity::kDifferentiate;
  velocity = {};
  stamp = 0;
  EXPECT_EQ(send(), RejectionReason::kNone);
  now += kSecond / 10;
  position[0] += 0.5;
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_NEAR(received().v(0), 5.0, 1e-9);
}

TEST_F(InboxTest, Row27HugeAndEmptyMessagesAreBounded) {
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

TEST_F(InboxTest, Row28TwoPublishersOfOneJointAreNoticed) {
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

TEST_F(InboxTest, Row28DifferentJointsFromDifferentPublishersAreNormal) {
  for (std::size_t k = 0; k < 7; ++k) {
    JointStateView m{stamp, {names[k]}, {&position[k], 1}, {&velocity[k], 1}, {}, k + 1};
    EXPECT_EQ(send(m), RejectionReason::kNone);
  }
  EXPECT_EQ(inbox.disputed_joint(), "");
  EXPECT_EQ(received().q(6), 7.0);
}

TEST_F(InboxTest, Row30ABadReferenceLeavesTheLastGoodOne) {
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
  EXPECT_EQ(references().joints[3].setpoint.position, 4.0);
}

TEST_F(InboxTest, APartialReferenceChangesOnlyTheJointsItNames) {
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

TEST_F(InboxTest, ATrajectoryStartsAtItsStamp) {
  TrajectoryView m = setpoint();
  m.points[0].time_from_start = kSecond;
  m.stamp = ros_now + 2 * kSecond;
  EXPECT_EQ(inbox.on_reference(m, now, ros_now), RejectionReason::kNone);
  ASSERT_EQ(references().joints[0].later.size(), 1u);
  EXPECT_EQ(references().joints[0].later[0].start, now + 2 * kSecond);
  m.stamp = ros_now + 10'000 * kSecond;
  EXPECT_EQ(inbox.on_reference(m, now, ros_now), RejectionReason::kBadTimes);
}

TEST_F(InboxTest, TrajectoryReplacesOnlyPointsAfterItsStart) {
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
  // What has ended is not kept for ever.
  now += 12 * kSecond;
  ros_now += 12 * kSecond;
  EXPECT_EQ(send_for(30), RejectionReason::kNone);  // 5
  EXPECT_EQ(references().joints[0].generation, 2u);
  EXPECT_EQ(references().joints[0].later.size(), 2u);
  EXPECT_EQ(inbox.on_reference(setpoint(), now, ros_now),
            RejectionReason::kNone);  // 6: now, and no more
  EXPECT_EQ(at(99), 6u);
  EXPECT_TRUE(references().joints[0].later.empty());
}

TEST_F(InboxTest, TrajectoriesOfTheFutureAreBounded) {
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

TEST_F(InboxTest, BeforeTheClockIsKnownStampsAreTakenAsTheyAre) {
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

TEST_F(InboxTest, Row30EffortCommandsAreCheckedToo) {
  EXPECT_EQ(inbox.on_effort_command(message(), now), RejectionReason::kNone);
  inbox.update();
  EXPECT_EQ(inbox.inputs(settings, true).effort_command.effort(6), 70.0);
  effort[0] = kNaN;
  EXPECT_EQ(inbox.on_effort_command(message(), now), RejectionReason::kBadNumber);
  effort = {1.0};
  EXPECT_EQ(inbox.on_effort_command(message(), now), RejectionReason::kLengthMismatch);
  effort.assign(7, 0.0);
  names[0] = "nobody";
  EXPECT_EQ(inbox.on_effort_command(message(), now), RejectionReason::kUnknownJoint);
}

TEST_F(InboxTest, Row33WrenchesAndPayloadsOnUnknownLinksAreRejected) {
  EXPECT_EQ(inbox.on_wrench({"no_such_link", {1, 0, 0}, {0, 0, 0}}, now),
            RejectionReason::kUnknownLink);
  EXPECT_EQ(inbox.on_payload({"no_such_link", 1.0, {0, 0, 0}, Matrix3::Zero()}),
            RejectionReason::kUnknownLink);
  const std::string hand = model.link(model.link_count() - 1).name;
  EXPECT_EQ(inbox.on_wrench({hand, {kNaN, 0, 0}, {0, 0, 0}}, now), RejectionReason::kBadNumber);
  EXPECT_EQ(inbox.on_payload({hand, -1.0, {0, 0, 0}, Matrix3::Zero()}),
            RejectionReason::kBadPayload);
  EXPECT_EQ(inbox.on_payload({hand, kNaN, {0, 0, 0}, Matrix3::Zero()}),
            RejectionReason::kBadNumber);
  EXPECT_EQ(inbox.on_payload({hand, 0.0, {0, 0, 0}, Matrix3::Identity()}),
            RejectionReason::kBadPayload);
  const Matrix3 impossible = Vector3(1, 1, 3).asDiagonal();
  EXPECT_EQ(inbox.on_payload({hand, 1.0, {0, 0, 0}, impossible}), RejectionReason::kBadPayload);
  EXPECT_EQ(inbox.on_payload({hand, 1.0, {0, 0, 0}, Matrix3::Identity()}), RejectionReason::kNone);
  EXPECT_EQ(inbox.on_wrench({hand, {1, 2, 3}, {4, 5, 6}}, now), RejectionReason::kNone);
  inbox.update();
  const ControlView in = inbox.inputs(settings, true);
  ASSERT_EQ(in.wrenches.links.size(), 1u);
  EXPECT_EQ(in.wrenches.links[0].wrench.force, Vector3(1, 2, 3));
  EXPECT_EQ(in.payloads.links.at(0).inertia.mass, 1.0);
}

TEST_F(InboxTest, Row33PayloadOnFixedLinkIsRejected) {
  const std::string base = model.link(0).name;
  EXPECT_EQ(inbox.on_payload({base, 1.0, {0, 0, 0}, Matrix3::Identity()}),
            RejectionReason::kFixedPayload);
  EXPECT_TRUE(drops(RejectionReason::kFixedPayload));
  EXPECT_EQ(inbox.count(RejectionReason::kFixedPayload), 1u);
  inbox.update();
  EXPECT_TRUE(inbox.inputs(settings, true).payloads.links.empty());
}

TEST_F(InboxTest, PayloadIsDroppedIfNewRobotFixesItsLinkToTheWorld) {
  EXPECT_EQ(inbox.on_payload({"flange", 1.0, {0, 0, 0}, Matrix3::Identity()}),
            RejectionReason::kNone);
  std::ifstream file(shipped_urdf("arm7"));
  std::string urdf{std::istreambuf_iterator<char>(file), {}};
  const std::string mount = "<parent link=\"link7\"/>";
  urdf.replace(urdf.find(mount), mount.size(), "<parent link=\"base\"/>");
  const Model other = load_urdf(urdf);
  ASSERT_EQ(other.link(other.find_link("flange")).body, 0);
  Inbox next(other, Coordinates(other));
  next.copy_from(inbox);
  next.update();
  EXPECT_TRUE(next.inputs(settings, true).payloads.links.empty());
}

TEST_F(InboxTest, GravityIsGivenInTheRootLinksFrame) {
  EXPECT_EQ(inbox.on_gravity({"", {0, 0, -9}}), RejectionReason::kNone);
  EXPECT_EQ(inbox.on_gravity({model.link(0).name, {1, 0, -9}}), RejectionReason::kNone);
  EXPECT_EQ(inbox.on_gravity({model.link(3).name, {0, 0, -9}}), RejectionReason::kUnknownLink);
  EXPECT_EQ(inbox.on_gravity({"", {0, 0, 1e9}}), RejectionReason::kBadNumber);
  inbox.update();
  EXPECT_EQ(inbox.inputs(settings, true).gravity.vector, Vector3(1, 0, -9));
}

TEST_F(InboxTest, EndedTrajectoryIsRejected) {
  TrajectoryView m = setpoint();
  m.points[0].time_from_start = kSecond;
  m.stamp = ros_now - 2 * kSecond;
  EXPECT_EQ(inbox.on_reference(m, now, ros_now), RejectionReason::kBadTimes);
}

TEST_F(InboxTest, CopyHasStatesReferencesGravityAndPayloads) {
  send();
  inbox.on_reference(setpoint(), now, ros_now);
  inbox.on_gravity({"", {1, 2, 3}});
  const std::string hand = model.link(model.link_count() - 1).name;
  inbox.on_payload({hand, 1.0, {0, 0, 0}, Matrix3::Identity()});
  Inbox next(model, coordinates);
  next.copy_from(inbox);
  next.update();
  const ControlView in = next.inputs(settings, true);
  EXPECT_EQ(in.states.q(6), 7.0);
  EXPECT_TRUE(in.references.joints[0].immediate);
  EXPECT_EQ(in.gravity.vector, Vector3(1, 2, 3));
  ASSERT_EQ(in.payloads.links.size(), 1u);
  EXPECT_EQ(in.payloads.links[0].link, model.link_count() - 1);
}

TEST_F(InboxTest, TheFirstLinkIsTheRoot) { EXPECT_EQ(model.link(0).body, 0); }

TEST_F(InboxTest, FixedBaseIgnoresOdometry) {
  EXPECT_EQ(inbox.on_odometry({}, now, ros_now), RejectionReason::kNone);
  EXPECT_EQ(received().sequence, 0u);
}

TEST(InboxOfAFloatingBase, TakesPoseAndTwistOfTheBase) {
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

TEST(InboxOfAFloatingBase, RotatesGravityFromBaseToWorld) {
  LoadOptions options;
  options.floating_base = true;
  const Model pendulum = load_urdf_file(shipped_urdf("double_pendulum"), options);
  Inbox inbox(pendulum, Coordinates(pendulum));
  GravityView gravity;
  gravity.vector = {0, 0, -9.8};
  EXPECT_EQ(inbox.on_gravity(gravity), RejectionReason::kNoBasePose);
  OdometryView lying;  // on its side: the base's z is the world's -y
  lying.orientation = Quaternion(Eigen::AngleAxisd(M_PI / 2, Vector3::UnitX()));
  ASSERT_EQ(inbox.on_odometry(lying, 1, 1), RejectionReason::kNone);
  EXPECT_EQ(inbox.on_gravity(gravity), RejectionReason::kNone);
  inbox.update();
  EXPECT_TRUE(inbox.inputs(Settings{}, true).gravity.vector.isApprox(Vector3(0, 9.8, 0), 1e-15));
}

TEST(RejectionReason, EveryReasonHasText) {
  for (int i = 0; i < static_cast<int>(RejectionReason::kCount); ++i) {
    EXPECT_STRNE(to_string(static_cast<RejectionReason>(i)), "unknown");
  }
  EXPECT_FALSE(drops(RejectionReason::kNone));
  EXPECT_TRUE(drops(RejectionReason::kBadPosition));
  EXPECT_FALSE(drops(RejectionReason::kMissingVelocity));
}

/// A second publisher whose clock is two seconds behind is no jump in time, and each is ordered by
/// its own stamps.
TEST_F(InboxTest, StampsOfEachPublisherAreOrderedAlone) {
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

TEST_F(InboxTest, DifferentiatedVelocitiesAreCutToTheBoundOfTheJumpFilter) {
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

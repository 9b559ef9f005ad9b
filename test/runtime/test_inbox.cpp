// Rules that hold for several kinds of messages, and the copy to the inbox of a new robot.
#include "runtime/inbox.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "runtime/inbox_fixture.hpp"

namespace spatial_dynamics::test {
namespace {

TEST_F(InboxTest, RejectsStatesBeyondAMillionAndCommandsBeyondABillion) {
  position[3] = 1e6;
  velocity[3] = -1e6;
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_EQ(received().v(3), -1e6);
  now += kSecond;
  ros_now += kSecond;
  stamp += kSecond;
  velocity[3] = 1.1e6;  // counts as missing: the position is differentiated
  EXPECT_EQ(send(), RejectionReason::kNone);
  EXPECT_EQ(inbox.count(RejectionReason::kMissingVelocity), 1u);
  EXPECT_EQ(received().v(3), 0.0);
  position[3] = 1.1e6;
  EXPECT_EQ(send(), RejectionReason::kBadPosition);
  EXPECT_EQ(inbox.on_reference(setpoint(), now, ros_now), RejectionReason::kNone);
  position[3] = 1.1e9;
  EXPECT_EQ(inbox.on_reference(setpoint(), now, ros_now), RejectionReason::kBadNumber);
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

TEST_F(InboxTest, StiffnessReplacesThatOfTheNamedJoints) {
  const auto stiffness = [this] {
    inbox.update();
    return inbox.inputs(settings, true).stiffness->stiffness;
  };
  EXPECT_EQ(stiffness(), VectorXd::Constant(7, -1.0)) << "that of the settings";
  JointStateView m = message();
  m.names = {names[2], names[0]};
  const std::vector<double> two{50.0, 0.0};
  m.effort = numbers(two);
  EXPECT_EQ(inbox.on_stiffness(m), RejectionReason::kNone);
  EXPECT_EQ(stiffness()(2), 50.0);
  EXPECT_EQ(stiffness()(0), 0.0);
  EXPECT_EQ(stiffness()(1), -1.0);
  Inbox next(model, coordinates);
  next.copy_from(inbox);
  next.update();
  EXPECT_EQ(next.inputs(settings, true).stiffness->stiffness(2), 50.0);
}

TEST_F(InboxTest, OneStiffnessWithoutNamesIsForAllJoints) {
  JointStateView m = message();
  m.names.clear();
  const std::vector<double> one{80.0};
  m.effort = numbers(one);
  EXPECT_EQ(inbox.on_stiffness(m), RejectionReason::kNone);
  EXPECT_EQ(inbox.stiffness(), VectorXd::Constant(7, 80.0));
  const std::vector<double> bad{-80.0}, two{1.0, 2.0};
  m.effort = numbers(bad);
  EXPECT_EQ(inbox.on_stiffness(m), RejectionReason::kBadStiffness);
  m.effort = numbers(two);
  EXPECT_EQ(inbox.on_stiffness(m), RejectionReason::kNoNames);
  m.effort = {};
  EXPECT_EQ(inbox.on_stiffness(m), RejectionReason::kNoNames);
  EXPECT_EQ(inbox.stiffness(), VectorXd::Constant(7, 80.0)) << "as before";
}

TEST_F(InboxTest, DroppedCommandsAreExplainedWithElementAndRemedy) {
  EXPECT_EQ(inbox.last_rejection(), "");
  const auto expect = [this](const std::string& text) {
    EXPECT_NE(inbox.last_rejection().find(text), std::string::npos) << inbox.last_rejection();
  };
  effort[3] = -5.0;
  EXPECT_EQ(inbox.on_stiffness(message()), RejectionReason::kBadStiffness);
  expect("absurdly large: -5 for joint 'elbow'; give 0 to 1e9 N m/rad or N/m");
  effort[3] = 5.0;
  names[0] = "nobody";
  const std::string joints = "unknown joint: 'nobody'; choose among 'shoulder_yaw', ";
  EXPECT_EQ(inbox.on_stiffness(message()), RejectionReason::kUnknownJoint);
  expect(joints);
  names[0] = "nobody2";
  EXPECT_EQ(inbox.on_effort_command(message(), now), RejectionReason::kUnknownJoint);
  expect("'nobody2'");
  names[0] = "nobody";
  EXPECT_EQ(inbox.on_reference(setpoint(), now, ros_now), RejectionReason::kUnknownJoint);
  expect(joints);
  EXPECT_EQ(inbox.on_wrench({"hand", {0, 0, 1}, {0, 0, 0}}, now), RejectionReason::kUnknownLink);
  expect("no link of the robot: 'hand'; choose among 'base', ");
  EXPECT_EQ(inbox.on_gravity({"hand", {0, 0, 1}}), RejectionReason::kUnknownLink);
  expect("'hand'; gravity is in the frame of 'base', or of an empty frame_id");
}

TEST_F(InboxTest, PayloadOfMoreThanTenTimesTheRobotsMassIsRejected) {
  const std::string hand = model.link(model.link_count() - 1).name;
  const double most = 10.0 * model.total_mass();
  EXPECT_EQ(inbox.on_payload({hand, 1.01 * most, {0, 0, 0}, Matrix3::Zero()}),
            RejectionReason::kHeavyPayload);
  EXPECT_NE(inbox.last_rejection().find("181.8 kg on link '" + hand + "', but the robot has 18 kg"),
            std::string::npos)
      << inbox.last_rejection();
  EXPECT_TRUE(inbox.world().payloads.empty());
  EXPECT_EQ(inbox.on_payload({hand, 0.99 * most, {0, 0, 0}, Matrix3::Zero()}),
            RejectionReason::kNone);
}

TEST_F(InboxTest, BadStiffnessChangesNothing) {
  ASSERT_EQ(inbox.on_stiffness(message()), RejectionReason::kNone);
  for (const double bad : {-1.0, kNaN, kInfinity, 1.1e9}) {
    effort[3] = bad;
    EXPECT_EQ(inbox.on_stiffness(message()), RejectionReason::kBadStiffness) << bad;
  }
  EXPECT_EQ(inbox.count(RejectionReason::kBadStiffness), 4u);
  effort = {1.0};
  EXPECT_EQ(inbox.on_stiffness(message()), RejectionReason::kLengthMismatch);
  effort.assign(7, 5.0);
  names[0] = "nobody";
  EXPECT_EQ(inbox.on_stiffness(message()), RejectionReason::kUnknownJoint);
  inbox.update();
  EXPECT_EQ(inbox.inputs(settings, true).stiffness->stiffness(6), 70.0) << "of the first message";
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

}  // namespace
}  // namespace spatial_dynamics::test

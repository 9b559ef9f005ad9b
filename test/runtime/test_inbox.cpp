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

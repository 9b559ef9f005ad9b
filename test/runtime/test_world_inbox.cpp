// The wrenches, payloads and gravity vectors that are accepted.
#include "runtime/world_inbox.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "runtime/inbox_fixture.hpp"

namespace spatial_dynamics::test {
namespace {

class WorldInboxTest : public InboxTest {};

TEST_F(WorldInboxTest, Row33WrenchesAndPayloadsOnUnknownLinksAreRejected) {
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

TEST_F(WorldInboxTest, Row33PayloadOnFixedLinkIsRejected) {
  const std::string base = model.link(0).name;
  EXPECT_EQ(inbox.on_payload({base, 1.0, {0, 0, 0}, Matrix3::Identity()}),
            RejectionReason::kFixedPayload);
  EXPECT_TRUE(drops(RejectionReason::kFixedPayload));
  EXPECT_EQ(inbox.count(RejectionReason::kFixedPayload), 1u);
  inbox.update();
  EXPECT_TRUE(inbox.inputs(settings, true).payloads.links.empty());
}

TEST_F(WorldInboxTest, PayloadIsDroppedIfNewRobotFixesItsLinkToTheWorld) {
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

TEST_F(WorldInboxTest, GravityIsGivenInTheRootLinksFrame) {
  EXPECT_EQ(inbox.on_gravity({"", {0, 0, -9}}), RejectionReason::kNone);
  EXPECT_EQ(inbox.on_gravity({model.link(0).name, {1, 0, -9}}), RejectionReason::kNone);
  EXPECT_EQ(inbox.on_gravity({model.link(3).name, {0, 0, -9}}), RejectionReason::kUnknownLink);
  EXPECT_EQ(inbox.on_gravity({"", {0, 0, 1e9}}), RejectionReason::kBadNumber);
  inbox.update();
  EXPECT_EQ(inbox.inputs(settings, true).gravity.vector, Vector3(1, 0, -9));
}

TEST(WorldInboxOfAFloatingBase, RotatesGravityFromBaseToWorld) {
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

}  // namespace
}  // namespace spatial_dynamics::test

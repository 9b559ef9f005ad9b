// Rows 20 to 33, 40 and 50: the effect of invalid and unusual messages on the torque.
#include <gtest/gtest.h>

#include <algorithm>

#include "faults/bench.hpp"
#include "support/malloc_hook.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

class Messages : public ::testing::Test {
 protected:
  Bench bench{load_urdf_file(shipped_urdf("arm7"))};

  /// Expects the torque of the model at the present positions.
  void expect_served() {
    ASSERT_TRUE(bench.out.send_torque);
    EXPECT_EQ(bench.out.phase, Phase::kRunning);
    EXPECT_LT((bench.out.torque - bench.gravity()).norm(), 1e-9);
  }
  /// Expects that the whole message is dropped and counted under its reason, and that the torque
  /// does not change.
  void expect_dropped(const JointStateView& message, RejectionReason why) {
    const std::uint64_t before = bench.inbox.count(why);
    EXPECT_EQ(bench.send(message), why);
    EXPECT_EQ(bench.inbox.count(why), before + 1);
    bench.step();
    expect_served();
  }
};

TEST_F(Messages, Row20MissingJointKeepsItsPlaceUntilStale) {
  bench.run(10);
  JointStateView part = bench.message();
  part.names.pop_back();
  part.position.size = part.velocity.size = 6;
  for (int i = 0; i < 50; ++i) {
    part.stamp = bench.ros_now;
    EXPECT_EQ(bench.send(part), RejectionReason::kNone);
    bench.step();
  }
  expect_served();
  EXPECT_EQ(bench.out.stalest, 6);
  EXPECT_GE(bench.out.state_age, 50 * kMillisecond);
  for (int i = 0; i < 60; ++i) {
    part.stamp = bench.ros_now;
    (void)bench.send(part);
    bench.step();
  }
  EXPECT_EQ(bench.out.phase, Phase::kFallback);
  EXPECT_TRUE(bench.fault(Fault::kStaleState));
}

TEST_F(Messages, Row21ForeignJointsAreIgnoredAndOrderIsMapped) {
  bench.q = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7};
  bench.run(1);
  const VectorXd expected = bench.out.torque;
  JointStateView mixed = bench.message();
  std::vector<double> q(bench.q.rbegin(), bench.q.rend()), v(8, 0.0);
  std::reverse(mixed.names.begin(), mixed.names.end());
  mixed.names.insert(mixed.names.begin(), "somebody_elses");
  q.insert(q.begin(), kNaN);  // a joint of another robot
  mixed.position = numbers(q);
  mixed.velocity = numbers(v);
  mixed.stamp = bench.ros_now;
  EXPECT_EQ(bench.send(mixed), RejectionReason::kNone);
  bench.step();
  EXPECT_LT((bench.out.torque - expected).norm(), 1e-9);
  mixed.stamp = ++bench.ros_now;
  const HeapWatch heap;
  EXPECT_EQ(bench.send(mixed), RejectionReason::kNone);  // the same names, so the mapping is reused
  EXPECT_EQ(heap.count(), 0u);
}

TEST_F(Messages, Row22UnequalLengthsAndRepeatedNamesAreRejected) {
  bench.run(10);
  JointStateView m = bench.message();
  m.position.size = 6;
  expect_dropped(m, RejectionReason::kLengthMismatch);
  m = bench.message();
  m.velocity.size = 3;
  expect_dropped(m, RejectionReason::kLengthMismatch);
  m = bench.message();
  m.position = {};
  expect_dropped(m, RejectionReason::kLengthMismatch);
  m = bench.message();
  m.names[1] = m.names[0];
  expect_dropped(m, RejectionReason::kDuplicateNames);
}

TEST_F(Messages, Row23MissingVelocitiesAndEffortsFollowTheirPolicy) {
  JointStateView m = bench.message();
  m.velocity = {};
  EXPECT_EQ(bench.send(m), RejectionReason::kNone);
  bench.step();
  expect_served();
  EXPECT_EQ(bench.out.v.norm(), 0.0);
  EXPECT_GT(bench.inbox.count(RejectionReason::kMissingVelocity), 0u);
  const std::vector<double> not_numbers(7, kNaN);
  m.stamp = bench.ros_now;
  m.velocity = m.effort = numbers(not_numbers);
  EXPECT_EQ(bench.send(m), RejectionReason::kNone);
  bench.step();
  expect_served();
  EXPECT_GT(bench.inbox.count(RejectionReason::kMissingEffort), 0u);
  bench.settings.config.missing_velocity = MissingVelocity::kDifferentiate;
  for (int i = 0; i < 5; ++i) {
    for (double& q : bench.q) q += 0.002;
    m = bench.message();
    m.velocity = {};
    EXPECT_EQ(bench.send(m), RejectionReason::kNone);
    bench.step();
  }
  EXPECT_NEAR(bench.out.v(0), 2.0, 1e-6);  // 0.002 rad in a millisecond
}

TEST_F(Messages, Row24ImpossiblePositionsDropTheMessage) {
  bench.run(10);
  for (const double x : {kNaN, kInfinity, -kInfinity, 1e30}) {
    std::vector<double> q = bench.q;
    q[3] = x;
    JointStateView m = bench.message();
    m.position = numbers(q);
    expect_dropped(m, RejectionReason::kBadPosition);
  }
}

TEST_F(Messages, Row25BackwardZeroAndFutureStampsAreHandled) {
  bench.run(10);
  JointStateView m = bench.message();
  m.stamp = bench.ros_now - 500 * kMillisecond;
  expect_dropped(m, RejectionReason::kOutdated);
  m.stamp = bench.ros_now - 3000 * kSecond;  // a bag that is played again
  const std::uint64_t resets = bench.inbox.inputs(bench.settings, true).states.resets;
  EXPECT_EQ(bench.send(m), RejectionReason::kNone);
  EXPECT_EQ(bench.inbox.count(RejectionReason::kTimeWentBack), 1u);
  bench.step();
  EXPECT_EQ(bench.inbox.inputs(bench.settings, true).states.resets, resets + 1);
  expect_served();
  for (const std::int64_t stamp : {std::int64_t{0}, bench.ros_now + 3600 * kSecond}) {
    m.stamp = stamp;
    EXPECT_EQ(bench.send(m), RejectionReason::kNone);
    bench.step();
    EXPECT_NEAR(static_cast<double>(bench.out.stamp - bench.ros_now), 0.0, 2e6);
  }
  EXPECT_EQ(bench.inbox.count(RejectionReason::kReceiveTimeUsed), 2u);
}

TEST_F(Messages, Row26StaleStatesLeadToTheFallback) {
  bench.run(10);
  const double before = bench.out.torque.norm();
  bench.silence(99);
  expect_served();
  bench.silence(3);
  EXPECT_EQ(bench.out.phase, Phase::kFallback);
  EXPECT_TRUE(bench.fault(Fault::kStaleState));
  EXPECT_GT(bench.out.torque.norm(), 0.9 * before);  // ramped, not stepped
  bench.silence(300);
  EXPECT_TRUE(bench.out.send_torque);
  EXPECT_EQ(bench.out.torque.norm(), 0.0);
  bench.run(400);
  expect_served();
}

TEST_F(Messages, Row27BurstsAndHugeMessagesAreBounded) {
  for (int i = 0; i < 10'000; ++i) {  // the messages of a second between two cycles
    bench.ros_now += kMillisecond / 10;
    bench.q[0] = 1e-4 * i;
    EXPECT_EQ(bench.send(), RejectionReason::kNone);
  }
  bench.step();
  EXPECT_EQ(bench.out.q(0), bench.q[0]);  // the newest
  expect_served();
  const std::vector<double> million(1'000'000, 0.1);
  JointStateView m{bench.ros_now,
                   std::vector<std::string_view>(million.size(), "x"),
                   numbers(million),
                   {},
                   {},
                   1};
  EXPECT_TRUE(drops(bench.send(m)));
  m.names.clear();
  m.position = {};
  EXPECT_EQ(bench.send(m), RejectionReason::kNoNames);
  bench.step();
  expect_served();
}

TEST_F(Messages, Row28TwoPublishersOfOneJointAreReported) {
  JointStateView first = bench.message(), second = bench.message();
  first.names.resize(3);
  first.position.size = first.velocity.size = 3;
  second.names.erase(second.names.begin(), second.names.begin() + 3);
  second.position = {bench.q.data() + 3, 4};
  second.velocity = {bench.v.data() + 3, 4};
  second.source = 2;
  for (int i = 0; i < 20; ++i) {  // different joints from two publishers
    first.stamp = second.stamp = bench.ros_now;
    EXPECT_EQ(bench.send(first), RejectionReason::kNone);
    EXPECT_EQ(bench.send(second), RejectionReason::kNone);
    bench.step();
  }
  EXPECT_EQ(bench.inbox.disputed_joint(), "");
  JointStateView rival = bench.message();
  rival.source = 3;
  for (int i = 0; i < 20; ++i) {
    first.stamp = rival.stamp = bench.ros_now;
    (void)bench.send(first);
    (void)bench.send(rival);
    bench.step();
  }
  EXPECT_NE(bench.inbox.disputed_joint(), "");
  EXPECT_GT(bench.inbox.count(RejectionReason::kTwoPublishers), 0u);
}

TEST_F(Messages, Row29SimulatedTimeDoesNotMoveTheLoop) {
  bench.run(10);
  for (const double speed : {0.0, 10.0, -1.0}) {  // paused, fast, backwards
    for (int i = 0; i < 200; ++i) {
      bench.ros_now += static_cast<std::int64_t>((speed - 1.0) * kMillisecond);  // step() adds one
      (void)bench.send();
      bench.step();
    }
    // A step back by less than a second means slightly older states, which are dropped; a larger
    // one restarts the inbox.
    if (speed < 0.0) break;
    expect_served();
  }
  bench.ros_now -= 100 * kSecond;
  bench.run(400);
  expect_served();
}

TEST_F(Messages, Row30BadCommandsLeaveTheLastGoodOne) {
  bench.settings.config.torque_mode = TorqueMode::kComputedTorque;
  bench.resolve();
  bench.run(10);
  std::vector<double> goal(7, 0.4);
  EXPECT_EQ(bench.refer(goal), RejectionReason::kNone);
  bench.run(50);
  const VectorXd good = bench.out.position_error;
  EXPECT_GT(good.norm(), 0.0);
  const std::vector<double> bad{0.1, 0.2, kNaN, 0.4, 0.5, 0.6, 0.7};
  EXPECT_TRUE(drops(bench.refer(bad)));
  EXPECT_EQ(bench.refer({0.1, 0.2}), RejectionReason::kLengthMismatch);
  EXPECT_EQ(bench.inbox.on_reference({0, {"nobody"}, {{{goal.data(), 1}, {}, {}, {}, 0}}},
                                     bench.now, bench.ros_now),
            RejectionReason::kUnknownJoint);
  bench.run(10);
  EXPECT_EQ(bench.out.position_error, good);
}

TEST_F(Messages, Row31MissingReferencesHaveConfiguredEffect) {
  bench.settings.config.torque_mode = TorqueMode::kComputedTorque;
  bench.settings.config.on_reference_timeout = ReferenceTimeout::kFallback;
  bench.resolve();
  bench.run(10);
  EXPECT_EQ(bench.refer(std::vector<double>(7, 0.3)), RejectionReason::kNone);
  bench.run(490);
  EXPECT_EQ(bench.out.phase, Phase::kRunning);
  bench.run(30);
  EXPECT_EQ(bench.out.phase, Phase::kFallback);
  EXPECT_TRUE(bench.fault(Fault::kStaleReference));
  bench.run(310);
  EXPECT_EQ(bench.out.torque.norm(), 0.0);
}

TEST_F(Messages, Row32TorquesAndTheirChangesAreCutToTheirLimitsAndFlagged) {
  bench.settings.config.torque_mode = TorqueMode::kComputedTorque;
  bench.settings.config.effort_limits = {20.0};
  bench.settings.config.torque_rate_limit = {1000.0};
  bench.resolve();
  bench.run(10);
  EXPECT_EQ(bench.refer(std::vector<double>(7, 3.0)), RejectionReason::kNone);
  VectorXd last = bench.out.torque;
  bool cut = false, slowed = false;
  for (int i = 0; i < 400; ++i) {
    bench.run(1);
    EXPECT_LE(bench.out.torque.cwiseAbs().maxCoeff(), 20.0);
    EXPECT_LE((bench.out.torque - last).cwiseAbs().maxCoeff(), 1.0 + 1e-9);  // 1000 N m/s, 1 ms
    last = bench.out.torque;
    cut = cut || bench.fault(Fault::kSaturated);
    slowed = slowed || bench.fault(Fault::kRateLimited);
  }
  EXPECT_TRUE(cut);
  EXPECT_TRUE(slowed);
}

TEST_F(Messages, Row33ImpossibleWrenchesAndPayloadsAreRejected) {
  bench.run(10);
  const Model& model = bench.controller.model();
  const std::string& tip = model.link(model.link_count() - 1).name;
  const Vector3 zero = Vector3::Zero();
  EXPECT_EQ(bench.inbox.on_wrench({"nowhere", Vector3::Ones(), zero}, bench.now),
            RejectionReason::kUnknownLink);
  EXPECT_TRUE(drops(bench.inbox.on_wrench({tip, Vector3(kNaN, 0, 0), zero}, bench.now)));
  EXPECT_EQ(bench.inbox.on_payload({"nowhere", 1.0, zero, Matrix3::Identity()}),
            RejectionReason::kUnknownLink);
  EXPECT_EQ(bench.inbox.on_payload({tip, -1.0, zero, Matrix3::Identity()}),
            RejectionReason::kBadPayload);
  EXPECT_EQ(bench.inbox.on_payload({tip, 1.0, zero, -Matrix3::Identity()}),
            RejectionReason::kBadPayload);
  EXPECT_EQ(bench.inbox.on_payload({tip, 1500.0, zero, Matrix3::Identity()}),
            RejectionReason::kHeavyPayload);
  EXPECT_EQ(bench.inbox.on_payload({model.link(0).name, 1.0, zero, Matrix3::Identity()}),
            RejectionReason::kFixedPayload);
  EXPECT_TRUE(drops(bench.inbox.on_gravity({"", Vector3(0, 0, kInfinity)})));
  bench.run(400);
  expect_served();
}

TEST_F(Messages, Row40DeactivationRampsToZeroWithin300Milliseconds) {
  bench.run(10);
  bench.active = false;
  const std::int64_t start = bench.now;
  double last = bench.out.torque.norm();
  bool sent = true;
  while (sent && bench.now < start + kSecond) {
    for (double& q : bench.q) q += 1e-4;
    bench.run(1);
    sent = bench.out.send_torque;
    if (!sent) break;
    EXPECT_EQ(bench.out.q(0), bench.q[0]);  // the present state
    last = bench.out.torque.norm();
  }
  EXPECT_EQ(last, 0.0);
  EXPECT_LE(bench.now - start, 302 * kMillisecond);
  bench.run(100);
  EXPECT_FALSE(bench.out.send_torque);
}

TEST(SingularRobot, Row50ASingularMassMatrixIsFlaggedAndNothingIsNaN) {
  // Two hinges on one axis, the first link without mass: their accelerations are not determined one
  // by one.
  const std::string hinge = R"(" type="continuous"><axis xyz="0 1 0"/><parent link=")";
  const std::string urdf =
      R"(<robot name="r"><link name="a"/><link name="b"/><link name="c"><inertial><mass value="1"/>)"
      R"(<origin xyz="1 0 0"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>)"
      R"(<joint name="j1)" +
      hinge + R"(a"/><child link="b"/></joint><joint name="j2)" + hinge +
      R"(b"/><child link="c"/></joint></robot>)";
  Bench bench(load_urdf(urdf));
  bench.settings.config.effort_source = EffortSource::kOwn;
  bench.run(100);
  EXPECT_TRUE(bench.out.send_torque);
  EXPECT_TRUE(bench.out.torque.allFinite());
  EXPECT_LT((bench.out.torque - bench.gravity()).norm(), 1e-9);
  EXPECT_TRUE(bench.fault(Fault::kSingular));
  EXPECT_FALSE(bench.out.send_acceleration);
  EXPECT_TRUE(bench.out.acceleration.allFinite());
}

}  // namespace
}  // namespace spatial_dynamics::test

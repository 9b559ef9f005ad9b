#include "spatial_dynamics/runtime/reference_tracker.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace spatial_dynamics::test {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

ReferenceSample derivative(const Knot& a, const Knot& b, bool v, bool acc, double t) {
  constexpr double h = 1e-5;
  const ReferenceSample ahead = interpolate(a, b, v, acc, t + h);
  const ReferenceSample behind = interpolate(a, b, v, acc, t - h);
  ReferenceSample d;
  d.position = (ahead.position - behind.position) / (2 * h);
  d.velocity = (ahead.velocity - behind.velocity) / (2 * h);
  return d;
}

const Knot kFrom{1.0, 0.5, -0.2, 0.3, 1.0};
const Knot kTo{3.0, 2.0, 0.7, -0.4, 2.0};

TEST(Interpolation, QuinticMeetsPositionVelocityAndAccelerationAtBothEnds) {
  for (const Knot& end : {kFrom, kTo}) {
    const ReferenceSample s = interpolate(kFrom, kTo, true, true, end.time_s);
    EXPECT_NEAR(s.position, end.position, 1e-14);
    EXPECT_NEAR(s.velocity, end.velocity, 1e-14);
    EXPECT_NEAR(s.acceleration, end.acceleration, 1e-13);
  }
}

TEST(Interpolation, CubicMeetsPositionAndVelocityAtBothEnds) {
  for (const Knot& end : {kFrom, kTo}) {
    const ReferenceSample s = interpolate(kFrom, kTo, true, false, end.time_s);
    EXPECT_NEAR(s.position, end.position, 1e-14);
    EXPECT_NEAR(s.velocity, end.velocity, 1e-14);
  }
}

TEST(Interpolation, WithoutVelocitiesIsAStraightLine) {
  const ReferenceSample s = interpolate(kFrom, kTo, false, false, 2.0);
  EXPECT_DOUBLE_EQ(s.position, 1.25);
  EXPECT_DOUBLE_EQ(s.velocity, 0.75);
  EXPECT_EQ(s.acceleration, 0.0);
  EXPECT_DOUBLE_EQ(s.effort, 1.5);
}

TEST(Interpolation, VelocityAndAccelerationAreDerivativesOfThePosition) {
  for (const bool has_acceleration : {false, true}) {
    for (const double t : {1.2, 1.9, 2.7}) {
      const ReferenceSample s = interpolate(kFrom, kTo, true, has_acceleration, t);
      const ReferenceSample d = derivative(kFrom, kTo, true, has_acceleration, t);
      EXPECT_NEAR(s.velocity, d.position, 1e-9);
      EXPECT_NEAR(s.acceleration, d.velocity, 1e-9);
    }
  }
}

TEST(Interpolation, OutsideTheSegmentItsEndsAreTaken) {
  EXPECT_DOUBLE_EQ(interpolate(kFrom, kTo, true, true, 0.0).position, kFrom.position);
  EXPECT_DOUBLE_EQ(interpolate(kFrom, kTo, true, true, 9.0).position, kTo.position);
  EXPECT_DOUBLE_EQ(interpolate(kTo, kTo, true, true, 3.0).position, kTo.position);
}

class Tracker : public ::testing::Test {
 protected:
  Tracker() : tracker({{"hinge", 1, 0, 0, false}, {"wheel", 2, 1, 1, true}}) {
    references.joints.resize(2);
    tracker.restart(references, q);
  }
  void update(double seconds) {
    tracker.update(static_cast<std::int64_t>(seconds * kSecond), 0.5, references, q, v);
  }
  JointReference& ask(std::size_t k, double at_s, bool immediate, std::vector<Knot> knots) {
    JointReference& r = references.joints[k];
    const auto at = static_cast<std::int64_t>(at_s * kSecond);
    r = JointReference{++generation, at, at, immediate, true, true, true, false, std::move(knots)};
    return r;
  }

  References references;
  VectorXd q = Eigen::Vector2d(0.1, 0.2), v = Eigen::Vector2d(0.0, 0.0);
  ReferenceTracker tracker;
  std::uint64_t generation = 0;
};

TEST_F(Tracker, HoldsThePositionOfTheStart) {
  q = Eigen::Vector2d(5.0, 6.0);  // moves away
  update(1.0);
  EXPECT_EQ(tracker[0].position, 0.1);
  EXPECT_EQ(tracker[0].velocity, 0.0);
  EXPECT_TRUE(tracker[0].has_position);
  EXPECT_FALSE(tracker[0].follows_reference);
  EXPECT_FALSE(tracker.timed_out());
}

TEST_F(Tracker, FollowsASetpointUntilItTimesOutAndThenHoldsIt) {
  ask(0, 1.0, true, {{0.0, 0.7, 0.3, 0.2, 0.0}});
  update(1.4);
  EXPECT_EQ(tracker[0].position, 0.7);
  EXPECT_EQ(tracker[0].velocity, 0.3);
  EXPECT_EQ(tracker[0].acceleration, 0.2);
  EXPECT_TRUE(tracker[0].follows_reference);
  update(1.6);
  EXPECT_EQ(tracker[0].position, 0.7);
  EXPECT_EQ(tracker[0].velocity, 0.0);
  EXPECT_TRUE(tracker[0].timed_out);
  EXPECT_TRUE(tracker.timed_out());
  ask(0, 1.7, true, {{0.0, 0.9, 0.0, 0.0, 0.0}});
  update(1.7);
  EXPECT_FALSE(tracker.timed_out());
}

TEST_F(Tracker, ATrajectoryStartsFromThePresentStateAndEndsOnItsLastPoint) {
  v(0) = 0.4;
  ask(0, 1.0, false, {{1.0, 1.1, 0.0, 0.0, 0.0}, {2.0, 1.5, 0.0, 0.0, 0.0}});
  update(1.0);
  EXPECT_NEAR(tracker[0].position, 0.1, 1e-15);
  EXPECT_NEAR(tracker[0].velocity, 0.4, 1e-15);
  q(0) = 77.0;  // where the robot goes later does not bend the trajectory
  update(2.0);
  EXPECT_NEAR(tracker[0].position, 1.1, 1e-12);
  update(2.5);
  EXPECT_GT(tracker[0].position, 1.1);
  EXPECT_LT(tracker[0].position, 1.5);
  update(100.0);
  EXPECT_EQ(tracker[0].position, 1.5);
  EXPECT_EQ(tracker[0].velocity, 0.0);
  EXPECT_FALSE(tracker.timed_out());  // it is complete, not lost
}

TEST_F(Tracker, ATrajectoryOfTheFutureWaitsForItsStart) {
  JointReference& r = ask(0, 1.0, false, {{1.0, 1.0, 0.0, 0.0, 0.0}});
  r.start = 3 * kSecond;
  update(2.0);
  EXPECT_EQ(tracker[0].position, 0.1);
  update(4.0);
  EXPECT_EQ(tracker[0].position, 1.0);
}

TEST_F(Tracker, ATrajectoryThatBeganInThePastIsJoinedFromThePresentState) {
  JointReference& r = ask(0, 10.0, false, {{1.0, 1.0, 0.0, 0.0, 0.0}, {3.0, 2.0, 0.0, 0.0, 0.0}});
  r.start = 8 * kSecond;  // two seconds late: between its two points
  update(10.0);
  EXPECT_NEAR(tracker[0].position, 0.1, 1e-12);  // no jump
  update(11.0);
  EXPECT_NEAR(tracker[0].position, 2.0, 1e-12);
}

TEST_F(Tracker, JointsWithoutAReferenceMayBeToldToHoldAnotherPosition) {
  ask(0, 1.0, true, {{0.0, 0.7, 0.0, 0.0, 0.0}});
  update(1.1);
  q = Eigen::Vector2d(0.3, 0.4);
  tracker.hold_rest(q);
  EXPECT_EQ(tracker[0].position, 0.7);
  EXPECT_EQ(tracker[1].position, 0.4);
}

TEST_F(Tracker, JointsThatAreNotNamedKeepTheirs) {
  ask(1, 1.0, false, {{10.0, 1.2, 0.0, 0.0, 0.0}});
  update(1.0);
  update(5.0);
  const double under_way = tracker[1].position;
  ask(0, 5.0, true, {{0.0, 0.5, 0.0, 0.0, 0.0}});
  update(5.0);
  EXPECT_EQ(tracker[0].position, 0.5);
  EXPECT_EQ(tracker[1].position, under_way);
}

TEST_F(Tracker, AContinuousJointTakesTheShortWayRound) {
  q(1) = 20.0;  // three turns and a bit: 20 - 6 pi = 1.15
  tracker.restart(references, q);
  ask(1, 1.0, false, {{1.0, 1.0, 0.0, 0.0, 0.0}, {2.0, 2.0, 0.0, 0.0, 0.0}});
  update(1.0);
  update(2.0);
  EXPECT_NEAR(tracker[1].position, 1.0 + 6 * M_PI, 1e-12);
  update(3.0);
  EXPECT_NEAR(tracker[1].position, 2.0 + 6 * M_PI, 1e-12);
}

TEST_F(Tracker, ARestartForgetsReferencesAndHoldsHere) {
  ask(0, 1.0, false, {{10.0, 9.0, 0.0, 0.0, 0.0}});
  update(2.0);
  q = Eigen::Vector2d(0.3, 0.4);
  tracker.restart(references, q);
  update(3.0);
  EXPECT_EQ(tracker[0].position, 0.3);
  EXPECT_FALSE(tracker[0].follows_reference);
}

TEST_F(Tracker, ASetpointWithoutAPositionAsksForNone) {
  JointReference& r = ask(0, 1.0, true, {{0.0, 0.0, 0.0, 2.5, 0.0}});
  r.has_position = r.has_velocity = false;
  update(1.1);
  EXPECT_FALSE(tracker[0].has_position);
  EXPECT_EQ(tracker[0].acceleration, 2.5);
  q(0) = 0.8;
  update(1.3);
  update(1.6);  // timed out: where it was last seen
  EXPECT_EQ(tracker[0].position, 0.8);
}

}  // namespace
}  // namespace spatial_dynamics::test

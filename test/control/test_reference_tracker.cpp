#include "control/reference_tracker.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "control/controller_harness.hpp"
#include "support/constants.hpp"

namespace spatial_dynamics::test {
namespace {

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

TEST(Interpolation, IsLinearWithoutVelocities) {
  const ReferenceSample s = interpolate(kFrom, kTo, false, false, 2.0);
  EXPECT_DOUBLE_EQ(s.position, 1.25);
  EXPECT_DOUBLE_EQ(s.velocity, 0.75);
  EXPECT_EQ(s.acceleration, 0.0);
  EXPECT_DOUBLE_EQ(s.effort, 1.5);
}

TEST(Interpolation, VelocityAndAccelerationAreDerivativesOfPosition) {
  for (const bool has_acceleration : {false, true}) {
    for (const double t : {1.2, 1.9, 2.7}) {
      const ReferenceSample s = interpolate(kFrom, kTo, true, has_acceleration, t);
      const ReferenceSample d = derivative(kFrom, kTo, true, has_acceleration, t);
      EXPECT_NEAR(s.velocity, d.position, 1e-9);
      EXPECT_NEAR(s.acceleration, d.velocity, 1e-9);
    }
  }
}

TEST(Interpolation, ClampsOutsideSegment) {
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
    tracker.update(static_cast<std::int64_t>(seconds * kSecond), 0.5, 0.2, references, q, v, holds);
  }
  JointReference& ask(std::size_t k, double at_s, bool immediate, std::vector<Knot> knots) {
    JointReference& r = references.joints[k];
    const auto at = static_cast<std::int64_t>(at_s * kSecond);
    r = full_reference(++generation, at, immediate, std::move(knots));
    return r;
  }
  /// A trajectory that replaces the reference of coordinate k at its start.
  void ask_later(std::size_t k, double at_s, double start_s, std::vector<Knot> knots) {
    JointReference r = full_reference(++generation, static_cast<std::int64_t>(at_s * kSecond),
                                      false, std::move(knots));
    r.start = static_cast<std::int64_t>(start_s * kSecond);
    references.joints[k].later.push_back(r);
  }

  References references;
  VectorXd q = Eigen::Vector2d(0.1, 0.2), v = Eigen::Vector2d(0.0, 0.0);
  ReferenceTracker tracker;
  std::uint64_t generation = 0;
  bool holds = true;
};

TEST_F(Tracker, HoldsPositionOfRestart) {
  q = Eigen::Vector2d(5.0, 6.0);  // the robot moves away
  update(1.0);
  EXPECT_EQ(tracker[0].position, 0.1);
  EXPECT_EQ(tracker[0].velocity, 0.0);
  EXPECT_TRUE(tracker[0].has_position);
  EXPECT_EQ(tracker[0].follows_reference, 0.0);
  EXPECT_FALSE(tracker.timed_out());
}

TEST_F(Tracker, FollowsSetpointUntilTimeoutThenHoldsIt) {
  ask(0, 1.0, true, {{0.0, 0.7, 0.3, 0.2, 0.0}});
  update(1.4);
  EXPECT_EQ(tracker[0].position, 0.7);
  EXPECT_EQ(tracker[0].velocity, 0.3);
  EXPECT_EQ(tracker[0].acceleration, 0.2);
  EXPECT_EQ(tracker[0].follows_reference, 1.0);
  update(1.6);
  EXPECT_EQ(tracker[0].position, 0.7);
  EXPECT_TRUE(tracker[0].timed_out);
  EXPECT_TRUE(tracker.timed_out());
  update(1.9);
  EXPECT_EQ(tracker[0].position, 0.7);
  EXPECT_EQ(tracker[0].velocity, 0.0);
  EXPECT_EQ(tracker[0].follows_reference, 0.0);
  ask(0, 1.7, true, {{0.0, 0.9, 0.0, 0.0, 0.0}});
  update(1.7);
  EXPECT_FALSE(tracker.timed_out());
}

TEST_F(Tracker, TrajectoryStartsAtPresentStateAndEndsAtLastPoint) {
  v(0) = 0.4;
  ask(0, 1.0, false, {{1.0, 1.1, 0.0, 0.0, 0.0}, {2.0, 1.5, 0.0, 0.0, 0.0}});
  update(1.0);
  EXPECT_NEAR(tracker[0].position, 0.1, 1e-15);
  EXPECT_NEAR(tracker[0].velocity, 0.4, 1e-15);
  q(0) = 77.0;  // later states do not change the trajectory
  update(2.0);
  EXPECT_NEAR(tracker[0].position, 1.1, 1e-12);
  update(2.5);
  EXPECT_GT(tracker[0].position, 1.1);
  EXPECT_LT(tracker[0].position, 1.5);
  update(100.0);
  EXPECT_EQ(tracker[0].position, 1.5);
  EXPECT_EQ(tracker[0].velocity, 0.0);
  EXPECT_FALSE(tracker.timed_out());  // it has ended normally
}

TEST_F(Tracker, TrajectoryContinuesFromHeldPosition) {
  update(0.5);
  q(0) = 0.05;
  ask(0, 1.0, false, {{1.0, 1.1, 0.0, 0.0, 0.0}});
  update(1.0);
  EXPECT_NEAR(tracker[0].position, 0.1, 1e-15);
}

TEST_F(Tracker, TrajectoryContinuesFromStateIfNothingIsHeld) {
  holds = false;
  update(0.5);
  q(0) = 0.05;
  ask(0, 1.0, false, {{1.0, 1.1, 0.0, 0.0, 0.0}});
  update(1.0);
  EXPECT_NEAR(tracker[0].position, 0.05, 1e-15);
}

TEST_F(Tracker, ComeToRestHoldsPositionAndIgnoresNewReferences) {
  ask(0, 1.0, false, {{1.0, 1.1, 0.0, 0.0, 0.0}});
  update(1.0);
  update(1.5);
  const ReferenceSample before = tracker[0];
  ASSERT_GT(before.velocity, 0.1);
  ask(0, 1.5, true, {{0.0, 9.0, 0.0, 0.0, 0.0}});
  tracker.come_to_rest(static_cast<std::int64_t>(1.501 * kSecond), 0.2);
  EXPECT_EQ(tracker[0].position, before.position);
  EXPECT_EQ(tracker[0].velocity, before.velocity);
  tracker.come_to_rest(static_cast<std::int64_t>(1.601 * kSecond), 0.2);
  EXPECT_EQ(tracker[0].position, before.position);
  EXPECT_NEAR(tracker[0].velocity, 0.5 * before.velocity, 1e-9);
  tracker.come_to_rest(static_cast<std::int64_t>(1.8 * kSecond), 0.2);
  EXPECT_EQ(tracker[0].velocity, 0.0);
  EXPECT_FALSE(tracker.timed_out());
}

TEST_F(Tracker, SetpointRampsOutAfterTimeout) {
  ask(0, 1.0, true, {{0.0, 0.7, 0.4, 0.2, 8.0}});
  update(1.5);
  ReferenceSample before = tracker[0];
  EXPECT_EQ(before.velocity, 0.4);
  for (int i = 1; i <= 210; ++i) {  // a ramp of 0.2 s in steps of 1 ms
    update(1.5 + 1e-3 * i);
    EXPECT_EQ(tracker[0].position, 0.7);
    EXPECT_LE(std::abs(tracker[0].velocity - before.velocity), 0.4 / 199);
    EXPECT_LE(std::abs(tracker[0].acceleration - before.acceleration), 0.2 / 199);
    EXPECT_LE(std::abs(tracker[0].effort - before.effort), 8.0 / 199);
    EXPECT_LE(std::abs(tracker[0].follows_reference - before.follows_reference), 1.0 / 199);
    before = tracker[0];
  }
  EXPECT_EQ(before.velocity, 0.0);
  EXPECT_EQ(before.effort, 0.0);
}

TEST_F(Tracker, FutureTrajectoryWaitsForStart) {
  ask_later(0, 1.0, 3.0, {{1.0, 1.0, 0.0, 0.0, 0.0}});
  update(2.0);
  EXPECT_EQ(tracker[0].position, 0.1);
  EXPECT_EQ(tracker[0].follows_reference, 0.0);
  update(3.0);
  update(4.0);
  EXPECT_EQ(tracker[0].position, 1.0);
}

TEST_F(Tracker, ActiveTrajectoryContinuesUntilFutureOneStarts) {
  ask(0, 1.0, false, {{4.0, 4.1, 1.0, 0.0, 0.0}});
  update(1.0);
  update(2.0);
  const Knot start{0.0, 0.1, 0.0, 0.0, 0.0}, end{4.0, 4.1, 1.0, 0.0, 0.0};
  EXPECT_NEAR(tracker[0].position, interpolate(start, end, true, true, 1.0).position, 1e-12);
  ask_later(0, 2.0, 3.0, {{2.0, 9.0, 0.0, 0.0, 0.0}});
  update(2.5);
  EXPECT_NEAR(tracker[0].position, interpolate(start, end, true, true, 1.5).position, 1e-12);
  // The new trajectory continues from the active reference at its start: not from the reference at
  // the time of arrival, nor from the measured state.
  q(0) = 1.3;
  v(0) = 0.6;
  update(2.999);
  update(3.0);
  const ReferenceSample then = interpolate(start, end, true, true, 2.0);
  EXPECT_NEAR(tracker[0].position, then.position, 1e-8);
  EXPECT_NEAR(tracker[0].velocity, then.velocity, 1e-5);
  update(5.0);
  EXPECT_NEAR(tracker[0].position, 9.0, 1e-12);
}

TEST_F(Tracker, RestartDiscardsFutureTrajectories) {
  ask_later(0, 1.0, 3.0, {{1.0, 1.0, 0.0, 0.0, 0.0}});
  update(1.0);
  tracker.restart(references, q);
  update(3.5);
  EXPECT_EQ(tracker[0].position, 0.1);
}

TEST_F(Tracker, ReferencesReceivedWhileWaitingStartAtFirstUpdate) {
  ask(0, 1.0, false, {{1.0, 1.1, 0.0, 0.0, 0.0}}).starts_on_arrival = true;
  ask(1, 1.0, true, {{0.0, 0.3, 0.0, 0.0, 0.0}});
  tracker.restart_since(kSecond, references, q);
  update(9.0);
  EXPECT_NEAR(tracker[0].position, 0.1, 1e-12);  // it starts at the first update
  EXPECT_EQ(tracker[1].follows_reference, 0.0);  // timed out
  EXPECT_FALSE(tracker.timed_out());
  update(10.0);
  EXPECT_NEAR(tracker[0].position, 1.1, 1e-12);
}

TEST_F(Tracker, IgnoresEndedTrajectory) {
  ask(0, 1.0, false, {{1.0, 1.1, 0.0, 0.0, 0.0}});  // with a stamp: it started at 1 s
  tracker.restart_since(kSecond, references, q);
  update(9.0);
  EXPECT_EQ(tracker[0].position, 0.1);
  EXPECT_EQ(tracker[0].follows_reference, 0.0);
}

TEST_F(Tracker, JoinsPastTrajectoryFromPresentState) {
  JointReference& r = ask(0, 10.0, false, {{1.0, 1.0, 0.0, 0.0, 0.0}, {3.0, 2.0, 0.0, 0.0, 0.0}});
  r.start = 8 * kSecond;  // 2 s ago: between its two points
  update(10.0);
  EXPECT_NEAR(tracker[0].position, 0.1, 1e-12);  // no jump
  update(11.0);
  EXPECT_NEAR(tracker[0].position, 2.0, 1e-12);
}

TEST_F(Tracker, ConsecutivePiecesJoinSmoothlyDespiteNoise) {
  // A sine of 0.3 Hz, sent every 52 ms in pieces of 0.55 s that started 50 ms before. States have
  // delay and jitter.
  const double w = 2.0 * M_PI * 0.3;
  const auto knot = [w](double t, double begin) {
    return Knot{t - begin, std::sin(w * t), w * std::cos(w * t), -w * w * std::sin(w * t), 0.0};
  };
  for (int cycle = 0; cycle < 1000; ++cycle) {
    const double t = 1.0 + 0.004 * cycle;
    if (cycle % 13 == 0) {
      std::vector<Knot> knots;
      for (int i = 0; i < 23; ++i) knots.push_back(knot(t - 0.05 + 0.025 * i, t - 0.05));
      ask(0, t, false, std::move(knots)).start = static_cast<std::int64_t>((t - 0.05) * kSecond);
    }
    const double lag = 0.001 * (cycle % 15);
    q(0) = std::sin(w * (t - lag));
    v(0) = w * std::cos(w * (t - lag));
    update(t);
    if (cycle < 60) continue;  // joined by then
    // Extrapolating the reference by one cycle has an error of dt^2 w^3 / 2 = 5e-5 rad/s, which
    // decays within 0.2 s.
    EXPECT_NEAR(tracker[0].position, std::sin(w * t), 1e-5) << t;
    EXPECT_NEAR(tracker[0].acceleration, -w * w * std::sin(w * t), 6.0 * 5e-5 / 0.2 + 1e-3) << t;
  }
}

TEST_F(Tracker, JoinsStartedTrajectoryWithoutStepOfVelocity) {
  v(0) = 0.4;
  JointReference& r = ask(0, 10.0, false, {{1.0, 1.0, 0.0, 0.0, 0.0}, {3.0, 2.0, 0.0, 0.0, 0.0}});
  r.start = static_cast<std::int64_t>(7.001 * kSecond);  // its last knot is 1 ms ahead
  update(10.0);
  EXPECT_NEAR(tracker[0].position, 0.1, 1e-12);
  EXPECT_NEAR(tracker[0].velocity, 0.4, 1e-12);
  // Joined within the ramp of 0.2 s, not within 1 ms: a quintic from rest to rest has a largest
  // acceleration of 5.8 d / T^2.
  double largest = 0.0;
  for (int i = 0; i <= 300; ++i) {
    update(10.0 + 0.001 * i);
    largest = std::max(largest, std::abs(tracker[0].acceleration));
  }
  EXPECT_LT(largest, 1.1 * (5.8 * 1.9 / 0.04 + 6.0 * 0.4 / 0.2));
  EXPECT_NEAR(tracker[0].position, 2.0, 1e-12);
}

TEST_F(Tracker, JointsWithoutReferenceHoldGivenPosition) {
  ask(0, 1.0, true, {{0.0, 0.7, 0.0, 0.0, 0.0}});
  update(1.1);
  q = Eigen::Vector2d(0.3, 0.4);
  tracker.hold_rest(q);
  EXPECT_EQ(tracker[0].position, 0.7);
  EXPECT_EQ(tracker[1].position, 0.4);
}

TEST_F(Tracker, JointsWithoutNewReferenceKeepTheirs) {
  ask(1, 1.0, false, {{10.0, 1.2, 0.0, 0.0, 0.0}});
  update(1.0);
  update(5.0);
  const double under_way = tracker[1].position;
  ask(0, 5.0, true, {{0.0, 0.5, 0.0, 0.0, 0.0}});
  update(5.0);
  EXPECT_EQ(tracker[0].position, 0.5);
  EXPECT_EQ(tracker[1].position, under_way);
}

TEST_F(Tracker, ContinuousJointTakesShorterDirection) {
  q(1) = 20.0;  // three turns and 20 - 6 pi = 1.15
  tracker.restart(references, q);
  ask(1, 1.0, false, {{1.0, 1.0, 0.0, 0.0, 0.0}, {2.0, 2.0, 0.0, 0.0, 0.0}});
  update(1.0);
  update(2.0);
  EXPECT_NEAR(tracker[1].position, 1.0 + 6 * M_PI, 1e-12);
  update(3.0);
  EXPECT_NEAR(tracker[1].position, 2.0 + 6 * M_PI, 1e-12);
}

TEST_F(Tracker, RestartDiscardsReferencesAndHoldsPosition) {
  ask(0, 1.0, false, {{10.0, 9.0, 0.0, 0.0, 0.0}});
  update(2.0);
  q = Eigen::Vector2d(0.3, 0.4);
  tracker.restart(references, q);
  update(3.0);
  EXPECT_EQ(tracker[0].position, 0.3);
  EXPECT_EQ(tracker[0].follows_reference, 0.0);
}

TEST_F(Tracker, SetpointWithoutPositionHasNone) {
  JointReference& r = ask(0, 1.0, true, {{0.0, 0.0, 0.0, 2.5, 0.0}});
  r.has_position = r.has_velocity = false;
  update(1.1);
  EXPECT_FALSE(tracker[0].has_position);
  EXPECT_EQ(tracker[0].acceleration, 2.5);
  q(0) = 0.8;
  update(1.3);
  update(1.6);  // timed out: the last measured position
  EXPECT_EQ(tracker[0].position, 0.8);
}

}  // namespace
}  // namespace spatial_dynamics::test

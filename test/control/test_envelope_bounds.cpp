#include "control/envelope_bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/constants.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kPeriod = 1e-3;

/// A point that always accelerates as much as the bounds permit.
struct Point {
  double distance, speed;
  double largest_overshoot = 0.0, least_speed = 0.0, strongest = 0.0;

  void approach(double deceleration, int periods) {
    for (int k = 0; k < periods; ++k) {
      const double a = std::clamp(
          stop_bounds(speed, distance, distance, deceleration, kPeriod).wanted, -1e4, 100.0);
      distance -= speed * kPeriod + 0.5 * a * kPeriod * kPeriod;
      speed += a * kPeriod;
      largest_overshoot = std::max(largest_overshoot, -distance);
      least_speed = std::min(least_speed, speed);
      strongest = std::max(strongest, -a);
    }
  }
};

TEST(EnvelopeBounds, ApproachEndsAtTheStopWithoutOvershootOrReturn) {
  for (const double deceleration : {0.5, 5.0, 50.0, 5000.0, kInfinity}) {
    Point point{1.0, 0.5};
    point.approach(deceleration, 20000);
    EXPECT_LE(point.largest_overshoot, 1e-9) << deceleration;
    EXPECT_GE(point.least_speed, -1e-9) << deceleration;
    EXPECT_LE(point.distance, 1e-3) << deceleration;
  }
}

TEST(EnvelopeBounds, ApproachNeedsLittleMoreThanThePlannedDeceleration) {
  Point point{1.0, 2.0};
  point.approach(5.0, 5000);
  EXPECT_LE(point.strongest, 1.2 * 5.0);
}

TEST(EnvelopeBounds, StoppingSpeedIsContinuous) {
  const double a = 10.0, t = kApproachPeriods * kPeriod, joint = a * t * t;
  EXPECT_NEAR(stopping_speed(joint * (1.0 - 1e-9), a, kPeriod),
              stopping_speed(joint * (1.0 + 1e-9), a, kPeriod), 1e-9);
  EXPECT_NEAR(stopping_speed(1.0, a, kPeriod), std::sqrt(2.0 * a), 1e-2);
  EXPECT_EQ(stopping_speed(-1.0, a, kPeriod), 0.0);
}

TEST(EnvelopeBounds, JointBeyondStopReturnsNotFasterThanItLeft) {
  for (const double away : {1e-6, 0.1, 2.0}) {
    const double a = stop_bound(-away, -0.1, 10.0, kPeriod);
    EXPECT_NEAR(-away + a * kPeriod, away, 1e-12);
  }
  EXPECT_EQ(stop_bound(0.0, -0.1, 10.0, kPeriod), 0.0) << "at rest nothing pushes back";
}

TEST(EnvelopeBounds, LastResortPermitsAtLeastWhatIsWanted) {
  for (const double speed : {-3.0, -0.1, 0.0, 0.1, 1.0, 2.99, 3.0, 3.1}) {
    for (const double distance : {-0.1, 0.0, 1e-3, 0.1, 3.0}) {
      const AccelerationBound stop = stop_bounds(speed, distance, distance + 0.01, 5.0, kPeriod);
      EXPECT_GE(stop.last_resort, stop.wanted) << speed << ' ' << distance;
    }
    const AccelerationBound cap = cap_bounds(speed, 3.0, kPeriod);
    EXPECT_GE(cap.last_resort, cap.wanted) << speed;
    EXPECT_LE(speed + cap.wanted * kPeriod, std::max(speed, 3.0)) << speed;
  }
}

}  // namespace
}  // namespace spatial_dynamics::test

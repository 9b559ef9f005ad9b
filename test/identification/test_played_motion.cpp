#include "identification/played_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace spatial_dynamics::test {
namespace {

/// 10 s of 1 - cos(t) and zero, at 100 Hz.
JointMotion swing() {
  JointMotion motion;
  motion.joints = {"a", "b"};
  motion.position.setZero(2, 1001);
  motion.velocity.setZero(2, 1001);
  motion.acceleration.setZero(2, 1001);
  for (Index i = 0; i <= 1000; ++i) {
    const double t = 0.01 * static_cast<double>(i);
    motion.time.push_back(t);
    motion.position(0, i) = 1.0 - std::cos(t);
    motion.velocity(0, i) = std::sin(t);
    motion.acceleration(0, i) = std::cos(t);
  }
  return motion;
}

/// The largest difference between the velocity and the change of the position, and the same for
/// the acceleration, in steps of 1 ms.
double roughness(const PlayedMotion& played, double end) {
  VectorXd q, v, a, q_before, v_before, a_before;
  double largest = 0.0;
  constexpr double kStep = 1e-3;
  played.sample(0.0, q_before, v_before, a_before);
  for (int i = 1; kStep * i < end; ++i) {
    played.sample(kStep * i, q, v, a);
    largest = std::max(
        {largest, (q - q_before - 0.5 * kStep * (v + v_before)).cwiseAbs().maxCoeff() / kStep,
         (v - v_before - 0.5 * kStep * (a + a_before)).cwiseAbs().maxCoeff() / kStep});
    q_before = q;
    v_before = v;
    a_before = a;
  }
  return largest;
}

TEST(PlayedMotionTest, ApproachesTheStartSlowlyAndPlays) {
  const VectorXd present = (VectorXd(2) << -1.0, 0.5).finished();
  const PlayedMotion played(swing(), present);
  VectorXd q, v, a;
  played.sample(0.0, q, v, a);
  EXPECT_EQ(q, present);
  EXPECT_TRUE(v.isZero(0.0));
  EXPECT_GE(played.begin_s(), 1.875 * 0.5 / 0.1);
  EXPECT_DOUBLE_EQ(played.end_s(), played.begin_s() + 10.0);
  double fastest_a = 0.0, fastest_b = 0.0;
  for (double t = 0.0; t < played.begin_s() - 0.5; t += 0.01) {
    played.sample(t, q, v, a);
    fastest_a = std::max(fastest_a, std::abs(v[0]));
    fastest_b = std::max(fastest_b, std::abs(v[1]));
  }
  EXPECT_LE(fastest_a, 0.5);
  EXPECT_LE(fastest_b, 0.1 + 1e-9);  // this joint does not move in the motion
  played.sample(played.begin_s() + 3.0, q, v, a);
  EXPECT_NEAR(q[0], 1.0 - std::cos(3.0), 1e-9);
  EXPECT_LT(roughness(played, played.end_s() - 0.01), 0.02);  // a jump of a velocity would be 1
  played.sample(played.end_s() + 1.0, q, v, a);
  EXPECT_TRUE(v.isZero(0.0));
}

TEST(PlayedMotionTest, StopsSmoothlyAtAnyTime) {
  for (const double t : {0.0, 1.0, 3.0, 8.0, 11.0}) {
    PlayedMotion played(swing(), VectorXd::Zero(2));
    VectorXd q, v, a, q_after;
    played.sample(t, q, v, a);
    played.stop(t);
    EXPECT_TRUE(played.stopped());
    const double end = played.end_s();
    EXPECT_LE(end - t, 2.0);
    EXPECT_LT(roughness(played, end + 0.5), 0.05) << t;
    played.sample(end, q_after, v, a);
    EXPECT_TRUE(v.isZero(1e-9));
    EXPECT_LT((q_after - q).cwiseAbs().maxCoeff(), 0.5 * 2.0);
    for (double s = t; s < end; s += 0.01) {
      played.sample(s, q, v, a);
      EXPECT_LE(a.cwiseAbs().maxCoeff(), 2.5) << s;
    }
    played.stop(t + 0.1);
    EXPECT_EQ(played.end_s(), end);
  }
}

TEST(PlayedMotionTest, RejectsAnotherNumberOfJoints) {
  EXPECT_THROW(PlayedMotion(swing(), VectorXd::Zero(3)), std::invalid_argument);
}

}  // namespace
}  // namespace spatial_dynamics::test

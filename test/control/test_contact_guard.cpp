#include "control/contact_guard.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fuzz/robots.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kPeriod_s = 1e-3;

/// The joints of fuzz::kThumb: a continuous hinge, a hinge and a slide.
class ContactGuardTest : public ::testing::Test {
 protected:
  bool feel(double torque, ContactReaction reaction = ContactReaction::kRetreat) {
    external << 0.0, torque, 0.0;
    return guard.detect(reaction, threshold, external, q, kPeriod_s);
  }
  /// Cycles until a contact is latched.
  int cycles_to_contact(double torque) {
    for (int i = 1; i <= 100; ++i) {
      if (feel(torque)) return i;
    }
    return -1;
  }

  Model model = load_urdf(fuzz::kThumb);
  Coordinates coordinates{model};
  ContactGuard guard{coordinates};
  VectorXd threshold = VectorXd::Constant(3, 4.0), external = VectorXd::Zero(3),
           q = VectorXd::Zero(3);
};

TEST_F(ContactGuardTest, TorqueAboveItsThresholdForFiveMillisecondsIsAContact) {
  EXPECT_EQ(cycles_to_contact(3.9), -1);
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(feel(i % 4 == 3 ? 0.0 : 9.0)) << "3 ms";
  EXPECT_NEAR(cycles_to_contact(-4.1), 5, 1);
  EXPECT_TRUE(guard.latched(ContactReaction::kRetreat));
  EXPECT_EQ(guard.joint(), 1);
}

TEST_F(ContactGuardTest, NoReactionDetectsNothing) {
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(feel(50.0, ContactReaction::kNone));
  EXPECT_FALSE(guard.latched());
}

TEST_F(ContactGuardTest, OnlyANewNumberAcknowledges) {
  EXPECT_FALSE(guard.acknowledge(7)) << "no contact";
  ASSERT_GT(cycles_to_contact(9.0), 0);
  EXPECT_FALSE(guard.acknowledge(7)) << "it was sent before the contact";
  EXPECT_TRUE(guard.latched());
  EXPECT_TRUE(guard.acknowledge(8));
  EXPECT_FALSE(guard.latched());
  EXPECT_EQ(guard.joint(), -1);
}

TEST_F(ContactGuardTest, RetreatGoesBackAlongThePathAndStartsAndEndsAtRest) {
  const auto path = [](double t) { return std::sin(2.0 * t); };
  double t = 0.0;
  for (int i = 0; i < 1000; ++i, t += kPeriod_s) {
    q << std::remainder(6.0 * t, 2.0 * M_PI), path(t), 0.0;
    EXPECT_FALSE(feel(0.0));
  }
  while (!feel(9.0)) {
  }
  VectorXd before = guard.position();
  EXPECT_EQ(before(1), q(1));
  double fastest = 0.0;
  for (int i = 0; i < 700; ++i) {
    guard.advance(kPeriod_s);
    const double change = guard.position()(1) - before(1);
    // The first point is up to one step of the path old.
    if (i > 0) {
      EXPECT_NEAR(change, guard.velocity()(1) * kPeriod_s, 2e-3 * 2.0) << i;
    }
    EXPECT_LE(std::abs(std::remainder(guard.position()(0) - before(0), 2.0 * M_PI)), 0.1) << i;
    fastest = std::max(fastest, std::abs(guard.velocity()(1)));
    before = guard.position();
  }
  EXPECT_LE(fastest, 0.75 * 2.0 * 1.1) << "three quarters of the speed on the way";
  EXPECT_TRUE(guard.velocity().isZero(0.0)) << "at rest";
  EXPECT_NEAR(before(1), path(t - PathMemory::kLengthSeconds), 2.0 * 0.025);
}

TEST_F(ContactGuardTest, RetreatWithoutAPathHolds) {
  ASSERT_GT(cycles_to_contact(9.0), 0);
  for (int i = 0; i < 100; ++i) guard.advance(kPeriod_s);
  EXPECT_EQ(guard.position(), q);
  EXPECT_TRUE(guard.velocity().isZero(0.0));
}

TEST_F(ContactGuardTest, ContactOfAnotherRobotStaysLatched) {
  ASSERT_GT(cycles_to_contact(9.0), 0);
  ContactGuard next{Coordinates(load_urdf(fuzz::kStick))};
  next.continue_latched(guard);
  EXPECT_TRUE(next.latched(ContactReaction::kRetreat));
  next.restart(VectorXd::Constant(1, 0.5));
  next.advance(kPeriod_s);
  EXPECT_EQ(next.position()(0), 0.5);
}

}  // namespace
}  // namespace spatial_dynamics::test

#include "control/following_guard.hpp"

#include "control/controller_harness.hpp"

namespace spatial_dynamics::test {
namespace {

class FollowingGuardTest : public ::testing::Test {
 protected:
  FollowingGuardTest() { tracker.restart(references, q); }

  void refer(double offset) {
    ++generation;
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      const Knot setpoint{0.0, q(static_cast<Index>(k)) + offset, 0.0, 0.0, 0.0};
      references.joints[k] = full_reference(generation, now, true, {setpoint});
    }
  }
  bool cycle() {
    now += kMillisecond;
    tracker.update(now, 0.5, 0.3, references, q, VectorXd::Zero(7), true);
    return guard.update(coordinates, limit, q, references, tracker);
  }

  Model model = load_urdf_file(shipped_urdf("arm7"));
  Coordinates coordinates{model};
  ReferenceTracker tracker{coordinates.scalars()};
  FollowingGuard guard{7};
  References references = make_control_input(model, coordinates).references;
  VectorXd q = VectorXd::Zero(7), limit = VectorXd::Constant(7, 0.2);
  std::int64_t now = 1000 * kMillisecond;
  std::uint64_t generation = 0;
};

TEST_F(FollowingGuardTest, FollowsErrorWithinLimit) {
  refer(0.19);
  EXPECT_FALSE(cycle());
  EXPECT_FALSE(guard.holds());
  EXPECT_TRUE(tracker.follows());
}

TEST_F(FollowingGuardTest, ErrorAboveLimitHoldsPosition) {
  refer(0.21);
  EXPECT_TRUE(cycle());
  EXPECT_TRUE(guard.holds());
  EXPECT_FALSE(tracker.follows());
  EXPECT_EQ(tracker[3].position, q(3));
}

TEST_F(FollowingGuardTest, LaterReferencesBeyondLimitKeepFirstHeldPosition) {
  refer(0.5);
  EXPECT_TRUE(cycle());
  q(3) = 0.1;
  refer(0.5);
  EXPECT_FALSE(cycle()) << "the position is already held";
  EXPECT_TRUE(guard.holds());
  EXPECT_EQ(tracker[3].position, 0.0);
}

TEST_F(FollowingGuardTest, FollowsNextReferenceWithinLimit) {
  refer(0.5);
  cycle();
  refer(0.1);
  EXPECT_FALSE(cycle());
  EXPECT_FALSE(guard.holds());
}

TEST_F(FollowingGuardTest, InfiniteLimitNeverHolds) {
  limit.setConstant(kUnlimited);
  refer(100.0);
  EXPECT_FALSE(cycle());
  EXPECT_FALSE(guard.holds());
}

}  // namespace
}  // namespace spatial_dynamics::test

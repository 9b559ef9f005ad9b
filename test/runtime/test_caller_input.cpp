#include "runtime/caller_input.hpp"

#include <gtest/gtest.h>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kReadingPeriod = 1'000'000;

class CallerInputTest : public ::testing::Test {
 protected:
  explicit CallerInputTest(const char* robot = "double_pendulum", bool floating = false)
      : model(load(robot, floating)), coordinates(model), input(model, coordinates) {
    base.q = VectorXd::Zero(model.nq());
    base.v = VectorXd::Zero(model.nv());
  }
  static Model load(const char* robot, bool floating) {
    LoadOptions options;
    options.floating_base = floating;
    return load_urdf(urdf_text(robot), options);
  }
  const JointStates& read(double position, double velocity = kNotGiven, double effort = kNotGiven) {
    now += kReadingPeriod;
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      input.set_reading(k, {position, velocity, effort});
    }
    return input.update(now, 2 * now, config, base);
  }
  [[nodiscard]] const JointReference& reference(std::size_t k) const {
    return input.references(of_topic).joints[k];
  }

  Model model;
  Coordinates coordinates;
  CallerInput input;
  JointStates base;
  Config config;
  References of_topic;
  std::int64_t now = 1'000'000'000;
};

TEST_F(CallerInputTest, ReadingsBecomeStates) {
  const JointStates& states = read(0.1, 0.2, 0.3);
  EXPECT_EQ(states.q(1), 0.1);
  EXPECT_EQ(states.v(1), 0.2);
  EXPECT_EQ(states.effort(1), 0.3);
  EXPECT_EQ(states.has_effort[1], 1);
  EXPECT_EQ(states.received[1], now);
  EXPECT_EQ(states.newest, now);
  EXPECT_EQ(states.stamp, 2 * now);
  EXPECT_EQ(states.sequence, 1u);
}

class LimitedCallerInputTest : public CallerInputTest {
 protected:
  LimitedCallerInputTest() : CallerInputTest("arm7") {}
};

TEST_F(LimitedCallerInputTest, SetpointBeyondALimitIsClippedAndReportedOnce) {
  input.follow_caller(0);
  input.set_reference(0, now, {0.0, 9.0, 1.0, 0.0, 0.0});
  EXPECT_EQ(reference(0).setpoint.position, model.joint(1).limits.upper);
  EXPECT_EQ(reference(0).setpoint.velocity, 0.0);
  EXPECT_TRUE(input.take_clipped());
  EXPECT_FALSE(input.take_clipped());
  input.set_reference(0, now, {0.0, kNotGiven, 1.0, 0.0, 0.0});
  EXPECT_FALSE(input.take_clipped()) << "no position";
}

TEST_F(CallerInputTest, PositionThatIsNotFiniteLeavesStateOld) {
  read(0.1, 0.2);
  const std::int64_t before = now;
  for (const double bad : {kNotGiven, std::numeric_limits<double>::infinity(), 1e7}) {
    now += kReadingPeriod;
    input.set_reading(0, {0.1, 0.2, kNotGiven});
    input.set_reading(1, {bad, 0.2, kNotGiven});
    const JointStates& states = input.update(now, now, config, base);
    EXPECT_EQ(states.received[0], now);
    EXPECT_EQ(states.received[1], before);
    EXPECT_EQ(states.q(1), 0.1);
  }
}

TEST_F(CallerInputTest, JumpOfOneJointDropsAllReadings) {
  read(0.1, 0.0);
  const std::int64_t before = now;
  now += kReadingPeriod;
  input.set_reading(0, {0.1, 0.0, kNotGiven});
  input.set_reading(1, {3.0, 0.0, kNotGiven});
  EXPECT_EQ(input.update(now, now, config, base).received[0], before);
  for (int i = 0; i < 4; ++i) read(3.0, 0.0);
  EXPECT_EQ(read(3.0, 0.0).q(1), 3.0);  // five agree
}

TEST_F(CallerInputTest, MissingVelocityFollowsPolicy) {
  read(0.1);
  EXPECT_EQ(read(0.101).v(0), 0.0);
  config.missing_velocity = MissingVelocity::kDifferentiate;
  EXPECT_NEAR(read(0.103).v(0), 2.0, 1e-9);
}

TEST_F(CallerInputTest, HeldJointIsNeverStale) {
  input.hold(1, 0.7);
  now += kReadingPeriod;
  input.set_reading(0, {0.1, 0.0, kNotGiven});
  const JointStates& states = input.update(now, now, config, base);
  EXPECT_EQ(states.q(1), 0.7);
  EXPECT_EQ(states.v(1), 0.0);
  EXPECT_EQ(states.received[1], now);
  input.measure(1);
  input.set_reading(1, {kNotGiven, kNotGiven, kNotGiven});
  const std::int64_t before = now;
  now += kReadingPeriod;
  EXPECT_EQ(input.update(now, now, config, base).received[1], before);
}

TEST_F(CallerInputTest, PartsThatAreNaNAreNotGiven) {
  input.follow_caller(7);
  EXPECT_EQ(reference(0).generation, 0u);
  input.set_reference(0, now, {0.0, kNotGiven, kNotGiven, kNotGiven, kNotGiven});
  EXPECT_EQ(reference(0).generation, 0u);
  input.set_reference(0, now, {0.0, 0.4, kNotGiven, 2.0, kNotGiven});
  EXPECT_EQ(reference(0).generation, 8u);
  EXPECT_TRUE(reference(0).has_position);
  EXPECT_FALSE(reference(0).has_velocity);
  EXPECT_TRUE(reference(0).has_acceleration);
  EXPECT_EQ(reference(0).setpoint.velocity, 0.0);
  EXPECT_EQ(reference(0).setpoint.acceleration, 2.0);
  EXPECT_EQ(reference(0).received, now);
  input.set_reference(0, now + 1, {0.0, kNotGiven, kNotGiven, kNotGiven, kNotGiven});
  EXPECT_EQ(reference(0).received, now);  // the last one grows old
}

TEST_F(CallerInputTest, SetpointIsNewWhenAPartChanges) {
  input.follow_caller(7);
  input.set_reference(0, now, {0.0, 0.4, kNotGiven, kNotGiven, kNotGiven});
  input.set_reference(0, now + 1, {0.0, 0.4, kNotGiven, kNotGiven, kNotGiven});
  EXPECT_EQ(reference(0).generation, 8u);
  EXPECT_EQ(reference(0).received, now + 1) << "a repeated setpoint does not time out";
  input.set_reference(1, now, {0.0, 0.4, kNotGiven, kNotGiven, kNotGiven});
  EXPECT_EQ(reference(1).generation, 9u);
  input.set_reference(0, now, {0.0, 0.4, 0.0, kNotGiven, kNotGiven});
  EXPECT_EQ(reference(0).generation, 10u) << "a velocity of 0 is not the same as none";
  input.set_reference(0, now, {0.0, 0.4, 0.0, kNotGiven, 1.0});
  EXPECT_EQ(reference(0).generation, 11u);
  input.follow_caller(0);
  input.set_reference(0, now, {0.0, 0.4, 0.0, kNotGiven, 1.0});
  EXPECT_EQ(reference(0).generation, 12u) << "after a change of the chained mode";
}

TEST_F(CallerInputTest, TopicIsFollowedUnlessCallerIs) {
  EXPECT_EQ(&input.references(of_topic), &of_topic);
  input.follow_caller(0);
  EXPECT_NE(&input.references(of_topic), &of_topic);
  input.follow_topic();
  EXPECT_EQ(&input.references(of_topic), &of_topic);
}

class FloatingCallerInput : public CallerInputTest {
 protected:
  FloatingCallerInput() : CallerInputTest("quadruped", true) {}
};

TEST_F(FloatingCallerInput, BaseComesFromOdometry) {
  base.q.head<7>() << 1, 2, 3, 0, 0, 0, 1;
  base.v.head<6>() << 1, 2, 3, 4, 5, 6;
  base.base_received = 42;
  const JointStates& states = read(0.1, 0.0);
  EXPECT_TRUE(states.q.head<7>() == base.q.head<7>());
  EXPECT_TRUE(states.v.head<6>() == base.v.head<6>());
  EXPECT_EQ(states.base_received, 42);
  EXPECT_EQ(states.q(7), 0.1);
}

}  // namespace
}  // namespace spatial_dynamics::test

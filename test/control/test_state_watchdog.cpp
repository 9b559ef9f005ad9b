#include "control/state_watchdog.hpp"

#include "control/controller_harness.hpp"

namespace spatial_dynamics::test {
namespace {

class StateWatchdogTest : public ::testing::Test {
 protected:
  void use(bool floating_base) {
    LoadOptions options;
    options.floating_base = floating_base;
    model = load_urdf_file(shipped_urdf("arm7"), options);
    coordinates = Coordinates(model);
    states = make_control_input(model, coordinates).states;
    watchdog = StateWatchdog(model.nv());
    std::fill(states.received.begin(), states.received.end(), now);
    states.base_received = now;
    states.v.setOnes();
  }
  bool fresh_after(std::int64_t age) {
    status.faults = 0;
    watchdog.update(now + age, states, coordinates, 0.1, status);
    return watchdog.fresh();
  }

  Model model = load_urdf_file(shipped_urdf("arm7"));
  Coordinates coordinates{model};
  StateWatchdog watchdog{model.nv()};
  JointStates states;
  ControlStatus status;
  const std::int64_t now = 1000 * kMillisecond;
};

TEST_F(StateWatchdogTest, StatesAreFreshUntilTimeout) {
  use(false);
  EXPECT_TRUE(fresh_after(100 * kMillisecond));
  EXPECT_EQ(status.faults, 0u);
  EXPECT_EQ(watchdog.velocity(), states.v);
  EXPECT_FALSE(fresh_after(100 * kMillisecond + 1));
  EXPECT_TRUE(has(status.faults, Fault::kStaleState));
  EXPECT_TRUE(watchdog.velocity().isZero(0.0));
}

TEST_F(StateWatchdogTest, OldestCoordinateCounts) {
  use(false);
  states.received[4] -= 101 * kMillisecond;
  EXPECT_FALSE(fresh_after(0));
  EXPECT_EQ(status.stalest, 4);
  EXPECT_EQ(status.state_age, 101 * kMillisecond);
}

TEST_F(StateWatchdogTest, StateOfAnotherClockIsStale) {
  use(false);
  EXPECT_TRUE(fresh_after(-kMillisecond)) << "received just after the cycle began";
  EXPECT_FALSE(fresh_after(-101 * kMillisecond));
  EXPECT_TRUE(has(status.faults, Fault::kStaleState));
}

TEST_F(StateWatchdogTest, UnknownStateIsNoFault) {
  use(false);
  states.received[2] = 0;
  EXPECT_FALSE(fresh_after(0));
  EXPECT_EQ(status.faults, 0u);
  EXPECT_EQ(status.stalest, 2);
}

TEST_F(StateWatchdogTest, FloatingBaseCountsToo) {
  use(true);
  EXPECT_TRUE(fresh_after(0));
  states.base_received = 0;
  EXPECT_FALSE(fresh_after(0));
}

TEST_F(StateWatchdogTest, JumpIsReportedOnce) {
  use(false);
  fresh_after(0);
  EXPECT_FALSE(watchdog.was_reset());
  ++states.resets;
  fresh_after(0);
  EXPECT_TRUE(watchdog.was_reset());
  fresh_after(0);
  EXPECT_FALSE(watchdog.was_reset());
}

}  // namespace
}  // namespace spatial_dynamics::test

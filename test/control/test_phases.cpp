#include "control/phases.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

class PhasesTest : public ::testing::Test {
 protected:
  /// One cycle, without a torque.
  Phase cycle(bool fresh = true, bool reference_missing = false) {
    ++now;
    phases.note_activation(active, activation, now);
    phases.update(now, fresh, reference_missing);
    return phases.phase();
  }

  Phases phases;
  bool active = true;
  std::uint64_t activation = 0;
  std::int64_t now = 100;
};

TEST_F(PhasesTest, IsInactiveUntilActivated) {
  active = false;
  EXPECT_EQ(cycle(), Phase::kInactive);
  EXPECT_FALSE(phases.sends());
  active = true;
  EXPECT_EQ(cycle(), Phase::kRunning);
  EXPECT_TRUE(phases.sends());
  EXPECT_EQ(phases.since(), now);
}

TEST_F(PhasesTest, WaitsForStates) {
  EXPECT_EQ(cycle(false), Phase::kWaiting);
  EXPECT_EQ(cycle(false), Phase::kWaiting);
  EXPECT_FALSE(phases.sends());
  EXPECT_EQ(cycle(), Phase::kRunning);
}

TEST_F(PhasesTest, FallsBackWhileStatesAreStale) {
  cycle();
  EXPECT_EQ(cycle(false), Phase::kFallback);
  EXPECT_EQ(cycle(false), Phase::kFallback);
  EXPECT_EQ(cycle(), Phase::kRunning);
}

TEST_F(PhasesTest, StaysInFallbackWhileReferenceIsMissing) {
  cycle();
  phases.fall_back(now);
  EXPECT_TRUE(phases.may_resume(true));
  EXPECT_EQ(cycle(true, true), Phase::kFallback);
  EXPECT_EQ(cycle(true, false), Phase::kRunning);
}

TEST_F(PhasesTest, DeactivationRampsDownUntilTorqueIsZero) {
  cycle();
  active = false;
  EXPECT_EQ(cycle(), Phase::kRampingDown);
  EXPECT_EQ(cycle(false), Phase::kRampingDown);
  phases.note_zero_torque(now);
  EXPECT_EQ(phases.phase(), Phase::kInactive);
}

TEST_F(PhasesTest, ActivationDuringRampResumesOrFallsBack) {
  for (const bool fresh : {true, false}) {
    phases = Phases();
    active = true;
    cycle();
    active = false;
    cycle();
    active = true;
    EXPECT_EQ(cycle(fresh), fresh ? Phase::kRunning : Phase::kFallback);
  }
}

TEST_F(PhasesTest, DeactivationBeforeFirstStateSendsNothing) {
  cycle(false);
  active = false;
  EXPECT_EQ(cycle(), Phase::kInactive);
}

TEST_F(PhasesTest, StopEndsOnlyByExplicitActivation) {
  activation = 1;
  cycle();
  cycle(false);
  phases.latch_stop();
  EXPECT_EQ(cycle(), Phase::kFallback) << "fresh states do not end a stop";
  phases.note_zero_torque(now);
  EXPECT_EQ(phases.phase(), Phase::kStopped);
  EXPECT_EQ(cycle(), Phase::kStopped);
  active = false;
  cycle();
  active = true;
  EXPECT_EQ(cycle(), Phase::kStopped) << "the number of the activation is the same";
  activation = 2;
  EXPECT_EQ(cycle(), Phase::kRunning);
  EXPECT_FALSE(phases.latched());
}

TEST_F(PhasesTest, RiseOfActiveIsExplicitWithoutNumbers) {
  cycle();
  phases.latch_non_finite();
  EXPECT_EQ(cycle(), Phase::kFallback);
  active = false;
  cycle();
  active = true;
  EXPECT_EQ(cycle(), Phase::kRunning);
}

TEST_F(PhasesTest, InterruptionIsInactiveAtOnceAndKeepsLatchedFaults) {
  cycle();
  phases.interrupt(now);
  EXPECT_EQ(phases.phase(), Phase::kInactive);
  EXPECT_EQ(cycle(), Phase::kRunning);
  phases.latch_stop();
  phases.interrupt(now);
  EXPECT_EQ(cycle(), Phase::kStopped);
}

TEST_F(PhasesTest, ReplacementKeepsLatchedFaults) {
  activation = 1;
  cycle();
  phases.latch_non_finite();
  Phases next;
  next.continue_latched(phases);
  phases = next;
  EXPECT_EQ(cycle(), Phase::kStopped);
  EXPECT_TRUE(phases.non_finite());
}

}  // namespace
}  // namespace spatial_dynamics::test

#include "runtime/torque_cycle.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

/// A cycle between an end and a deactivation would take the changed command for an activation,
/// which ends a latched stop.
TEST(TorqueCycle, EndDeactivatesInOneOperation) {
  TorqueCycle cycle(Trigger::kTimer);
  cycle.activate();
  ASSERT_TRUE(cycle.active());
  cycle.end();
  EXPECT_FALSE(cycle.active());
  EXPECT_TRUE(cycle.ended());
}

TEST(TorqueCycle, ActivationAfterEndNeedsRestart) {
  TorqueCycle cycle(Trigger::kTimer);
  cycle.end();
  cycle.activate();
  EXPECT_FALSE(cycle.active());
  cycle.restart();
  cycle.activate();
  EXPECT_TRUE(cycle.active());
}

}  // namespace
}  // namespace spatial_dynamics::test

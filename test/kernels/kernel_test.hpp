// The frame of every test of a kernel: one robot, its textbook model and its compiled one.
#pragma once

#include "spatial_dynamics/kernels/workspace.hpp"
#include "support/law_test.hpp"

namespace spatial_dynamics::test {

/// All robots of LawTest, larger trees, and the URDFs beside the checkout where there are any.
std::vector<NamedRobot> kernel_robots();

class KernelTest : public LawTest {
 protected:
  KernelTest() : compact(compile(model)), workspace(compact) {}

  static const Force* on_bodies(const ExternalForces& forces) {
    return forces.empty() ? nullptr : &forces.on_body(0);
  }
  /// Relative to the largest component.
  static constexpr double kTolerance = 1e-12;

  CompactModel compact;
  Workspace workspace;
};

}  // namespace spatial_dynamics::test

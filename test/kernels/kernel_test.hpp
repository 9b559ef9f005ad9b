// Fixture of kernel tests: one robot, its model and its compiled model.
#pragma once

#include "kernels/workspace.hpp"
#include "support/law_test.hpp"

namespace spatial_dynamics::test {

using namespace kernels;  // NOLINT(google-build-using-namespace): what these tests are about

/// All robots of LawTest, larger trees, and the URDFs beside the checkout, if present.
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

#include "kernels/kinematics.hpp"

#include "kernels/kernel_test.hpp"
#include "spatial_dynamics/textbook/kinematics.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

using KinematicsKernel = KernelTest;
INSTANTIATE_TEST_SUITE_P(Robots, KinematicsKernel, ::testing::ValuesIn(kernel_robots()),
                         robot_name);

TEST_P(KinematicsKernel, JacobianEqualsTheTextbookWithoutAllocation) {
  const State s = random_state();
  forward_kinematics(model, data, s.q);
  Matrix6X J(6, model.nv()), expected(6, model.nv());
  const Index step = std::max<Index>(1, model.link_count() / 8);
  for (Index l = 0; l < model.link_count(); l += step) {
    for (const Frame frame : {Frame::kLocal, Frame::kLocalWorldAligned}) {
      link_jacobian(model, data, l, frame, expected);
      const HeapWatch watch;
      link_jacobian(compact, workspace, s.q, model.link(l), frame, J);
      EXPECT_EQ(watch.count(), 0u);
      EXPECT_LT(largest(J - expected), kTolerance * (1.0 + largest(expected)));
    }
  }
}

}  // namespace
}  // namespace spatial_dynamics::test

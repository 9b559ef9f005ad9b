// What the demo checks before it starts a process.
#include "cli/nodes/demo/demo_setup.hpp"

#include <gtest/gtest.h>

#include "cli/robot_file.hpp"

namespace spatial_dynamics::test {
namespace {

/// The finger has no mass, so that the simulated robot can't have forward dynamics. The reason must
/// not be lost among the warnings of the two processes.
TEST(DemoSetup, RejectsARobotThatCanNotBeSimulated) {
  const TemporaryFile robot("<robot name=\"massless\">" + urdf_link("base", "") +
                            urdf_link("hand", urdf_inertial("1")) + urdf_link("finger", "") +
                            urdf_joint("wrist", "continuous", "base", "hand") +
                            urdf_joint("grip", "continuous", "hand", "finger") + "</robot>");
  cli::DemoOptions options;
  options.model.file = robot.path();
  try {
    (void)cli::make_demo_setup(options, {});
    ADD_FAILURE() << "not rejected";
  } catch (const std::exception& error) {
    const std::string reason = error.what();
    EXPECT_EQ(reason.find(robot.path()), 0U) << reason;
    EXPECT_NE(reason.find("no effort determines the acceleration of joint 'grip'"),
              std::string::npos)
        << reason;
  }
}

}  // namespace
}  // namespace spatial_dynamics::test

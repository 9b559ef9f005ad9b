#include "runtime/configure_remedy.hpp"

#include <gtest/gtest.h>

#include "runtime/parameters_table.hpp"
#include "spatial_dynamics/model/model_error.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(ConfigureRemedy, LiveParameterIsCorrectedAndConfiguredAgain) {
  const ParameterSet parameters(parameter_table());
  EXPECT_EQ(configure_remedy(ParameterError("ramp_s", "wrong"), parameters, "/dynamics"),
            "correct it, then: ros2 lifecycle set /dynamics configure");
}

TEST(ConfigureRemedy, OtherParametersTakeARestart) {
  const ParameterSet parameters(parameter_table());
  EXPECT_NE(configure_remedy(ParameterError("urdf_file", "wrong"), parameters, "/dynamics")
                .find("restart the node with another value of urdf_file"),
            std::string::npos);
}

TEST(ConfigureRemedy, RobotIsCorrectedWhereItComesFrom) {
  ParameterSet parameters(parameter_table());
  const ModelError error("joint 'j'", "joint 'j' is wrong");
  EXPECT_NE(configure_remedy(error, parameters, "/dynamics").find("correct the file"),
            std::string::npos);
  parameters.set("robot_description", std::string("<robot/>"));
  EXPECT_NE(configure_remedy(error, parameters, "/dynamics").find("value of robot_description"),
            std::string::npos);
}

}  // namespace
}  // namespace spatial_dynamics::test

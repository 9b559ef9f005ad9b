#include <gtest/gtest.h>

#include <vector>

#include "spatial_dynamics/control/control_settings.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(JointSettings, NumbersPerCoordinateAreSpreadAndOverriddenByName) {
  const std::vector<ScalarCoordinate> coordinates =
      scalar_coordinates(load_urdf(urdf_text("double_pendulum")));
  ASSERT_EQ(coordinates.size(), 2U);
  const auto values = [&](const std::vector<double>& given, const JointOverrides& by_joint = {}) {
    return values_per_coordinate("gains.kp", given, by_joint, coordinates, 7.0);
  };
  EXPECT_EQ(values({}), (std::vector<double>{7.0, 7.0}));
  EXPECT_EQ(values({2.0}), (std::vector<double>{2.0, 2.0}));
  EXPECT_EQ(values({2.0, 3.0}), (std::vector<double>{2.0, 3.0}));
  EXPECT_EQ(values({2.0}, {{"gains.kp", {{coordinates[1].name, 5.0}}}}),
            (std::vector<double>{2.0, 5.0}));
  EXPECT_THROW(values({1.0, 2.0, 3.0}), ParameterError);
  EXPECT_THROW(values({}, {{"gains.kp", {{"nobody", 5.0}}}}), ParameterError);
}

TEST(JointSettings, EffortLimitsOfTheUrdfAreScaled) {
  const Model model = load_urdf(urdf_text("arm7"));
  ControlSettings settings;
  const JointSettings whole = resolve_joint_settings(settings, model);
  settings.effort_limit_scale = 0.5;
  const JointSettings half = resolve_joint_settings(settings, model);
  EXPECT_EQ(half.effort_limit, VectorXd(0.5 * whole.effort_limit));
  EXPECT_EQ(whole.drive_rejection, "");
}

}  // namespace
}  // namespace spatial_dynamics::test

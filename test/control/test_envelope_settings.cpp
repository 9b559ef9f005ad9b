#include "spatial_dynamics/control/envelope_settings.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "spatial_dynamics/control/control_settings.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

/// One hinge from -1 to 3 rad.
Model hinge(const std::string& more, const std::string& velocity = "2") {
  return load_urdf(
      "<robot name=\"r\"><link name=\"base\"/><link name=\"rod\"><inertial><mass value=\"2\"/>"
      "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
      "<joint name=\"hinge\" type=\"revolute\"><parent link=\"base\"/><child link=\"rod\"/>"
      "<axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"3\" effort=\"12\" velocity=\"" +
      velocity + "\"/>" + more + "</joint></robot>");
}

EnvelopeLimits resolve(const Model& model, const EnvelopeSettings& envelope = {}) {
  ControlSettings settings;
  settings.envelope = envelope;
  return resolve_joint_settings(settings, model).envelope;
}

TEST(EnvelopeSettings, DefaultMarginIsAShareOfTheRange) {
  const EnvelopeLimits limits = resolve(hinge(""));
  EXPECT_TRUE(limits.enabled);
  EXPECT_DOUBLE_EQ(limits.soft_lower(0), -1.0 + 0.02);
  EXPECT_DOUBLE_EQ(limits.soft_upper(0), 3.0 - 0.02);
  const EnvelopeLimits finger = resolve(load_urdf_file(shipped_urdf("gripper")));
  EXPECT_NEAR(finger.soft_upper(1), 0.04 - 0.0004, 1e-12);
}

TEST(EnvelopeSettings, SafetyControllerPrecedesTheMargin) {
  EnvelopeSettings settings;
  settings.margin = {0.5};
  const EnvelopeLimits limits =
      resolve(hinge("<safety_controller soft_lower_limit=\"-0.25\"/>"), settings);
  EXPECT_EQ(limits.soft_lower(0), -0.25);
  EXPECT_EQ(limits.soft_upper(0), 2.5);
  EXPECT_EQ(limits.hard_upper(0), 3.0);
}

TEST(EnvelopeSettings, SoftLimitsStayWithinTheLimits) {
  const EnvelopeLimits limits =
      resolve(hinge("<safety_controller soft_lower_limit=\"-5\" soft_upper_limit=\"5\"/>"));
  EXPECT_EQ(limits.soft_lower(0), -1.0);
  EXPECT_EQ(limits.soft_upper(0), 3.0);
}

TEST(EnvelopeSettings, MarginLeavesHalfOfTheRange) {
  EnvelopeSettings settings;
  settings.margin = {100.0};
  const EnvelopeLimits limits = resolve(hinge(""), settings);
  EXPECT_EQ(limits.soft_lower(0), 0.0);
  EXPECT_EQ(limits.soft_upper(0), 2.0);
}

TEST(EnvelopeSettings, VelocityLimitIsScaledAndZeroIsNone) {
  EnvelopeSettings settings;
  settings.velocity_scale = 0.5;
  EXPECT_EQ(resolve(hinge(""), settings).velocity(0), 1.0);
  EXPECT_EQ(resolve(hinge(""), settings).missing, "");
  const EnvelopeLimits without = resolve(hinge("", "0"), settings);
  EXPECT_TRUE(std::isinf(without.velocity(0)));
  EXPECT_NE(without.missing.find("'hinge'"), std::string::npos);
}

TEST(EnvelopeSettings, LimitsOfMimicJointsLimitTheirLeader) {
  const Model model = load_urdf_file(shipped_urdf("gripper"));
  const EnvelopeLimits limits = resolve(model);
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    if (!joint.is_mimic()) continue;
    const double speed = std::abs(joint.ratio) * limits.velocity(joint.v_index);
    EXPECT_LE(speed, joint.limits.velocity * (1.0 + 1e-12)) << joint.name;
    const double ends[] = {joint.ratio * limits.soft_lower(joint.v_index) + joint.offset,
                           joint.ratio * limits.soft_upper(joint.v_index) + joint.offset};
    for (const double end : ends) {
      EXPECT_GE(end, joint.limits.lower - 1e-9) << joint.name;
      EXPECT_LE(end, joint.limits.upper + 1e-9) << joint.name;
    }
  }
}

TEST(EnvelopeSettings, RejectsNumbersOutOfRange) {
  ControlSettings settings;
  for (const double margin : {-0.1, std::nan(""), HUGE_VAL}) {
    settings.envelope.margin = {margin};
    EXPECT_THROW(check_settings(settings), ParameterError) << margin;
  }
  settings.envelope = {};
  for (const double scale : {0.0, -1.0, 1.5, std::nan("")}) {
    settings.envelope.velocity_scale = scale;
    EXPECT_THROW(check_settings(settings), ParameterError) << scale;
  }
  settings.envelope = {};
  for (const double power : {-1.0, std::nan(""), HUGE_VAL}) {
    settings.envelope.power_limit = power;
    EXPECT_THROW(check_settings(settings), ParameterError) << power;
  }
}

}  // namespace
}  // namespace spatial_dynamics::test

#include "runtime/payload_check.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

class PayloadCheckTest : public ::testing::Test {
 protected:
  PayloadCheckTest() {
    const Config config;
    robot = std::make_shared<Robot>(load_urdf(urdf_text("arm7")), ModelReport{}, config);
    const Model& model = robot->controller.model();
    hand = model.link(last_moving_link(model)).name;
  }
  void put(double mass) {
    robot->inbox.on_payload({hand, mass, Vector3(0.0, 0.0, 0.1), Matrix3::Zero(), 1});
    check.request(robot, kStandardGravity);
  }
  /// Waits at most ten seconds for this many warnings: the check runs on a separate thread.
  std::vector<PayloadCheck::Warning> wait_for(std::size_t count) {
    for (int i = 0; i < 1000 && check.warnings(*robot).size() != count; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return check.warnings(*robot);
  }

  std::shared_ptr<Robot> robot;
  std::string hand;
  PayloadCheck check;
};

TEST_F(PayloadCheckTest, ReportsAPayloadThatAJointCannotHold) {
  put(150.0);
  const auto warnings = wait_for(1);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].link, hand);
  EXPECT_NE(warnings[0].text.find("payload on link '" + hand + "' needs up to"), std::string::npos)
      << warnings[0].text;
}

TEST_F(PayloadCheckTest, IsPendingUntilTheResultIsThere) {
  EXPECT_FALSE(check.pending());
  put(150.0);
  EXPECT_TRUE(check.pending() || !check.warnings(*robot).empty());
  for (int i = 0; i < 1000 && check.pending(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(check.warnings(*robot).size(), 1U);
}

TEST_F(PayloadCheckTest, LighterPayloadEndsTheWarning) {
  put(150.0);
  ASSERT_EQ(wait_for(1).size(), 1U);
  put(0.1);
  EXPECT_TRUE(wait_for(0).empty());
}

TEST_F(PayloadCheckTest, AnotherRobotHasNoWarnings) {
  put(150.0);
  ASSERT_EQ(wait_for(1).size(), 1U);
  const Robot other(load_urdf(urdf_text("arm7")), ModelReport{}, Config());
  EXPECT_TRUE(check.warnings(other).empty());
}

}  // namespace
}  // namespace spatial_dynamics::test

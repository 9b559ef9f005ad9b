// The services ~/set_active and ~/release of TorqueController.
#include "ros2_control/activation_services.hpp"

#include <algorithm>

#include "plugin_fixture.hpp"

namespace spatial_dynamics_ros2_control {
namespace {

class TorqueServices : public PluginFixture {};

TEST_F(TorqueServices, ReleaseRampsToZeroAndAnswersThen) {
  ASSERT_EQ(configure({kGravity}), State::PRIMARY_STATE_INACTIVE);
  offer_arm();
  set_arm(0.3);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  run(20ms);
  const auto node = std::make_shared<rclcpp::Node>("operator");
  const auto client = node->create_client<std_srvs::srv::Trigger>("/torque_controller/release");
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(controller->get_node()->get_node_base_interface());
  executor.add_node(node);
  ASSERT_TRUE(client->wait_for_service(10s));
  auto answer = client->async_send_request(std::make_shared<std_srvs::srv::Trigger::Request>());
  double last = command("shoulder_pitch"), largest_step = 0.0;
  const double first = std::abs(last);
  const auto end = std::chrono::steady_clock::now() + 10s;
  while (answer.wait_for(0s) != std::future_status::ready &&
         std::chrono::steady_clock::now() < end) {
    executor.spin_some(1ms);
    update();
    largest_step = std::max(largest_step, std::abs(command("shoulder_pitch") - last));
    last = command("shoulder_pitch");
    std::this_thread::sleep_for(500us);
  }
  ASSERT_EQ(answer.wait_for(0s), std::future_status::ready);
  EXPECT_TRUE(answer.get()->success);
  EXPECT_EQ(command("shoulder_pitch"), 0.0);
  EXPECT_LT(largest_step, 0.5 * first);
}

}  // namespace
}  // namespace spatial_dynamics_ros2_control

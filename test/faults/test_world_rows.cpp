// Rows 59 and 64: changes of the robot, payloads and gravity, on the node's own threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>

#include "faults/bench.hpp"
#include "runtime/dynamics_core.hpp"
#include "runtime/output_values.hpp"
#include "runtime/parameters_table.hpp"
#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics::test {
namespace {

using std::chrono::milliseconds;

/// Two pendulums side by side that hold 9.8 and 39.2 N m when they are level, in this order.
std::string twins(const std::string& first, const std::string& second) {
  std::string urdf = R"(<robot name="twins"><link name="base"/>)";
  for (const std::string& name : {first, second}) {
    const std::string mass = name == "light" ? "1" : "4";
    urdf +=
        R"(<link name=")" + name + R"(_rod"><inertial><origin xyz="1 0 0"/><mass value=")" + mass +
        R"("/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name=")" +
        name + R"(" type="revolute"><parent link="base"/><child link=")" + name +
        R"(_rod"/><axis xyz="0 -1 0"/><limit lower="-3" upper="3" effort="100" velocity="3"/></joint>)";
  }
  return urdf + "</robot>";
}

/// Keeps the newest ~/torque_array of each robot, as a front end would send it.
class Controller : public FrontEnd {
 public:
  bool publish(const Robot& robot, const ControlOutput& out) override {
    if (!out.send_drive) return true;
    const std::lock_guard<std::mutex> lock(mutex_);
    gather_commands(*robot.joints(), out, values);
    sender = &robot;
    return true;
  }
  void publish_report(const Diagnostics& /*d*/, const std::vector<Metric>& /*m*/) override {}
  void log(LogLevel /*level*/, const std::string& text) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    lines.push_back(text);
  }
  [[nodiscard]] std::int64_t ros_now() const override { return system_now_ns(); }
  [[nodiscard]] std::string publisher_name(std::uint64_t source) const override {
    return source == 9 ? "/stranger" : "";
  }
  /// Whether the array of this robot has these numbers, within what a ramp leaves.
  bool is(const Robot* robot, const std::vector<double>& expected) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return sender == robot && values.size() == expected.size() &&
           std::equal(values.begin(), values.end(), expected.begin(),
                      [](double a, double b) { return std::abs(a - b) < 0.01; });
  }
  bool logged(const std::string& text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
      return line.find(text) != std::string::npos;
    });
  }

  std::vector<double> values;
  const Robot* sender = nullptr;
  std::vector<std::string> lines;

 private:
  std::mutex mutex_;
};

class Changes : public ::testing::Test {
 protected:
  Changes() {
    ParameterSet set(parameter_table());
    set.set("realtime.lock_memory", false);
    set.set("torque_mode", std::string("gravity_compensation"));
    core.emplace(controller, set);
    core->set_robot(twins("light", "heavy"));
    core->start();
    core->activate();
  }
  /// Feeds level pendulums until the condition holds, at most ten seconds.
  template <typename Condition>
  bool eventually(const Condition& condition) {
    const std::vector<std::string> names = {"light", "heavy"};
    const std::vector<double> q(2, 0.0);
    const std::int64_t deadline = steady_now_ns() + 10 * kSecond;
    while (!condition()) {
      if (steady_now_ns() > deadline) return false;
      core->on_joint_states(
          {system_now_ns(), {names.begin(), names.end()}, numbers(q), numbers(q), {}, 1});
      std::this_thread::sleep_for(milliseconds(2));
    }
    return true;
  }
  bool torques_become(const std::vector<double>& expected) {
    return eventually([&] { return controller.is(core->robot().get(), expected); });
  }
  bool diagnostics_show(const std::string& text) {
    return eventually([&] {
      const Diagnostics d = core->diagnostics();
      return d.message.find(text) != std::string::npos ||
             std::any_of(d.values.begin(), d.values.end(), [&](const auto& value) {
               return (value.first + ": " + value.second).find(text) != std::string::npos;
             });
    });
  }

  static constexpr double kLight = 9.80665, kHeavy = 4.0 * kLight;
  Controller controller;
  std::optional<DynamicsCore> core;
};

TEST_F(Changes, Row59TheSameJointsInAnotherOrderKeepTheirPlacesInArrays) {
  ASSERT_TRUE(torques_become({kLight, kHeavy}));
  core->set_parameter("effort_limits", std::vector<double>{50.0, 30.0});
  ASSERT_TRUE(torques_become({kLight, 30.0}));
  core->set_robot(twins("heavy", "light"));
  EXPECT_TRUE(torques_become({kLight, 30.0}));
  core->set_parameter("effort_limits.light", 5.0);
  EXPECT_TRUE(torques_become({5.0, 30.0}));
}

TEST_F(Changes, Row64ChangesOfTheWorldAreReportedWithValueAndSource) {
  ASSERT_TRUE(torques_become({kLight, kHeavy}));
  core->on_payload({"light_rod", 30.0, Vector3(1.0, 0.0, 0.0), Matrix3::Zero(), 9});
  EXPECT_TRUE(controller.logged("30 kg at [1, 0, 0] m, by /stranger on ~/payload"));
  EXPECT_TRUE(diagnostics_show("payload on link 'light_rod': 30 kg at [1, 0, 0] m"));
  EXPECT_TRUE(diagnostics_show("needs up to 294.2 N m of joint 'light'"));  // 30 kg, 1 m
  EXPECT_TRUE(torques_become({100.0, kHeavy}));
  core->on_gravity({"", Vector3(0.0, 0.0, -1.0), 9});
  EXPECT_TRUE(controller.logged("gravity is now [0, 0, -1] m/s^2, by /stranger on ~/gravity"));
  EXPECT_TRUE(diagnostics_show("gravity: [0, 0, -1] m/s^2"));
  EXPECT_TRUE(torques_become({31.0, 4.0}));
  // The payload and the gravity remain, and are logged again.
  core->deactivate();
  ASSERT_TRUE(core->wait_until_idle(milliseconds(5000)));
  EXPECT_FALSE(controller.logged("activated with"));
  core->activate();
  EXPECT_TRUE(controller.logged("activated with payload on link 'light_rod': 30 kg"));
  EXPECT_TRUE(controller.logged("activated with gravity: [0, 0, -1]"));
  EXPECT_TRUE(torques_become({31.0, 4.0}));
  core->set_parameter("reset_world_on_activation", true);
  core->deactivate();
  ASSERT_TRUE(core->wait_until_idle(milliseconds(5000)));
  core->activate();
  EXPECT_TRUE(torques_become({kLight, kHeavy}));
}

}  // namespace
}  // namespace spatial_dynamics::test

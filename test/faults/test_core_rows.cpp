// Rows 45 and 46: parameters and transitions at run time, on the node's own threads.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "faults/bench.hpp"
#include "runtime/dynamics_core.hpp"
#include "runtime/parameters_table.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "support/robots.hpp"
#include "support/sanitizers.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr int kOfASanitizer = kSanitized ? 1 : 0;  // a thread of the sanitizer

using std::chrono::milliseconds;

template <typename Condition>
bool soon(const Condition& condition) {
  const std::int64_t deadline = steady_now_ns() + 10 * kSecond;
  while (!condition()) {
    if (steady_now_ns() > deadline) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

std::ptrdiff_t threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

class Listener : public FrontEnd {
 public:
  bool publish(const Robot& /*robot*/, const ControlOutput& out) override {
    if (!out.send_torque) return true;
    largest = out.torque.cwiseAbs().maxCoeff();
    ++torques;
    return true;
  }
  void publish_report(const Diagnostics& /*d*/, const std::vector<Metric>& /*m*/) override {}
  void log(LogLevel /*level*/, const std::string& /*text*/) override {}
  [[nodiscard]] std::int64_t ros_now() const override { return system_now_ns(); }

  std::atomic<int> torques{0};
  std::atomic<double> largest{-1.0};
};

class Core : public ::testing::Test {
 protected:
  Core() {
    ParameterSet set(parameter_table());
    set.set("realtime.lock_memory", false);
    set.set("torque_mode", std::string("gravity_compensation"));
    core.emplace(listener, set);
    std::ifstream file(shipped_urdf("arm7"));
    core->set_robot(std::string(std::istreambuf_iterator<char>(file), {}));
    names = core->robot()->names;
  }
  void send() {
    const std::vector<double> q(names.size(), 0.3), v(names.size(), 0.0);
    core->on_joint_states(
        {system_now_ns(), {names.begin(), names.end()}, numbers(q), numbers(v), {}, 1});
  }
  bool sends() {
    const int before = listener.torques;
    return soon([&] {
      send();
      return listener.torques > before + 3;
    });
  }

  Listener listener;
  std::optional<DynamicsCore> core;
  std::vector<std::string> names;
};

TEST_F(Core, Row45ParametersChangeBetweenCyclesAndInvalidOnesAreRejected) {
  core->start();
  core->activate();
  ASSERT_TRUE(sends());
  const auto rejection = [&](const std::string& name, const ParameterValue& value) {
    try {
      core->set_parameter(name, value);
    } catch (const ParameterError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(rejection("rate_hz", 0.0).find("rate_hz"), std::string::npos);
  EXPECT_NE(rejection("gains.kp", std::vector<double>{1.0, 2.0}).find("gains.kp"),
            std::string::npos);
  EXPECT_NE(rejection("torque_mode", std::string("levitate")).find("levitate"), std::string::npos);
  EXPECT_NE(rejection("no_such_thing", 1.0), "");
  EXPECT_EQ(core->config().rate_hz, 1000.0);
  EXPECT_EQ(rejection("rate_hz", 500.0), "");
  EXPECT_EQ(rejection("effort_limits", std::vector<double>{0.5}), "");
  EXPECT_TRUE(soon([&] {
    send();
    return listener.largest <= 0.5;
  }));
  EXPECT_TRUE(sends());
}

TEST_F(Core, Row46TransitionsInAnyOrderLeakNothing) {
  const std::ptrdiff_t before = threads();
  for (int round = 0; round < 5; ++round) {
    core->deactivate();
    core->start();
    core->start();
    const int silent = listener.torques;
    for (int i = 0; i < 20; ++i) {
      send();
      std::this_thread::sleep_for(milliseconds(1));
    }
    EXPECT_EQ(listener.torques, silent);  // not active yet
    core->activate();
    core->activate();
    EXPECT_TRUE(sends());
    core->deactivate();
    core->deactivate();
    EXPECT_TRUE(core->wait_until_idle(milliseconds(5000)));
    EXPECT_TRUE(soon([&] { return listener.largest == 0.0; }));
    const int after = listener.torques;
    for (int i = 0; i < 20; ++i) {
      send();
      std::this_thread::sleep_for(milliseconds(1));
    }
    EXPECT_EQ(listener.torques, after);
    core->stop();
    core->stop();
    EXPECT_TRUE(soon([&] { return threads() <= before + kOfASanitizer; }));
  }
}

}  // namespace
}  // namespace spatial_dynamics::test

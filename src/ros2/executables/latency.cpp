// Measures the round trip of a state through the dynamics node with rclcpp, compared with a node
// that returns each state.
//
//   ros2 run spatial_dynamics latency my_robot.urdf             a process for each node
//   ros2 run spatial_dynamics latency my_robot.urdf --composed  one process, intra-process
//   communication
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "ros2/dynamics_node.hpp"
#include "ros2/qos.hpp"
#include "ros2/run_node.hpp"
#include "runtime/config.hpp"
#include "runtime/round_trips.hpp"
#include "spatial_dynamics/model/coordinates.hpp"
#include "spatial_dynamics/simulation/smooth_reference.hpp"
#include "support/stopwatch.hpp"

namespace spatial_dynamics::ros2 {
namespace {

using namespace std::chrono_literals;
using JointState = sensor_msgs::msg::JointState;
using Clock = std::chrono::steady_clock;

constexpr int kRounds = 20, kTrips = 200;
constexpr auto kPeriod = 1ms;

/// Sends each state back.
class EchoNode final : public rclcpp::Node {
 public:
  explicit EchoNode(const rclcpp::NodeOptions& options = rclcpp::NodeOptions())
      : rclcpp::Node("dynamics", "echo", options) {
    publisher_ = create_publisher<JointState>("~/torque", to_rclcpp(kOutputQos));
    subscription_ = create_subscription<JointState>("joint_states", to_rclcpp(kStreamQos),
                                                    [this](const JointState& m) {
                                                      answer_.header.stamp = m.header.stamp;
                                                      answer_.name = m.name;
                                                      answer_.effort = m.position;
                                                      publisher_->publish(answer_);
                                                    });
  }

 private:
  JointState answer_;
  rclcpp::Publisher<JointState>::SharedPtr publisher_;
  rclcpp::Subscription<JointState>::SharedPtr subscription_;
};

/// One of the two that are compared, seen from the driver.
class Peer {
 public:
  Peer(rclcpp::Node& driver, const std::string& space, JointState state)
      : state_(std::move(state)) {
    publisher_ =
        driver.create_publisher<JointState>("/" + space + "/joint_states", to_rclcpp(kDefaultQos));
    subscription_ = driver.create_subscription<JointState>(
        "/" + space + "/dynamics/torque", to_rclcpp(kStreamQos), [this](const JointState& m) {
          if (m.header.stamp == state_.header.stamp) answered_ = Clock::now();
        });
  }

  /// Microseconds from state to torque; negative if none came.
  double trip(rclcpp::Executor& executor, const rclcpp::Time& now) {
    state_.header.stamp = now;
    answered_ = {};
    const Clock::time_point begin = Clock::now();
    publisher_->publish(state_);
    while (answered_ == Clock::time_point{} && Clock::now() - begin < 100ms) {
      executor.spin_once(10ms);
    }
    if (answered_ == Clock::time_point{}) return -1.0;
    return std::chrono::duration<double, std::micro>(answered_ - begin).count();
  }

 private:
  JointState state_;
  Clock::time_point answered_;
  rclcpp::Publisher<JointState>::SharedPtr publisher_;
  rclcpp::Subscription<JointState>::SharedPtr subscription_;
};

JointState middle_state(const std::string& urdf) {
  const Model model = load_urdf_file(urdf);
  JointState state;
  for (const ScalarCoordinate& c : scalar_coordinates(model)) state.name.push_back(c.name);
  state.position = middle_posture(model);
  state.velocity.assign(state.name.size(), 0.1);
  return state;
}

/// Both peers as processes, or in this one.
class Peers {
 public:
  Peers(const std::string& urdf, bool composed) {
    if (composed) {
      compose(urdf);
      return;
    }
    const std::string self = std::filesystem::read_symlink("/proc/self/exe");
    const std::string node = std::filesystem::path(self).parent_path() / "dynamics_node";
    children_.push_back(spawn({self, "--echo"}));
    children_.push_back(spawn({node, "--ros-args", "-r", "__ns:=/node", "-p", "urdf_file:=" + urdf,
                               "-p", "trigger:=state", "-p", "rate_hz:=5000.0", "-p",
                               "state_timeout_s:=1.0", "--log-level", "warn"}));
  }
  ~Peers() {
    for (const pid_t child : children_) ::kill(child, SIGINT);
    for (const pid_t child : children_) ::waitpid(child, nullptr, 0);
    executor_.cancel();
    if (thread_.joinable()) thread_.join();
  }
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;

 private:
  static pid_t spawn(std::vector<std::string> arguments) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    ::execv(argv[0], argv.data());
    std::perror(argv[0]);
    ::_exit(1);
  }
  void compose(const std::string& urdf) {
    const auto options = rclcpp::NodeOptions().use_intra_process_comms(true);
    const auto echo = std::make_shared<EchoNode>(options);
    const auto node = std::make_shared<DynamicsNode>(
        rclcpp::NodeOptions(options)
            .arguments({"--ros-args", "-r", "__ns:=/node", "--log-level", "warn"})
            .parameter_overrides({{"urdf_file", urdf},
                                  {"trigger", "state"},
                                  {"rate_hz", 5000.0},
                                  {"state_timeout_s", 1.0}}));
    nodes_ = {echo, node};
    executor_.add_node(echo);
    executor_.add_node(node->get_node_base_interface());
    thread_ = std::thread([this] { executor_.spin(); });
  }

  std::vector<pid_t> children_;
  std::vector<std::shared_ptr<void>> nodes_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  std::thread thread_;
};

int measure(const std::string& urdf, bool composed) {
  const JointState state = middle_state(urdf);
  const Peers peers(urdf, composed);
  const auto driver = std::make_shared<rclcpp::Node>(
      "latency", rclcpp::NodeOptions().use_intra_process_comms(composed));
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(driver);
  Peer echo(*driver, "echo", state), node(*driver, "node", state);

  const auto begin = Clock::now();
  while (rclcpp::ok() &&
         (echo.trip(executor, driver->now()) < 0.0 || node.trip(executor, driver->now()) < 0.0)) {
    if (Clock::now() - begin > 10s) {
      std::fprintf(stderr,
                   "error: no torque arrived; check the URDF with `spatial_dynamics check`\n");
      return 1;
    }
  }
  RoundTrips trips[2];  // of echo and node
  for (int round = 0; round < kRounds && rclcpp::ok(); ++round) {
    std::vector<double> times[2];
    for (int trip = 0; trip < kTrips; ++trip) {
      for (const int which : {0, 1}) {
        const double us = (which == 0 ? echo : node).trip(executor, driver->now());
        if (us < 0.0) {
          ++trips[which].lost;
        } else {
          times[which].push_back(us);
        }
        std::this_thread::sleep_for(kPeriod);
      }
    }
    for (const int which : {0, 1}) trips[which].add_round(times[which]);
  }
  const auto row = [](const char* name, const std::vector<double>& v) {
    std::printf("%-22s p50 %7.1f us   p99 %8.1f us\n", name, quantile(v, 0.5), quantile(v, 0.99));
  };
  row("bare echo", trips[0].all);
  row("node, trigger: state", trips[1].all);
  std::printf("%-22s p50 %7.2f      (medians of %d rounds of %d trips; %llu lost)\n", "node / echo",
              quantile(ratios_of_rounds(trips[1], trips[0]), 0.5), kRounds, kTrips,
              static_cast<unsigned long long>(trips[0].lost + trips[1].lost));
  return 0;
}

int usage(std::FILE* out, int code) {
  std::fprintf(
      out,
      "usage: ros2 run spatial_dynamics latency ROBOT.urdf [--composed]\n\n"
      "Measures two round trips alternately: of a state through the dynamics node (trigger:\n"
      "state), and of a state through a node that only sends back what it receives.\n"
      "  --composed   all in one process, with intra-process communication\n");
  return code;
}

int run(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--echo") return run_node<EchoNode>(argc, argv);
  const std::vector<std::string> arguments = rclcpp::init_and_remove_ros_arguments(argc, argv);
  std::string urdf;
  bool composed = false;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i] == "--help") return usage(stdout, 0);
    if (arguments[i] == "--composed") {
      composed = true;
    } else {
      urdf = arguments[i];
    }
  }
  if (urdf.empty()) return usage(stderr, 2);
  return measure(std::filesystem::absolute(urdf), composed);
}

}  // namespace
}  // namespace spatial_dynamics::ros2

int main(int argc, char** argv) {
  try {
    return spatial_dynamics::ros2::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}

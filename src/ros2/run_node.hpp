// main() of the executables: the component alone in its process.
#pragma once

#include <pthread.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): pthread_kill is POSIX
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <thread>

#include "runtime/end_signals.hpp"
#include "runtime/front_end.hpp"

namespace spatial_dynamics::ros2 {

/// A thread that ends the process at the first signal. Before started() it ends the process at
/// once, because rclcpp::init() may wait for a parameter file on a pipe; afterwards it shuts the
/// context down. Context::shutdown() calls the nodes' ramps to zero on this thread, so the executor
/// continues to deliver states. rclcpp's own signal handler is not used: it logs before it shuts
/// down, and if standard error is a full pipe, the shutdown would never begin.
class EndOnSignal {
 public:
  explicit EndOnSignal(const EndSignals& signals)
      : thread_([this, &signals] {
          const int signal = signals.wait(0.0);
          if (over_) return;
          if (!started_) ::_exit(128 + signal);  // no torque was sent
          std::thread(end_in_time).detach();
          rclcpp::shutdown();
        }) {}
  void started() noexcept { started_ = true; }
  ~EndOnSignal() {
    over_ = true;
    ::pthread_kill(thread_.native_handle(), SIGTERM);  // ends its wait
    thread_.join();
  }
  EndOnSignal(const EndOnSignal&) = delete;
  EndOnSignal& operator=(const EndOnSignal&) = delete;

 private:
  /// Ends the process kLongestShutdown after the signal, and kLongestExit after the context has
  /// become invalid, when the torques are zero. It is needed because Context::shutdown() locks
  /// rclcpp's logging mutex after its callbacks, and a log that hangs never releases it.
  static void end_in_time() {
    const auto deadline = std::chrono::steady_clock::now() + kLongestShutdown;
    while (rclcpp::ok()) {
      if (std::chrono::steady_clock::now() > deadline) ::_exit(1);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    end_process_after(kLongestExit, 0);
  }

  std::atomic<bool> over_{false};
  std::atomic<bool> started_{false};
  std::thread thread_;
};

/// Spins until a signal ends it (EndSignals). Prints why and returns 1 if the node rejects its
/// parameters.
template <typename Node>
int run_node(int argc, char** argv) {
  const EndSignals signals;  // before any thread
  try {
    EndOnSignal end(signals);
    rclcpp::init(argc, argv, rclcpp::InitOptions(), rclcpp::SignalHandlerOptions::None);
    end.started();
    rclcpp::executors::SingleThreadedExecutor executor;
    const auto node = std::make_shared<Node>();
    executor.add_node(node->get_node_base_interface());
    executor.spin();
    executor.remove_node(node->get_node_base_interface());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
  return 0;
}

}  // namespace spatial_dynamics::ros2

// main() of both executables: the component alone in its process.
#pragma once

#include <cstdio>
#include <exception>
#include <memory>
#include <rclcpp/rclcpp.hpp>

namespace spatial_dynamics::ros2 {

/// Spins until Ctrl-C. 1 if the node refused its parameters, with the sentence that says why.
template <typename Node>
int run_node(int argc, char** argv) {
  try {
    rclcpp::init(argc, argv);
    rclcpp::executors::SingleThreadedExecutor executor;
    const auto node = std::make_shared<Node>();
    executor.add_node(node->get_node_base_interface());
    executor.spin();
    executor.remove_node(node->get_node_base_interface());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
  // No rclcpp::shutdown(), which Ctrl-C has called already: it would take the signals' handlers away, and a second Ctrl-C, which
  // launch sends when the terminal has sent the first, would kill the process before it has ended.
  return 0;
}

}  // namespace spatial_dynamics::ros2

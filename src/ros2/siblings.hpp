// The nodes of one class in this process.
#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

namespace spatial_dynamics::ros2 {

/// A context calls the shutdown callbacks of its nodes one after another; with this list the first
/// one begins the ramps of all. Functions may be called from any thread.
template <typename Node>
class Siblings {
 public:
  void add(Node& node) {
    const std::lock_guard<std::mutex> lock(mutex_);
    nodes_.push_back(&node);
  }
  void remove(const Node& node) {
    const std::lock_guard<std::mutex> lock(mutex_);
    nodes_.erase(std::remove(nodes_.begin(), nodes_.end(), &node), nodes_.end());
  }
  template <typename Visit>
  void for_each(const Visit& visit) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (Node* const node : nodes_) visit(*node);
  }

 private:
  std::mutex mutex_;
  std::vector<Node*> nodes_;
};

/// All nodes of a class.
template <typename Node>
Siblings<Node>& siblings() {
  static Siblings<Node> all;
  return all;
}

}  // namespace spatial_dynamics::ros2

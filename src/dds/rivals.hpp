// Other publishers of our torque topics.
#pragma once

#include <string>
#include <vector>

#include "dds/node.hpp"
#include "runtime/dynamics_core.hpp"

namespace spatial_dynamics::dds {

/// Reports them to the core, and subscribes to their torques while one of them is a
/// spatial_dynamics node. A node without rivals has no additional reader. Allocates; throws Error.
class RivalWatch {
 public:
  struct TorqueTopic {
    Topic topic = Topic::kTorque;
    std::string name;  ///< full
    Gid ours{};        ///< of our publisher
  };

  /// `node` and `core` must outlive it.
  RivalWatch(Node& node, DynamicsCore& core, std::vector<TorqueTopic> topics);
  ~RivalWatch();
  RivalWatch(const RivalWatch&) = delete;
  RivalWatch& operator=(const RivalWatch&) = delete;

 private:
  void update();  // on the graph's thread
  template <typename T>
  void subscribe(const std::string& topic);

  Node& node_;
  DynamicsCore& core_;
  std::vector<TorqueTopic> topics_;
  // The graph's thread creates and deletes them; their callbacks use the core.
  std::vector<AnyReader> readers_;
};

}  // namespace spatial_dynamics::dds

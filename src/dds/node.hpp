// A node of a ROS 2 graph, on Cyclone DDS. A complete one, which answers every joint state with
// twice its efforts:
//
//   using namespace spatial_dynamics::dds;
//
//   class Doubler {
//    public:
//     explicit Doubler(const std::vector<RemapRule>& remaps)
//         : node_({"doubler", "/", remaps}),
//           doubled_(node_.advertise<JointState>("~/doubled", kOutputQos)),
//           states_(node_.subscribe<JointState>("joint_states", kStreamQos,
//                                               [this](const JointState& state) { answer(state);
//                                               })) {}
//
//    private:
//     void answer(const JointState& state) {
//       assign(message_->name, view(state.name));
//       assign(message_->effort, view(state.effort));
//       for (double& effort : elements(message_->effort)) effort *= 2.0;
//       if (!doubled_.write(*message_)) ++lost_;
//     }
//
//     Node node_;
//     Message<JointState> message_;  // reused, so this node does not allocate
//     int lost_ = 0;
//     Writer<JointState> doubled_;
//     Reader<JointState> states_;  // last: its callback uses all members above
//   };
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dds/discovery_options.hpp"
#include "dds/graph.hpp"
#include "dds/message.hpp"
#include "dds/qos.hpp"
#include "dds/reader.hpp"
#include "dds/topic_names.hpp"
#include "dds/writer.hpp"
#include "runtime/log_limits.hpp"

namespace spatial_dynamics::dds {

struct NodeOptions {
  std::string name;      ///< before remapping
  std::string ns = "/";  ///< before remapping
  std::vector<RemapRule> remaps;
  Events events;
  Environment environment = process_environment();
  std::string enclave = "/";  ///< selects the keys if security is enabled
};

/// Joins the domain of the environment as a ROS 2 node, without parameter or lifecycle services.
/// Allocates; throws Error.
class Node {
 public:
  explicit Node(const NodeOptions& options);

  /// The name after remapping.
  [[nodiscard]] const NodeName& name() const noexcept { return graph_->node(); }
  [[nodiscard]] std::uint32_t domain_id() const noexcept {
    return graph_->participant().domain_id();
  }
  /// Sentences about ignored settings of the environment.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }
  /// The full name of a topic. Throws Error.
  [[nodiscard]] std::string resolve(std::string_view topic) const;

  /// See Graph::watch_peers().
  void watch_peers(std::function<void()> changed) { graph_->watch_peers(std::move(changed)); }
  void stop_watching() noexcept { graph_->stop_watching(); }
  /// Publishers of a topic (full name) in other participants; none before watch_peers(). Any
  /// thread.
  [[nodiscard]] std::vector<PeerPublisher> publishers_of(std::string_view topic) const {
    const Peers* const peers = graph_->peers();
    return peers == nullptr ? std::vector<PeerPublisher>() : peers->publishers_of(topic);
  }
  /// Full names of the nodes in other participants; none before watch_peers(). Any thread.
  [[nodiscard]] std::vector<std::string> other_nodes() const {
    const Peers* const peers = graph_->peers();
    return peers == nullptr ? std::vector<std::string>() : peers->nodes();
  }
  /// The node behind SampleInfo::publisher (full name); empty if it is not known, and before
  /// watch_peers(). Any thread.
  [[nodiscard]] std::string publisher_name(std::uint64_t source) const {
    const Peers* const peers = graph_->peers();
    return peers == nullptr ? std::string() : peers->node_of(source);
  }

  /// Subscribes to a topic; see Reader for the callback. Throws Error.
  template <typename T, typename Callback>
  [[nodiscard]] Reader<T> subscribe(std::string_view topic, const Qos& qos, Callback callback,
                                    Delivery delivery = Delivery::kDirect) {
    return Reader<T>(graph_, resolve(topic), qos, std::move(callback), delivery);
  }
  /// The same for a full name, which is not remapped.
  template <typename T, typename Callback>
  [[nodiscard]] Reader<T> subscribe_resolved(const std::string& topic, const Qos& qos,
                                             Callback callback) {
    return Reader<T>(graph_, topic, qos, std::move(callback));
  }
  /// Creates a publisher of a topic. Throws Error.
  template <typename T>
  [[nodiscard]] Writer<T> advertise(std::string_view topic, const Qos& qos) {
    return Writer<T>(graph_, resolve(topic), qos);
  }

 private:
  std::vector<RemapRule> remaps_;
  std::vector<std::string> warnings_;
  std::shared_ptr<Graph> graph_;
};

using Log = LogFunction;
/// The options with callbacks that log the events of the middleware.
NodeOptions with_events(NodeOptions options, const Log& log);

}  // namespace spatial_dynamics::dds

// A node of a ROS 2 graph, on Cyclone DDS alone. A whole one, which answers every joint state with twice its efforts:
//
//   using namespace spatial_dynamics::dds;
//
//   class Doubler {
//    public:
//     explicit Doubler(const std::vector<RemapRule>& remaps)
//         : node_({"doubler", "/", remaps}),
//           doubled_(node_.advertise<JointState>("~/doubled", kOutputQos)),
//           states_(node_.subscribe<JointState>("joint_states", kStreamQos,
//                                               [this](const JointState& state) { answer(state); })) {}
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
//     Message<JointState> message_;  // used again and again: nothing allocates on our side
//     int lost_ = 0;
//     Writer<JointState> doubled_;
//     Reader<JointState> states_;  // last: its callback uses all of the above
//   };
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dds/environment.hpp"
#include "dds/graph.hpp"
#include "dds/message.hpp"
#include "dds/qos.hpp"
#include "dds/reader.hpp"
#include "dds/topic_names.hpp"
#include "dds/writer.hpp"

namespace spatial_dynamics::dds {

struct NodeOptions {
  std::string name;      ///< before remapping
  std::string ns = "/";  ///< before remapping
  std::vector<RemapRule> remaps;
  Events events;
  Environment environment = process_environment();
  std::string enclave = "/";  ///< whose keys to use where security is on
};

/// Joins the domain that the environment names and appears there as a node. It has no parameter or lifecycle services.
/// Allocates; throws Error.
class Node {
 public:
  explicit Node(const NodeOptions& options);

  /// After remapping.
  [[nodiscard]] const NodeName& name() const noexcept { return graph_->node(); }
  [[nodiscard]] std::uint32_t domain_id() const noexcept {
    return graph_->participant().domain_id();
  }
  /// Sentences about settings of the environment that were ignored.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }
  /// The full name that a topic gets. Throws Error.
  [[nodiscard]] std::string resolve(std::string_view topic) const;

  /// Listens to a topic; see Reader for the callback. Throws Error.
  template <typename T, typename Callback>
  [[nodiscard]] Reader<T> subscribe(std::string_view topic, const Qos& qos, Callback callback) {
    return Reader<T>(graph_, resolve(topic), qos, std::move(callback));
  }
  /// Publishes to a topic. Throws Error.
  template <typename T>
  [[nodiscard]] Writer<T> advertise(std::string_view topic, const Qos& qos) {
    return Writer<T>(graph_, resolve(topic), qos);
  }

 private:
  std::vector<RemapRule> remaps_;
  std::vector<std::string> warnings_;
  std::shared_ptr<Graph> graph_;
};

}  // namespace spatial_dynamics::dds

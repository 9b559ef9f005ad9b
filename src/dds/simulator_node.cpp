#include "dds/simulator_node.hpp"

#include <algorithm>
#include <utility>

namespace spatial_dynamics::dds {

SimulatorNode::SimulatorNode(SimulatorNodeOptions options)
    : log_(std::move(options.log)), node_(with_events(std::move(options.node), log_)) {
  core_ =
      std::make_unique<SimulatorCore>(static_cast<SimulatorFrontEnd&>(*this), options.parameters);
  for (const std::string& warning : node_.warnings()) log_(LogLevel::kWarning, warning);
  set_configured_robot(
      core_->config(), [this](std::string_view urdf) { core_->set_robot(urdf); }, options.give_up);
  const TopicTable topics = enabled_topics(simulator_topic_table(), options.parameters);
  for (const TopicDescription& row : topics) {
    if (row.direction != TopicDescription::Direction::kOut) continue;
    outputs_.advertise(row, [&](auto tag) {
      return node_.advertise<typename decltype(tag)::Type>(row.name, row.qos);
    });
  }
  core_->start();
  for (const TopicDescription& row : topics) {
    if (row.direction == TopicDescription::Direction::kIn) subscribe(row);
  }
  node_.watch_peers([this] { note_effort_publishers(); });
}

SimulatorNode::~SimulatorNode() {
  node_.stop_watching();
  core_->stop();
}

void SimulatorNode::subscribe(const TopicDescription& row) {
  subscribe_simulator_input<Cyclone>(row, [&](auto tag, auto deliver) {
    using T = typename decltype(tag)::Type;
    inputs_.emplace_back(
        row.topic,
        node_.subscribe<T>(row.name, row.qos, [this, deliver](const T& m) { deliver(*core_, m); }));
  });
}

void SimulatorNode::note_effort_publishers() {
  const auto effort = std::find_if(inputs_.begin(), inputs_.end(),
                                   [](const auto& input) { return input.first == Topic::kEffort; });
  const std::string& topic = effort->second.topic();
  std::vector<std::string> nodes;
  for (PeerPublisher& peer : node_.publishers_of(topic)) nodes.push_back(std::move(peer.node));
  core_->set_effort_publishers(topic, std::move(nodes));
}

}  // namespace spatial_dynamics::dds

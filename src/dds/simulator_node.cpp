#include "dds/simulator_node.hpp"

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
  if (row.topic == Topic::kRobotDescription) {
    description_reader_.emplace(node_.subscribe<String>(
        row.name, row.qos, [this](const String& m) { core_->on_robot_description(text(m.data)); }));
  } else if (row.topic == Topic::kEffort) {
    effort_reader_.emplace(node_.subscribe<JointState>(row.name, row.qos, [this](const auto& m) {
      core_->on_effort(MessageViews<Cyclone>::of(m));
    }));
  } else {
    throw_unserved(row);
  }
}

void SimulatorNode::note_effort_publishers() {
  const std::string& topic = effort_reader_->topic();
  std::vector<std::string> nodes;
  for (PeerPublisher& peer : node_.publishers_of(topic)) nodes.push_back(std::move(peer.node));
  core_->set_effort_publishers(topic, std::move(nodes));
}

}  // namespace spatial_dynamics::dds

#include "dds/rivals.hpp"

#include <utility>

namespace spatial_dynamics::dds {

RivalWatch::RivalWatch(Node& node, DynamicsCore& core, std::vector<TorqueTopic> topics)
    : node_(node), core_(core), topics_(std::move(topics)) {
  node_.watch_peers([this] { update(); });
}

RivalWatch::~RivalWatch() { node_.stop_watching(); }

void RivalWatch::update() {
  std::vector<ForeignPublisher> publishers;
  bool any_node = false;
  for (const TorqueTopic& topic : topics_) {
    for (PeerPublisher& peer : node_.publishers_of(topic.name)) {
      any_node = any_node || peer.publishes_metrics;
      publishers.push_back({peer.source, topic.name, std::move(peer.node), peer.publishes_metrics,
                            peer.gid < topic.ours});
    }
  }
  core_.set_foreign_publishers(std::move(publishers));
  if (!any_node) readers_.clear();
  if (!any_node || !readers_.empty()) return;
  for (const TorqueTopic& topic : topics_) {
    if (topic.topic == Topic::kTorque) {
      subscribe<JointState>(topic.name);
    } else {
      subscribe<Float64MultiArray>(topic.name);
    }
  }
}

template <typename T>
void RivalWatch::subscribe(const std::string& topic) {
  readers_.push_back(node_.subscribe_resolved<T>(
      topic, kForeignTorqueQos,
      [this](const T&, const SampleInfo& info) { core_.note_foreign_torque(info.publisher); }));
}

}  // namespace spatial_dynamics::dds

#include "dds/dynamics_node.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics::dds {

DynamicsNode::DynamicsNode(DynamicsNodeOptions options)
    : log_(std::move(options.log)),
      log_lines_lost_(std::move(options.log_lines_lost)),
      node_(with_callbacks(std::move(options.node))),
      use_sim_time_(options.parameters.get_bool("use_sim_time")) {
  const bool autostart = options.parameters.get_bool("autostart");
  core_ =
      std::make_unique<DynamicsCore>(static_cast<FrontEnd&>(*this), std::move(options.parameters));
  realtime_ = core_->config().realtime;
  for (const std::string& warning : node_.warnings()) log_(LogLevel::kWarning, warning);
  set_configured_robot(
      core_->config(), [this](std::string_view urdf) { core_->set_robot(urdf); }, options.give_up);
  outputs_.emplace(node_.name().full());
  const TopicTable topics = core_->topics();
  for (const TopicDescription& row : topics) {
    if (row.direction != TopicDescription::Direction::kOut) continue;
    outputs_->advertise(row, [&](auto tag) {
      return node_.advertise<typename decltype(tag)::Type>(row.name, row.qos);
    });
  }
  core_->look_around();              // before a state can arrive
  if (autostart) core_->activate();  // before a command can arrive
  for (const TopicDescription& row : topics) {
    if (row.direction == TopicDescription::Direction::kIn) subscribe(row);
  }
  std::vector<RivalWatch::TorqueTopic> torques;
  outputs_->for_each_torque([&](Topic topic, const auto& writer) {
    torques.push_back({topic, writer.topic(), writer.gid()});
  });
  rivals_.emplace(node_, *core_, std::move(torques));
  core_->start();
  if (!autostart) {
    log_(LogLevel::kInfo, "autostart is false: no torque is sent before true arrives on " +
                              node_.resolve("~/set_active") + " (spatial_dynamics activate " +
                              node_.name().full() + ")");
  }
}

DynamicsNode::~DynamicsNode() { core_->stop(); }

NodeOptions DynamicsNode::with_callbacks(NodeOptions options) {
  options.events.on_qos_mismatch = [this](const QosMismatch& mismatch) {
    core_->note_incompatible_qos(mismatch);
  };
  options.events.on_error = [this](const std::string& text) { log_(LogLevel::kError, text); };
  return options;
}

void DynamicsNode::subscribe(const TopicDescription& row) {
  if (row.topic == Topic::kSimTime) {
    clock_reader_.emplace(node_.subscribe<Clock>(
        row.name, row.qos, [this](const Clock& m) { sim_time_ = nanoseconds(m.clock); }));
    return;
  }
  if (row.topic == Topic::kSetActive) {
    inputs_.emplace_back(
        row.topic,
        node_.subscribe<Bool>(row.name, row.qos, [this](const Bool& m, const SampleInfo& info) {
          core_->on_set_active(m.data, info.publisher);
        }));
    return;
  }
  subscribe_input<Cyclone>(row, [&](auto tag, auto deliver) {
    using T = typename decltype(tag)::Type;
    inputs_.emplace_back(row.topic, node_.subscribe<T>(
                                        row.name, row.qos,
                                        [this, deliver, direct = row.delivery == Delivery::kDirect](
                                            const T& m, const SampleInfo& info) {
                                          if (direct) raise_receiver();
                                          deliver(*core_, m, info.publisher);
                                        },
                                        row.delivery));
  });
}

/// The middleware's threads are known only when they deliver.
void DynamicsNode::raise_receiver() const noexcept {
  static thread_local bool raised = false;
  if (!std::exchange(raised, true)) schedule_below_loop(realtime_, kReceiverBelowLoop);
}

bool DynamicsNode::torques_received(std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  bool received = true;
  outputs_->for_each_torque([&](Topic, const auto& writer) {
    const auto left = deadline - std::chrono::steady_clock::now();
    received = writer.wait_until_acknowledged(
                   std::max<std::chrono::nanoseconds>(left, std::chrono::nanoseconds(0))) &&
               received;
  });
  return received;
}

Surroundings DynamicsNode::surroundings() const {
  Surroundings result;
  result.domain = node_.domain_id();
  result.node = node_.name().full();
  result.nodes = node_.other_nodes();
  result.nodes.push_back(result.node);
  for (const auto& [topic, reader] : inputs_) {
    result.inputs.push_back({topic, reader.topic(), reader.matched() > 0});
  }
  return result;
}

std::int64_t DynamicsNode::ros_now() const {
  return use_sim_time_ ? sim_time_.load() : system_now_ns();
}

}  // namespace spatial_dynamics::dds

#include "cli/nodes/common/node_reports.hpp"

#include <chrono>
#include <thread>

#include "runtime/problems.hpp"
#include "runtime/report_values.hpp"
#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics::cli {

std::string NodeReport::value(const std::string& key) const { return whole_value(values, key); }

NodeReports::NodeReports(dds::Node& node, const std::string& target)
    : name_(status_name(target)),
      reader_(node.subscribe<dds::DiagnosticArray>(
          "/diagnostics", dds::kDefaultQos,
          [this](const dds::DiagnosticArray& message) { on_message(message); })) {}

void NodeReports::on_message(const dds::DiagnosticArray& message) {
  for (const dds::DiagnosticStatus& status : dds::view(message.status)) {
    if (dds::text(status.name) != name_) continue;
    NodeReport report;
    report.received = steady_now_ns();
    report.message = dds::text(status.message);
    for (const dds::KeyValue& value : dds::view(status.values)) {
      report.values[std::string(dds::text(value.key))] = dds::text(value.value);
    }
    const std::lock_guard lock(mutex_);
    newest_ = std::move(report);
  }
}

NodeReport NodeReports::newest() const {
  const std::lock_guard lock(mutex_);
  return newest_;
}

bool wait_until(const std::function<bool()>& is_true, std::int64_t limit) {
  const std::int64_t deadline = steady_now_ns() + limit;
  while (!is_true()) {
    if (steady_now_ns() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

std::string no_subscriber(const std::string& topic, const dds::Node& node) {
  return "no node subscribes to " + topic + " in domain " + std::to_string(node.domain_id()) +
         "; is it running, and are ROS_DOMAIN_ID and ROS_AUTOMATIC_DISCOVERY_RANGE the same?";
}

}  // namespace spatial_dynamics::cli

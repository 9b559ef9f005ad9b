// Reads the diagnostics of a running node, which show the result of a command.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "dds/node.hpp"

namespace spatial_dynamics::cli {

/// How long to wait until a running node is found, ns.
inline constexpr std::int64_t kDiscovery = 5'000'000'000;
/// A report sent before the node acknowledged a command may arrive later than the acknowledgement,
/// by at most this, ns.
inline constexpr std::int64_t kTransitTime = 50'000'000;

/// What a node has reported.
struct NodeReport {
  std::int64_t received = 0;  ///< steady clock, ns; 0: nothing has arrived
  std::string message;
  std::map<std::string, std::string> values;

  /// All lines of a value; empty if the report has no such key.
  [[nodiscard]] std::string value(const std::string& key) const;
};

/// Keeps the newest report of one node on /diagnostics. Functions may be called from any thread.
class NodeReports {
 public:
  /// `target` is the full name of the node whose reports are kept. Throws dds::Error.
  NodeReports(dds::Node& node, const std::string& target);

  [[nodiscard]] NodeReport newest() const;
  [[nodiscard]] bool matched() const noexcept { return reader_.matched() > 0; }

 private:
  void on_message(const dds::DiagnosticArray& message);

  const std::string name_;
  mutable std::mutex mutex_;
  NodeReport newest_;
  dds::Reader<dds::DiagnosticArray> reader_;  // last: its callback uses all members above
};

/// Checks the condition every 5 ms. Returns false after `limit`, ns.
bool wait_until(const std::function<bool()>& is_true, std::int64_t limit);

/// "no node subscribes to /dynamics/payload in domain 0; …".
std::string no_subscriber(const std::string& topic, const dds::Node& node);

}  // namespace spatial_dynamics::cli

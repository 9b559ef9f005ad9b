// The figures of the observed node, from its diagnostics and statistics.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/nodes/demo/demo_reading.hpp"
#include "cli/nodes/demo/sent_torques.hpp"
#include "dds/messages.hpp"

namespace spatial_dynamics::cli {

/// Times are of the steady clock, ns. Allocates.
class NodeFigures {
 public:
  /// `node` is the full name of the observed node.
  explicit NodeFigures(const std::string& node);

  /// The run begins: counts of it start at zero.
  void begin(std::int64_t now);
  /// `torques_seen` is the number of torques that this process has received in the run.
  void add(const dds::DiagnosticArray& message, std::uint64_t torques_seen);
  void add(const dds::MetricsMessage& message);

  /// Fills the node's part of a reading, with timings of the last second or of the whole run.
  void write_to(DemoReading& reading, std::int64_t now, bool whole_run) const;
  /// See SentTorques::seen_hz().
  [[nodiscard]] double seen_hz() const { return sent_.seen_hz(); }

 private:
  struct Series {  // one timing, one number per second
    std::vector<double> p50, p99;
    double last_max = 0.0, max = 0.0;
    [[nodiscard]] Timing last() const;
    [[nodiscard]] Timing whole() const;
  };

  void add_value(std::string_view key, std::string_view value, std::int64_t stamp,
                 std::uint64_t torques_seen);
  Series* series_of(std::string_view metric);

  std::string status_name_;
  std::int64_t begun_ = 0;  // 0: not yet
  std::string message_, faults_ = kNoFaults;
  std::map<std::string, int> faults_seen_;
  std::uint64_t overruns_ = 0, torques_replaced_ = 0;
  SentTorques sent_;  // since begin()
  Series state_age_, jitter_, compute_, latency_;
};

}  // namespace spatial_dynamics::cli

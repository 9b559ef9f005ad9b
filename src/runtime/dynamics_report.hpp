// Diagnostics, statistics and the log of the node `dynamics`, once a second.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "runtime/activation_command.hpp"
#include "runtime/front_end.hpp"
#include "runtime/log_limits.hpp"
#include "runtime/payload_check.hpp"
#include "runtime/torque_cycle.hpp"
#include "runtime/world_report.hpp"

namespace spatial_dynamics {

/// All arguments of the constructor outlive it. Allocates.
class DynamicsReport {
 public:
  DynamicsReport(FrontEnd& front_end, TorqueCycle& cycle, const FixedRateLoop& loop,
                 const PayloadCheck& payload_check, const WorldReport& world)
      : front_end_(front_end),
        cycle_(cycle),
        loop_(loop),
        payload_check_(payload_check),
        world_(world) {}

  /// What else is reported.
  struct Status {
    Config config;
    std::string rejection;  ///< of the last robot description; empty: it was accepted
    std::uint64_t torques_sent = 0;
  };

  /// Any thread but the loop's.
  void note_incompatible_qos(const QosMismatch& mismatch);
  void note_activation_command(const std::string& text);
  [[nodiscard]] Diagnostics diagnostics(const Status& status) const {
    return with_loop_warnings(state(status, cycle_.faults()));
  }

  /// Publishes diagnostics and statistics, and logs what has changed. Does not throw. One thread.
  void send(const std::function<Status()>& status);

 private:
  using Values = std::vector<std::pair<std::string, std::string>>;
  /// Without the warnings of the loop, which DynamicsCore logs at start and which last for the
  /// whole run: the log shows the changes of everything else.
  [[nodiscard]] Diagnostics state(const Status& status, Faults faults) const;
  [[nodiscard]] Diagnostics with_loop_warnings(Diagnostics diagnostics) const;
  [[nodiscard]] Values values(const Robot& robot, const Status& status,
                              const std::string& faults_in_words) const;
  void add_surroundings(const Config& config, Diagnostics& diagnostics) const;
  void add_rivals(Diagnostics& diagnostics) const;
  void log_changes(const Diagnostics& diagnostics);
  [[nodiscard]] std::vector<Metric> metrics();
  [[nodiscard]] const LoopStatistics& statistics() const noexcept {
    return cycle_.direct() ? cycle_.direct_statistics() : loop_.statistics();
  }

  FrontEnd& front_end_;
  TorqueCycle& cycle_;
  const FixedRateLoop& loop_;
  const PayloadCheck& payload_check_;
  const WorldReport& world_;

  mutable std::mutex mutex_;                                                 // the next two
  std::map<std::pair<std::string, std::string>, std::uint64_t> mismatches_;  // topic, policy: peers
  std::string last_activation_command_ = kNoActivationCommand;

  // of send()
  ChangeFilter changes_;
  LineLimiter mismatch_lines_;
  HistogramSnapshot latency_before_, state_age_before_, jitter_before_, compute_before_;
  std::uint64_t overruns_before_ = 0;
};

}  // namespace spatial_dynamics

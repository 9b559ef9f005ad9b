// Diagnostics, statistics and the log of the node `dynamics`, once a second.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/activation_command.hpp"
#include "runtime/dynamics_problems.hpp"
#include "runtime/front_end.hpp"
#include "runtime/log_limits.hpp"
#include "runtime/stiffness_report.hpp"
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
        world_(world),
        problems_(front_end, cycle, payload_check) {}

  /// The values of a report that the core provides.
  struct Status {
    Config config;
    std::string rejection;  ///< of the last robot description; empty: it was accepted
    std::uint64_t torques_sent = 0;
  };

  /// The node starts. See DynamicsProblems.
  void begin() noexcept { problems_.begin(); }
  /// Any thread but the loop's.
  void note_incompatible_qos(const QosMismatch& mismatch) {
    problems_.note_incompatible_qos(mismatch);
  }
  void note_activation_command(const std::string& text);
  /// `publisher` is its source number; reports show its node as soon as that is known.
  void note_activation_command(const ActivationCommand& command, std::uint64_t publisher);
  [[nodiscard]] Diagnostics diagnostics(const Status& status) const {
    const Faults faults = cycle_.faults();
    return diagnostics(status, faults, problems(status, faults));
  }

  /// Publishes diagnostics and statistics, and logs what has changed. Does not throw. One thread.
  void send(const std::function<Status()>& get_status);

 private:
  struct UnnamedCommand {
    ActivationCommand command;
    std::uint64_t publisher = 0;
  };

  /// Without the warnings of the loop, which DynamicsCore logs at start and which last for the
  /// whole run: the log shows the changes of everything else.
  [[nodiscard]] Problems problems(const Status& status, Faults faults) const;
  /// With those warnings.
  [[nodiscard]] Diagnostics diagnostics(const Status& status, Faults faults,
                                        const Problems& problems) const;
  [[nodiscard]] Diagnostics::Values values(const Robot& robot, const Status& status,
                                           Faults faults) const;
  void add_common_values(Diagnostics::Values& values) const;
  [[nodiscard]] std::string last_activation_command() const;
  void log_changes(const Problems& problems);
  [[nodiscard]] std::vector<Metric> metrics();
  [[nodiscard]] const LoopStatistics& statistics() const noexcept {
    return cycle_.direct() ? cycle_.direct_statistics() : loop_.statistics();
  }

  FrontEnd& front_end_;
  TorqueCycle& cycle_;
  const FixedRateLoop& loop_;
  const PayloadCheck& payload_check_;
  const WorldReport& world_;
  DynamicsProblems problems_;
  StiffnessReport stiffness_;

  mutable std::mutex mutex_;  // the next two
  mutable std::string last_activation_command_ = kNoActivationCommand;
  mutable std::optional<UnnamedCommand>
      unnamed_command_;  // the last one, while its node is unknown

  // of send()
  ChangeFilter changes_;
  HistogramSnapshot latency_before_, state_age_before_, jitter_before_, compute_before_;
  std::uint64_t overruns_before_ = 0, torques_replaced_before_ = 0;
};

}  // namespace spatial_dynamics

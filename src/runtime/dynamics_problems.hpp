// The problems of the node `dynamics`: what it waits for, and what it lacks.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "runtime/front_end.hpp"
#include "runtime/log_limits.hpp"
#include "runtime/payload_check.hpp"
#include "runtime/problems.hpp"
#include "runtime/torque_cycle.hpp"
#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {

/// Calls visit(Fault) for each fault, in the order of their bits.
template <typename Visit>
void for_each_fault(Faults faults, const Visit& visit) {
  for (unsigned bit = 0; bit < 32; ++bit) {
    const auto fault = static_cast<Fault>(1U << bit);
    if (has(faults, fault)) visit(fault);
  }
}

/// All arguments of the constructor outlive it. Any thread but the loop's. Allocates.
class DynamicsProblems {
 public:
  DynamicsProblems(FrontEnd& front_end, const TorqueCycle& cycle, const PayloadCheck& payload_check)
      : front_end_(front_end), cycle_(cycle), payload_check_(payload_check) {}

  /// Publishers that start with the node have this long, from begin() on, to be discovered before
  /// their absence is a problem, ns.
  static constexpr std::int64_t kDiscovery = 3'000'000'000;
  void begin() noexcept { begun_.store(steady_now_ns()); }

  /// Logs it.
  void note_incompatible_qos(const QosMismatch& mismatch);
  /// How many peers did not fit, by topic and policy.
  using Mismatches = std::map<std::pair<std::string, std::string>, std::uint64_t>;
  [[nodiscard]] Mismatches mismatches() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return mismatches_;
  }

  /// `robot` is null before the first; `rejection` is that of the last robot description; `faults`
  /// are those since the last report.
  [[nodiscard]] Problems find(const Robot* robot, const Config& config,
                              const std::string& rejection, Faults faults) const;

 private:
  void add_surroundings(const Config& config, Problems& problems) const;
  void add_rivals(Problems& problems) const;
  [[nodiscard]] std::vector<std::string> silent_joints(const Robot& robot, const Config& config,
                                                       std::int64_t time) const;
  void add_phase(const Robot& robot, const Config& config, Problems& problems) const;
  [[nodiscard]] std::string envelope_text(const Robot& robot, Fault fault) const;
  void add_faults(const Robot& robot, const Config& config, Faults faults,
                  Problems& problems) const;

  FrontEnd& front_end_;
  const TorqueCycle& cycle_;
  const PayloadCheck& payload_check_;
  std::atomic<std::int64_t> begun_{-kDiscovery};
  mutable std::mutex mutex_;  // the next one
  Mismatches mismatches_;
  LineLimiter mismatch_lines_;
};

}  // namespace spatial_dynamics

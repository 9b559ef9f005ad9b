// The rate at which the node sends torques, from its diagnostics.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/nodes/demo/demo_reading.hpp"

namespace spatial_dynamics::cli {

/// Times are in ns. Allocates.
class SentTorques {
 public:
  struct Report {
    std::int64_t stamp = 0;     ///< the node's clock
    std::uint64_t torques = 0;  ///< sent since the node's start
    std::uint64_t seen = 0;     ///< received by this process
  };

  void clear() noexcept { reports_.clear(); }
  /// `arrived` is the time of the steady clock. A smaller count than before means that the node was
  /// restarted: the earlier reports are discarded.
  void add(const Report& report, std::int64_t arrived);
  /// Known from the second report on, and only while reports arrive. `now` is the time of the
  /// steady clock.
  [[nodiscard]] DemoReading::Rate rate(std::int64_t now) const;
  /// The rate of received torques over the same time as rate().mean_hz, at most that; 0 if not
  /// known.
  [[nodiscard]] double seen_hz() const;

 private:
  [[nodiscard]] double rate_since(const Report& before, std::uint64_t Report::*torques) const;

  std::vector<Report> reports_;  // the first one and the last two
  std::int64_t arrived_ = 0;     // time of the last one
};

}  // namespace spatial_dynamics::cli

// How many torques a second the node sends, from its own reports.
#pragma once

#include <cstdint>
#include <vector>

#include "demo_reading.hpp"

namespace spatial_dynamics::cli {

/// Times are in ns. Allocates.
class SentTorques {
 public:
  struct Report {
    std::int64_t stamp = 0;     ///< the node's clock
    std::uint64_t torques = 0;  ///< sent since the node's start
    std::uint64_t seen = 0;     ///< that have come to this process
  };

  void clear() noexcept { reports_.clear(); }
  /// `arrived` and `now` are of our steady clock. A count that shrinks is that of a node that was started anew: then this one begins
  /// anew too.
  void note(const Report& report, std::int64_t arrived);
  /// Known from the second report on, while reports come: of a node that hangs nobody knows.
  [[nodiscard]] DemoReading::Rate rate(std::int64_t now) const;
  /// Of those seen in the time that rate().mean_hz is of, and so no more than that; 0 while that is not known.
  [[nodiscard]] double seen_hz() const;

 private:
  [[nodiscard]] double rate_since(const Report& before, std::uint64_t Report::*torques) const;

  std::vector<Report> reports_;  // the first, the last but one, the last
  std::int64_t arrived_ = 0;     // the last one
};

}  // namespace spatial_dynamics::cli

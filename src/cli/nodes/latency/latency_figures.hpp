// Results of `spatial_dynamics latency` as numbers, as a table and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/dynamics_core.hpp"
#include "runtime/round_trips.hpp"

namespace spatial_dynamics::cli {

/// Distribution of durations, us.
struct Spread {
  double min = 0.0, p50 = 0.0, p99 = 0.0;
  std::uint64_t count = 0;
};
/// Zeros if there are no durations. Allocates.
Spread spread_of(std::vector<double> durations);

// ---- the fixed-rate loop, in its own process and in ours ----

/// The loop's histograms at one time.
struct TimedLoop {
  HistogramSnapshot compute;  ///< compute time, as docs/real_time.md defines it
  HistogramSnapshot wait;     ///< from the arrival of a state to the wake-up that uses it
  HistogramSnapshot jitter;   ///< from a cycle's due time to its start
  std::uint64_t overruns = 0;
};
TimedLoop snapshot_of(const DynamicsCore& core);

/// Results of the fixed-rate loop, of one process or merged.
struct LoopTiming {
  Spread compute, wait, jitter;
  std::uint64_t overruns = 0;
};
/// One line of JSON for the parent process. Allocates.
std::string timing_text(const TimedLoop& after, const TimedLoop& before);
/// Returns false if the line is not such a line. Allocates.
[[nodiscard]] bool read_timing(const std::string& line, LoopTiming& timing);
/// Medians of p50 and p99, smallest minimum, sums of counts. Allocates.
LoopTiming merged(const std::vector<LoopTiming>& parts);

// ---- the whole report ----

struct LatencyReport {
  std::string robot;
  std::size_t joints = 0;
  int rounds = 0, trips = 0, sections = 0;
  double rate_hz = 0.0;
  std::uint32_t domain = 0;
  unsigned cores = 0;
  double load_before = 0.0, load_after = 0.0;  ///< of the last minute
  std::uint64_t torques_compared = 0;
  double largest_difference = 0.0;  ///< relative to 1 + |tau|
  RoundTrips node, echo, timed;
  LoopTiming loop;
};

inline constexpr double kRatioGoal = 1.5;     ///< node to echo, ratio of medians
inline constexpr double kComputeGoal = 20.0;  ///< us, median
inline constexpr double kTolerance = 1e-9;    ///< of torques, relative to 1 + |tau|

std::string to_text(const LatencyReport& report);
std::string to_json(const LatencyReport& report);

}  // namespace spatial_dynamics::cli

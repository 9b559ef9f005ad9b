// Round trips of a message to a peer and back, in rounds that alternate between peers.
#pragma once

#include <cstdint>
#include <vector>

namespace spatial_dynamics {

/// Durations in us. Functions allocate.
struct RoundTrips {
  std::vector<double> all;
  std::vector<double> round_medians;  ///< 0 if a round had no answer
  std::uint64_t lost = 0;             ///< messages without an answer in time

  void add_round(const std::vector<double>& durations);
};

/// Ratios of the medians, one per round with answers of both peers. Other load of the machine
/// affects both peers of a round alike.
std::vector<double> ratios_of_rounds(const RoundTrips& numerator, const RoundTrips& denominator);

}  // namespace spatial_dynamics

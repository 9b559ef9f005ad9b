// A log that can't be flooded.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace spatial_dynamics {

/// Lets lines through: ten at once, then one a second. Thread-safe.
class LineLimiter {
 public:
  static constexpr int kAtOnce = 10;

  /// The line, with how many were left out before it; empty if this one is left out too. `now` is a steady clock, ns. Allocates.
  std::string pass(std::string_view line, std::int64_t now);

 private:
  std::mutex mutex_;
  int allowance_ = kAtOnce;
  std::int64_t last_refill_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace spatial_dynamics

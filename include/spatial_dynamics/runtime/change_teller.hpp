// Which changes of a state that is described in words a log should be told of.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace spatial_dynamics {

/// News is told at once. What was told in the last minute is told again only after it has lasted for a while, so that a state that
/// comes and goes (a torque at its limit once in a swing) does not fill the log. One thread.
class ChangeTeller {
 public:
  static constexpr std::int64_t kNewsAfter = 60'000'000'000;  ///< ns
  static constexpr std::int64_t kLastsFor = 5'000'000'000;    ///< ns
  static constexpr std::size_t kMostRemembered = 64;

  /// Whether to tell `text`, which describes the state at `now` (a steady clock, ns). Allocates.
  bool worth_telling(const std::string& text, std::int64_t now);

 private:
  std::string current_, told_;
  std::int64_t since_ = 0;                       // that the state is the current one
  std::map<std::string, std::int64_t> told_at_;  // in the last minute
};

}  // namespace spatial_dynamics

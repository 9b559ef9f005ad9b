// Numbers that many tests use.
#pragma once

#include <cstdint>
#include <limits>

namespace spatial_dynamics::test {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kMillisecond = 1'000'000;  ///< ns
constexpr std::int64_t kSecond = 1000 * kMillisecond;
constexpr int kTrials = 50;          ///< random cases of one law
constexpr double kRounding = 1e-13;  ///< of sums of a few products of numbers up to ten

}  // namespace spatial_dynamics::test

#include "runtime/report_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "runtime/dynamics_problems.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::string_view kQuantiles = " p50, p99";
constexpr std::string_view kMilliseconds = " ms";
constexpr std::string_view kSeparator = ", ";

/// The whole of "0.012 ms" at the begin of a text, which it removes.
std::optional<double> take_milliseconds(std::string_view& text) noexcept {
  double value = 0.0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  if (text.substr(0, kMilliseconds.size()) != kMilliseconds) return std::nullopt;
  text.remove_prefix(kMilliseconds.size());
  return value;
}

}  // namespace

std::string status_name(const std::string& node) { return node + ": rigid-body dynamics"; }

std::string payload_key(std::string_view link) { return "payload on link " + in_quotes(link); }

std::string payload_warning_key(std::string_view link) {
  return "weight of the " + payload_key(link);
}

std::string faults_text(Faults faults) {
  std::string list;
  for_each_fault(faults, [&list](Fault fault) {
    list.append(list.empty() ? "" : ", ").append(to_string(fault));
  });
  return list.empty() ? kNoFaults : list;
}

std::string quantiles_key(std::string_view metric) {
  if (metric == kWakeupJitterMetric) return std::string("wake-up jitter").append(kQuantiles);
  std::string words(metric);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words.append(kQuantiles);
}

std::string_view metric_of_key(std::string_view key) {
  for (const char* const metric :
       {kStateAgeMetric, kWakeupJitterMetric, kComputeTimeMetric, kStateToTorqueMetric}) {
    if (key == quantiles_key(metric)) return metric;
  }
  return {};
}

std::string quantiles_text(const Quantiles& quantiles) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3f ms, %.3f ms", quantiles.p50_ms, quantiles.p99_ms);
  return text;
}

std::optional<Quantiles> parse_quantiles(std::string_view text) noexcept {
  const std::optional<double> p50 = take_milliseconds(text);
  if (!p50 || text.substr(0, kSeparator.size()) != kSeparator) return std::nullopt;
  text.remove_prefix(kSeparator.size());
  const std::optional<double> p99 = take_milliseconds(text);
  if (!p99 || !text.empty()) return std::nullopt;
  return Quantiles{*p50, *p99};
}

std::optional<std::uint64_t> parse_count(std::string_view text) noexcept {
  std::uint64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || rest != end) return std::nullopt;
  return count;
}

}  // namespace spatial_dynamics

#include "cli/nodes/demo/sent_torques.hpp"

#include <algorithm>

namespace spatial_dynamics::cli {
namespace {

constexpr double kPerSecond = 1e9;                // ns
constexpr std::int64_t kSilence = 2'500'000'000;  // ns; diagnostics are sent once a second

}  // namespace

void SentTorques::add(const Report& report, std::int64_t arrived) {
  if (!reports_.empty() && report.torques < reports_.back().torques) reports_.clear();
  if (!reports_.empty() && report.stamp <= reports_.back().stamp) return;
  arrived_ = arrived;
  reports_.push_back(report);
  if (reports_.size() > 3) reports_.erase(reports_.begin() + 1);
}

double SentTorques::rate_since(const Report& before, std::uint64_t Report::*torques) const {
  const Report& last = reports_.back();
  return static_cast<double>(last.*torques - before.*torques) * kPerSecond /
         static_cast<double>(last.stamp - before.stamp);
}

DemoReading::Rate SentTorques::rate(std::int64_t now) const {
  if (reports_.size() < 2 || now - arrived_ > kSilence) return {};
  return {rate_since(reports_[reports_.size() - 2], &Report::torques),
          rate_since(reports_.front(), &Report::torques), true};
}

double SentTorques::seen_hz() const {
  if (reports_.size() < 2) return 0.0;
  // A torque may arrive before the report that counts it.
  return std::min(rate_since(reports_.front(), &Report::seen),
                  rate_since(reports_.front(), &Report::torques));
}

}  // namespace spatial_dynamics::cli

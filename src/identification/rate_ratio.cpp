#include "identification/rate_ratio.hpp"

#include <algorithm>
#include <cmath>

namespace spatial_dynamics {
namespace {

constexpr Index kMostRateBlocks = 100;
constexpr Index kFewestRateBlocks = 5;
constexpr double kAgreeing = 0.8;  // share of blocks that must have the same ratio

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Changes of a quantity and integrals of its logged rate over blocks of a log.
struct Changes {
  std::vector<double> integrated, changed;
};

Changes changes_of(const RobotLog& log, const VectorXd& value, const VectorXd& rate, Index block) {
  const double step = median_step(log);
  Changes changes;
  for (Index first = 0; first + block < log.size(); first += block) {
    double integrated = 0.0, changed = 0.0;
    for (Index i = first; i < first + block; ++i) {
      const double dt = log.time[to_size(i + 1)] - log.time[to_size(i)];
      if (dt > 5.0 * step) continue;  // a gap
      integrated += 0.5 * (rate(i) + rate(i + 1)) * dt;
      changed += value(i + 1) - value(i);
    }
    changes.integrated.push_back(integrated);
    changes.changed.push_back(changed);
  }
  return changes;
}

/// Integrals below this are too small to compare: noise and reversals.
double smallest_compared(const Changes& changes) {
  double squares = 0.0;
  for (const double x : changes.integrated) squares += x * x;
  return 0.5 * std::sqrt(squares / static_cast<double>(changes.integrated.size()));
}

}  // namespace

bool is_near(double value, double expected) {
  return std::abs(value - expected) < kNear * std::abs(expected);
}

double median_step(const RobotLog& log) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < log.time.size(); ++i) {
    steps.push_back(log.time[i] - log.time[i - 1]);
  }
  return median(std::move(steps));
}

bool equals_rate_but_for_turns(const RobotLog& log, const VectorXd& value, const VectorXd& rate) {
  const Changes steps = changes_of(log, value, rate, 1);
  if (steps.integrated.empty()) return false;
  const double smallest = smallest_compared(steps);
  Index compared = 0, equal = 0;
  for (std::size_t i = 0; i < steps.integrated.size(); ++i) {
    const double size = std::abs(steps.integrated[i]);
    if (size <= smallest) continue;
    ++compared;
    const double error = std::remainder(steps.changed[i] - steps.integrated[i], 2.0 * M_PI);
    equal += std::abs(error) < kNear * std::min(size, 1.0) ? 1 : 0;
  }
  return 2 * equal > compared;
}

std::optional<double> rate_ratio(const RobotLog& log, const VectorXd& value, const VectorXd& rate) {
  const Index block = std::max<Index>(1, (log.size() - 1) / kMostRateBlocks);
  const Changes changes = changes_of(log, value, rate, block);
  if (changes.integrated.empty()) return std::nullopt;
  const double smallest = smallest_compared(changes);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < changes.integrated.size(); ++i) {
    const double x = changes.integrated[i];
    if (std::abs(x) > smallest) ratios.push_back(changes.changed[i] / x);
  }
  if (static_cast<Index>(ratios.size()) < kFewestRateBlocks) return std::nullopt;
  const double ratio = median(ratios);
  const auto agreeing =
      std::count_if(ratios.begin(), ratios.end(), [ratio](double r) { return is_near(r, ratio); });
  if (static_cast<double>(agreeing) < kAgreeing * static_cast<double>(ratios.size())) {
    return std::nullopt;
  }
  return ratio;
}

}  // namespace spatial_dynamics

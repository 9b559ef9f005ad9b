// Samples of a log that a fit must not use.
#include <algorithm>
#include <cmath>

#include "spatial_dynamics/identification/log.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kAtLimit = 1e-3;          // an effort this close to its limit, relative, is at it
constexpr std::size_t kFewestAtLimit = 3;  // successive samples at a limit
constexpr std::size_t kFewestAtExtreme = 5;  // successive samples at the log's extreme
constexpr double kManyQuanta = 5.0;         // a step of a signal that is not held by its resolution
constexpr double kFasterThanLimit = 2.0;    // a jump is this many times as fast as the joint may be
constexpr double kFasterThanAround = 10.0;  // and as the samples around it
constexpr Index kAround = 8;                // samples on each side

/// The smallest step between successive values that differ; 0 if all are equal.
double quantum_of(const VectorXd& x) {
  double quantum = kUnlimited;
  for (Index i = 1; i < x.size(); ++i) {
    const double step = std::abs(x[i] - x[i - 1]);
    if (step > 0.0) quantum = std::min(quantum, step);
  }
  return std::isfinite(quantum) ? quantum : 0.0;
}

/// Marks samples that must not be used.
class BadSamples {
 public:
  BadSamples(const Model& model, RobotLog& log) : model_(model), log_(log) {
    log_.excluded.assign(to_size(log_.size()), false);
  }

  void find() {
    for (const ScalarCoordinate& c : scalar_coordinates(model_)) {
      if (log_.has_effort[to_size(c.v)]) find_saturation(c);
    }
    log_.exclusions.saturated = count();
    for (const ScalarCoordinate& c : scalar_coordinates(model_)) find_jumps(c);
    log_.exclusions.jumps = count() - log_.exclusions.saturated;
    if (count() == 0) log_.excluded.clear();
  }

 private:
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(std::count(log_.excluded.begin(), log_.excluded.end(), true));
  }
  void exclude(Index first, Index end) {
    for (Index i = first; i < end; ++i) log_.excluded[to_size(i)] = true;
  }

  /// An effort at its limit is not what the motion needs, and a sensor at the end of its range does
  /// not measure it. Such samples are at the URDF's limit, or several in a row equal the log's
  /// extreme although the effort changed by more than its resolution before.
  void find_saturation(const ScalarCoordinate& c) {
    const VectorXd effort = log_.effort.row(c.v);
    const double lowest = effort.minCoeff(), highest = effort.maxCoeff();
    const double limit = model_.joint(c.joint).limits.effort, quantum = quantum_of(effort);
    const bool has_limit = limit > 0.0 && std::isfinite(limit);
    if (!(lowest < highest)) return;
    for (Index i = 0; i < effort.size();) {
      const auto at_limit = [&](Index k) {
        return has_limit && std::abs(std::abs(effort[k]) - limit) <= kAtLimit * limit;
      };
      const auto at_extreme = [&](Index k) { return effort[k] == highest || effort[k] == lowest; };
      Index end = i;
      while (end < effort.size() && at_limit(end)) ++end;
      if (static_cast<std::size_t>(end - i) >= kFewestAtLimit) exclude(i, end);
      if (end > i) {
        i = end;
        continue;
      }
      while (end < effort.size() && at_extreme(end) && effort[end] == effort[i]) ++end;
      const double before = i > 0 ? std::abs(effort[i] - effort[i - 1]) : 0.0;
      const double after = end < effort.size() && end > i ? std::abs(effort[end] - effort[i]) : 0.0;
      if (static_cast<std::size_t>(end - i) >= kFewestAtExtreme &&
          std::max(before, after) > kManyQuanta * quantum && effort[i] != 0.0) {
        exclude(i, end);
      }
      i = std::max(end, i + 1);
    }
  }

  /// A position that the joint can't reach from the one before: an encoder that lost its count, or
  /// a lost byte. In other units than rad all steps are large, and none is a jump.
  void find_jumps(const ScalarCoordinate& c) {
    const double limit = model_.joint(c.joint).limits.velocity;
    std::vector<double> speeds;
    for (Index i = 1; i < log_.size(); ++i) {
      speeds.push_back(std::abs(log_.q(c.v, i) - log_.q(c.v, i - 1)) /
                       (log_.time[to_size(i)] - log_.time[to_size(i - 1)]));
    }
    const double allowed = limit > 0.0 && std::isfinite(limit)
                               ? kFasterThanLimit * limit
                               : kFasterThanAround * quantile(speeds, 0.99);
    const double quantum = quantum_of(log_.q.row(c.v));
    for (Index i = 1; i < log_.size(); ++i) {
      const double speed = speeds[to_size(i - 1)];
      const double step = std::abs(log_.q(c.v, i) - log_.q(c.v, i - 1));
      if (!(speed > allowed) || step <= kManyQuanta * quantum || begins_segment(i)) continue;
      const auto first = speeds.begin() + std::max<Index>(0, i - 1 - kAround);
      const auto last = speeds.begin() + std::min<Index>(log_.size() - 1, i + kAround);
      if (speed > kFasterThanAround * quantile({first, last}, 0.5)) exclude(i - 1, i + 1);
    }
  }

  [[nodiscard]] bool begins_segment(Index i) const {
    return std::any_of(log_.segments.begin(), log_.segments.end(),
                       [i](const LogSegment& segment) { return segment.first == i; });
  }

  static double quantile(std::vector<double> values, double share) {
    if (values.empty()) return 0.0;
    const auto at = values.begin() +
                    static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
  }

  const Model& model_;
  RobotLog& log_;
};

}  // namespace

void exclude_bad_samples(const Model& model, RobotLog& log) {
  if (log.size() > 0) BadSamples(model, log).find();
}

std::string exclusions_text(const LogExclusions& exclusions) {
  std::string text;
  const auto add = [&text](std::size_t count, const char* noun, const char* reason) {
    if (count == 0) return;
    text += (text.empty() ? "" : ", ") + count_text(count, noun) + reason;
  };
  add(exclusions.incomplete, "row", " without a number that is needed");
  add(exclusions.repeated, "row", " with a repeated or late time");
  add(exclusions.saturated, "sample", " with an effort at its limit");
  add(exclusions.jumps, "sample", " beside a jump of a position");
  const bool interrupted = exclusions.gaps + exclusions.clock_jumps > 0;
  if (text.empty() && !interrupted) return {};
  add(exclusions.beside, "sample", " too close to these or to an end for the filter");
  if (!interrupted) return text;
  std::string where;
  if (exclusions.gaps > 0) where = count_text(exclusions.gaps, "gap");
  if (exclusions.clock_jumps > 0) {
    where += (where.empty() ? "" : " and ") + count_text(exclusions.clock_jumps, "jump") +
             " of the clock";
  }
  return text + (text.empty() ? "" : "; ") + "the log is split at " + where;
}

}  // namespace spatial_dynamics

#include "spatial_dynamics/identification/log_samples.hpp"

#include <algorithm>
#include <cmath>

#include "identification/rate_ratio.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kWindowSeconds = 0.05;
constexpr double kWindowSamples = 9.0;
constexpr Index kFewest = 5;  // samples; a quadratic through three would not smooth

/// Least squares of x(t0 + s) ~ c0 + c1 s + c2 s^2 over the samples of a window. Row i has the
/// weights of the samples in the i-th derivative of x at t0: c0, c1 and 2 c2.
Eigen::Matrix3Xd quadratic_weights(const std::vector<double>& time, Index first, Index last,
                                   double t0, double half) {
  const Index n = last - first;
  Eigen::Matrix3Xd powers(3, n);
  for (Index i = 0; i < n; ++i) {
    const double s = (time[to_size(first + i)] - t0) / half;  // within -1 … 1
    powers.col(i) = Vector3(1.0, s, s * s);
  }
  const Matrix3 normal = powers * powers.transpose();
  Eigen::Matrix3Xd weights = normal.ldlt().solve(powers);
  weights.row(1) /= half;
  weights.row(2) *= 2.0 / (half * half);
  return weights;
}

/// The samples within `half` of one sample of a segment.
class Window {
 public:
  Window(const RobotLog& log, Index first_of_segment, Index end_of_segment, double half)
      : log_(log), end_(end_of_segment), half_(half), first(first_of_segment), last(first) {}

  /// Moves on to sample i. Returns false if there are too few on either side, or an excluded one.
  bool move_to(Index i) {
    const double t0 = time(i), slack = 1e-9 * half_;
    while (time(first) < t0 - half_ - slack) count(first++, -1);
    while (last < end_ && time(last) <= t0 + half_ + slack) count(last++, 1);
    const double before = t0 - time(first), after = time(last - 1) - t0;
    return excluded_ == 0 && last - first >= kFewest && before > 0.7 * half_ && after > 0.7 * half_;
  }

 private:
  [[nodiscard]] double time(Index i) const { return log_.time[to_size(i)]; }
  void count(Index i, Index change) {
    if (!log_.excluded.empty() && log_.excluded[to_size(i)]) excluded_ += change;
  }

  const RobotLog& log_;
  Index end_;
  double half_;
  Index excluded_ = 0;

 public:
  Index first, last;  ///< from first to before last
};

std::vector<LogSegment> segments_of(const RobotLog& log) {
  return log.segments.empty() ? std::vector<LogSegment>{LogSegment{}} : log.segments;
}

/// Filters sample i with those from `first` to before `last`, into column `to`.
void append_filtered(const RobotLog& log, Index i, Index first, Index last, double half, Index to,
                     LogSamples& samples) {
  const Eigen::Matrix3Xd w = quadratic_weights(log.time, first, last, log.time[to_size(i)], half);
  const Index width = last - first;
  if (log.v.size() != 0) {
    const auto v = log.v.middleCols(first, width);
    samples.q.col(to) = log.q.middleCols(first, width) * w.row(0).transpose();
    samples.v.col(to) = v * w.row(0).transpose();
    samples.a.col(to) = v * w.row(1).transpose();
  } else {
    const auto q = log.q.middleCols(first, width);
    samples.q.col(to) = q * w.row(0).transpose();
    samples.v.col(to) = q * w.row(1).transpose();
    samples.a.col(to) = q * w.row(2).transpose();
  }
  const auto effort = log.effort.middleCols(first, width);
  samples.effort.col(to) = effort * w.row(0).transpose();
  samples.effort_rate.col(to) = effort * w.row(1).transpose();
  samples.time.push_back(log.time[to_size(i)]);
}

LogSamples filtered(const RobotLog& log, double window_s) {
  LogSamples samples;
  const Index n = log.q.rows();
  samples.q.resize(n, log.size());
  samples.v.resize(n, log.size());
  samples.a.resize(n, log.size());
  samples.effort.resize(n, log.size());
  samples.effort_rate.resize(n, log.size());
  const double half = 0.5 * window_s;
  Index count = 0;
  const std::vector<LogSegment> segments = segments_of(log);
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const Index begin = segments[s].first;
    const Index end = s + 1 < segments.size() ? segments[s + 1].first : log.size();
    Window window(log, begin, end, half);
    const Index count_before = count;
    for (Index i = begin; i < end; ++i) {
      if (window.move_to(i))
        append_filtered(log, i, window.first, window.last, half, count++, samples);
    }
    if (count > count_before) samples.segments.push_back({count_before, segments[s].source});
  }
  for (MatrixXd* const m :
       {&samples.q, &samples.v, &samples.a, &samples.effort, &samples.effort_rate}) {
    m->conservativeResize(n, count);
  }
  samples.window_s = window_s;
  samples.filter = std::string("quadratics fitted to ") +
                   (log.v.size() != 0 ? "velocities" : "positions") + " and efforts within " +
                   rounded_text(1e3 * window_s) + " ms (zero phase)";
  return samples;
}

/// The log's own numbers, without the excluded samples.
LogSamples unfiltered(const RobotLog& log) {
  LogSamples samples;
  std::vector<Index> kept;
  std::vector<LogSegment> segments = segments_of(log);
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const Index end = s + 1 < segments.size() ? segments[s + 1].first : log.size();
    const auto before = static_cast<Index>(kept.size());
    for (Index i = segments[s].first; i < end; ++i) {
      if (log.excluded.empty() || !log.excluded[to_size(i)]) kept.push_back(i);
    }
    if (static_cast<Index>(kept.size()) > before) {
      samples.segments.push_back({before, segments[s].source});
    }
  }
  for (const Index i : kept) samples.time.push_back(log.time[to_size(i)]);
  samples.q = log.q(Eigen::all, kept);
  samples.v = log.v(Eigen::all, kept);
  samples.a = log.a(Eigen::all, kept);
  samples.effort = log.effort(Eigen::all, kept);
  samples.filter = "none";
  return samples;
}

}  // namespace

LogSamples make_samples(const RobotLog& log, double window_s) {
  if (log.size() < 2)
    throw LogError(
        "the log has fewer than two complete rows; record for longer, or check that each row "
        "has the positions of all joints.");
  LogSamples samples;
  if (log.a.size() != 0 && log.v.size() != 0 && window_s == 0.0) {
    samples = unfiltered(log);
    if (samples.size() == 0)
      throw LogError("all samples of the log are excluded; see its efforts.");
  } else {
    const double width =
        window_s > 0.0 ? window_s : std::max(kWindowSeconds, kWindowSamples * median_step(log));
    samples = filtered(log, width);
    if (samples.size() == 0) {
      throw LogError("no sample of the log has five usable neighbours within " +
                     rounded_text(1e3 * width) +
                     " ms; record for longer or faster, or widen --window.");
    }
  }
  samples.exclusions = log.exclusions;
  samples.exclusions.beside =
      to_size(log.size() - samples.size()) - log.exclusions.saturated - log.exclusions.jumps;
  samples.has_effort = log.has_effort;
  return samples;
}

}  // namespace spatial_dynamics

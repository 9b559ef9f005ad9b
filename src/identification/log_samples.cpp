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

/// Finds the samples within `half` of sample i. Returns false if there are too few on either side.
bool find_window(const std::vector<double>& time, Index i, double half, Index& first, Index& last) {
  const double t0 = time[to_size(i)], slack = 1e-9 * half;
  while (time[to_size(first)] < t0 - half - slack) ++first;
  while (last < static_cast<Index>(time.size()) && time[to_size(last)] <= t0 + half + slack) ++last;
  const double before = t0 - time[to_size(first)], after = time[to_size(last - 1)] - t0;
  return last - first >= kFewest && before > 0.7 * half && after > 0.7 * half;
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
  Index first = 0, last = 0, count = 0;
  for (Index i = 0; i < log.size(); ++i) {
    if (!find_window(log.time, i, half, first, last)) continue;
    const Eigen::Matrix3Xd w = quadratic_weights(log.time, first, last, log.time[to_size(i)], half);
    const Index width = last - first;
    if (log.v.size() != 0) {
      const auto v = log.v.middleCols(first, width);
      samples.q.col(count) = log.q.middleCols(first, width) * w.row(0).transpose();
      samples.v.col(count) = v * w.row(0).transpose();
      samples.a.col(count) = v * w.row(1).transpose();
    } else {
      const auto q = log.q.middleCols(first, width);
      samples.q.col(count) = q * w.row(0).transpose();
      samples.v.col(count) = q * w.row(1).transpose();
      samples.a.col(count) = q * w.row(2).transpose();
    }
    const auto effort = log.effort.middleCols(first, width);
    samples.effort.col(count) = effort * w.row(0).transpose();
    samples.effort_rate.col(count) = effort * w.row(1).transpose();
    samples.time.push_back(log.time[to_size(i)]);
    ++count;
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

}  // namespace

LogSamples make_samples(const RobotLog& log, double window_s) {
  if (log.size() < 2)
    throw LogError(
        "the log has fewer than two complete rows; record for longer, or check that each row "
        "has the positions of all joints.");
  LogSamples samples;
  if (log.a.size() != 0 && log.v.size() != 0 && window_s == 0.0) {
    samples = {log.time, log.q, log.v, log.a, log.effort, {}, {}, "none", 0.0};
  } else {
    const double width =
        window_s > 0.0 ? window_s : std::max(kWindowSeconds, kWindowSamples * median_step(log));
    samples = filtered(log, width);
    if (samples.size() == 0) {
      throw LogError("no sample of the log has five neighbours within " +
                     rounded_text(1e3 * width) +
                     " ms; record for longer or faster, or widen --window.");
    }
  }
  samples.has_effort = log.has_effort;
  return samples;
}

}  // namespace spatial_dynamics

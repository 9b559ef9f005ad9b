#include "identification/fit_samples.hpp"

#include <algorithm>
#include <cmath>

#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kFitWindowSeconds = 0.1, kFitWindowSamples = 15.0;
constexpr Index kFewestInWindow = 7;  // samples; a polynomial of fourth degree has five numbers
constexpr double kFullWindow = 0.9;   // the samples must reach this share of the half width
constexpr double kSamplesPerWindow = 4.0;
constexpr Index kPowers = 5;

using Weights = Eigen::Matrix<double, kPowers, Eigen::Dynamic>;

/// Weights of the samples in the derivatives 0 to 4 at t0 of the polynomial that is fitted to them.
/// Those of the last window are kept: equally spaced samples have the same.
class LocalPolynomial {
 public:
  explicit LocalPolynomial(double half) : half_(half) {}

  const Weights& at(const std::vector<double>& time, Index first, Index last, double t0) {
    const Index n = last - first;
    bool same = n == weights_.cols();
    for (Index i = 0; same && i < n; ++i) {
      same = std::abs(time[to_size(first + i)] - t0 - offsets_[to_size(i)]) < 1e-6 * half_;
    }
    if (same) return weights_;
    offsets_.resize(to_size(n));
    weights_.resize(kPowers, n);
    for (Index i = 0; i < n; ++i) {
      offsets_[to_size(i)] = time[to_size(first + i)] - t0;
      const double s = offsets_[to_size(i)] / half_;
      weights_.col(i) << 1.0, s, s * s, s * s * s, s * s * s * s;
    }
    const Eigen::Matrix<double, kPowers, kPowers> normal = weights_ * weights_.transpose();
    weights_ = normal.ldlt().solve(weights_).eval();
    double factor = 1.0;
    for (Index k = 1; k < kPowers; ++k) {
      factor *= static_cast<double>(k) / half_;
      weights_.row(k) *= factor;
    }
    return weights_;
  }

 private:
  double half_;
  std::vector<double> offsets_;
  Weights weights_;
};

/// Times of samples in runs; no window may span two runs.
struct Timeline {
  std::vector<double> time;
  std::vector<Index> run;

  /// Moves the window to sample i. Returns false if it is not full.
  bool window(Index i, double half, Index& first, Index& last) const {
    const double t0 = time[to_size(i)], slack = 1e-6 * half;
    const Index here = run[to_size(i)];
    const auto n = static_cast<Index>(time.size());
    first = std::min(first, i);
    while (run[to_size(first)] != here || time[to_size(first)] < t0 - half - slack) ++first;
    last = std::max(last, i + 1);
    while (last < n && run[to_size(last)] == here && time[to_size(last)] <= t0 + half + slack) {
      ++last;
    }
    const double before = t0 - time[to_size(first)], after = time[to_size(last - 1)] - t0;
    return last - first >= kFewestInWindow && before > kFullWindow * half - slack &&
           after > kFullWindow * half - slack;
  }
};

double median_interval(const std::vector<double>& time) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < time.size(); ++i) steps.push_back(time[i] - time[i - 1]);
  if (steps.empty()) return 0.0;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

/// The usable samples of the log; a run ends at a segment's end and at a gap.
Timeline usable_samples(const RobotLog& log, double half, std::vector<Index>& samples) {
  Timeline line;
  std::size_t segment = 0;
  Index run = 0;
  for (Index i = 0; i < log.size(); ++i) {
    bool begins = false;
    while (segment + 1 < log.segments.size() && log.segments[segment + 1].first <= i) {
      ++segment;
      begins = true;
    }
    if (!log.excluded.empty() && log.excluded[to_size(i)]) {
      run += begins ? 1 : 0;
      continue;
    }
    const double t = log.time[to_size(i)];
    if (begins || (!line.time.empty() && t - line.time.back() > half)) ++run;
    line.time.push_back(t);
    line.run.push_back(run);
    samples.push_back(i);
  }
  return line;
}

std::size_t source_of(const RobotLog& log, Index sample) {
  std::size_t source = 0;
  for (const LogSegment& segment : log.segments) {
    if (segment.first <= sample) source = segment.source;
  }
  return source;
}

}  // namespace

double fit_window(const RobotLog& log) {
  return std::max(kFitWindowSeconds, kFitWindowSamples * median_interval(log.time));
}

DerivedStates derive_states(const RobotLog& log, double window_s) {
  const double half = 0.5 * window_s;
  std::vector<Index> samples;
  const Timeline line = usable_samples(log, half, samples);
  const Index n = log.q.rows(), count = static_cast<Index>(line.time.size());
  MatrixXd positions(n, count);
  for (Index i = 0; i < count; ++i) positions.col(i) = log.q.col(samples[to_size(i)]);
  DerivedStates states;
  states.q.resize(n, count);
  states.v.resize(n, count);
  states.a.resize(n, count);
  LocalPolynomial polynomial(half);
  Index first = 0, last = 0, filled = 0, run = 0, before = -2;
  for (Index i = 0; i < count; ++i) {
    if (!line.window(i, half, first, last)) continue;
    const Weights& w = polynomial.at(line.time, first, last, line.time[to_size(i)]);
    const auto part = positions.middleCols(first, last - first);
    states.q.col(filled).noalias() = part * w.row(0).transpose();
    states.v.col(filled).noalias() = part * w.row(1).transpose();
    states.a.col(filled).noalias() = part * w.row(2).transpose();
    if (i != before + 1 || line.run[to_size(i)] != line.run[to_size(std::max<Index>(before, 0))]) {
      ++run;
    }
    before = i;
    states.sample.push_back(samples[to_size(i)]);
    states.run.push_back(run);
    ++filled;
  }
  for (MatrixXd* const m : {&states.q, &states.v, &states.a}) m->conservativeResize(n, filled);
  if (filled == 0) {
    throw LogError("no sample of the log has " + std::to_string(kFewestInWindow) +
                   " neighbours within " + rounded_text(1e3 * window_s) +
                   " ms; record for longer or faster, or widen --window.");
  }
  return states;
}

FitSamples make_fit_samples(const RobotLog& log, const DerivedStates& states, double window_s,
                            double friction_speed, double lag_s) {
  const double half = 0.5 * window_s, step = window_s / kSamplesPerWindow;
  Timeline line;
  for (const Index sample : states.sample) line.time.push_back(log.time[to_size(sample)]);
  line.run = states.run;
  const Index n = states.q.rows(), count = states.size();
  MatrixXd efforts(n, count);
  for (Index i = 0; i < count; ++i) efforts.col(i) = log.effort.col(states.sample[to_size(i)]);
  const MatrixXd directions = (states.v.array() / friction_speed).tanh();
  FitSamples fit;
  for (MatrixXd* const m : {&fit.q, &fit.v, &fit.a, &fit.effort, &fit.direction}) {
    m->resize(n, count);
  }
  LocalPolynomial polynomial(half);
  Index first = 0, last = 0, filled = 0, run = -1;
  double next = 0.0;
  for (Index i = 0; i < count; ++i) {
    const double t = line.time[to_size(i)];
    if (line.run[to_size(i)] == run && t < next - 1e-6 * step) continue;
    if (!line.window(i, half, first, last)) continue;
    next = line.run[to_size(i)] == run ? next + step : t + step;
    run = line.run[to_size(i)];
    const Weights& w = polynomial.at(line.time, first, last, t);
    const VectorXd later = w.row(0) + lag_s * w.row(1) + 0.5 * lag_s * lag_s * w.row(2);
    fit.q.col(filled) = states.q.col(i);
    fit.v.col(filled) = states.v.col(i);
    fit.a.col(filled) = states.a.col(i);
    fit.effort.col(filled).noalias() = efforts.middleCols(first, last - first) * later;
    fit.direction.col(filled).noalias() =
        directions.middleCols(first, last - first) * w.row(0).transpose();
    fit.time.push_back(t);
    fit.run.push_back(run);
    fit.source.push_back(source_of(log, states.sample[to_size(i)]));
    ++filled;
  }
  for (MatrixXd* const m : {&fit.q, &fit.v, &fit.a, &fit.effort, &fit.direction}) {
    m->conservativeResize(n, filled);
  }
  if (filled == 0) {
    throw LogError("no part of the log without a gap is two windows of " +
                   rounded_text(1e3 * window_s) +
                   " ms long; record for longer, or narrow --window.");
  }
  return fit;
}

}  // namespace spatial_dynamics

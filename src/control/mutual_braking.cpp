#include "mutual_braking.hpp"

#include <algorithm>
#include <cmath>

namespace spatial_dynamics {
namespace {

constexpr double kSteep = 10.0;    // of the cost beyond the last resort
constexpr double kReversal = 0.1;  // rad/s or m/s
constexpr double kEnough = 0.3;    // of the gap: a smaller violation is accepted

constexpr double kInside = 0.05;        // least distance of the first x from 0 and 1
constexpr double kNearness = 1e-6;      // cost of the distance from the wanted torque
constexpr double kFirstBarrier = 10.0;  // share of the first cost
constexpr double kFastestDecay = 0.05;  // of smoothing and barrier with each step
constexpr double kLeastSmoothing = 1e-4, kLeastBarrier = 1e-6;
constexpr double kLittleGain = 0.999;  // ratio of costs: the end
constexpr double kToLimit = 0.98;      // longest step, as a share of the way to a limit
constexpr double kFar = 10.0;          // from a bound, in units of the smoothing: no cost

/// The derivatives of a smoothed max(t, 0)^2 / 2.
struct SmoothCost {
  double slope, curvature;
};
SmoothCost smooth_cost(double t, double smoothing) noexcept {
  const double root = std::sqrt(t * t + 4.0 * smoothing);
  return {0.5 * (t + root), 0.5 * (1.0 + t / root)};
}

}  // namespace

MutualBraking::MutualBraking(Index nv)
    : lowest_(VectorXd::Zero(nv)),
      lower_(to_size(nv)),
      upper_(to_size(nv)),
      weighted_(MatrixXd::Zero(nv, nv)),
      hessian_(weighted_),
      newton_(nv) {
  highest_ = scale_ = u_ = a_ = slope_ = weight_ = direction_ = change_ = lowest_;
  bounded_.reserve(to_size(nv));
  variables_.reserve(to_size(nv));
  rows_.reserve(to_size(nv));
}

/// A torque may change against the motion of its coordinate: that before the period, and that which
/// the wanted torques produce by its end. Braking ends at rest: a speed is not reversed unless it
/// was already. What a coordinate may exceed this bound by is a small share of its speeds.
void MutualBraking::prepare(const BrakingProblem& p, const VectorXd& wanted,
                            const VectorXd& free) noexcept {
  bounded_.clear();
  const double reversal = std::max(kReversal / p.period_s, 1.0);
  for (Index i = 0; i < wanted.size(); ++i) {
    const double v = p.speed(i), end = p.end_speed(i), rest = -v / p.period_s;
    lowest_(i) = v > 0.0 || end > 0.0 ? p.lowest(i) : wanted(i);
    highest_(i) = v < 0.0 || end < 0.0 ? p.highest(i) : wanted(i);
    scale_(i) = 1.0 / p.scale(i);
    double lower = p.lower(i), upper = p.upper(i);
    double lower_gap = gap_of(lower, p.lower_last(i)), upper_gap = gap_of(upper, p.upper_last(i));
    if (v > 0.0 && lower < std::min(rest, free(i))) {
      lower = std::min(rest, free(i));
      lower_gap = reversal;
    }
    if (v < 0.0 && upper > std::max(rest, free(i))) {
      upper = std::max(rest, free(i));
      upper_gap = reversal;
    }
    if (!std::isfinite(lower) && !std::isfinite(upper)) continue;
    lower_[to_size(i)] = {lower, lower_gap, 1.0 / lower_gap};
    upper_[to_size(i)] = {upper, upper_gap, 1.0 / upper_gap};
    bounded_.push_back(i);
  }
}

double MutualBraking::cost(const VectorXd& a) noexcept {
  double sum = 0.0;
  worst_ = 0.0;
  for (const Index i : bounded_) {
    const bool above = a(i) > upper_[to_size(i)].value;
    const Bound& bound = (above ? upper_ : lower_)[to_size(i)];
    const double violation = above ? a(i) - bound.value : bound.value - a(i);
    if (!(violation > 0.0)) continue;
    const double t = violation * bound.inverse_gap;
    const double beyond = std::max(violation - bound.gap, 0.0) * scale_(i);
    sum += 0.5 * t * t + 0.5 * kSteep * beyond * beyond;
    worst_ = std::max(worst_, t);
  }
  return sum;
}

/// The first iterate: near `u`, but within the limits of the torques.
void MutualBraking::begin(const VectorXd& wanted, MassInverse& inverse, VectorXd& a,
                          VectorXd& u) noexcept {
  variables_.clear();
  u_ = u;
  for (Index j = 0; j < u.size(); ++j) {
    const double lowest = lowest_(j), width = highest_(j) - lowest;
    if (!(width > 0.0)) continue;
    const double x = std::clamp((u(j) - lowest) / width, kInside, 1.0 - kInside);
    variables_.push_back({j, lowest, width, x, (wanted(j) - lowest) / width, 0.0, 0.0});
    u_(j) = lowest + x * width;
  }
  a_ = u_ - u;
  inverse.solve(a_);
  a_ += a;
  const double first = cost(a_);
  smoothing_ = std::max(worst_ * worst_, kLeastSmoothing);
  barrier_ =
      kFirstBarrier * std::max(first, 1e-3) / std::max(static_cast<double>(variables_.size()), 1.0);
  for (Variable& variable : variables_) {
    variable.below = barrier_ / variable.x;
    variable.above = barrier_ / (1.0 - variable.x);
  }
}

/// The derivatives of the smoothed costs.
void MutualBraking::differentiate() noexcept {
  const double far = -kFar * std::sqrt(smoothing_);
  slope_.setZero();
  rows_.clear();
  for (const Index i : bounded_) {
    double slope = 0.0, curvature = 0.0;
    for (const double sign : {-1.0, 1.0}) {
      const Bound& bound = (sign > 0.0 ? upper_ : lower_)[to_size(i)];
      const double violation = sign * (a_(i) - bound.value), t = violation * bound.inverse_gap;
      if (!(t > far)) continue;
      const SmoothCost c = smooth_cost(t, smoothing_);
      slope += sign * c.slope * bound.inverse_gap;
      curvature += c.curvature * bound.inverse_gap * bound.inverse_gap;
      const double beyond = (violation - bound.gap) * scale_(i);
      if (!(beyond > far)) continue;
      const SmoothCost more = smooth_cost(beyond, smoothing_);
      slope += sign * kSteep * more.slope * scale_(i);
      curvature += kSteep * more.curvature * scale_(i) * scale_(i);
    }
    if (curvature == 0.0) continue;
    slope_(i) = slope;
    weight_(static_cast<Index>(rows_.size())) = std::sqrt(curvature);
    rows_.push_back(i);
  }
}

/// Newton's direction: (W' C W + barrier) dx = -gradient, in units of the widths.
bool MutualBraking::find_direction(MassInverse& inverse) noexcept {
  change_ = slope_;
  inverse.solve(change_);
  const auto n = static_cast<Index>(variables_.size()), rows = static_cast<Index>(rows_.size());
  for (Index k = 0; k < n; ++k) {
    const Variable& v = variables_[to_size(k)];
    const auto column = inverse.column(v.coordinate);
    double* const weighted = &weighted_(0, k);
    for (Index r = 0; r < rows; ++r) {
      weighted[r] = v.width * weight_(r) * column(rows_[to_size(r)]);
    }
    for (Index l = 0; l <= k; ++l) {
      hessian_(l, k) = dot(&weighted_(0, k), &weighted_(0, l), rows);
    }
    hessian_(k, k) += kNearness + v.below / v.x + v.above / (1.0 - v.x);
    direction_(k) = -v.width * change_(v.coordinate) - kNearness * (v.x - v.wanted) +
                    barrier_ / v.x - barrier_ / (1.0 - v.x);
  }
  if (!newton_.factorise(hessian_, n)) return false;
  newton_.solve(direction_);
  return true;
}

/// Moves along the direction, but not onto a limit.
void MutualBraking::advance(MassInverse& inverse) noexcept {
  double share = 1.0;
  const auto keep_positive = [&](double value, double change) {
    if (change < 0.0) share = std::min(share, -kToLimit * value / change);
  };
  const auto below_change = [&](const Variable& v, double d) {
    return (barrier_ - v.below * d) / v.x - v.below;
  };
  const auto above_change = [&](const Variable& v, double d) {
    return (barrier_ + v.above * d) / (1.0 - v.x) - v.above;
  };
  for (std::size_t k = 0; k < variables_.size(); ++k) {
    const Variable& v = variables_[k];
    const double d = direction_(static_cast<Index>(k));
    keep_positive(v.x, d);
    keep_positive(1.0 - v.x, -d);
    keep_positive(v.below, below_change(v, d));
    keep_positive(v.above, above_change(v, d));
  }
  change_.setZero();
  for (std::size_t k = 0; k < variables_.size(); ++k) {
    Variable& v = variables_[k];
    const double d = direction_(static_cast<Index>(k));
    const double below = below_change(v, d), above = above_change(v, d);
    v.below += share * below;
    v.above += share * above;
    v.x += share * d;
    change_(v.coordinate) = share * d * v.width;
    u_(v.coordinate) = v.lowest + v.x * v.width;
  }
  inverse.solve(change_);
  a_ += change_;
  // With a smaller barrier than the step permits, the next steps would be short.
  const double decay = std::max(1.0 - share, kFastestDecay);
  smoothing_ = std::max(decay * smoothing_, kLeastSmoothing);
  barrier_ *= decay;
}

void MutualBraking::solve(const BrakingProblem& problem, const VectorXd& wanted,
                          const VectorXd& free, MassInverse& inverse, VectorXd& a,
                          VectorXd& u) noexcept {
  prepare(problem, wanted, free);
  u_ = u.cwiseMax(lowest_).cwiseMin(highest_);
  if (u_ != u) {
    a_ = u_ - u;
    inverse.solve(a_);
    a += a_;
    u = u_;
  }
  double least = cost(a);
  if (worst_ <= kEnough || steps_left_ <= 0) return;
  begin(wanted, inverse, a, u);
  bool ends = variables_.empty();
  for (; !ends && steps_left_ > 0; --steps_left_) {
    differentiate();
    if (!find_direction(inverse)) return;
    advance(inverse);
    const double present = cost(a_);
    ends = worst_ <= kEnough || (smoothing_ <= kLeastSmoothing && barrier_ <= kLeastBarrier &&
                                 present > kLittleGain * least);
    if (!(present < least)) continue;
    least = present;
    a = a_;
    u = u_;
  }
}

}  // namespace spatial_dynamics

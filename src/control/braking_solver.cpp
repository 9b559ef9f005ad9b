#include "braking_solver.hpp"

#include <algorithm>
#include <cmath>

namespace spatial_dynamics {
namespace {

constexpr int kBlockRounds = 6, kRounds = 40;  // of brake_each()
constexpr double kTolerance = 1e-4;            // rad/s^2 or m/s^2
constexpr double kSatisfied = 0.01;   // of the distance between a bound and its last resort
constexpr double kSteep = 10.0;       // of the penalty beyond the last resort
constexpr double kSmallestGap = 1.0;  // rad/s^2 or m/s^2

constexpr double kReversal = 0.1;  // rad/s or m/s
constexpr double kNearness = 1e-6;
constexpr int kNewtonSteps = 15;
constexpr double kShorter = 0.4, kShortest = 1e-4;  // line search
constexpr double kDecrease = 1e-4;                  // share of the penalty: less is no progress

double gap_of(double bound, double last) noexcept {
  if (!std::isfinite(last - bound)) return kSmallestGap;  // no bound
  return std::max(std::abs(last - bound), kSmallestGap);
}

/// Derivative of the penalty of a violation, which is measured in distances to the last resort.
struct Penalty {
  double value = 0.0, slope = 0.0, curvature = 0.0;  // slope, curvature: with respect to a
};

/// Of a violation: (violation / gap)^2 / 2, where gap is the distance to the last resort. What is
/// beyond the last resort counts in units of `scale`, which are alike for all coordinates.
Penalty penalty_of(double violation, double gap, double scale) noexcept {
  const double t = violation / gap;
  Penalty result{0.5 * t * t, t / gap, 1.0 / (gap * gap)};
  const double beyond = (violation - gap) / scale;
  if (beyond <= 0.0) return result;
  result.value += 0.5 * kSteep * beyond * beyond;
  result.slope += kSteep * beyond / scale;
  result.curvature += kSteep / (scale * scale);
  return result;
}

Penalty penalty_of(Index i, const BrakingProblem& p, double a) noexcept {
  if (a > p.upper(i)) {
    return penalty_of(a - p.upper(i), gap_of(p.upper(i), p.upper_last(i)), p.scale(i));
  }
  if (a >= p.lower(i)) return {};
  Penalty below = penalty_of(p.lower(i) - a, gap_of(p.lower(i), p.lower_last(i)), p.scale(i));
  below.slope = -below.slope;
  return below;
}

}  // namespace

BrakingProblem::BrakingProblem(Index nv)
    : lower(VectorXd::Constant(nv, -kUnlimited)),
      upper(VectorXd::Constant(nv, kUnlimited)),
      lower_last(lower),
      upper_last(upper),
      lowest(lower),
      highest(upper),
      speed(VectorXd::Zero(nv)),
      end_speed(speed),
      scale(VectorXd::Ones(nv)) {}

void BrakingProblem::clear() noexcept {
  lower.setConstant(-kUnlimited);
  upper.setConstant(kUnlimited);
  lower_last = lowest = lower;
  upper_last = highest = upper;
}

BrakingSolver::BrakingSolver(Index nv)
    : together_(nv),
      wanted_(VectorXd::Zero(nv)),
      free_(wanted_),
      newton_(nv),
      hessian_(MatrixXd::Zero(nv, nv)),
      gradient_(wanted_),
      direction_(wanted_),
      stiffness_(wanted_),
      trial_a_(wanted_),
      trial_u_(wanted_),
      condition_(to_size(nv), Condition::kFree),
      locked_(to_size(nv), 0),
      change_(wanted_),
      torque_change_(wanted_) {
  bounded_.reserve(to_size(nv));
}

bool BrakingSolver::solve(const BrakingProblem& problem, MassInverse& inverse, VectorXd& a,
                          VectorXd& u) noexcept {
  wanted_ = u;
  free_ = a;
  find_bounded(problem);
  brake_each(problem, inverse, a, u);
  if (satisfies(problem, a)) return true;
  prepare_together(problem, inverse);
  trial_u_ = u.cwiseMax(together_.lowest).cwiseMin(together_.highest);
  for (Index j = 0; j < u.size(); ++j) {
    if (trial_u_(j) != u(j)) a += (trial_u_(j) - u(j)) * inverse.column(j);
  }
  u = trial_u_;
  brake_together(inverse, a, u);
  return satisfies(problem, a);
}

void BrakingSolver::find_bounded(const BrakingProblem& p) noexcept {
  bounded_.clear();
  for (Index i = 0; i < p.upper.size(); ++i) {
    if (std::isfinite(p.upper(i)) || std::isfinite(p.lower(i))) bounded_.push_back(i);
  }
}

/// Principal pivoting: it is guessed which accelerations are at a bound and which torques at a
/// limit; what follows corrects the guess. The solution is unique. After a few rounds only one
/// coordinate changes per round, so that guesses do not repeat.
void BrakingSolver::brake_each(const BrakingProblem& p, MassInverse& inverse, VectorXd& a,
                               VectorXd& u) noexcept {
  std::fill(condition_.begin(), condition_.end(), Condition::kFree);
  std::fill(locked_.begin(), locked_.end(), std::uint8_t{0});
  prepared_ = false;
  for (int round = 0; round < kRounds; ++round) {
    bool changed = false;
    for (auto i = bounded_.rbegin(); i != bounded_.rend(); ++i) {
      const Condition condition = next(p, *i, a(*i), u(*i));
      if (condition == condition_[to_size(*i)]) continue;
      condition_[to_size(*i)] = condition;
      changed = true;
      if (round >= kBlockRounds) break;
    }
    if (!changed || !apply(p, inverse, a, u)) break;
  }
  const bool within =
      (u.array() >= p.lowest.array()).all() && (u.array() <= p.highest.array()).all();
  if (within) return;
  // The rounds did not suffice, or u is beyond a limit by a rounding error.
  std::fill(locked_.begin(), locked_.end(), std::uint8_t{0});
  change_ = u.cwiseMax(p.lowest).cwiseMin(p.highest) - wanted_;
  if (!prepared_) inverse.prepare_locked();
  if (inverse.solve_locked(locked_, change_, torque_change_)) a = free_ + change_;
  u = u.cwiseMax(p.lowest).cwiseMin(p.highest);
}

/// Computes accelerations and torques under the present conditions.
bool BrakingSolver::apply(const BrakingProblem& p, MassInverse& inverse, VectorXd& a,
                          VectorXd& u) noexcept {
  change_.setZero();
  int changed = 0;
  Index last = 0;
  for (const Index i : bounded_) {
    const Condition condition = condition_[to_size(i)];
    const bool upper = condition == Condition::kAtUpper, lower = condition == Condition::kAtLower;
    locked_[to_size(i)] = upper || lower ? 1 : 0;
    if (condition == Condition::kFree) continue;
    ++changed;
    last = i;
    if (upper) change_(i) = p.upper(i) - free_(i);
    if (lower) change_(i) = p.lower(i) - free_(i);
    if (condition == Condition::kLowest) change_(i) = p.lowest(i) - wanted_(i);
    if (condition == Condition::kHighest) change_(i) = p.highest(i) - wanted_(i);
  }
  if (changed == 1 && locked_[to_size(last)] != 0) {  // the usual case
    const auto column = inverse.column(last);
    const double torque = change_(last) / column(last);
    a = free_ + torque * column;
    u = wanted_;
    u(last) += torque;
    return true;
  }
  if (!prepared_) inverse.prepare_locked();
  prepared_ = true;
  if (!inverse.solve_locked(locked_, change_, torque_change_)) return false;
  a = free_ + change_;
  u = wanted_ + torque_change_;
  return true;
}

/// The condition of coordinate i that its acceleration and torque require.
BrakingSolver::Condition BrakingSolver::next(const BrakingProblem& p, Index i, double a,
                                             double u) const noexcept {
  const Condition present = condition_[to_size(i)];
  switch (present) {
    case Condition::kAtUpper:
      if (u > wanted_(i)) return Condition::kFree;
      return u < p.lowest(i) ? Condition::kLowest : present;
    case Condition::kAtLower:
      if (u < wanted_(i)) return Condition::kFree;
      return u > p.highest(i) ? Condition::kHighest : present;
    case Condition::kLowest:
      return a < p.upper(i) - kTolerance ? Condition::kAtUpper : present;
    case Condition::kHighest:
      return a > p.lower(i) + kTolerance ? Condition::kAtLower : present;
    case Condition::kFree:
      break;
  }
  if (a > p.upper(i) + kTolerance) return Condition::kAtUpper;
  return a < p.lower(i) - kTolerance ? Condition::kAtLower : Condition::kFree;
}

bool BrakingSolver::satisfies(const BrakingProblem& p, const VectorXd& a) const noexcept {
  return std::all_of(bounded_.begin(), bounded_.end(), [&](Index i) {
    return a(i) <= p.upper(i) + kSatisfied * gap_of(p.upper(i), p.upper_last(i)) &&
           a(i) >= p.lower(i) - kSatisfied * gap_of(p.lower(i), p.lower_last(i));
  });
}

/// The bounds of the second stage. A torque may change against the motion of its coordinate: that
/// before the period, and that which the wanted torques produce by its end. Braking ends at rest: a
/// speed is not reversed unless it was already. What a coordinate may exceed this bound by is a
/// small share of its speeds.
void BrakingSolver::prepare_together(const BrakingProblem& p, MassInverse& inverse) noexcept {
  together_ = p;
  bounded_.clear();
  for (Index i = 0; i < wanted_.size(); ++i) {
    const double v = p.speed(i), rest = -v / p.period_s;
    const double end = p.end_speed(i);
    together_.lowest(i) = v > 0.0 || end > 0.0 ? p.lowest(i) : wanted_(i);
    together_.highest(i) = v < 0.0 || end < 0.0 ? p.highest(i) : wanted_(i);
    const double gap = std::max(kReversal / p.period_s, kSmallestGap);
    if (v > 0.0 && p.lower(i) < std::min(rest, free_(i))) {
      together_.lower(i) = std::min(rest, free_(i));
      together_.lower_last(i) = together_.lower(i) - gap;
    }
    if (v < 0.0 && p.upper(i) > std::max(rest, free_(i))) {
      together_.upper(i) = std::max(rest, free_(i));
      together_.upper_last(i) = together_.upper(i) + gap;
    }
    if (std::isfinite(together_.upper(i)) || std::isfinite(together_.lower(i))) {
      bounded_.push_back(i);
    }
    const double weight = inverse.column(i)(i) / gap_of(p.lower(i), p.lower_last(i));
    stiffness_(i) = kNearness * weight * weight;
  }
}

/// The penalties of all bounds, and a small penalty on the distance from the wanted torques.
double BrakingSolver::penalty(const VectorXd& a, const VectorXd& u) const noexcept {
  double sum = 0.0;
  for (const Index i : bounded_) sum += penalty_of(i, together_, a(i)).value;
  for (Index j = 0; j < u.size(); ++j) {
    const double change = u(j) - wanted_(j);
    sum += 0.5 * stiffness_(j) * change * change;
  }
  return sum;
}

/// Gradient and Hessian with respect to the torques. Rows of torques that cannot decrease the
/// penalty, because they are at their limit, are replaced by those of the identity.
void BrakingSolver::differentiate(MassInverse& inverse, const VectorXd& a,
                                  const VectorXd& u) noexcept {
  gradient_ = stiffness_.cwiseProduct(u - wanted_);
  hessian_.setZero();
  hessian_.diagonal() = stiffness_;
  for (const Index i : bounded_) {
    const Penalty p = penalty_of(i, together_, a(i));
    if (p.slope == 0.0) continue;
    const auto row = inverse.column(i);  // M^-1 is symmetric
    gradient_ += p.slope * row;
    if (p.curvature == 0.0) continue;
    for (Index j = 0; j < u.size(); ++j) hessian_.col(j) += (p.curvature * row(j)) * row;
  }
  for (Index j = 0; j < u.size(); ++j) {
    const bool held = !(together_.lowest(j) < together_.highest(j)) ||
                      (u(j) <= together_.lowest(j) && gradient_(j) >= 0.0) ||
                      (u(j) >= together_.highest(j) && gradient_(j) <= 0.0);
    if (!held) continue;
    gradient_(j) = 0.0;
    hessian_.row(j).setZero();
    hessian_.col(j).setZero();
    hessian_(j, j) = 1.0;
  }
}

/// Minimises penalty() along one torque after the other, by Newton steps.
void BrakingSolver::relax(MassInverse& inverse, VectorXd& a, VectorXd& u) noexcept {
  constexpr int kSteps = 3;
  for (Index j = 0; j < u.size(); ++j) {
    if (!(together_.lowest(j) < together_.highest(j))) continue;
    const auto column = inverse.column(j);
    for (int k = 0; k < kSteps; ++k) {
      double slope = stiffness_(j) * (u(j) - wanted_(j)), curvature = stiffness_(j);
      for (const Index i : bounded_) {
        const Penalty p = penalty_of(i, together_, a(i));
        slope += p.slope * column(i);
        curvature += p.curvature * column(i) * column(i);
      }
      const double torque =
          std::clamp(u(j) - slope / curvature, together_.lowest(j), together_.highest(j));
      const double step = torque - u(j);
      if (step == 0.0) break;
      u(j) = torque;
      a += step * column;
    }
  }
}

/// Minimises penalty(), which is convex and piecewise quadratic, by projected Newton steps.
void BrakingSolver::brake_together(MassInverse& inverse, VectorXd& a, VectorXd& u) noexcept {
  for (int step = 0; step < kNewtonSteps; ++step) {
    const double before = penalty(a, u);
    trial_a_ = a;
    trial_u_ = u;
    relax(inverse, trial_a_, trial_u_);
    double present = penalty(trial_a_, trial_u_);
    if (present < before) {
      u = trial_u_;
      a = trial_a_;
    } else {
      present = before;
    }
    differentiate(inverse, a, u);
    if (!newton_.factorise(hessian_)) return;
    newton_.solve(gradient_, direction_);
    double share = 1.0, decrease = 0.0;
    do {
      trial_u_ = (u - share * direction_).cwiseMax(together_.lowest).cwiseMin(together_.highest);
      trial_a_ = a;
      for (Index j = 0; j < u.size(); ++j) {
        if (trial_u_(j) != u(j)) trial_a_ += (trial_u_(j) - u(j)) * inverse.column(j);
      }
      decrease = present - penalty(trial_a_, trial_u_);
      share *= kShorter;
    } while (!(decrease > 0.0) && share > kShortest);
    if (decrease > 0.0) {
      u = trial_u_;
      a = trial_a_;
      present -= decrease;
    }
    if (before - present <= kDecrease * before) return;
  }
}

}  // namespace spatial_dynamics

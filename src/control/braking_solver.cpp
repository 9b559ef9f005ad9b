#include "braking_solver.hpp"

#include <algorithm>
#include <cmath>

namespace spatial_dynamics {
namespace {

constexpr int kBlockRounds = 6, kRounds = 40;  // of brake_each(); all rounds of a cycle
constexpr int kNewtonSteps = 12;               // of a cycle
constexpr double kTolerance = 1e-4;            // rad/s^2 or m/s^2
constexpr double kSatisfied = 0.01;   // of the distance between a bound and its last resort
constexpr double kSmallestGap = 1.0;  // rad/s^2 or m/s^2

}  // namespace

double gap_of(double bound, double last) noexcept {
  if (!std::isfinite(last - bound)) return kSmallestGap;  // no bound
  return std::max(std::abs(last - bound), kSmallestGap);
}

BrakingSolver::BrakingSolver(Index nv)
    : wanted_(VectorXd::Zero(nv)),
      free_(wanted_),
      condition_(to_size(nv), Condition::kFree),
      locked_(to_size(nv), 0),
      change_(wanted_),
      torque_change_(wanted_),
      mutual_(nv) {
  bounded_.reserve(to_size(nv));
}

void BrakingSolver::begin() noexcept {
  rounds_left_ = kRounds;
  mutual_.permit_steps(kNewtonSteps);
}

void BrakingSolver::solve(const BrakingProblem& problem, MassInverse& inverse, VectorXd& a,
                          VectorXd& u) noexcept {
  wanted_ = u;
  free_ = a;
  find_bounded(problem);
  brake_each(problem, inverse, a, u);
  if (satisfies(problem, a)) return;
  mutual_.solve(problem, wanted_, free_, inverse, a, u);
}

void BrakingSolver::find_bounded(const BrakingProblem& p) noexcept {
  bounded_.clear();
  for (Index i = 0; i < p.upper.size(); ++i) {
    if (std::isfinite(p.upper(i)) || std::isfinite(p.lower(i))) {
      bounded_.push_back(i);
    } else {
      condition_[to_size(i)] = Condition::kFree;
    }
  }
}

/// Principal pivoting: it is guessed which accelerations are at a bound and which torques at a
/// limit, at first as in the last call; what follows corrects the guess. The solution is unique.
/// After a few rounds only one coordinate changes per round, so that guesses do not repeat.
void BrakingSolver::brake_each(const BrakingProblem& p, MassInverse& inverse, VectorXd& a,
                               VectorXd& u) noexcept {
  for (const Index i : bounded_) {
    Condition& condition = condition_[to_size(i)];
    const bool upper = condition == Condition::kAtUpper || condition == Condition::kLowest;
    const bool lower = condition == Condition::kAtLower || condition == Condition::kHighest;
    if ((upper && !std::isfinite(p.upper(i))) || (lower && !std::isfinite(p.lower(i)))) {
      condition = Condition::kFree;
    }
  }
  bool regular = apply(p, inverse, a, u);
  settled_ = false;
  for (int round = 0; regular && rounds_left_ > 0; ++round, --rounds_left_) {
    if (!pivot(p, round < kBlockRounds, a, u)) {
      settled_ = !saturated_;
      break;
    }
    regular = apply(p, inverse, a, u);
  }
  const bool within =
      (u.array() >= p.lowest.array()).all() && (u.array() <= p.highest.array()).all();
  if (within) return;
  // The rounds did not suffice, or u is beyond a limit by a rounding error.
  settled_ = false;
  u = u.cwiseMax(p.lowest).cwiseMin(p.highest);
  a = u - wanted_;
  inverse.solve(a);
  a += free_;
}

/// Corrects the conditions of all coordinates or of one. Returns false if they are correct.
bool BrakingSolver::pivot(const BrakingProblem& p, bool all, const VectorXd& a,
                          const VectorXd& u) noexcept {
  bool changed = false;
  for (auto i = bounded_.rbegin(); i != bounded_.rend(); ++i) {
    const Condition condition = next(p, *i, a(*i), u(*i));
    if (condition == condition_[to_size(*i)]) continue;
    condition_[to_size(*i)] = condition;
    changed = true;
    if (!all) break;
  }
  return changed;
}

/// Computes accelerations and torques under the present conditions.
bool BrakingSolver::apply(const BrakingProblem& p, MassInverse& inverse, VectorXd& a,
                          VectorXd& u) noexcept {
  std::fill(locked_.begin(), locked_.end(), std::uint8_t{0});
  change_.setZero();
  int changed = 0;
  Index last = 0;
  saturated_ = false;
  for (const Index i : bounded_) {
    const Condition condition = condition_[to_size(i)];
    if (condition == Condition::kFree) continue;
    const bool upper = condition == Condition::kAtUpper, lower = condition == Condition::kAtLower;
    locked_[to_size(i)] = upper || lower ? 1 : 0;
    saturated_ = saturated_ || !(upper || lower);
    ++changed;
    last = i;
    if (upper) change_(i) = p.upper(i) - free_(i);
    if (lower) change_(i) = p.lower(i) - free_(i);
    if (condition == Condition::kLowest) change_(i) = p.lowest(i) - wanted_(i);
    if (condition == Condition::kHighest) change_(i) = p.highest(i) - wanted_(i);
  }
  a = free_;
  u = wanted_;
  if (changed == 0) return true;
  if (changed == 1) {  // the usual case
    const auto column = inverse.column(last);
    const double torque =
        locked_[to_size(last)] != 0 ? change_(last) / column(last) : change_(last);
    a += torque * column;
    u(last) += torque;
    return true;
  }
  if (!inverse.solve_locked(locked_, change_, torque_change_)) return false;
  a += change_;
  u += torque_change_;
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
  if (settled_) return true;
  return std::all_of(bounded_.begin(), bounded_.end(), [&](Index i) {
    return a(i) <= p.upper(i) + kSatisfied * gap_of(p.upper(i), p.upper_last(i)) &&
           a(i) >= p.lower(i) - kSatisfied * gap_of(p.lower(i), p.lower_last(i));
  });
}

}  // namespace spatial_dynamics

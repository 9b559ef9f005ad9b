#include "braking_solver.hpp"

#include <algorithm>
#include <cmath>

namespace spatial_dynamics {
namespace {

constexpr int kSweeps = 60;          // of each stage
constexpr double kTolerance = 1e-7;  // rad/s^2 or m/s^2
constexpr double kSatisfied = 0.01;  // of the distance between a bound and its last resort
constexpr double kSteep = 100.0;     // slope of the penalty beyond the last resort
// Here the penalty becomes linear: a bound that cannot be satisfied must not take the others' part.
constexpr double kSteepUntil = 1.1;
constexpr double kSmallestGap = 1.0;   // rad/s^2 or m/s^2

double gap_of(double bound, double last) noexcept {
  if (!std::isfinite(last - bound)) return kSmallestGap;  // no bound
  return std::max(std::abs(last - bound), kSmallestGap);
}

/// Derivative of the penalty of a violation, which is measured in distances to the last resort.
double penalty_slope(double violation) noexcept {
  if (violation <= 1.0) return violation;
  const double beyond = std::min(violation, kSteepUntil) - 1.0;
  return 1.0 + kSteep * beyond;
}

/// Derivative of the penalty with respect to the acceleration.
double pull(double a, double lower, double lower_last, double upper, double upper_last) noexcept {
  if (a > upper) {
    const double gap = gap_of(upper, upper_last);
    return penalty_slope((a - upper) / gap) / gap;
  }
  if (a < lower) {
    const double gap = gap_of(lower, lower_last);
    return -penalty_slope((lower - a) / gap) / gap;
  }
  return 0.0;
}

}  // namespace

BrakingProblem::BrakingProblem(Index nv)
    : lower(VectorXd::Constant(nv, -kUnlimited)), upper(VectorXd::Constant(nv, kUnlimited)) {
  lower_last = lowest = lower;
  upper_last = highest = upper;
  speed = VectorXd::Zero(nv);
}

void BrakingProblem::clear() noexcept {
  lower.setConstant(-kUnlimited);
  upper.setConstant(kUnlimited);
  lower_last = lowest = lower;
  upper_last = highest = upper;
}

BrakingSolver::BrakingSolver(Index nv)
    : wanted_(VectorXd::Zero(nv)), lowest_(wanted_), highest_(wanted_) {
  bounded_.reserve(to_size(nv));
}

bool BrakingSolver::solve(const BrakingProblem& problem, MassInverse& inverse, VectorXd& a,
                          VectorXd& u) noexcept {
  wanted_ = u;
  find_bounded(problem);
  brake_each(problem, inverse, a, u);
  if (satisfies(problem, a)) return true;
  limit_helpers(problem, u);
  brake_together(problem, inverse, a, u);
  return satisfies(problem, a);
}

void BrakingSolver::find_bounded(const BrakingProblem& p) noexcept {
  bounded_.clear();
  for (Index i = 0; i < p.upper.size(); ++i) {
    if (std::isfinite(p.upper(i)) || std::isfinite(p.lower(i))) bounded_.push_back(i);
  }
}

/// The condition of each coordinate in turn, by its own torque: with the other torques fixed,
/// a_i = free + (M^-1)_ii (u_i - wanted_i).
void BrakingSolver::brake_each(const BrakingProblem& p, MassInverse& inverse, VectorXd& a,
                               VectorXd& u) noexcept {
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double largest = 0.0;
    for (const Index i : bounded_) {
      const bool within = a(i) <= p.upper(i) && a(i) >= p.lower(i);
      if (within && u(i) == wanted_(i)) continue;
      const auto column = inverse.column(i);
      const double per_torque = column(i);
      const double free = a(i) - per_torque * (u(i) - wanted_(i));
      const double change = (std::clamp(free, p.lower(i), p.upper(i)) - free) / per_torque;
      const double torque = std::clamp(wanted_(i) + change, p.lowest(i), p.highest(i));
      const double step = torque - u(i);
      if (step == 0.0) continue;
      u(i) = torque;
      a += step * column;
      largest = std::max(largest, std::abs(step) * per_torque);
    }
    if (largest < kTolerance) return;
  }
}

bool BrakingSolver::satisfies(const BrakingProblem& p, const VectorXd& a) const noexcept {
  return std::all_of(bounded_.begin(), bounded_.end(), [&](Index i) {
    return a(i) <= p.upper(i) + kSatisfied * gap_of(p.upper(i), p.upper_last(i)) &&
           a(i) >= p.lower(i) - kSatisfied * gap_of(p.lower(i), p.lower_last(i));
  });
}

/// A torque may change against the motion of its coordinate, and as the first stage has changed it.
void BrakingSolver::limit_helpers(const BrakingProblem& p, const VectorXd& u) noexcept {
  for (Index i = 0; i < wanted_.size(); ++i) {
    lowest_(i) = p.speed(i) > 0.0 ? p.lowest(i) : std::min(wanted_(i), u(i));
    highest_(i) = p.speed(i) < 0.0 ? p.highest(i) : std::max(wanted_(i), u(i));
  }
}

/// The derivative of all penalties with respect to a step of one torque.
double BrakingSolver::slope(const BrakingProblem& p, Eigen::Ref<const VectorXd> column,
                            const VectorXd& a, double step) const noexcept {
  double sum = 0.0;
  for (const Index i : bounded_) {
    sum += column(i) *
           pull(a(i) + step * column(i), p.lower(i), p.lower_last(i), p.upper(i), p.upper_last(i));
  }
  return sum;
}

/// The penalty is convex, so that its minimum along one torque is where the derivative changes
/// sign. It is enclosed from both sides (Illinois variant of regula falsi).
void BrakingSolver::brake_together(const BrakingProblem& p, MassInverse& inverse, VectorXd& a,
                                   VectorXd& u) noexcept {
  constexpr int kSteps = 12;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double largest = 0.0;
    for (Index j = 0; j < u.size(); ++j) {
      if (!(lowest_(j) < highest_(j))) continue;
      const auto column = inverse.column(j);
      const double at_start = slope(p, column, a, 0.0);
      if (at_start == 0.0) continue;
      // Without an effort limit: far enough for every violation.
      const double far = a.cwiseAbs().maxCoeff() / column(j);
      double near = 0.0, near_slope = at_start;
      double end =
          at_start > 0.0 ? std::max(lowest_(j) - u(j), -far) : std::min(highest_(j) - u(j), far);
      double end_slope = slope(p, column, a, end);
      double step = end;
      if (end_slope * at_start < 0.0) {
        for (int k = 0; k < kSteps && near_slope != 0.0; ++k) {
          step = near - near_slope * (end - near) / (end_slope - near_slope);
          const double here = slope(p, column, a, step);
          if (here * end_slope <= 0.0) {
            near = end;
            near_slope = end_slope;
          } else {
            near_slope *= 0.5;
          }
          end = step;
          end_slope = here;
          if (here == 0.0) break;
        }
      }
      if (step == 0.0) continue;
      u(j) = std::clamp(u(j) + step, lowest_(j), highest_(j));
      a += step * column;
      largest = std::max(largest, std::abs(step) * column(j));
    }
    if (largest < kTolerance) return;
  }
}

}  // namespace spatial_dynamics

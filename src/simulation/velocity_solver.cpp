#include "simulation/velocity_solver.hpp"

#include <algorithm>

#include "textbook/cholesky.hpp"

namespace spatial_dynamics {
namespace {

constexpr int kMostIterations = 100;  // for the friction; usually a few are enough
constexpr int kMostBlockPivots = 10;
constexpr int kMostPivots = 100;
/// Converged when velocities change by at most this share of themselves plus the friction speed.
constexpr double kSettled = 1e-6;
/// An impulse of a stop smaller than this share of the impulses that it balances, or of the largest
/// impulse, is rounding error.
constexpr double kRoundingOfImpulse = 1e-13;

}  // namespace

PrescribedVelocities::PrescribedVelocities(Index nv)
    : prescribed(static_cast<std::size_t>(nv), false),
      velocity(VectorXd::Zero(nv)),
      impulse(VectorXd::Zero(nv)) {}

VelocitySolver::VelocitySolver(Index nv)
    : hold_(static_cast<std::size_t>(nv), Hold::kFree),
      estimate_(VectorXd::Zero(nv)),
      secant_(VectorXd::Zero(nv)),
      tangent_(VectorXd::Zero(nv)),
      lower_(VectorXd::Zero(nv)),
      upper_(VectorXd::Zero(nv)),
      reduced_x_(VectorXd::Zero(nv)),
      reduced_(MatrixXd::Zero(nv, nv)) {
  free_.reserve(static_cast<std::size_t>(nv));
}

bool VelocitySolver::solve(const JointResistance& resistance, double friction_speed,
                           const MatrixXd& M, const VectorXd& impulse, const VectorXd& q, double h,
                           VectorXd& x, PrescribedVelocities* prescribed) noexcept {
  resistance.velocity_bounds(q, h, lower_, upper_);
  std::fill(hold_.begin(), hold_.end(), Hold::kFree);
  const bool drives = prescribed != nullptr && prescribed->count > 0;
  if (drives) hold_prescribed(*prescribed);
  estimate_ = x;
  for (int i = 0; i < kMostIterations; ++i) {
    resistance.friction_coefficients(friction_speed, estimate_, secant_, tangent_);
    if (!solve_quadratic(M, impulse, h, x)) return false;
    const auto change = (x - estimate_).array().abs();
    if ((change <= kSettled * (friction_speed + x.array().abs())).all()) break;
    improve_estimate(M, h, x);
  }
  for (Index k = 0; drives && k < x.size(); ++k) {
    if (hold_[static_cast<std::size_t>(k)] != Hold::kPrescribed) continue;
    prescribed->impulse(k) = M.row(k).dot(x) + h * secant_(k) * x(k) - impulse(k);
  }
  return true;
}

void VelocitySolver::hold_prescribed(const PrescribedVelocities& prescribed) noexcept {
  for (Index k = 0; k < lower_.size(); ++k) {
    const auto index = static_cast<std::size_t>(k);
    if (!prescribed.prescribed[index]) continue;
    lower_(k) = std::clamp(prescribed.velocity(k), lower_(k), upper_(k));
    hold_[index] = Hold::kPrescribed;
  }
}

// Fixed-point iteration with z = x converges, but slowly at the transition to sliding. For one
// joint alone, x(z) = impulse / (M + h s(z)) with the derivative x' = h (s - t) / (M + h s) < 1,
// and Newton's method for x(z) = z gives z + (x - z) / (1 - x').
void VelocitySolver::improve_estimate(const MatrixXd& M, double h, const VectorXd& x) noexcept {
  for (Index k = 0; k < x.size(); ++k) {
    if (hold_[static_cast<std::size_t>(k)] == Hold::kPrescribed) {
      estimate_(k) = x(k);  // which does not depend on the estimate
      continue;
    }
    const double derivative = h * (secant_(k) - tangent_(k)) / (M(k, k) + h * secant_(k));
    const double newton = estimate_(k) + (x(k) - estimate_(k)) / (1.0 - derivative);
    // Newton's method may overshoot, but friction does not reverse a joint's motion.
    estimate_(k) = newton * x(k) > 0.0 ? newton : x(k);
  }
}

bool VelocitySolver::solve_quadratic(const MatrixXd& M, const VectorXd& impulse, double h,
                                     VectorXd& x) noexcept {
  for (int i = 0;; ++i) {
    if (!solve_free(M, impulse, h, x)) return false;
    // Changing all at once is fast and nearly always terminates. Changing only the first one always
    // terminates, because M is positive definite, unless rounding errors keep a joint alternating
    // between held and free. Then no joint is released any more, which ends after nv changes.
    const Pivot rule = i < kMostBlockPivots ? Pivot::kAll
                       : i < kMostPivots    ? Pivot::kFirst
                                            : Pivot::kHoldOnly;
    if (pivot(M, impulse, h, x, rule) == 0) return true;
  }
}

bool VelocitySolver::solve_free(const MatrixXd& M, const VectorXd& impulse, double h,
                                VectorXd& x) noexcept {
  free_.clear();
  for (Index k = 0; k < x.size(); ++k) {
    const Hold hold = hold_[static_cast<std::size_t>(k)];
    if (hold == Hold::kFree) free_.push_back(k);
    if (hold == Hold::kLower || hold == Hold::kPrescribed) x(k) = lower_(k);
    if (hold == Hold::kUpper) x(k) = upper_(k);
  }
  // (M_ff + h S_f) x_f = impulse_f - M_fh x_h, with f free and h held
  const auto n = static_cast<Index>(free_.size());
  auto A = reduced_.topLeftCorner(n, n);
  auto b = reduced_x_.head(n);
  for (Index i = 0; i < n; ++i) {
    const Index row = free_[static_cast<std::size_t>(i)];
    for (Index j = 0; j <= i; ++j) A(i, j) = M(row, free_[static_cast<std::size_t>(j)]);
    A(i, i) += h * secant_(row);
    b(i) = impulse(row);
    for (Index k = 0; n < x.size() && k < x.size(); ++k) {
      if (hold_[static_cast<std::size_t>(k)] != Hold::kFree) b(i) -= M(row, k) * x(k);
    }
  }
  if (!textbook::factorise_in_place(A)) return false;
  textbook::solve_in_place(A, b);
  for (Index i = 0; i < n; ++i) x(free_[static_cast<std::size_t>(i)]) = b(i);
  return true;
}

int VelocitySolver::pivot(const MatrixXd& M, const VectorXd& impulse, double h, const VectorXd& x,
                          Pivot rule) noexcept {
  const double largest = x.size() > 0 ? impulse.cwiseAbs().maxCoeff() : 0.0;
  int changed = 0;
  for (Index k = 0; k < x.size() && !(rule == Pivot::kFirst && changed > 0); ++k) {
    Hold& hold = hold_[static_cast<std::size_t>(k)];
    if (hold == Hold::kFree) {
      if (x(k) < lower_(k)) hold = Hold::kLower;
      if (x(k) > upper_(k)) hold = Hold::kUpper;
      changed += hold == Hold::kFree ? 0 : 1;
      continue;
    }
    if (rule == Pivot::kHoldOnly || hold == Hold::kPrescribed) continue;
    // The impulse of the stop on the joint. A stop can only push: if it pulls, the joint is
    // released.
    const double momentum = M.row(k).dot(x) + h * secant_(k) * x(k);
    const double push = momentum - impulse(k);
    const double rounding = kRoundingOfImpulse * (M.row(k).cwiseAbs().dot(x.cwiseAbs()) +
                                                  std::abs(impulse(k)) + largest);
    if (hold == Hold::kLower ? push < -rounding : push > rounding) {
      hold = Hold::kFree;
      ++changed;
    }
  }
  return changed;
}

}  // namespace spatial_dynamics

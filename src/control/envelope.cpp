#include "envelope.hpp"

#include <algorithm>
#include <cmath>

namespace spatial_dynamics {
namespace {

constexpr double kViolationRounding = 1e-6;  // rad/s^2 or m/s^2: a violation by less is none
/// A stop is near if the joint reaches it within this time at the speed at the end of the period.
/// Braking begins later, unless a motor is so weak that it needs seconds to stop its joint.
constexpr double kNear = 2.0;  // s
/// Braking is planned with this share of the deceleration that is available now. The rest is
/// reserve, because it changes on the way.
constexpr double kPlannedShare = 0.5;
/// Braking is planned with at least this share of what the motor's effort limit alone decelerates.
constexpr double kLeastShare = 0.05;
constexpr std::uint8_t kLower = 1, kUpper = 2;

constexpr int kCorrections = 2;    // of the model of the period, for changed torques
constexpr double kFastest = 10.0;  // rad/s or m/s: the speed of a joint without a cap

}  // namespace

Envelope::Envelope(const Model& model, const Coordinates& coordinates)
    : near_(coordinates.size(), 0),
      because_lower_(to_size(coordinates.nv()), Reason::kNone),
      because_upper_(because_lower_),
      floating_base_(coordinates.floating_base()),
      problem_(coordinates.nv()),
      solver_(coordinates.nv()),
      period_(model, coordinates),
      speed_(VectorXd::Constant(coordinates.nv(), kUnlimited)),
      wanted_(VectorXd::Zero(coordinates.nv())),
      changed_(to_size(coordinates.nv()), 0) {
  limited_wanted_ = limited_torque_ = acceleration_ = soft_lower_ = soft_upper_ = velocity_ =
      wanted_;
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    coordinates_.push_back({static_cast<Index>(k), coordinates[k].q, coordinates[k].v});
  }
}

Faults Envelope::limit(const EnvelopeLimits& limits, const Cycle& cycle, RobotDynamics& robot,
                       VectorXd& torque) noexcept {
  reset();
  if (!limits.enabled) return 0;
  wanted_ = torque;
  limit_power(limits, cycle.v, torque);
  limit_motion(limits, cycle, robot, torque);
  if (faults_ != 0) note_changes(limits, torque);
  return faults_;
}

void Envelope::limit_motion(const EnvelopeLimits& limits, const Cycle& cycle, RobotDynamics& robot,
                            VectorXd& torque) noexcept {
  const PeriodModel::Period period{cycle.period_s, cycle.q, cycle.v, cycle.hardware,
                                   cycle.wrenches};
  if (!period_.begin(period, robot, torque)) return;
  for (const Coordinate& c : coordinates_) speed_(c.v) = std::min(limits.velocity(c.v), kFastest);
  // The acceleration may change during the period.
  const double reserve = period_.leaves(period, speed_, period_.free()) ? 2.0 : 1.0;
  if (surely_inside(limits, cycle, torque, reserve)) return;
  (void)period_.correct(period, speed_, torque, period_.free());
  problem_.clear();
  bound_speeds(limits, cycle);
  bound_positions(limits, cycle, torque);
  if (satisfied()) return;
  prepare(cycle, torque);
  limited_wanted_ = torque;
  solver_.begin();
  for (int k = 0; k <= kCorrections; ++k) {
    limited_torque_ = limited_wanted_;
    acceleration_ = period_.free();
    solver_.solve(problem_, period_.inverse(), acceleration_, limited_torque_);
    if (!limited_torque_.allFinite()) return;
    if (k == kCorrections || !period_.correct(period, speed_, limited_torque_, acceleration_)) {
      break;
    }
  }
  period_.note(period, limited_torque_, acceleration_);
  torque = limited_torque_;
}

/// True if no speed passes its cap and all joints can stop, by an estimate with reserve. Marks near
/// stops.
bool Envelope::surely_inside(const EnvelopeLimits& limits, const Cycle& cycle,
                             const VectorXd& torque, double reserve) noexcept {
  bool inside = true;
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const Coordinate& c = coordinates_[k];
    const double v = cycle.v(c.v), next = v + reserve * period_.free()(c.v) * cycle.period_s;
    const double rising = std::max(v, next), falling = -std::min(v, next);
    const double below = cycle.q(c.q) - limits.soft_lower(c.v);
    const double above = limits.soft_upper(c.v) - cycle.q(c.q);
    near_[k] = 0;
    if (std::max(rising, falling) > kFreeShare * limits.velocity(c.v)) inside = false;
    if (rising > 0.0 && above <= kNear * rising) {
      near_[k] |= kUpper;
      inside = inside && surely_stops(c, 1.0, above, next, cycle, torque);
    }
    if (falling > 0.0 && below <= kNear * falling) {
      near_[k] |= kLower;
      inside = inside && surely_stops(c, -1.0, below, -next, cycle, torque);
    }
  }
  return inside;
}

/// True if the bound of the stop at `distance` permits the speed `next`, by a lower estimate of the
/// deceleration.
bool Envelope::surely_stops(const Coordinate& c, double sign, double distance, double next,
                            const Cycle& cycle, const VectorXd& torque) noexcept {
  const double deceleration = planned(c, sign, period_.inverse().least(c.v), cycle, torque);
  return next <= kFreeShare * stopping_speed(distance, deceleration, cycle.period_s);
}

/// The deceleration with which braking is planned: from that by the whole effort of the joint's own
/// motor, with the other torques as they are.
double Envelope::planned(const Coordinate& c, double sign, double per_torque, const Cycle& cycle,
                         const VectorXd& torque) const noexcept {
  const double limit = cycle.effort_limit(c.v);
  const double available = per_torque * (limit + sign * torque(c.v)) - sign * period_.free()(c.v);
  return std::max(kPlannedShare * available, kLeastShare * per_torque * limit);
}

void Envelope::reset() noexcept {
  period_.reset();
  limited_ = {};
  if (faults_ != 0) std::fill(changed_.begin(), changed_.end(), std::uint8_t{0});
  faults_ = 0;
}

void Envelope::continue_from(const Envelope& other) noexcept {
  faults_ = other.faults_;
  changed_ = other.changed_;
  soft_lower_ = other.soft_lower_;
  soft_upper_ = other.soft_upper_;
  velocity_ = other.velocity_;
  power_ = other.power_;
}

bool Envelope::loosens(const EnvelopeLimits& limits) const noexcept {
  if (faults_ == 0) return false;
  return !limits.enabled || limits.power > power_ ||
         (limits.soft_lower.array() < soft_lower_.array()).any() ||
         (limits.soft_upper.array() > soft_upper_.array()).any() ||
         (limits.velocity.array() > velocity_.array()).any();
}

void Envelope::note_changes(const EnvelopeLimits& limits, const VectorXd& torque) noexcept {
  for (Index i = 0; i < torque.size(); ++i) changed_[to_size(i)] = torque(i) != wanted_(i) ? 1 : 0;
  soft_lower_ = limits.soft_lower;
  soft_upper_ = limits.soft_upper;
  velocity_ = limits.velocity;
  power_ = limits.power;
}

/// Torques that drive their joints are scaled by one factor. Torques that brake stay as they are.
void Envelope::limit_power(const EnvelopeLimits& limits, const VectorXd& v,
                           VectorXd& torque) noexcept {
  if (std::isinf(limits.power)) return;
  double power = 0.0, largest = 0.0;
  for (const Coordinate& c : coordinates_) {
    const double driving = std::max(0.0, torque(c.v) * v(c.v));
    power += driving;
    if (driving <= largest) continue;
    largest = driving;
    limited_.power = c.scalar;
  }
  if (power <= limits.power) {
    limited_.power = -1;
    return;
  }
  faults_ |= static_cast<Faults>(Fault::kPowerCap);
  for (const Coordinate& c : coordinates_) {
    if (torque(c.v) * v(c.v) > 0.0) torque(c.v) *= limits.power / power;
  }
}

/// `sign`: 1 for a bound of the acceleration from above, -1 from below. The stricter bound counts.
void Envelope::add_bound(Index i, double sign, const AccelerationBound& bound,
                         Reason reason) noexcept {
  if (sign > 0.0) {
    problem_.upper_last(i) = std::min(problem_.upper_last(i), bound.last_resort);
    if (bound.wanted >= problem_.upper(i)) return;
    problem_.upper(i) = bound.wanted;
    because_upper_[to_size(i)] = reason;
  } else {
    problem_.lower_last(i) = std::max(problem_.lower_last(i), -bound.last_resort);
    if (-bound.wanted <= problem_.lower(i)) return;
    problem_.lower(i) = -bound.wanted;
    because_lower_[to_size(i)] = reason;
  }
}

/// The first bounds of a cycle.
void Envelope::bound_speeds(const EnvelopeLimits& limits, const Cycle& cycle) noexcept {
  for (const Coordinate& c : coordinates_) {
    const double cap = limits.velocity(c.v);
    if (std::isinf(cap)) continue;
    const AccelerationBound upper = cap_bounds(cycle.v(c.v), cap, cycle.period_s);
    const AccelerationBound lower = cap_bounds(-cycle.v(c.v), cap, cycle.period_s);
    problem_.upper(c.v) = upper.wanted;
    problem_.upper_last(c.v) = upper.last_resort;
    problem_.lower(c.v) = -lower.wanted;
    problem_.lower_last(c.v) = -lower.last_resort;
    because_upper_[to_size(c.v)] = because_lower_[to_size(c.v)] = Reason::kSpeed;
  }
}

void Envelope::bound_positions(const EnvelopeLimits& limits, const Cycle& cycle,
                               const VectorXd& torque) noexcept {
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const Coordinate& c = coordinates_[k];
    if ((near_[k] & kLower) != 0) {
      bound_stop(c, -1.0, limits.soft_lower(c.v), limits.hard_lower(c.v), cycle, torque);
    }
    if ((near_[k] & kUpper) != 0) {
      bound_stop(c, 1.0, limits.soft_upper(c.v), limits.hard_upper(c.v), cycle, torque);
    }
  }
}

/// `sign`: 1 for the upper stop, -1 for the lower one.
void Envelope::bound_stop(const Coordinate& c, double sign, double soft, double hard,
                          const Cycle& cycle, const VectorXd& torque) noexcept {
  const double distance = sign * (soft - cycle.q(c.q));
  double deceleration = planned(c, sign, period_.inverse().least(c.v), cycle, torque);
  const double t = kApproachPeriods * cycle.period_s;
  // Near the stop, the permitted speed does not depend on it.
  if (distance > deceleration * t * t) {
    deceleration = planned(c, sign, period_.inverse().column(c.v)(c.v), cycle, torque);
  }
  add_bound(c.v, sign,
            stop_bounds(sign * cycle.v(c.v), distance, sign * (hard - cycle.q(c.q)), deceleration,
                        cycle.period_s),
            Reason::kStop);
}

bool Envelope::satisfied() const noexcept {
  const VectorXd& free = period_.free();
  return ((free - problem_.upper).array() <= kViolationRounding).all() &&
         ((problem_.lower - free).array() <= kViolationRounding).all();
}

void Envelope::prepare(const Cycle& cycle, const VectorXd& torque) noexcept {
  problem_.lowest = cycle.lowest;
  problem_.highest = cycle.highest;
  problem_.speed = cycle.v;
  problem_.end_speed = cycle.v + cycle.period_s * period_.free();
  problem_.period_s = cycle.period_s;
  for (const Coordinate& c : coordinates_) {
    problem_.scale(c.v) = kSpeedTolerance * speed_(c.v) / cycle.period_s;
  }
  if (floating_base_) {
    problem_.lowest.head<6>() = problem_.highest.head<6>() = torque.head<6>();
    problem_.speed.head<6>().setZero();
    problem_.end_speed.head<6>().setZero();
  }
  note_limited();
}

/// A coordinate is limited if the wanted torque violates its bound.
void Envelope::note_limited() noexcept {
  double largest_stop = 0.0, largest_speed = 0.0;
  for (const Coordinate& c : coordinates_) {
    const double above = period_.free()(c.v) - problem_.upper(c.v);
    const double below = problem_.lower(c.v) - period_.free()(c.v);
    const double violation = std::max(above, below);
    if (violation <= kViolationRounding) continue;
    const Reason reason = (above > below ? because_upper_ : because_lower_)[to_size(c.v)];
    const bool stop = reason == Reason::kStop;
    faults_ |= static_cast<Faults>(stop ? Fault::kStopReached : Fault::kSpeedCap);
    double& largest = stop ? largest_stop : largest_speed;
    if (violation <= largest) continue;
    largest = violation;
    (stop ? limited_.stop : limited_.speed) = c.scalar;
  }
}

}  // namespace spatial_dynamics

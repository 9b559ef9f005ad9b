#include "envelope.hpp"

#include <algorithm>
#include <cmath>

#include "spatial_dynamics/model/configuration.hpp"

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

// Prediction of the period. Shares of the velocity cap, or of kFastest without one.
constexpr double kLittleChange = 0.05;  // of speed: the acceleration of the start is accurate
constexpr double kAccurate = 0.002;     // of the prediction
constexpr double kFastest = 10.0;       // rad/s or m/s
constexpr int kCorrections = 6;

}  // namespace

Envelope::Envelope(const Model& model, const Coordinates& coordinates)
    : near_(coordinates.size(), 0),
      because_lower_(to_size(coordinates.nv()), Reason::kNone),
      because_upper_(because_lower_),
      floating_base_(coordinates.floating_base()),
      problem_(coordinates.nv()),
      solver_(coordinates.nv()),
      inverse_(model),
      wanted_(VectorXd::Zero(coordinates.nv())),
      limited_wanted_(wanted_),
      limited_torque_(wanted_),
      effort_(wanted_),
      free_(wanted_),
      acceleration_(wanted_),
      middle_q_(neutral_configuration(model)),
      middle_v_(wanted_),
      end_v_(wanted_),
      friction_(wanted_),
      mean_friction_(wanted_),
      residual_(wanted_),
      damping_(wanted_),
      known_effort_(wanted_),
      changed_(to_size(coordinates.nv()), 0),
      soft_lower_(effort_),
      soft_upper_(effort_),
      velocity_(effort_) {
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
  if (!accelerate(cycle, robot, torque)) return;
  limited_wanted_ = torque;
  acceleration_ = free_;
  corrected_ = false;
  (void)correct(limits, cycle, robot, torque);
  bound_motion(limits, cycle, robot, torque);
  knows_ = !corrected_ && acceleration_.allFinite();
  if (!knows_) return;
  known_effort_ = torque + cycle.hardware;
  if (floating_base_) known_effort_.head<6>().setZero();
}

void Envelope::bound_motion(const EnvelopeLimits& limits, const Cycle& cycle, RobotDynamics& robot,
                            VectorXd& torque) noexcept {
  problem_.clear();
  bound_speeds(limits, cycle);
  const bool near_stop = find_near_stops(limits, cycle);
  if (!near_stop && satisfied()) return;
  if (!corrected_ && !inverse_.factorise(robot, cycle.q)) return;
  if (satisfied() && surely_stop(limits, cycle, torque)) return;
  if (near_stop) bound_positions(limits, cycle, torque);
  if (!satisfied()) brake(limits, cycle, robot, torque);
}

/// True if no near joint exceeds its bound, by a lower estimate of its deceleration.
bool Envelope::surely_stop(const EnvelopeLimits& limits, const Cycle& cycle,
                           const VectorXd& torque) noexcept {
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const Coordinate& c = coordinates_[k];
    for (const double sign : {-1.0, 1.0}) {
      if ((near_[k] & (sign > 0.0 ? kUpper : kLower)) == 0) continue;
      const double limit = cycle.effort_limit(c.v), per_torque = inverse_.least(c.v);
      const double available = per_torque * (limit + sign * torque(c.v)) - sign * free_(c.v);
      const double deceleration =
          std::max(kPlannedShare * available, kLeastShare * per_torque * limit);
      const double soft = sign > 0.0 ? limits.soft_upper(c.v) : limits.soft_lower(c.v);
      const double permitted =
          stopping_speed(sign * (soft - cycle.q(c.q)), deceleration, cycle.period_s);
      const double next = sign * (cycle.v(c.v) + free_(c.v) * cycle.period_s);
      if (next > kFreeShare * permitted) return false;
    }
  }
  return true;
}

void Envelope::reset() noexcept {
  knows_ = false;
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

/// Computes the accelerations of `torque`.
bool Envelope::accelerate(const Cycle& cycle, RobotDynamics& robot,
                          const VectorXd& torque) noexcept {
  effort_ = torque + cycle.hardware;
  if (floating_base_) effort_.head<6>().setZero();  // no motor drives the base
  free_ = robot.acceleration(cycle.q, cycle.v, effort_, cycle.wrenches);
  return !robot.singular() && free_.allFinite();
}

/// True if a speed changes by more than this share of its cap during the period.
bool Envelope::changes(const EnvelopeLimits& limits, double period_s, const VectorXd& acceleration,
                       double share) const noexcept {
  return std::any_of(coordinates_.begin(), coordinates_.end(), [&](const Coordinate& c) {
    const double speed = std::min(limits.velocity(c.v), kFastest);
    return std::abs(acceleration(c.v)) * period_s > share * speed;
  });
}

/// The model of the period is a = free_ + W (u - wanted), where a is the mean acceleration, and at
/// first W = M^-1 and free_ the acceleration of the start. This corrects it at `torque`, where it
/// gives acceleration_. With the mean friction f of the period, the middle of the period gives
///
///     r = M^-1 (torque - bias - f) - a,     W = (M + T/2 S)^-1,   S = 2 (f - friction(v)) / (T a),
///
/// and a + W M r is correct if friction changes in proportion to a. Returns false if that was
/// accurate already.
bool Envelope::correct(const EnvelopeLimits& limits, const Cycle& cycle, RobotDynamics& robot,
                       const VectorXd& torque) noexcept {
  const double T = cycle.period_s;
  if (!corrected_ && !changes(limits, T, acceleration_, kLittleChange)) return false;
  middle_v_ = cycle.v + 0.25 * T * acceleration_;
  integrate(robot.model(), cycle.q, middle_v_, 0.5 * T, middle_q_);
  middle_v_ = cycle.v + 0.5 * T * acceleration_;
  end_v_ = cycle.v + T * acceleration_;
  friction_ = robot.friction_torque(cycle.v, cycle.v);
  residual_ = robot.friction_torque(end_v_, end_v_);
  mean_friction_ = (1.0 / 6.0) * friction_ + (1.0 / 6.0) * residual_;
  effort_ = robot.friction_torque(middle_v_, middle_v_);
  mean_friction_ += (2.0 / 3.0) * effort_;
  effort_ += torque + cycle.hardware - mean_friction_;
  if (floating_base_) effort_.head<6>().setZero();
  residual_ = robot.acceleration(middle_q_, middle_v_, effort_, cycle.wrenches);
  if (robot.singular() || !residual_.allFinite()) return false;
  residual_ -= acceleration_;
  if (!changes(limits, T, residual_, kAccurate)) return false;

  for (Index i = 0; i < damping_.size(); ++i) {
    const double change = T * acceleration_(i);
    const double grows = mean_friction_(i) - friction_(i);
    damping_(i) = grows * change > 0.0 ? T * grows / change : 0.0;
  }
  if (!inverse_.factorise(robot, cycle.q, &damping_)) return false;
  // W M r = r - W damping r
  effort_ = damping_.cwiseProduct(residual_) + torque - limited_wanted_;
  inverse_.solve(effort_);
  free_ = acceleration_ + residual_ - effort_;
  corrected_ = free_.allFinite();
  return corrected_;
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

void Envelope::bound_speeds(const EnvelopeLimits& limits, const Cycle& cycle) noexcept {
  for (const Coordinate& c : coordinates_) {
    const double cap = limits.velocity(c.v);
    if (std::isinf(cap)) continue;
    for (const double sign : {-1.0, 1.0}) {
      add_bound(c.v, sign, cap_bounds(sign * cycle.v(c.v), cap, cycle.period_s), Reason::kSpeed);
    }
  }
}

bool Envelope::find_near_stops(const EnvelopeLimits& limits, const Cycle& cycle) noexcept {
  bool any = false;
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const Coordinate& c = coordinates_[k];
    const double v = cycle.v(c.v), next = v + free_(c.v) * cycle.period_s;
    const double rising = std::max(v, next), falling = -std::min(v, next);
    const double q = cycle.q(c.q);
    near_[k] = 0;
    if (rising > 0.0 && limits.soft_upper(c.v) - q <= kNear * rising) near_[k] |= kUpper;
    if (falling > 0.0 && q - limits.soft_lower(c.v) <= kNear * falling) near_[k] |= kLower;
    any = any || near_[k] != 0;
  }
  return any;
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
  // The deceleration by the whole effort of the joint's own motor, with the other torques as they
  // are.
  const double limit = cycle.effort_limit(c.v), q = cycle.q(c.q);
  const auto planned = [&](double per_torque) {
    const double available = per_torque * (limit + sign * torque(c.v)) - sign * free_(c.v);
    return std::max(kPlannedShare * available, kLeastShare * per_torque * limit);
  };
  double deceleration = planned(inverse_.least(c.v));
  const double t = kApproachPeriods * cycle.period_s;
  // Near the stop, the permitted speed does not depend on it.
  if (sign * (soft - q) > deceleration * t * t) deceleration = planned(inverse_.column(c.v)(c.v));
  add_bound(c.v, sign,
            stop_bounds(sign * cycle.v(c.v), sign * (soft - q), sign * (hard - q), deceleration,
                        cycle.period_s),
            Reason::kStop);
}

bool Envelope::satisfied() const noexcept {
  return ((free_ - problem_.upper).array() <= kViolationRounding).all() &&
         ((problem_.lower - free_).array() <= kViolationRounding).all();
}

void Envelope::brake(const EnvelopeLimits& limits, const Cycle& cycle, RobotDynamics& robot,
                     VectorXd& torque) noexcept {
  problem_.lowest = cycle.lowest;
  problem_.highest = cycle.highest;
  problem_.speed = cycle.v;
  problem_.end_speed = cycle.v + cycle.period_s * free_;
  problem_.period_s = cycle.period_s;
  for (const Coordinate& c : coordinates_) {
    problem_.scale(c.v) =
        kSpeedTolerance * std::min(limits.velocity(c.v), kFastest) / cycle.period_s;
  }
  if (floating_base_) {
    problem_.lowest.head<6>() = problem_.highest.head<6>() = torque.head<6>();
    problem_.speed.head<6>().setZero();
    problem_.end_speed.head<6>().setZero();
  }
  note_limited();
  for (int k = 0;; ++k) {
    limited_torque_ = limited_wanted_;
    acceleration_ = free_;
    (void)solver_.solve(problem_, inverse_, acceleration_, limited_torque_);
    if (!limited_torque_.allFinite()) return;
    if (k == kCorrections || !correct(limits, cycle, robot, limited_torque_)) break;
  }
  torque = limited_torque_;
}

/// A coordinate is limited if the wanted torque violates its bound.
void Envelope::note_limited() noexcept {
  double largest_stop = 0.0, largest_speed = 0.0;
  for (const Coordinate& c : coordinates_) {
    const double above = free_(c.v) - problem_.upper(c.v);
    const double below = problem_.lower(c.v) - free_(c.v);
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

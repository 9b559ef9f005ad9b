// A robot that is driven by arbitrary torques within its effort limits, with the envelope and an
// exact model, and the laws of the envelope.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "control/envelope.hpp"
#include "spatial_dynamics/control/control_settings.hpp"
#include "spatial_dynamics/simulation/simulator.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "support/linear_program.hpp"

namespace spatial_dynamics::test {

/// The laws, which hold where a braking torque exists.
inline constexpr double kMostOvershoot = 2e-3;  // rad or m
inline constexpr double kMostOverspeed = 0.02;  // of the cap

/// What happened in a run.
struct EnvelopeFigures {
  double overshoot = 0.0;    ///< beyond a hard limit, while a braking torque existed
  double overspeed = 0.0;    ///< beyond a cap, as a share of it, while a braking torque existed
  double stop_energy = 0.0;  ///< J: the most that stops, without caps, have added in a cycle
  double work = 0.0;         ///< J: of all changes of torques
  long cycles = 0, changed = 0;
  long excused = 0;    ///< runs that end because no braking torque existed
  std::string broken;  ///< the first law that did not hold; empty: none

  /// Adds those of another run.
  void add(const EnvelopeFigures& run) {
    overshoot = std::max(overshoot, run.overshoot);
    overspeed = std::max(overspeed, run.overspeed);
    stop_energy = std::max(stop_energy, run.stop_energy);
    work += run.work;
    cycles += run.cycles;
    changed += run.changed;
    excused += run.excused;
    if (broken.empty()) broken = run.broken;
  }
};

class EnvelopeRig {
 public:
  EnvelopeRig(const Model& model, const EnvelopeSettings& settings, double rate_hz = 1000.0)
      : model_(model),
        data_(model),
        coordinates_(model),
        robot_(model),
        envelope_(model_, coordinates_),
        simulator_(model, options()),
        witness_(model, options()),
        period_s_(1.0 / rate_hz),
        hardware_(VectorXd::Zero(model.nv())) {
    ControlSettings control;
    control.envelope = settings;
    joints_ = resolve_joint_settings(control, model);
    lowest_ = -joints_.effort_limit;
    highest_ = joints_.effort_limit;
    base_ = coordinates_.floating_base() ? 6 : 0;
    lowest_.head(base_).setZero();
    highest_.head(base_).setZero();
  }

  void start(const VectorXd& q, const VectorXd& v) {
    simulator_.reset(q, v);
    past_.clear();
    over_ = false;
  }
  /// One cycle with the wanted torque. Returns false if the run is over: a law is broken, or a
  /// limit is exceeded where no braking torque existed.
  bool step(const VectorXd& wanted, EnvelopeFigures& figures) {
    past_.push_back({simulator_.q(), simulator_.v(), wanted});
    torque_ = wanted;
    faults_ = envelope_.limit(limits(),
                              {period_s_, past_.back().q, past_.back().v, hardware_,
                               kNoExternalForces, joints_.effort_limit, lowest_, highest_},
                              robot_, torque_);
    if (!simulator_.step(period_s_, torque_)) return false;
    ++figures.cycles;
    if (torque_ != wanted) ++figures.changed;
    check_torque(wanted, figures);
    check_limits(figures);
    return !over_ && figures.broken.empty();
  }

  [[nodiscard]] const Coordinates& coordinates() const { return coordinates_; }
  [[nodiscard]] const EnvelopeLimits& limits() const { return joints_.envelope; }
  [[nodiscard]] const JointSettings& joints() const { return joints_; }
  [[nodiscard]] const VectorXd& torque() const { return torque_; }
  [[nodiscard]] const VectorXd& q() const { return simulator_.q(); }
  [[nodiscard]] const VectorXd& v() const { return simulator_.v(); }
  [[nodiscard]] Faults faults() const { return faults_; }
  [[nodiscard]] const LimitedCoordinates& limited() const { return envelope_.limited(); }
  [[nodiscard]] Simulator& simulator() { return simulator_; }
  [[nodiscard]] const VectorXd& highest() const { return highest_; }

 private:
  struct Past {
    VectorXd q, v, wanted;
  };

  static SimulatorOptions options() {
    SimulatorOptions options;
    options.substeps = 8;
    options.joint_stops = false;
    return options;
  }

  /// No law about the result of the motion: what the torque itself must satisfy.
  void check_torque(const VectorXd& wanted, EnvelopeFigures& figures) {
    VectorXd wish;  // velocity at the end of the period with the wanted torque
    double work = 0.0;
    const Past& before = past_.back();
    for (const ScalarCoordinate& c : coordinates_) {
      const double limit = joints_.effort_limit(c.v), change = torque_(c.v) - wanted(c.v);
      if (!(std::abs(torque_(c.v)) <= limit)) break_law(figures, c, "exceeds its effort limit");
      if (std::abs(change) <= 1e-3 * limit) continue;  // what the solver leaves
      if (faults_ == 0) break_law(figures, c, "changes without a report");
      const double mean = 0.5 * (before.v(c.v) + v()(c.v));
      const double energy = change * mean * period_s_;
      work += energy;
      // A change opposes the motion: that before the period, or that which the wanted torque or
      // the changed torque produces by its end.
      // Slower than a hundredth of the cap counts as at rest.
      const double rest = 0.01 * std::min(limits().velocity(c.v), 10.0);
      const double direction = change > 0.0 ? 1.0 : -1.0;
      if (wish.size() == 0) {
        witness_.reset(before.q, before.v);
        (void)witness_.step(period_s_, wanted);
        wish = witness_.v();
      }
      if (direction * before.v(c.v) > rest && direction * wish(c.v) > 5.0 * rest &&
          direction * v()(c.v) > rest) {
        break_law(figures, c, "is pushed in the direction of its motion");
      }
    }
    figures.work += work;
    if (faults_ == static_cast<Faults>(Fault::kStopReached)) {
      figures.stop_energy = std::max(figures.stop_energy, work);
    }
  }

  void check_limits(EnvelopeFigures& figures) {
    for (const ScalarCoordinate& c : coordinates_) {
      for (const double sign : {-1.0, 1.0}) {
        const double hard = sign > 0.0 ? limits().hard_upper(c.v) : -limits().hard_lower(c.v);
        const double beyond = sign * q()(c.q) - hard;
        const bool outward = sign * v()(c.v) > 0.0;
        if (beyond > figures.overshoot && outward) {
          const bool fits = beyond <= kMostOvershoot;
          if (fits || excused(c, sign, 0.0, figures)) {
            if (fits) figures.overshoot = beyond;
          } else {
            figures.overshoot = beyond;
            break_law(figures, c, "overshoots its hard limit by " + std::to_string(beyond));
          }
        }
        const double cap = limits().velocity(c.v);
        const double share = sign * v()(c.v) / cap - 1.0;
        if (std::isfinite(cap) && share > figures.overspeed) {
          const bool fits = share <= kMostOverspeed;
          if (fits || excused(c, sign, 0.5 * cap, figures)) {
            if (fits) figures.overspeed = share;
          } else {
            figures.overspeed = share;
            break_law(figures, c, "exceeds its velocity cap by " + std::to_string(share));
          }
        }
      }
    }
  }

  /// Whether no braking torque existed in one of the cycles since the coordinate was slower than
  /// `slow` in the direction `sign`.
  bool excused(const ScalarCoordinate& c, double sign, double slow, EnvelopeFigures& figures) {
    for (auto past = past_.rbegin(); past != past_.rend(); ++past) {
      if (!braking_torque_exists(*past)) {
        over_ = true;
        ++figures.excused;
        return true;
      }
      if (sign * past->v(c.v) <= slow) return false;
    }
    return false;
  }

  /// sum(row * torque) <= bound, for the torques of the motors.
  struct Conditions {
    std::vector<VectorXd> rows;
    std::vector<double> bounds;
    VectorXd lowest, highest;
  };

  /// Whether a braking torque within the effort limits exists: torques that differ from the wanted
  /// ones only against the motion (at the start of the period, or at its end with the wanted
  /// torques), that reverse no speed, with which every coordinate that approaches a hard limit
  /// decelerates by v^2 / 2d, where d is the distance to half of the permitted overshoot, and with
  /// which no speed passes its cap, or increases beyond it. A simulation of the period confirms it.
  /// The textbook's functions are independent of those that the envelope calls.
  bool braking_torque_exists(const Past& state) {
    const Index n = model_.nv() - base_;
    const VectorXd zero = VectorXd::Zero(model_.nv());
    const VectorXd free = textbook::forward_dynamics(model_, data_, state.q, state.v, zero);
    const MatrixXd inverse = MatrixXd(textbook::mass_matrix(model_, data_, state.q)).inverse();
    Conditions conditions{{}, {}, lowest_, highest_};
    for (const ScalarCoordinate& c : coordinates_) {
      const double sign = state.v(c.v) > 0.0 ? 1.0 : -1.0;
      const double cap = limits().velocity(c.v);
      double bound = stop_bound_of(c, state);
      if (std::isfinite(cap)) {
        bound = std::min(bound, std::max((cap - std::abs(state.v(c.v))) / period_s_, 0.0));
      }
      if (!std::isfinite(bound)) continue;
      conditions.rows.push_back(sign * inverse.row(c.v).tail(n).transpose());
      conditions.bounds.push_back(bound - sign * free(c.v));
    }
    permit_braking_only(state, free, inverse, conditions);
    MatrixXd A(static_cast<Index>(conditions.rows.size()), n);
    VectorXd b(A.rows());
    for (Index i = 0; i < A.rows(); ++i) {
      A.row(i) = conditions.rows[to_size(i)].transpose();
      b(i) = conditions.bounds[to_size(i)];
    }
    const auto torques = find_solution(A, b, conditions.lowest.tail(n), conditions.highest.tail(n));
    return torques && brakes(state, *torques);
  }

  void permit_braking_only(const Past& state, const VectorXd& free, const MatrixXd& inverse,
                           Conditions& conditions) const {
    const VectorXd by_wanted = free + inverse * state.wanted;
    for (const ScalarCoordinate& c : coordinates_) {
      const double v = state.v(c.v), next = v + period_s_ * by_wanted(c.v);
      if (v <= 0.0 && next <= 0.0) conditions.lowest(c.v) = state.wanted(c.v);
      if (v >= 0.0 && next >= 0.0) conditions.highest(c.v) = state.wanted(c.v);
      if (v == 0.0) continue;
      const double sign = v > 0.0 ? 1.0 : -1.0;
      // sign (v + a T) >= min(0, sign next)
      conditions.rows.push_back(-sign * inverse.row(c.v).tail(model_.nv() - base_).transpose());
      conditions.bounds.push_back((sign * v - std::min(0.0, sign * next)) / period_s_ +
                                  sign * free(c.v));
    }
  }

  /// Whether the torques, which satisfy all conditions at the start of the period, brake during the
  /// whole period.
  bool brakes(const Past& state, const VectorXd& torques) {
    VectorXd effort = VectorXd::Zero(model_.nv());
    effort.tail(torques.size()) = torques;
    witness_.reset(state.q, state.v);
    if (!witness_.step(period_s_, effort)) return false;
    return std::all_of(coordinates_.begin(), coordinates_.end(), [&](const ScalarCoordinate& c) {
      const double sign = state.v(c.v) > 0.0 ? 1.0 : -1.0, before = std::abs(state.v(c.v));
      const double speed = std::abs(witness_.v()(c.v)), cap = limits().velocity(c.v);
      const double mean = (sign * witness_.v()(c.v) - before) / period_s_;
      const double bound = stop_bound_of(c, state);
      return speed <= std::max((1.0 + 0.5 * kMostOverspeed) * cap, before) &&
             mean <= bound + 0.1 * std::abs(bound);
    });
  }

  /// The deceleration, as a negative number, that ends before the hard limit.
  [[nodiscard]] double stop_bound_of(const ScalarCoordinate& c, const Past& state) const {
    const double sign = state.v(c.v) > 0.0 ? 1.0 : -1.0, speed = std::abs(state.v(c.v));
    const double hard = sign > 0.0 ? limits().hard_upper(c.v) : -limits().hard_lower(c.v);
    if (!std::isfinite(hard) || speed == 0.0) return kUnlimited;
    const double left = hard - sign * state.q(c.q) + 0.5 * kMostOvershoot;
    return left > 0.0 ? -0.5 * speed * speed / left : -speed / period_s_;
  }

  void break_law(EnvelopeFigures& figures, const ScalarCoordinate& c,
                 const std::string& what) const {
    if (!figures.broken.empty()) return;
    figures.broken = c.name + " " + what + " in cycle " + std::to_string(past_.size());
  }

  Model model_;
  textbook::Data data_;
  Coordinates coordinates_;
  RobotDynamics robot_;
  Envelope envelope_;
  Simulator simulator_, witness_;
  double period_s_;
  VectorXd hardware_;
  JointSettings joints_;
  VectorXd lowest_, highest_, torque_;
  Index base_ = 0;
  Faults faults_ = 0;
  std::vector<Past> past_;  // of the run
  bool over_ = false;
};

}  // namespace spatial_dynamics::test

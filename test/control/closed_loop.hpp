// A robot under one torque law that is computed once per period: the exact model, without limits.
#pragma once

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>
#include <vector>

#include "control/torque_laws.hpp"
#include "spatial_dynamics/simulation/simulator.hpp"
#include "spatial_dynamics/textbook/energy.hpp"

namespace spatial_dynamics::test {

class ClosedLoop {
 public:
  /// For robots whose coordinates are all single numbers. `plant` is the robot that moves; the law
  /// computes with `model`.
  ClosedLoop(const Model& model, const Model& plant, double period_s)
      : coordinates_(model),
        robot_(model),
        data_(plant),
        laws_(model.nv(), static_cast<Index>(coordinates_.size())),
        tracker_(coordinates_.scalars()),
        simulator_(plant, options()),
        period_s_(period_s),
        model_(plant) {
    JointReference none;
    references_.joints.assign(coordinates_.size(), none);
  }

  /// Without ramps.
  void set(const ControlSettings& settings) {
    joints_ = resolve_joint_settings(settings, robot_.model());
    mode_ = settings.torque_mode;
    laws_.update_settings(settings, joints_, RampStep{1.0, true});
  }
  void start(const VectorXd& q, const VectorXd& v) { simulator_.reset(q, v); }
  /// The reference from now on: at rest at q.
  void hold(const VectorXd& q) {
    held_ = q;
    tracker_.restart(references_, q);
  }
  /// One period. Returns false if a number was not finite.
  [[nodiscard]] bool step() {
    const bool finite = laws_.compute(mode_, coordinates_, tracker_, simulator_.q(), simulator_.v(),
                                      kNoExternalForces, robot_);
    return finite && simulator_.step(period_s_, laws_.torque());
  }

  [[nodiscard]] double kinetic_energy() {
    return textbook::kinetic_energy(model_, data_, simulator_.q(), simulator_.v());
  }
  /// Of the springs of joint_impedance between the robot and the held position.
  [[nodiscard]] double spring_energy() const {
    double energy = 0.0;
    for (const ScalarCoordinate& c : coordinates_) {
      const double error = held_(c.q) - simulator_.q()(c.q);
      energy += 0.5 * joints_.stiffness(c.v) * error * error;
    }
    return energy;
  }
  [[nodiscard]] double energy() { return kinetic_energy() + spring_energy(); }

  [[nodiscard]] Simulator& simulator() noexcept { return simulator_; }
  [[nodiscard]] TorqueLaws& laws() noexcept { return laws_; }
  [[nodiscard]] const Coordinates& coordinates() const noexcept { return coordinates_; }

 private:
  static SimulatorOptions options() {
    SimulatorOptions options;
    options.integrator = Integrator::kRk4;
    options.joint_stops = false;
    return options;
  }

  Coordinates coordinates_;
  RobotDynamics robot_;
  textbook::Data data_;
  TorqueLaws laws_;
  ReferenceTracker tracker_;
  References references_;
  JointSettings joints_;
  TorqueMode mode_ = TorqueMode::kJointImpedance;
  Simulator simulator_;
  VectorXd held_;
  double period_s_;
  Model model_;
};

/// What a joint that is released from rest gains: the largest energy of its motion minus that of
/// its springs at the start, as a part of it. Negative if it loses energy from the start on, and
/// infinite if a number is not finite.
inline double largest_energy_gain(ClosedLoop& loop, int periods) {
  const double start = loop.energy();
  double largest = -1.0;
  for (int i = 0; i < periods; ++i) {
    if (!loop.step()) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, loop.energy() / start - 1.0);
  }
  return largest;
}

/// Gains inside the range of compliance_settings.hpp at pose q: `stiff` and `damped`, 0 to 1,
/// choose where. Damping is at most 0.2 lambda_min(M) / T, reduced by `margin` because M changes on
/// the way.
inline ControlSettings stable_gains(const MatrixXd& M, double period_s, double damped, double stiff,
                                    double margin) {
  const double least = Eigen::SelfAdjointEigenSolver<MatrixXd>(M).eigenvalues()(0);
  ControlSettings settings;
  settings.torque_mode = TorqueMode::kJointImpedance;
  settings.rate_hz = 1.0 / period_s;
  const double damping = margin * damped * 0.2 * least / period_s;
  settings.damping = {damping};
  settings.stiffness = {stiff * damping / period_s};
  return settings;
}

}  // namespace spatial_dynamics::test

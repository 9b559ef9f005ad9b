#include "torque_laws.hpp"

#include <algorithm>
#include <utility>

#include "planar_forces.hpp"

namespace spatial_dynamics {

TorqueLaws::TorqueLaws(Index nv, Index scalars)
    : kp_(nv),
      kd_(nv),
      springs_(nv),
      stiffness_(VectorXd::Zero(nv)),
      locks_(nv, scalars),
      guiding_(2),
      shares_(4),
      position_error_(VectorXd::Zero(scalars)),
      adoption_(static_cast<std::size_t>(scalars), 0),
      hardware_(VectorXd::Zero(nv)) {
  torque_ = desired_ = acceleration_ = feed_forward_ = viscous_velocity_ = coulomb_velocity_ =
      follows_reference_ = friction_ = reference_velocity_ = spring_torque_ = coriolis_ = hardware_;
}

void TorqueLaws::update_settings(const ControlSettings& settings, const JointSettings& joints,
                                 const RampStep& step, const StiffnessCommand* command) noexcept {
  const HardwareCompensation& hardware = settings.compensated_by_hardware;
  // A vector of fixed size does not allocate.
  const Eigen::Vector4d shares(hardware.gravity ? 0.0 : 1.0, hardware.coriolis ? 0.0 : 1.0,
                               settings.friction_compensation && !hardware.friction ? 1.0 : 0.0,
                               hardware.friction ? 1.0 : 0.0);
  kp_.update(joints.kp, step);
  kd_.update(joints.kd, step);
  stiffness_ = joints.stiffness;
  if (command != nullptr) {
    const auto& given = command->stiffness.array();
    stiffness_ = (given >= 0.0).select(given, stiffness_.array()).matrix();
  }
  springs_.update_settings(joints, stiffness_, step);
  locks_.update_settings(joints.locked, step);
  guiding_.update(
      Eigen::Vector2d(settings.hand_guiding.damping, settings.hand_guiding.friction_share), step);
  shares_.update(shares, step);
}

void TorqueLaws::clear_gains() noexcept {
  desired_.setZero();
  kp_.jump(desired_);
  kd_.jump(desired_);
  springs_.clear();
  position_error_.setZero();
}

void TorqueLaws::continue_from(const TorqueLaws& other) noexcept {
  torque_ = other.torque_;
  position_error_ = other.position_error_;
  locks_ = other.locks_;
  std::copy(other.adoption_.begin(), other.adoption_.end(), adoption_.begin());
}

bool TorqueLaws::compute(TorqueMode mode, const Coordinates& coordinates,
                         const ReferenceTracker& tracker, const VectorXd& q, const VectorXd& v,
                         const ExternalForces& external, RobotDynamics& robot) noexcept {
  read_reference(mode, coordinates, tracker, q, v);
  switch (mode) {
    case TorqueMode::kGravityCompensation:
      desired_ = robot.torque(q, robot.zero(), robot.zero(), external);
      break;
    case TorqueMode::kComputedTorque:
      add_feedback(coordinates, tracker, v);
      [[fallthrough]];
    case TorqueMode::kInverseDynamics:
      desired_ = robot.torque(q, v, acceleration_, external);
      add_friction(v, robot);
      break;
    case TorqueMode::kJointImpedance:
      compute_impedance(coordinates, q, v, external, robot);
      break;
    case TorqueMode::kHandGuiding:
      compute_guiding(coordinates, q, v, external, robot);
      break;
  }
  desired_ += feed_forward_;
  leave_to_hardware(mode, coordinates.floating_base(), q, v, robot);
  if (!desired_.allFinite()) return false;
  torque_ = desired_;
  return true;
}

void TorqueLaws::read_reference(TorqueMode mode, const Coordinates& coordinates,
                                const ReferenceTracker& tracker, const VectorXd& q,
                                const VectorXd& v) noexcept {
  turned_ = false;
  spring_torque_.setZero();
  coriolis_.setZero();
  reference_velocity_.setZero();
  acceleration_.setZero();
  feed_forward_.setZero();
  follows_reference_.setZero();
  viscous_velocity_ = coulomb_velocity_ = v;
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const ScalarCoordinate& c = coordinates[k];
    const ReferenceSample& reference = tracker[k];
    position_error_(static_cast<Index>(k)) =
        mode == TorqueMode::kJointImpedance && c.wraps
            ? unwrapped_error(k, c, tracker, q)
            : spatial_dynamics::position_error(c, reference, q);
    reference_velocity_(c.v) = reference.velocity;
    follows_reference_(c.v) = reference.follows_reference;
    if (reference.follows_reference > 0.0) coulomb_velocity_(c.v) = reference.velocity;
    feed_forward_(c.v) = reference.effort;
    acceleration_(c.v) = reference.acceleration;
  }
}

/// The error of a continuous joint, without a jump by whole turns: neither when the joint is pushed
/// past half a turn, nor when its sensor starts a new turn. A new reference takes the shorter
/// direction.
double TorqueLaws::unwrapped_error(std::size_t k, const ScalarCoordinate& coordinate,
                                   const ReferenceTracker& tracker, const VectorXd& q) noexcept {
  if (!tracker[k].has_position) return 0.0;
  const double error = tracker[k].position - q(coordinate.q);
  const double before = position_error_(static_cast<Index>(k));
  const double nearest = before + std::remainder(error - before, kTurn);
  const bool is_new = std::exchange(adoption_[k], tracker.adoption(k)) != tracker.adoption(k);
  if (!is_new) return nearest;
  const double shortest = std::remainder(error, kTurn);
  turned_ = turned_ || std::abs(shortest - nearest) > 0.5 * kTurn;
  return shortest;
}

/// tau = M a_ref + C v_ref + g + K (q_ref - q) + D (v_ref - v). Friction is compensated at the
/// velocity of the reference: it then only adds damping to a motion that no reference asks for.
void TorqueLaws::compute_impedance(const Coordinates& coordinates, const VectorXd& q,
                                   const VectorXd& v, const ExternalForces& external,
                                   RobotDynamics& robot) noexcept {
  desired_ = robot.torque(q, robot.zero(), acceleration_, external);
  if (!reference_velocity_.isZero(0.0)) {
    coriolis_.noalias() = robot.coriolis_matrix(q, v) * reference_velocity_;
    desired_ += coriolis_;
  }
  springs_.update_damping(q, robot);
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const Index i = coordinates[k].v;
    spring_torque_(i) = springs_.stiffness()(i) * position_error_(static_cast<Index>(k));
  }
  rotate_planar_forces(coordinates, q, spring_torque_);
  spring_torque_ += springs_.damping().cwiseProduct(reference_velocity_ - v);
  desired_ += spring_torque_;
  friction_ = shares_.now()(2) * robot.friction_torque(reference_velocity_, reference_velocity_);
  desired_ += friction_;
}

/// tau = g - d M v: all motions of free joints decay at the rate d, whatever their inertia.
///
/// Friction: at most friction_share of the friction at the measured velocity is added, so that what
/// remains always opposes the motion, and nothing is added at rest. Coulomb friction is compensated
/// over five times the speed range in which the model lets it grow, so that noise of the velocity
/// causes little torque.
void TorqueLaws::compute_guiding(const Coordinates& coordinates, const VectorXd& q,
                                 const VectorXd& v, const ExternalForces& external,
                                 RobotDynamics& robot) noexcept {
  constexpr double kSlowerGrowth = 0.2;
  acceleration_.setZero();
  for (const ScalarCoordinate& c : coordinates) acceleration_(c.v) = -guiding_.now()(0) * v(c.v);
  desired_ = robot.torque(q, robot.zero(), acceleration_, external);
  locks_.update(coordinates, q);
  const VectorXd& locked = locks_.weight();
  coulomb_velocity_ = kSlowerGrowth * v;
  friction_ = shares_.now()(2) * guiding_.now()(1) * robot.friction_torque(v, coulomb_velocity_);
  friction_.array() *= 1.0 - locked.array();
  desired_ += friction_;
  if (locked.isZero(0.0)) return;
  springs_.update_damping(q, robot);
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const Index i = coordinates[k].v;
    spring_torque_(i) = springs_.stiffness()(i) * locks_.error()(static_cast<Index>(k));
  }
  rotate_planar_forces(coordinates, q, spring_torque_);
  spring_torque_ -= springs_.damping().cwiseProduct(v);
  spring_torque_.array() *= locked.array();
  desired_ += spring_torque_;
}

/// a = a_ref + Kd (v_ref - v) + Kp (q_ref - q). Viscous friction is compensated at the velocity of
/// the reference plus that of the decaying error.
void TorqueLaws::add_feedback(const Coordinates& coordinates, const ReferenceTracker& tracker,
                              const VectorXd& v) noexcept {
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const Index i = coordinates[k].v;
    const ReferenceSample& reference = tracker[k];
    const double error = position_error_(static_cast<Index>(k));
    const double kp = kp_.now()(i), kd = kd_.now()(i);
    acceleration_(i) += kd * (reference.velocity - v(i)) + kp * error;
    viscous_velocity_(i) = reference.velocity + error_decay_rate(kp, kd) * error;
  }
}

/// Adds the share of friction that this controller compensates. While a reference ramps out, the
/// Coulomb torques at its velocity and at the measured velocity are blended. Blended velocities
/// could pass through zero and would change the sign of the torque within a few cycles.
void TorqueLaws::add_friction(const VectorXd& v, RobotDynamics& robot) noexcept {
  const double share = shares_.now()(2);
  friction_.setZero();
  if (share == 0.0) return;
  friction_ = share * robot.friction_torque(viscous_velocity_, coulomb_velocity_);
  const auto& follows = follows_reference_;
  if ((follows.array() > 0.0 && follows.array() < 1.0).any()) {
    const VectorXd& measured = robot.friction_torque(viscous_velocity_, v);
    for (Index k = 0; k < friction_.size(); ++k) {
      const double f = follows(k);
      if (f > 0.0) friction_(k) = f * friction_(k) + (1.0 - f) * share * measured(k);
    }
  }
  desired_ += friction_;
}

/// Subtracts the terms that the robot's own controller adds. It adds them in every mode.
void TorqueLaws::leave_to_hardware(TorqueMode mode, bool floating_base, const VectorXd& q,
                                   const VectorXd& v, RobotDynamics& robot) noexcept {
  const double gravity = 1.0 - gravity_share(), coriolis = 1.0 - shares_.now()(1),
               friction = shares_.now()(3);
  const auto add = [&](double share, const VectorXd& torque) {
    hardware_ += share * torque;
    if (floating_base) hardware_.head<6>().setZero();  // no motor drives the base
  };
  hardware_.setZero();
  if (coriolis > 0.0) {
    add(coriolis, robot.bias_torque(q, v));
    add(-coriolis, robot.gravity_torque(q));
    // These modes have no Coriolis torque to leave out.
    const bool has_none =
        mode == TorqueMode::kGravityCompensation || mode == TorqueMode::kHandGuiding;
    if (has_none) desired_ += hardware_;
  }
  if (gravity > 0.0) add(gravity, robot.gravity_torque(q));
  desired_ -= hardware_;
  if (friction > 0.0) hardware_ += friction * robot.friction_torque(v, v);
}

}  // namespace spatial_dynamics

// A simulated robot as nodes and hardware plug-ins run it: motors, servos, brakes, and its start.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/simulator_config.hpp"
#include "spatial_dynamics/control/control_input.hpp"
#include "spatial_dynamics/model/coordinates.hpp"
#include "spatial_dynamics/simulation/simulator.hpp"

namespace spatial_dynamics {

/// What moves a coordinate.
enum class Drive : unsigned char {
  kBrake,     ///< holds it
  kEffort,    ///< a motor
  kVelocity,  ///< an ideal servo: reaches a velocity at once
  kPosition,  ///< an ideal servo: reaches a position at the end of the step
};

/// A Simulator with a drive for each scalar coordinate. At the start every brake is on. A floating
/// base is held until the first drive other than a brake is set. Servos keep the URDF's velocity
/// limits. After construction nothing allocates.
class SimulatedRobot {
 public:
  /// Per-joint parameters follow `order` as in resolve_joint_settings(). Allocates; throws
  /// ModelError or ParameterError.
  SimulatedRobot(const Model& model, const SimulatorConfig& config,
                 const std::vector<std::string>& order = {});

  [[nodiscard]] const Coordinates& coordinates() const noexcept { return coordinates_; }
  /// Names of the coordinates, in the order of per-joint parameters.
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  [[nodiscard]] const Model& model() const noexcept { return simulator_.model(); }
  [[nodiscard]] const Measurement& measured() const noexcept { return simulator_.measured(); }

  /// Back to the start, at rest, all brakes on, without wrenches. Real-time safe.
  void reset();
  /// All brakes on: the robot stops where it is. Real-time safe.
  void brake() noexcept;
  [[nodiscard]] bool braked() const noexcept { return braked_; }  ///< all brakes are on

  /// Sets the drive of coordinate k, N m, rad/s, rad or their linear equivalents. A command that is
  /// not finite is no command: the motor has no effort, the servo stands still. Real-time safe.
  void drive(std::size_t k, Drive drive, double command) noexcept;

  /// Applies wrenches that are not older than timeout_s at `now`, and payloads. Links as in the
  /// model. Real-time safe.
  void set_world(const Wrenches& wrenches, const Payloads& payloads, std::int64_t now,
                 double timeout_s);

  /// How many periods of rate_hz to simulate after `since_s` seconds: at least one, and at most
  /// those of `longest_s`. Longer gaps count as pauses. Real-time safe.
  [[nodiscard]] static int periods_due(double since_s, double rate_hz, double longest_s) noexcept;

  /// Advances by `steps` steps of dt seconds. False if the simulation diverged; the robot then is
  /// where it was before the failed step. Real-time safe.
  [[nodiscard]] bool advance(int steps, double dt) noexcept;
  /// The same for a caller whose periods of 1 / rate_hz vary: advances by `since_s` seconds in
  /// steps of about one period, by 0.1 s at most, and not at all if `since_s` is not positive.
  [[nodiscard]] bool advance_by(double since_s, double rate_hz) noexcept;

 private:
  /// The velocity at which the drive moves its coordinate, with `remaining` seconds left; NaN for a
  /// motor.
  [[nodiscard]] double driven_velocity(std::size_t k, double remaining) const noexcept;
  void hold_base(bool hold) noexcept;

  Coordinates coordinates_;
  std::vector<std::string> names_;
  Simulator simulator_;
  VectorXd start_, effort_;
  std::vector<Drive> drives_;           // per scalar coordinate
  std::vector<double> commands_;        // per scalar coordinate
  std::vector<double> velocity_limit_;  // per scalar coordinate
  std::vector<Force> wrenches_;         // per link
  std::uint64_t payload_generation_ = 0;
  bool braked_ = true;
};

}  // namespace spatial_dynamics

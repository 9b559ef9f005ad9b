// A simulated robot: efforts in, measured joint states out.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "spatial_dynamics/dynamics/data.hpp"

namespace spatial_dynamics {

class MotionStepper;

/// kSemiImplicit is of first order and stable for any friction; kRk4 is of fourth order where the
/// motion is smooth.
enum class Integrator { kSemiImplicit, kRk4 };
const char* to_string(Integrator integrator) noexcept;  ///< "semi_implicit", "rk4"

struct SimulatorOptions {
  Integrator integrator = Integrator::kSemiImplicit;
  int substeps = 4;              ///< integration steps in one step()
  bool joint_stops = true;       ///< joints stop, inelastically, at the model's position limits
  bool saturate_effort = false;  ///< limit efforts to the model's limits, if it has any

  // Sensors: standard deviations of Gaussian noise, in the units of the coordinate. The noise of a
  // floating base's orientation is a rotation about each of its axes, with position_noise in rad.
  double position_noise = 0.0;
  double velocity_noise = 0.0;
  double effort_noise = 0.0;
  int delay_samples = 0;   ///< delay of measurements, in calls of step()
  std::uint64_t seed = 1;  ///< of the noise
};

/// Sensor values of the robot.
struct Measurement {
  double time_s = 0.0;  ///< time of the measured state since the last reset
  VectorXd q;           ///< nq numbers
  VectorXd v;           ///< nv numbers
  VectorXd a;           ///< nv numbers: mean acceleration of the last step(), without noise
  VectorXd effort;  ///< nv numbers: efforts of the motors, after saturation; 0 for a floating base
};

/// Integrates a robot's motion from the efforts of its motors. The same model, options and calls
/// give the same numbers, bit for bit. The caller determines the time: step() may be called faster
/// or slower than real time.
///
/// A floating base has no motor: its rows of the efforts are ignored. Use set_wrench() to push the
/// base or any link. For one thread. After construction nothing allocates.
class Simulator {
 public:
  /// Starts at rest in the neutral configuration. Throws ModelError if forces do not determine the
  /// model's acceleration, std::invalid_argument for options out of range. Allocates.
  explicit Simulator(Model model, const SimulatorOptions& options = {});
  ~Simulator();
  Simulator(Simulator&& other) noexcept;
  Simulator& operator=(Simulator&& other) noexcept;

  /// Returns to time 0, at q (nq numbers) with velocity v (nv numbers; default: at rest), without
  /// wrenches. Restarts the noise. Throws std::invalid_argument for a wrong size or a number that
  /// is not finite, and then changes nothing.
  void reset(const VectorXd& q);
  void reset(const VectorXd& q, const VectorXd& v);

  /// Advances by dt seconds under constant efforts (nv numbers). Returns false and changes nothing
  /// if dt is not positive, the number of efforts is wrong, or an effort or the result is not
  /// finite. Does nothing and returns true while paused. Real-time safe.
  [[nodiscard]] bool step(double dt, const VectorXd& effort) noexcept;

  void pause() noexcept { paused_ = true; }
  void resume() noexcept { paused_ = false; }
  [[nodiscard]] bool paused() const noexcept { return paused_; }

  /// Drives a coordinate (an index into v) at a velocity in step(), as an ideal servo or a brake
  /// does, whatever effort that needs. Its effort() is then the mean effort of the drive over the
  /// step. Stops hold such a joint too. NaN: the coordinate is moved by its effort again. An index
  /// out of range is ignored. Real-time safe.
  void prescribe_velocity(Index coordinate, double velocity) noexcept;

  /// Replaces the wrench on a link, at the link's origin in the link's frame. Real-time safe.
  /// Throws std::invalid_argument if the model has no such link.
  void set_wrench(Index link, const Force& wrench);
  void clear_wrenches() noexcept;
  /// As the functions of Model. Real-time safe.
  void set_gravity(const Vector3& gravity) noexcept { model_.set_gravity(gravity); }
  void set_payload(Index link, const Inertia& payload) { model_.set_payload(link, payload); }

  [[nodiscard]] const Model& model() const noexcept { return model_; }
  [[nodiscard]] double time_s() const noexcept { return time_s_; }
  /// The true state, and the motors' efforts of the last step().
  [[nodiscard]] const VectorXd& q() const noexcept { return q_; }
  [[nodiscard]] const VectorXd& v() const noexcept { return v_; }
  [[nodiscard]] const VectorXd& effort() const noexcept { return effort_; }
  /// Limits of the efforts in step(); 0 without a motor.
  [[nodiscard]] const VectorXd& effort_limit() const noexcept { return effort_limit_; }
  /// The measured state, with noise and delay; constant until the next step(). Real-time safe.
  [[nodiscard]] const Measurement& measured() const noexcept {
    return samples_[newest_after_delay()];
  }
  /// Kinetic and potential energy of the true state, J; see energy.hpp. Real-time safe.
  [[nodiscard]] double energy() noexcept;

 private:
  void measure(Measurement& sample) noexcept;
  [[nodiscard]] std::size_t newest_after_delay() const noexcept {
    return (newest_ + 1) % samples_.size();  // the ring's oldest
  }
  /// Gaussian, nv numbers, into noise_.
  void draw_noise(double deviation) noexcept;

  Model model_;
  SimulatorOptions options_;
  std::unique_ptr<MotionStepper> stepper_;
  Data data_;
  VectorXd effort_limit_;  // nv numbers; 0 without a motor
  VectorXd at_rest_;       // nv zeros
  VectorXd q_, v_, effort_;
  VectorXd q_before_, v_before_, effort_before_;
  VectorXd a_;              // mean of the last step()
  VectorXd drive_impulse_;  // of prescribed coordinates
  double time_s_ = 0.0;
  bool paused_ = false;
  std::vector<Force> wrenches_;  // per link
  ExternalForces external_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  VectorXd noise_;
  std::vector<Measurement> samples_;  // a ring of delay + 1
  std::size_t newest_ = 0;
};

}  // namespace spatial_dynamics

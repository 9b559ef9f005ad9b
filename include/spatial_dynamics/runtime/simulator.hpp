// A simulated robot: efforts in, measured joint states out.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "spatial_dynamics/runtime/motion_stepper.hpp"

namespace spatial_dynamics {

struct SimulatorOptions {
  Integrator integrator = Integrator::kSemiImplicit;
  int substeps = 4;              ///< steps of integration in one step()
  bool joint_stops = true;       ///< joints stop, inelastically, at the model's position limits
  bool saturate_effort = false;  ///< cut efforts to the model's limits, where it has any

  // Sensors: standard deviations of Gaussian noise, in the units of the coordinate. A floating base's orientation is turned by the
  // position's about each of its axes.
  double position_noise = 0.0;
  double velocity_noise = 0.0;
  double effort_noise = 0.0;
  int delay_samples = 0;   ///< by how many step()s measurements lag
  std::uint64_t seed = 1;  ///< of the noise
};

/// What the robot's sensors say.
struct Measurement {
  double time_s = 0.0;  ///< of the state it shows, since the last reset
  VectorXd q;           ///< nq numbers
  VectorXd v;           ///< nv numbers
  VectorXd effort;  ///< nv numbers: what the motors did, after saturation; 0 for a floating base
};

/// Integrates a robot's motion from the efforts of its motors. The same model, options and calls give the same numbers, bit for
/// bit. Time is the caller's: step() may be called faster or slower than the clock.
///
/// A floating base has no motor: its rows of the efforts are ignored. Push it, or any link, by set_wrench().
/// For one thread. After construction nothing allocates.
class Simulator {
 public:
  /// Starts at rest in the neutral configuration. Throws ModelError if forces do not determine the model's acceleration,
  /// std::invalid_argument for options out of range. Allocates.
  explicit Simulator(Model model, const SimulatorOptions& options = {});

  /// Goes back to time 0, at q (nq numbers) with velocity v (nv numbers; none: at rest), without wrenches. Noise starts anew.
  /// Throws std::invalid_argument for a wrong size or a number that is not finite; nothing changes then.
  void reset(const VectorXd& q);
  void reset(const VectorXd& q, const VectorXd& v);

  /// Moves on by dt seconds under constant efforts (nv numbers). False, and nothing changed, if dt is not positive, or an effort
  /// or the result is not finite. While paused it does nothing, and that succeeds. Real-time safe.
  [[nodiscard]] bool step(double dt, const VectorXd& effort) noexcept;

  void pause() noexcept { paused_ = true; }
  void resume() noexcept { paused_ = false; }
  [[nodiscard]] bool paused() const noexcept { return paused_; }

  /// Pushes a link from now on, in place of the wrench before: at the link's origin, in the link's frame. Real-time safe.
  void set_wrench(Index link, const Force& wrench) noexcept;
  void clear_wrenches() noexcept;
  /// As Model's. Real-time safe.
  void set_gravity(const Vector3& gravity) noexcept { model_.set_gravity(gravity); }
  void set_payload(Index link, const Inertia& payload) noexcept {
    model_.set_payload(link, payload);
  }

  [[nodiscard]] const Model& model() const noexcept { return model_; }
  [[nodiscard]] double time_s() const noexcept { return time_s_; }
  /// The true state; the effort is what the motors did in the last step().
  [[nodiscard]] const VectorXd& q() const noexcept { return q_; }
  [[nodiscard]] const VectorXd& v() const noexcept { return v_; }
  [[nodiscard]] const VectorXd& effort() const noexcept { return effort_; }
  /// To which step() cuts efforts; 0 where no motor is.
  [[nodiscard]] const VectorXd& effort_limit() const noexcept { return effort_limit_; }
  /// The state as sensors show it, with noise and delay; the same until the next step(). Real-time safe.
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
  MotionStepper stepper_;
  Data data_;
  VectorXd effort_limit_;  // nv numbers; 0 where no motor is
  VectorXd q_, v_, effort_;
  VectorXd q_before_, v_before_, effort_before_;
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

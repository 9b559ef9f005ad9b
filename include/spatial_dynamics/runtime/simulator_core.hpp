// The node `robot_simulator` without its middleware: a simulated robot at its own rate.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "spatial_dynamics/runtime/dynamics_core.hpp"
#include "spatial_dynamics/runtime/line_limiter.hpp"
#include "spatial_dynamics/runtime/simulator.hpp"
#include "spatial_dynamics/runtime/simulator_config.hpp"

namespace spatial_dynamics {

/// What a door does for the simulated robot. publish() is called on the simulation's own thread.
class SimulatorFrontEnd {
 public:
  virtual ~SimulatorFrontEnd() = default;
  /// `stamp` is the time of the measurement in the clock of the stamps, ns; `clock` the simulation's, ns.
  virtual void publish(const Engine& robot, const Measurement& measurement, std::int64_t stamp,
                       std::int64_t clock) = 0;
  virtual void log(LogLevel level, const std::string& text) = 0;  ///< any thread
};

/// Steps a Simulator `rate_hz` times a second by real_time_factor / rate_hz, under the newest efforts. A tick that comes late makes
/// up for those that were skipped (up to 10 ms of them), for a robot does not stand still while its simulation waits.
///
/// Before the first effort the brakes are on: the robot stands still where it starts. Efforts older than effort_timeout_s count
/// as none, and the robot is then left to gravity and friction. With publish_clock the stamps are those of the simulation.
class SimulatorCore {
 public:
  /// Throws ParameterError.
  SimulatorCore(SimulatorFrontEnd& front_end, const ParameterSet& parameters);
  ~SimulatorCore();  ///< stops
  SimulatorCore(const SimulatorCore&) = delete;
  SimulatorCore& operator=(const SimulatorCore&) = delete;

  [[nodiscard]] const SimulatorConfig& config() const noexcept { return config_; }

  /// Puts another robot in the place of the one before; it starts at rest with the brakes on. Throws ModelError or
  /// ParameterError; the old one then stays.
  void set_robot(std::string_view urdf);
  [[nodiscard]] bool has_robot() const;

  /// Throws RealtimeError.
  void start();
  void stop() noexcept;
  void pause() noexcept { paused_ = true; }
  void resume() noexcept { paused_ = false; }
  /// Back to the start, brakes on.
  void reset() noexcept { reset_ = true; }

  /// Efforts for the motors, by joint name. A bad message is dropped whole, which is logged here, though not a thousand times a second.
  Oddity on_effort(const JointStateView& message);

 private:
  struct Plant {  // a robot with all that is sized for it
    explicit Plant(Model model, const SimulatorConfig& config);
    Engine engine;  // for its coordinates
    Inbox inbox;
    Simulator simulator;
    VectorXd start;
    VectorXd effort;
    bool released = false;  // brakes
  };
  void tick(std::int64_t scheduled, std::int64_t now);
  void log(LineLimiter& limiter, LogLevel level, const std::string& text);
  int steps_due(std::int64_t scheduled) noexcept;

  SimulatorFrontEnd& front_end_;
  SimulatorConfig config_;
  Settings settings_;
  mutable std::mutex mutex_;  // plant_
  std::shared_ptr<Plant> plant_;
  std::atomic<bool> paused_{false}, reset_{false};
  std::int64_t clock_ = 0;  // of the simulation, over all resets, ns
  std::int64_t last_tick_ = 0;
  LineLimiter dropped_, unsent_, diverged_;  // log lines
  std::unique_ptr<FixedRateLoop> loop_;
};

}  // namespace spatial_dynamics

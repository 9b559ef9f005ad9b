// The node `robot_simulator` without its middleware: a simulated robot at its own rate.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/description_loader.hpp"
#include "runtime/dynamics_core.hpp"
#include "runtime/log_limits.hpp"
#include "runtime/simulated_robot.hpp"

namespace spatial_dynamics {

/// What a front end does for the simulated robot. publish() is called on the simulation's thread.
class SimulatorFrontEnd {
 public:
  virtual ~SimulatorFrontEnd() = default;
  /// `stamp` is the time of the measurement in the clock of the stamps, ns; `clock` the
  /// simulation's, ns. False if a message could not be sent.
  [[nodiscard]] virtual bool publish(const Coordinates& coordinates, const Measurement& measurement,
                                     std::int64_t stamp, std::int64_t clock) = 0;
  virtual void log(LogLevel level, const std::string& text) = 0;  ///< any thread
};

/// Steps a Simulator `rate_hz` times a second by real_time_factor / rate_hz, under the newest
/// efforts. A tick that comes late makes up for those that were skipped (up to 10 ms of them), for
/// a robot does not stand still while its simulation waits.
///
/// Before the first effort the brakes are on: the robot stands still where it starts. Efforts older
/// than effort_timeout_s count as none, and the robot is then left to gravity and friction. With
/// publish_clock the stamps are those of the simulation.
class SimulatorCore {
 public:
  /// Throws ParameterError.
  SimulatorCore(SimulatorFrontEnd& front_end, const ParameterSet& parameters);
  ~SimulatorCore();  ///< stops
  SimulatorCore(const SimulatorCore&) = delete;
  SimulatorCore& operator=(const SimulatorCore&) = delete;

  [[nodiscard]] const SimulatorConfig& config() const noexcept { return config_; }

  /// Replaces the robot; the new one starts at rest with the brakes on. False if the description is
  /// that of the present robot: nothing changes then. Throws ModelError or ParameterError; the old
  /// one then stays.
  bool set_robot(std::string_view urdf);
  /// The same on a thread of its own; what is rejected is logged.
  void on_robot_description(std::string_view urdf) { loader_.submit(urdf); }
  [[nodiscard]] bool has_robot() const;

  /// Throws RealtimeError.
  void start();
  void stop() noexcept;
  void pause() noexcept { paused_ = true; }
  void resume() noexcept { paused_ = false; }
  /// Back to the start, brakes on.
  void reset() noexcept { reset_ = true; }

  /// Efforts for the motors, by joint name. A bad message is dropped whole, which is logged here,
  /// though not a thousand times a second.
  RejectionReason on_effort(const JointStateView& message);
  /// A wrench on a link; it acts for wrench_timeout_s, or until the next message. A bad message is
  /// dropped as above.
  RejectionReason on_wrench(const WrenchView& message);
  /// The nodes (full names; empty: unknown) that publish efforts on `topic`. More than one is an
  /// error in the log, when the list changes.
  void set_effort_publishers(const std::string& topic, std::vector<std::string> nodes);

 private:
  struct Plant {  // a robot with all that is sized for it
    Plant(const Model& model, const SimulatorConfig& config, const std::vector<std::string>& order)
        : robot(model, config, order), inbox(model, robot.coordinates()) {}
    SimulatedRobot robot;
    Inbox inbox;
  };
  void tick(std::int64_t scheduled, std::int64_t now);
  /// The first effort releases all brakes.
  void drive(Plant& plant, std::int64_t now) const;
  [[nodiscard]] std::shared_ptr<Plant> plant() const;
  RejectionReason note_dropped(const char* what, RejectionReason rejection);
  void log(LineLimiter& limiter, LogLevel level, const std::string& text);
  int steps_due(std::int64_t scheduled) noexcept;

  SimulatorFrontEnd& front_end_;
  SimulatorConfig config_;
  mutable std::mutex mutex_;  // the next three
  std::vector<std::string> effort_publishers_;
  std::shared_ptr<Plant> plant_;
  std::string description_;  // of plant_
  std::atomic<bool> paused_{false}, reset_{false};
  std::int64_t clock_ = 0;  // of the simulation, over all resets, ns
  std::int64_t last_tick_ = 0;
  LineLimiter dropped_, unsent_, diverged_, rejections_, rivals_;  // log lines
  std::unique_ptr<FixedRateLoop> loop_;
  DescriptionLoader loader_;  // last: its thread uses all of the above
};

}  // namespace spatial_dynamics

// Hands the outputs of the cycles to the front end.
#pragma once

#include <semaphore.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>

#include "runtime/front_end.hpp"
#include "runtime/log_limits.hpp"
#include "runtime/torque_cycle.hpp"
#include "spatial_dynamics/runtime/realtime.hpp"

namespace spatial_dynamics {

/// By how much the priority of the threads that receive states and send torques is below the
/// loop's (schedule_below_loop()). What was computed is sent before more is received.
inline constexpr int kPublisherBelowLoop = 1, kReceiverBelowLoop = 2;

/// Calls FrontEnd::publish() for the outputs of every robot, in order, on a thread of its own; with
/// `trigger: state` also on the thread that delivers a state. Functions may be called from any
/// thread, except that start() and stop() must not run at the same time.
class OutputSender {
 public:
  OutputSender(FrontEnd& front_end, TorqueCycle& cycle);
  ~OutputSender();  ///< as stop()
  OutputSender(const OutputSender&) = delete;
  OutputSender& operator=(const OutputSender&) = delete;

  /// Starts the thread (once), with a priority just below the loop's.
  void start(const RealtimeSettings& loop);
  [[nodiscard]] bool started() const noexcept { return thread_.joinable(); }
  /// Cycles of step_directly() are allowed from here to stop().
  void accept_states() noexcept { accepts_states_.store(true); }
  /// Sends what the cycles have computed so far, and ends the thread.
  void stop() noexcept;

  /// There may be outputs to send. Real-time safe.
  void wake() noexcept { sem_post(&ready_); }
  /// A state has arrived, with `trigger: state`: runs a cycle and sends its outputs. No effect
  /// before accept_states() and after stop(). Locks.
  void step_directly(std::int64_t now);
  /// After stop(): sends a torque of zero to the robot whose torque was sent last. For a ramp that
  /// takes too long: a step to zero is better than a torque that stays. False if the last torque
  /// was zero, or none was sent.
  bool cut_to_zero();
  /// Torques that the front end has sent.
  [[nodiscard]] std::uint64_t torques_sent() const noexcept { return torques_sent_.load(); }

 private:
  void run(const RealtimeSettings& loop);
  Robot* send_pending();
  void send(const Robot& robot, const ControlOutput& outputs);

  FrontEnd& front_end_;
  TorqueCycle& cycle_;
  sem_t ready_{};
  std::mutex sending_;  // the sender's side of robots and of their outputs, FrontEnd::publish()
  std::atomic<bool> accepts_states_{false};
  std::atomic<bool> stopping_{false};
  std::atomic<std::uint64_t> torques_sent_{0};
  LineLimiter failures_;  // log lines
  std::thread thread_;
};

}  // namespace spatial_dynamics

#include "runtime/output_sender.hpp"

#include <exception>
#include <string>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {

OutputSender::OutputSender(FrontEnd& front_end, TorqueCycle& cycle)
    : front_end_(front_end), cycle_(cycle) {
  sem_init(&ready_, 0, 0);
}

OutputSender::~OutputSender() {
  stop();
  sem_destroy(&ready_);
}

void OutputSender::start(const RealtimeSettings& loop) {
  stopping_.store(false);
  thread_ = std::thread([this, loop] { run(loop); });
}

void OutputSender::stop() noexcept {
  accepts_states_.store(false);
  stopping_.store(true);
  wake();
  if (thread_.joinable()) thread_.join();
}

void OutputSender::run(const RealtimeSettings& loop) {
  name_this_thread("publisher");
  schedule_below_loop(loop, kPublisherBelowLoop);
  while (true) {
    sem_wait(&ready_);
    const bool last = stopping_.load();  // read before: what came in until then is still sent
    const std::lock_guard<std::mutex> sending(sending_);
    send_pending();
    if (last) return;
  }
}

void OutputSender::step_directly(std::int64_t now) {
  const std::lock_guard<std::mutex> sending(sending_);
  if (!accepts_states_.load()) return;
  if (cycle_.step_directly(now)) send_pending();
}

bool OutputSender::cut_to_zero() {
  const std::lock_guard<std::mutex> sending(sending_);
  const Robot* const robot = send_pending();
  if (robot == nullptr) return false;
  const ControlOutput& last = robot->outputs.read();
  if (last.torque.isZero(0.0) && last.drive.isZero(0.0)) return false;
  ControlOutput zero = robot->controller.make_output();
  zero.time = steady_now_ns();
  zero.stamp = front_end_.ros_now();
  zero.send_torque = true;
  zero.send_drive = last.send_drive;
  send(*robot, zero);
  front_end_.log(LogLevel::kWarning, "the torque was set to zero before its ramp had ended");
  return true;
}

/// Sends what waits: the last torque of each robot that was replaced, then the current one's.
/// Returns the current one. Under sending_.
Robot* OutputSender::send_pending() {
  return cycle_.robots().serve([this](Robot& robot) {
    if (robot.outputs.update()) send(robot, robot.outputs.read());
  });
}

void OutputSender::send(const Robot& robot, const ControlOutput& outputs) {
  try {
    const bool went = front_end_.publish(robot, outputs);
    if (!went || !outputs.send_torque) return;
    torques_sent_.fetch_add(1, std::memory_order_relaxed);
    cycle_.note_sent(outputs.time);
  } catch (const std::exception& error) {
    const std::string line =
        failures_.pass(std::string("publishing failed: ") + error.what(), steady_now_ns());
    if (!line.empty()) front_end_.log(LogLevel::kError, line);
  }
}

}  // namespace spatial_dynamics

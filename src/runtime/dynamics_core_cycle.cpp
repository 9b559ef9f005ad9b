// The part of DynamicsCore that runs: cycles, and the thread that publishes what they make.
#include <algorithm>
#include <exception>

#include "spatial_dynamics/runtime/clock.hpp"
#include "spatial_dynamics/runtime/dynamics_core.hpp"
#include "step_guard.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::int64_t kWatchdogSilence =
    20'000'000;  // ns without a state after which the watchdog steps itself

}  // namespace

// ---- the loop's side: no allocation, no lock, no exception --------------------------------------------------------------------

bool DynamicsCore::adopt_next() noexcept {
  Robot* const next = next_.load(std::memory_order_acquire);
  if (next == nullptr) return false;
  bool replace = current_ == nullptr;
  if (!replace) {
    const Phase phase = current_->engine.phase();
    const bool silent =
        phase == Phase::kInactive || phase == Phase::kWaiting || phase == Phase::kStopped;
    const bool same = next->engine.has_coordinates_of(current_->engine);
    replace = silent || same;
    if (same) next->engine.continue_from(current_->engine);
  }
  if (!replace || retired_.load(std::memory_order_acquire) != nullptr) return !replace;
  Robot* expected = next;
  if (!next_.compare_exchange_strong(expected, nullptr))
    return false;  // an even newer one; next time
  retired_.store(current_, std::memory_order_release);
  current_ = next;
  published_.store(next, std::memory_order_release);
  return false;
}

bool DynamicsCore::step(std::int64_t now, bool directly) noexcept {
  const bool leaving = adopt_next();  // true: the torque must first be zero
  if (current_ == nullptr) return false;
  const std::int64_t begun = direct() ? steady_now_ns() : now;
  Robot& robot = *current_;
  robot.inbox.update();
  robot.settings.update();
  EngineOutputs& out = directly ? robot.direct_outputs : robot.outputs.write_slot();
  const bool run = active_.load(std::memory_order_relaxed) && !leaving;
  robot.engine.step(now, robot.inbox.inputs(robot.settings.read(), run), out);
  last_step_ = now;
  note_step(now, begun, out);
  const bool send = out.send_torque || out.send_acceleration;
  // Only what is sent goes into the box, so that a later, silent cycle never hides the last zero.
  if (send && !directly) {
    robot.outputs.publish();
    sem_post(&ready_);
  }
  return send;
}

void DynamicsCore::note_step(std::int64_t now, std::int64_t begun,
                             const EngineOutputs& out) noexcept {
  phase_.store(out.phase, std::memory_order_relaxed);
  faults_.store(out.faults, std::memory_order_relaxed);
  faults_seen_.fetch_or(out.faults, std::memory_order_relaxed);
  stalest_.store(out.stalest, std::memory_order_relaxed);
  effort_was_measured_.store(out.effort_was_measured, std::memory_order_relaxed);
  const std::int64_t finished = steady_now_ns();
  if (direct()) {
    direct_statistics_.wakeup_jitter.record(begun - now);
    direct_statistics_.compute_time.record(finished - begun);
    direct_statistics_.cycles.fetch_add(1, std::memory_order_relaxed);
  }
  if (out.phase != Phase::kRunning) return;
  state_age_.record(out.state_age);
  if (out.state_sequence == last_sequence_) return;
  latency_.record(finished - out.state_received);
  state_wait_.record(now - out.state_received);
  last_sequence_ = out.state_sequence;
}

void DynamicsCore::tick(std::int64_t now) noexcept {
  // Taken only with trigger: state, or in the moment in which a new robot is handed over.
  if (stepping_.test_and_set(std::memory_order_acquire)) {
    if (!direct()) left_out_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (!direct() || now - last_step_ > kWatchdogSilence || phase_.load() == Phase::kInactive) {
    step(now, false);
  }
  stepping_.clear(std::memory_order_release);
}

// ---- the publisher's side -------------------------------------------------------------------------------------------------------

void DynamicsCore::step_directly(std::int64_t now) {
  const std::lock_guard<std::mutex> publishing(publishing_);
  if (stopping_.load()) return;  // the last word has been said, or is about to be
  bool send = false;
  Robot* robot = nullptr;
  {
    const StepGuard no_other_step(stepping_);
    const bool due = now - last_step_ >= shortest_step_.load();
    if (!due) direct_statistics_.skipped.fetch_add(1, std::memory_order_relaxed);
    send = due && step(now, true);
    robot = current_;
  }
  if (send) publish(*robot, robot->direct_outputs);
}

void DynamicsCore::publish(const Robot& robot, const EngineOutputs& outputs) {
  // With trigger: state two threads publish; an older sample never follows a newer one.
  if (outputs.time < last_published_) return;
  last_published_ = outputs.time;
  try {
    const bool went = front_end_.publish(robot, outputs);
    if (went && outputs.send_torque) torques_sent_.fetch_add(1, std::memory_order_relaxed);
  } catch (const std::exception& error) {
    const std::string line =
        unsent_.pass(std::string("publishing failed: ") + error.what(), steady_now_ns());
    if (!line.empty()) front_end_.log(LogLevel::kError, line);
  }
}

void DynamicsCore::free_retired() {
  Robot* const retired = retired_.load(std::memory_order_acquire);
  if (retired == nullptr) return;
  const std::lock_guard<std::mutex> lock(control_);
  alive_.erase(std::remove_if(alive_.begin(), alive_.end(),
                              [retired](const auto& robot) { return robot.get() == retired; }),
               alive_.end());
  retired_.store(nullptr, std::memory_order_release);
}

void DynamicsCore::run_publisher() {
  std::int64_t next_report = steady_now_ns() + kNanosecondsPerSecond;
  while (true) {
    const timespec deadline = to_timespec(next_report);
    sem_clockwait(&ready_, CLOCK_MONOTONIC, &deadline);
    const bool last = stopping_.load();  // asked before: what came in until then is still sent
    {
      const std::lock_guard<std::mutex> publishing(publishing_);
      // The one that went may have left a last zero behind.
      for (Robot* const robot :
           {retired_.load(std::memory_order_acquire), published_.load(std::memory_order_acquire)}) {
        if (robot != nullptr && robot->outputs.update()) publish(*robot, robot->outputs.read());
      }
      free_retired();
    }
    if (last) return;
    if (steady_now_ns() >= next_report) {
      report();
      next_report += kNanosecondsPerSecond;
      next_report = std::max(next_report, steady_now_ns());
    }
  }
}

}  // namespace spatial_dynamics

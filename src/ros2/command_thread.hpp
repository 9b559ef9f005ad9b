// A thread that decodes and delivers messages that may be large, so that no joint state waits for
// them.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace spatial_dynamics::ros2 {

/// Runs jobs in their order. Keeps the newest kMostWaiting, as the subscriptions' history does.
/// Thread-safe.
class CommandThread {
 public:
  static constexpr std::size_t kMostWaiting = 10;

  CommandThread() : state_(std::make_shared<State>()), thread_([state = state_] { run(*state); }) {}
  /// Waits for a job that runs, unless it is called from one; those that wait are discarded.
  ~CommandThread() {
    {
      const std::lock_guard<std::mutex> lock(state_->mutex);
      state_->ending = true;
      state_->jobs.clear();
    }
    state_->changed.notify_one();
    if (thread_.get_id() == std::this_thread::get_id()) {
      thread_.detach();
    } else {
      thread_.join();
    }
  }
  CommandThread(const CommandThread&) = delete;
  CommandThread& operator=(const CommandThread&) = delete;

  /// A job must not throw.
  void post(std::function<void()> job) {
    {
      const std::lock_guard<std::mutex> lock(state_->mutex);
      if (state_->jobs.size() >= kMostWaiting) state_->jobs.pop_front();
      state_->jobs.push_back(std::move(job));
    }
    state_->changed.notify_one();
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::function<void()>> jobs;
    bool ending = false;
  };
  static void run(State& state) {
    std::unique_lock<std::mutex> lock(state.mutex);
    while (true) {
      state.changed.wait(lock, [&state] { return state.ending || !state.jobs.empty(); });
      if (state.ending) return;
      std::function<void()> job = std::move(state.jobs.front());
      state.jobs.pop_front();
      lock.unlock();
      job();
      job = nullptr;  // before the lock: it may hold the last reference to a session
      lock.lock();
    }
  }

  std::shared_ptr<State> state_;
  std::thread thread_;
};

}  // namespace spatial_dynamics::ros2

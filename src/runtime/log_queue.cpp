#include "runtime/log_queue.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigset_t is POSIX

#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {
namespace {

/// A detached thread needs its code after the object has gone: the library that contains this
/// function, if dlclose() could unload it, stays loaded.
void keep_code_loaded() noexcept {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<void*>(&keep_code_loaded), &info) == 0) return;
  // The handle is kept on purpose.
  (void)::dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

}  // namespace

struct LogQueue::State {
  State(Sink s, std::size_t most) : sink(std::move(s)), most_lines(most) {}

  /// A line about the lines that were lost since the last one. Under the mutex.
  LogLine take_loss_report() {
    const std::uint64_t count = std::exchange(unreported, 0);
    return {LogLevel::kWarning, system_now_ns(), "log",
            std::to_string(count) + (count == 1 ? " line was lost here" : " lines were lost here") +
                " because the log was not read"};
  }

  const Sink sink;
  const std::size_t most_lines;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<LogLine> lines;
  std::uint64_t lost = 0, unreported = 0;
  bool writing = false, closing = false, abandoned = false, ended = false;
};

LogQueue::LogQueue(Sink sink, std::size_t most_lines)
    : state_(std::make_shared<State>(std::move(sink), most_lines)) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // inherited by the thread
  try {
    thread_ = std::thread([state = state_] { run(state); });
  } catch (const std::system_error& error) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw std::runtime_error("the log's thread could not be started (" + error.code().message() +
                             "): raise the limits on processes and memory (ulimit -u, ulimit -v).");
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_setname_np(thread_.native_handle(), "log");
}

LogQueue::~LogQueue() { close(); }

void LogQueue::push(LogLevel level, std::string_view name, std::string_view text) noexcept {
  State& s = *state_;
  try {
    const bool cut = text.size() > kLongestText;
    LogLine line{level, system_now_ns(), std::string(name),
                 std::string(text.substr(0, kLongestText))};
    if (cut) line.text += "...";
    const std::lock_guard<std::mutex> lock(s.mutex);
    const std::size_t needed = s.unreported > 0 ? 2 : 1;  // the report keeps its place in the order
    if (s.closing || s.lines.size() + needed > s.most_lines) {
      ++s.lost;
      ++s.unreported;
      return;
    }
    if (s.unreported > 0) s.lines.push_back(s.take_loss_report());
    s.lines.push_back(std::move(line));
    s.changed.notify_all();
  } catch (const std::exception&) {  // no memory
    const std::lock_guard<std::mutex> lock(s.mutex);
    ++s.lost;
    ++s.unreported;
  }
}

std::uint64_t LogQueue::lost() const noexcept {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  return state_->lost;
}

void LogQueue::run(const std::shared_ptr<State>& state) {
  State& s = *state;
  std::unique_lock<std::mutex> lock(s.mutex);
  while (!s.abandoned) {
    if (s.lines.empty() && s.unreported > 0) s.lines.push_back(s.take_loss_report());
    if (s.lines.empty()) {
      if (s.closing) break;
      s.changed.wait(lock);
      continue;
    }
    const LogLine line = std::move(s.lines.front());
    s.lines.pop_front();
    s.writing = true;
    lock.unlock();
    try {
      s.sink(line);
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): there is no other log
    }
    lock.lock();
    s.writing = false;
    if (s.lines.empty()) s.changed.notify_all();
  }
  s.ended = true;
  s.changed.notify_all();
}

bool LogQueue::drain(std::chrono::milliseconds limit) const noexcept {
  State& s = *state_;
  std::unique_lock<std::mutex> lock(s.mutex);
  return s.changed.wait_for(lock, limit,
                            [&s] { return s.lines.empty() && s.unreported == 0 && !s.writing; });
}

bool LogQueue::close(std::chrono::milliseconds limit) noexcept {
  if (!thread_.joinable()) return true;
  std::unique_lock<std::mutex> lock(state_->mutex);
  state_->closing = true;
  state_->changed.notify_all();
  state_->changed.wait_for(lock, limit, [this] { return state_->ended; });
  const bool drained = state_->ended;
  state_->abandoned = !drained;
  lock.unlock();
  if (drained) {
    thread_.join();
  } else {
    keep_code_loaded();
    thread_.detach();
  }
  return drained;
}

}  // namespace spatial_dynamics

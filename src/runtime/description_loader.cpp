#include "runtime/description_loader.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "model/urdf_file.hpp"

namespace spatial_dynamics {

DescriptionLoader::DescriptionLoader(Load load, Reject reject)
    : load_(std::move(load)), reject_(std::move(reject)) {}

DescriptionLoader::~DescriptionLoader() { stop(); }

void DescriptionLoader::submit(std::string_view urdf) {
  if (urdf.size() > kLargestUrdf) {
    reject_("it has " + std::to_string(urdf.size()) + " bytes, and at most " +
            std::to_string(kLargestUrdf) + " are accepted");
    return;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (stopping_) return;
  if (waiting_) ++skipped_;
  waiting_.reset();  // no longer the newest
  if (rejected_ && urdf == *rejected_) {
    ++skipped_;
    return;
  }
  waiting_.emplace(urdf);
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  changed_.notify_all();
}

void DescriptionLoader::cancel() noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  stopping_ = true;
  waiting_.reset();
  changed_.notify_all();
}

bool DescriptionLoader::is_idle() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return !loading_ && !waiting_;
}

void DescriptionLoader::stop() noexcept {
  cancel();
  std::thread thread;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    thread.swap(thread_);
  }
  if (thread.joinable()) thread.join();
  const std::lock_guard<std::mutex> lock(mutex_);
  stopping_ = false;
}

void DescriptionLoader::retry() {
  const std::lock_guard<std::mutex> lock(mutex_);
  rejected_.reset();
}

std::uint64_t DescriptionLoader::skipped() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return skipped_;
}

void DescriptionLoader::run() {
  using Clock = std::chrono::steady_clock;
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || waiting_.has_value(); });
    if (stopping_) return;
    std::string urdf = *std::exchange(waiting_, std::nullopt);
    loading_ = true;
    lock.unlock();
    const Clock::time_point begin = Clock::now();
    bool accepted = true;
    try {
      load_(urdf);
    } catch (const std::exception& error) {
      accepted = false;
      reject_(error.what());
    }
    const Clock::duration took = Clock::now() - begin;
    const Clock::duration rest =
        accepted ? took : std::max<Clock::duration>(9 * took, std::chrono::milliseconds(100));
    lock.lock();
    loading_ = false;
    rejected_.reset();
    if (!accepted) rejected_ = std::move(urdf);
    changed_.wait_for(lock, rest, [this] { return stopping_; });
  }
}

}  // namespace spatial_dynamics

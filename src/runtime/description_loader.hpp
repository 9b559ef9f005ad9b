// Robot descriptions that arrive on a topic.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace spatial_dynamics {

/// Loads descriptions on a separate thread, so that a large one delays no other message. The newest
/// description replaces a waiting one. The last rejected description is not loaded again.
/// After each load the thread pauses: after an accepted description for the duration of the load,
/// after a rejected one for nine times the duration, at least 0.1 s. Thread-safe.
class DescriptionLoader {
 public:
  /// Called on the loader's thread; throws what is wrong with the description.
  using Load = std::function<void(const std::string& urdf)>;
  /// Called on the loader's thread, or by submit() for a description that is too large to copy.
  using Reject = std::function<void(const std::string& reason)>;

  DescriptionLoader(Load load, Reject reject);
  ~DescriptionLoader();  ///< stops
  DescriptionLoader(const DescriptionLoader&) = delete;
  DescriptionLoader& operator=(const DescriptionLoader&) = delete;

  /// Copies the text and returns. Starts the thread if there is none. Allocates.
  void submit(std::string_view urdf);
  /// The last rejected description is loaded again when it is submitted again.
  void retry();
  /// Discards waiting descriptions and those that are submitted before stop(). Does not wait for a
  /// load in progress; is_idle() is true when it has ended.
  void cancel() noexcept;
  /// Whether no load is in progress and none waits.
  [[nodiscard]] bool is_idle() const;
  /// Cancels, waits for a load in progress, and ends the thread.
  void stop() noexcept;

  /// Number of descriptions that were not loaded, because a newer one replaced them or they equal
  /// the last rejected one.
  [[nodiscard]] std::uint64_t skipped() const;

 private:
  void run();

  const Load load_;
  const Reject reject_;
  mutable std::mutex mutex_;  // all below
  std::condition_variable changed_;
  std::optional<std::string> waiting_;
  std::optional<std::string> rejected_;  // the last one, if it was
  std::uint64_t skipped_ = 0;
  bool stopping_ = false;
  bool loading_ = false;
  std::thread thread_;  // started by the first description
};

}  // namespace spatial_dynamics

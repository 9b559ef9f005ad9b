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

/// Loads descriptions on a thread of its own, so that a large one delays no other message. The
/// newest replaces a description that still waits. A description that was just rejected is not
/// tried again, and after each load the thread rests: nine times as long as a rejected one took, at
/// least 0.1 s, as long as an accepted one took. Thread-safe.
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
  /// Discards what waits and what is submitted before stop(). Does not wait for a load that is
  /// under way; is_idle() is true when it has ended.
  void cancel() noexcept;
  /// Whether no load is under way and none waits.
  [[nodiscard]] bool is_idle() const;
  /// Cancels, and ends the thread: waits for a load that is under way.
  void stop() noexcept;

  /// Descriptions that were replaced by a newer one before they were loaded, or had just been
  /// rejected.
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

// A histogram of durations that a real-time thread fills and other threads read.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace spatial_dynamics {

/// The buckets: 0 … 15 ns have one bucket each, and every octave above is divided into 16 buckets
/// of equal width. A bucket is therefore at most 1/16 as wide as the values in it. Durations of
/// 2^40 ns (18 minutes) and more share the last bucket.
namespace histogram_buckets {
inline constexpr int kOctaves = 40;
inline constexpr int kPerOctaveBits = 4;
inline constexpr int kPerOctave = 1 << kPerOctaveBits;
inline constexpr std::size_t kCount = std::size_t{kOctaves - kPerOctaveBits + 1} * kPerOctave;

/// The bucket of a duration; negative durations count as 0.
std::size_t index_of(std::int64_t ns) noexcept;
/// The shortest and the longest duration of a bucket; the last bucket is treated as ending at 2^40.
std::int64_t lowest(std::size_t bucket) noexcept;
std::int64_t highest(std::size_t bucket) noexcept;
}  // namespace histogram_buckets

/// The content of a Histogram at one moment, as plain data. Times in ns.
class HistogramSnapshot {
 public:
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// 0 if nothing was recorded. Exact since construction of the histogram; for an interval at most
  /// 1/16 beyond the true value.
  [[nodiscard]] std::int64_t min() const noexcept { return min_; }
  [[nodiscard]] std::int64_t max() const noexcept { return max_; }
  [[nodiscard]] double mean() const noexcept;

  /// The p-quantile (p from 0 to 1): the ceil(p n)-th of n sorted records. Never less than the true
  /// value and at most 1/16 more (for durations below 2^40 ns). 0 if nothing was recorded.
  [[nodiscard]] std::int64_t quantile(double p) const noexcept;

  /// The records after `earlier`, a snapshot of the same histogram.
  [[nodiscard]] HistogramSnapshot since(const HistogramSnapshot& earlier) const noexcept;

 private:
  friend class Histogram;

  std::array<std::uint64_t, histogram_buckets::kCount> buckets_{};
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::int64_t min_ = 0;
  std::int64_t max_ = 0;
};

/// Counts durations. ONE thread records; any thread may take snapshots at the same time. Nothing is
/// ever reset: an interval is the difference of two snapshots, so several readers do not affect
/// each other.
///
/// The writer never waits for a reader. If a record interrupts a snapshot, the snapshot is taken
/// again, up to 100 times. After that, a few of the newest records may be incomplete in it
/// (counted, but not in the mean).
class Histogram {
 public:
  Histogram() = default;
  Histogram(const Histogram&) = delete;
  Histogram& operator=(const Histogram&) = delete;

  /// Real-time safe, wait-free. A negative duration counts as 0.
  void record(std::int64_t ns) noexcept;
  /// Copies about 5 kB; does not allocate.
  [[nodiscard]] HistogramSnapshot snapshot() const noexcept;

 private:
  void copy_to(HistogramSnapshot& snapshot) const noexcept;

  std::atomic<std::uint64_t> version_{0};  // odd while a record is written
  std::array<std::atomic<std::uint64_t>, histogram_buckets::kCount> buckets_{};
  std::atomic<std::uint64_t> sum_{0};
  std::atomic<std::int64_t> min_{INT64_MAX};
  std::atomic<std::int64_t> max_{0};
};

}  // namespace spatial_dynamics

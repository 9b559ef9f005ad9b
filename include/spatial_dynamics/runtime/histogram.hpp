// How long things take: a histogram of durations that a real-time thread fills and another reads.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace spatial_dynamics {

/// The buckets: 0 … 15 ns have one each, and every octave above is cut into 16 of equal width. So a
/// bucket is at most 1/16 as wide as the values in it. Durations of 2^40 ns (18 minutes) and more
/// share the last one.
namespace histogram_buckets {
inline constexpr int kOctaves = 40;
inline constexpr int kPerOctaveBits = 4;
inline constexpr int kPerOctave = 1 << kPerOctaveBits;
inline constexpr std::size_t kCount = std::size_t{kOctaves - kPerOctaveBits + 1} * kPerOctave;

/// The bucket of a duration; negative ones count as 0.
std::size_t index_of(std::int64_t ns) noexcept;
/// The shortest and the longest duration of a bucket, the last bucket as if it ended at 2^40.
std::int64_t lowest(std::size_t bucket) noexcept;
std::int64_t highest(std::size_t bucket) noexcept;
}  // namespace histogram_buckets

/// What a Histogram held at one moment: plain data, to be read at leisure. Times in ns.
class HistogramSnapshot {
 public:
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// 0 if nothing was recorded. Exact over a histogram's whole life; of an interval, not more than
  /// 1/16 beyond the true one.
  [[nodiscard]] std::int64_t min() const noexcept { return min_; }
  [[nodiscard]] std::int64_t max() const noexcept { return max_; }
  [[nodiscard]] double mean() const noexcept;

  /// The duration that a share p (0 … 1) of all records does not exceed: the ceil(p n)-th of n in
  /// order. Never less than the true one and at most 1/16 more (for durations below 2^40 ns). 0 if
  /// nothing was recorded.
  [[nodiscard]] std::int64_t quantile(double p) const noexcept;

  /// What was recorded after `earlier`, a snapshot of the same histogram.
  [[nodiscard]] HistogramSnapshot since(const HistogramSnapshot& earlier) const noexcept;

 private:
  friend class Histogram;

  std::array<std::uint64_t, histogram_buckets::kCount> buckets_{};
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::int64_t min_ = 0;
  std::int64_t max_ = 0;
};

/// Counts durations. ONE thread records; any thread may take snapshots meanwhile. Nothing is ever
/// reset: an interval is the difference of two snapshots, so that several readers do not disturb
/// each other.
///
/// The writer never waits for a reader. A snapshot that records keep interrupting is taken again,
/// up to 100 times; should even that not do, a few of the newest records may be in it in part
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

  std::atomic<std::uint64_t> version_{0};  // odd while a record is being made
  std::array<std::atomic<std::uint64_t>, histogram_buckets::kCount> buckets_{};
  std::atomic<std::uint64_t> sum_{0};
  std::atomic<std::int64_t> min_{INT64_MAX};
  std::atomic<std::int64_t> max_{0};
};

}  // namespace spatial_dynamics

#include "spatial_dynamics/runtime/histogram.hpp"

#include <algorithm>
#include <cmath>

namespace spatial_dynamics {
namespace {

using histogram_buckets::highest;
using histogram_buckets::index_of;
using histogram_buckets::kCount;
using histogram_buckets::lowest;

int highest_bit(std::uint64_t value) noexcept { return 63 - __builtin_clzll(value); }

/// There is one recording thread, so that reading and writing back need not be one locked
/// operation.
template <typename T>
void add(std::atomic<T>& counter, T amount) noexcept {
  counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

}  // namespace

namespace histogram_buckets {

std::size_t index_of(std::int64_t ns) noexcept {
  if (ns < kPerOctave) return ns < 0 ? 0 : static_cast<std::size_t>(ns);
  const auto value = static_cast<std::uint64_t>(ns);
  const int octave = highest_bit(value);
  if (octave >= kOctaves) return kCount - 1;
  const int shift = octave - kPerOctaveBits;
  // value >> shift is 16 … 31: its leading bit is worth one octave of buckets.
  return static_cast<std::size_t>(shift) * kPerOctave + static_cast<std::size_t>(value >> shift);
}

std::int64_t lowest(std::size_t bucket) noexcept {
  if (bucket < kPerOctave) return static_cast<std::int64_t>(bucket);
  const std::size_t shift = bucket / kPerOctave - 1;
  return static_cast<std::int64_t>(bucket - shift * kPerOctave) << shift;
}

std::int64_t highest(std::size_t bucket) noexcept { return lowest(bucket + 1) - 1; }

}  // namespace histogram_buckets

double HistogramSnapshot::mean() const noexcept {
  return count_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

std::int64_t HistogramSnapshot::quantile(double p) const noexcept {
  if (count_ == 0) return 0;
  const double rank = std::ceil(std::clamp(p, 0.0, 1.0) * static_cast<double>(count_));
  const auto wanted = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(rank));
  std::uint64_t passed = 0;
  for (std::size_t i = 0; i + 1 < kCount; ++i) {
    passed += buckets_[i];
    if (passed >= wanted) return std::clamp(highest(i), min_, max_);
  }
  return max_;
}

HistogramSnapshot HistogramSnapshot::since(const HistogramSnapshot& earlier) const noexcept {
  HistogramSnapshot interval;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::uint64_t n = buckets_[i] - earlier.buckets_[i];
    interval.buckets_[i] = n;
    if (n == 0) continue;
    if (interval.count_ == 0) interval.min_ = std::max(lowest(i), min_);
    interval.max_ = i + 1 < kCount ? std::min(highest(i), max_) : max_;
    interval.count_ += n;
  }
  interval.sum_ = sum_ - earlier.sum_;
  return interval;
}

void Histogram::record(std::int64_t ns) noexcept {
  const std::int64_t value = std::max<std::int64_t>(0, ns);
  const std::uint64_t version = version_.load(std::memory_order_relaxed);
  version_.store(version + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(
      std::memory_order_release);  // the odd version is seen before what follows
  if (value < min_.load(std::memory_order_relaxed)) min_.store(value, std::memory_order_relaxed);
  if (value > max_.load(std::memory_order_relaxed)) max_.store(value, std::memory_order_relaxed);
  add<std::uint64_t>(sum_, static_cast<std::uint64_t>(value));
  add<std::uint64_t>(buckets_[index_of(value)], 1);
  version_.store(version + 2, std::memory_order_release);
}

void Histogram::copy_to(HistogramSnapshot& snapshot) const noexcept {
  snapshot.count_ = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    snapshot.buckets_[i] = buckets_[i].load(std::memory_order_relaxed);
    snapshot.count_ += snapshot.buckets_[i];
  }
  snapshot.sum_ = sum_.load(std::memory_order_relaxed);
  snapshot.min_ = min_.load(std::memory_order_relaxed);
  snapshot.max_ = max_.load(std::memory_order_relaxed);
}

HistogramSnapshot Histogram::snapshot() const noexcept {
  HistogramSnapshot result;
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::uint64_t before = version_.load(std::memory_order_acquire);
    copy_to(result);
    std::atomic_thread_fence(std::memory_order_acquire);  // the copy is done before the next line
    if (before % 2 == 0 && version_.load(std::memory_order_relaxed) == before) break;
  }
  // Nothing recorded yet, or min and max of one record not seen alike.
  if (result.min_ > result.max_) result.min_ = result.max_;
  return result;
}

}  // namespace spatial_dynamics

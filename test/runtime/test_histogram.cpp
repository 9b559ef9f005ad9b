#include "spatial_dynamics/runtime/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <thread>
#include <vector>

#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

namespace hb = histogram_buckets;

TEST(HistogramBuckets, TileTheDurationsWithoutGapOrOverlap) {
  EXPECT_EQ(hb::lowest(0), 0);
  for (std::size_t i = 0; i + 1 < hb::kCount; ++i) {
    ASSERT_EQ(hb::highest(i) + 1, hb::lowest(i + 1)) << i;
    ASSERT_EQ(hb::index_of(hb::lowest(i)), i);
    ASSERT_EQ(hb::index_of(hb::highest(i)), i);
  }
  EXPECT_EQ(hb::highest(hb::kCount - 1), (std::int64_t{1} << hb::kOctaves) - 1);
}

TEST(HistogramBuckets, AreAtMostASixteenthAsWideAsTheirValues) {
  for (std::size_t i = 0; i < hb::kCount; ++i) {
    ASSERT_LE(16 * (hb::highest(i) - hb::lowest(i)), hb::lowest(i)) << i;
  }
}

TEST(HistogramBuckets, ClampValuesAtTheEnds) {
  EXPECT_EQ(hb::index_of(-1), 0u);
  EXPECT_EQ(hb::index_of(INT64_MIN), 0u);
  EXPECT_EQ(hb::index_of(std::int64_t{1} << hb::kOctaves), hb::kCount - 1);
  EXPECT_EQ(hb::index_of(INT64_MAX), hb::kCount - 1);
}

TEST(Histogram, EmptyHasZeroFigures) {
  const HistogramSnapshot empty = Histogram{}.snapshot();
  EXPECT_EQ(empty.count(), 0u);
  EXPECT_EQ(empty.min(), 0);
  EXPECT_EQ(empty.max(), 0);
  EXPECT_EQ(empty.mean(), 0.0);
  EXPECT_EQ(empty.quantile(0.5), 0);
  EXPECT_EQ(empty.since(empty).count(), 0u);
}

TEST(Histogram, OfOneValueHasEqualQuantiles) {
  Histogram histogram;
  histogram.record(123'457);
  for (const double p : {0.0, 0.5, 0.99, 1.0}) {
    EXPECT_EQ(histogram.snapshot().quantile(p), 123'457);
  }
}

TEST(Histogram, KeepsTheMaximumOfDurationsBeyondItsBuckets) {
  Histogram histogram;
  const std::int64_t hour = 3'600'000'000'000;
  histogram.record(hour);
  histogram.record(-5);
  EXPECT_EQ(histogram.snapshot().max(), hour);
  EXPECT_EQ(histogram.snapshot().quantile(1.0), hour);
  EXPECT_EQ(histogram.snapshot().min(), 0);
}

/// From nanoseconds to seconds, with the distribution of real jitter.
std::vector<std::int64_t> log_normal_durations(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> duration(std::log(20e3), 2.5);
  std::vector<std::int64_t> result(count);
  for (std::int64_t& ns : result) ns = static_cast<std::int64_t>(duration(random));
  return result;
}

/// The ceil(p n)-th of the values in order.
std::int64_t exact_quantile(std::vector<std::int64_t> values, double p) {
  std::sort(values.begin(), values.end());
  const double rank = std::ceil(p * static_cast<double>(values.size()));
  return values[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

const std::vector<double> kShares{0.0, 0.001, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1.0};

TEST(Histogram, QuantilesAreNeverLowAndAtMostASixteenthHigh) {
  for (const std::size_t count : {1u, 2u, 17u, 1000u, 100'000u}) {
    const auto durations = log_normal_durations(count, static_cast<unsigned>(count));
    Histogram histogram;
    for (const std::int64_t ns : durations) histogram.record(ns);
    const HistogramSnapshot snapshot = histogram.snapshot();
    for (const double p : kShares) {
      const std::int64_t exact = exact_quantile(durations, p);
      ASSERT_GE(snapshot.quantile(p), exact) << count << " records, p = " << p;
      ASSERT_LE(16 * (snapshot.quantile(p) - exact), exact) << count << " records, p = " << p;
    }
  }
}

TEST(Histogram, CountMeanMinAndMaxAreExact) {
  const auto durations = log_normal_durations(10'000, 3);
  Histogram histogram;
  double sum = 0.0;
  for (const std::int64_t ns : durations) {
    histogram.record(ns);
    sum += static_cast<double>(ns);
  }
  const HistogramSnapshot snapshot = histogram.snapshot();
  EXPECT_EQ(snapshot.count(), durations.size());
  EXPECT_EQ(snapshot.min(), *std::min_element(durations.begin(), durations.end()));
  EXPECT_EQ(snapshot.max(), *std::max_element(durations.begin(), durations.end()));
  EXPECT_NEAR(snapshot.mean(), sum / 10'000.0, 1e-9 * sum);
}

TEST(Histogram, IntervalHasOnlyRecordsAfterEarlierSnapshot) {
  Histogram histogram;
  for (int i = 0; i < 100; ++i) histogram.record(1'000'000'000);
  for (int i = 0; i < 100; ++i) histogram.record(3);
  const HistogramSnapshot earlier = histogram.snapshot();
  const auto durations = log_normal_durations(5'000, 4);
  for (const std::int64_t ns : durations) histogram.record(ns);
  const HistogramSnapshot interval = histogram.snapshot().since(earlier);

  EXPECT_EQ(interval.count(), durations.size());
  const std::int64_t lowest = exact_quantile(durations, 0.0);
  const std::int64_t longest = exact_quantile(durations, 1.0);
  EXPECT_LE(interval.min(), lowest);
  EXPECT_LE(16 * (lowest - interval.min()), lowest);
  EXPECT_GE(interval.max(), longest);
  EXPECT_LE(16 * (interval.max() - longest), longest);
  for (const double p : kShares) {
    const std::int64_t exact = exact_quantile(durations, p);
    ASSERT_GE(interval.quantile(p), exact) << p;
    ASSERT_LE(16 * (interval.quantile(p) - exact), exact) << p;
  }
}

TEST(Histogram, SnapshotsTakenDuringRecordsAreWholeAndOnlyGrow) {
  Histogram histogram;
  constexpr std::uint64_t kRecords = 1'000'000;
  std::size_t heap_calls = 1;
  std::thread recorder([&] {
    const HeapWatch watch;
    for (std::uint64_t i = 0; i < kRecords; ++i) {
      histogram.record(1000);
      for (volatile int pause = 0; pause < 200; pause = pause + 1) {
      }
    }
    heap_calls = watch.count();
  });
  std::uint64_t previous = 0;
  while (previous < kRecords) {
    const HistogramSnapshot snapshot = histogram.snapshot();
    if (snapshot.count() < previous) break;
    if (snapshot.count() > 0) {
      EXPECT_EQ(snapshot.min(), 1000);
      EXPECT_EQ(snapshot.max(), 1000);
      EXPECT_EQ(snapshot.quantile(0.5), 1000);
    }
    previous = snapshot.count();
  }
  recorder.join();
  EXPECT_EQ(previous, kRecords);
  EXPECT_EQ(histogram.snapshot().mean(), 1000.0);
  EXPECT_EQ(heap_calls, 0u);
}

}  // namespace
}  // namespace spatial_dynamics::test

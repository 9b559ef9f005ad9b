#include "support/stopwatch.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace spatial_dynamics::test {
namespace {

TEST(Stopwatch, QuantileIsOneOfTheValues) {
  const std::vector<double> values{5.0, 1.0, 4.0, 2.0, 3.0};
  EXPECT_EQ(quantile(values, 0.0), 1.0);
  EXPECT_EQ(quantile(values, 0.5), 3.0);
  EXPECT_EQ(quantile(values, 0.99), 5.0);
  EXPECT_EQ(quantile({}, 0.5), 0.0);
}

TEST(Stopwatch, TimeExcludesWaiting) {
  const auto wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); };
  EXPECT_LT(time_of(wait), 25e6);
}

TEST(Stopwatch, TimeIncludesComputing) {
  const auto compute = [] {
    const double end = thread_time() + 5e6;
    while (thread_time() < end) continue;
  };
  EXPECT_GE(time_of(compute), 5e6);
}

TEST(Stopwatch, MedianRatioIsTheMedianOfRatios) {
  EXPECT_EQ(median_ratio({2.0, 8.0, 3.0}, {1.0, 2.0, 3.0}), 2.0);
}

}  // namespace
}  // namespace spatial_dynamics::test

#include "support/stopwatch.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

TEST(Stopwatch, QuantileIsOneOfTheValues) {
  const std::vector<double> values{5.0, 1.0, 4.0, 2.0, 3.0};
  EXPECT_EQ(quantile(values, 0.0), 1.0);
  EXPECT_EQ(quantile(values, 0.5), 3.0);
  EXPECT_EQ(quantile(values, 0.99), 5.0);
  EXPECT_EQ(quantile({}, 0.5), 0.0);
}

TEST(Stopwatch, MedianRatioIsTheMedianOfRatios) {
  EXPECT_EQ(median_ratio({2.0, 8.0, 3.0}, {1.0, 2.0, 3.0}), 2.0);
}

}  // namespace
}  // namespace spatial_dynamics::test

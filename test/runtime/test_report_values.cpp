#include "runtime/report_values.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

TEST(ReportValues, QuantilesAreReadAsTheyAreWritten) {
  EXPECT_EQ(quantiles_text({0.012, 1234.5678}), "0.012 ms, 1234.568 ms");
  const auto read = parse_quantiles(quantiles_text({0.012, 1234.5}));
  ASSERT_TRUE(read);
  EXPECT_DOUBLE_EQ(read->p50_ms, 0.012);
  EXPECT_DOUBLE_EQ(read->p99_ms, 1234.5);
}

TEST(ReportValues, OtherTextsAreNoQuantiles) {
  for (const char* text : {"", "0.012", "0.012 ms", "0.012 ms, ", "0.012 s, 0.034 ms",
                           "0.012 ms, 0.034 ms, 1", "a ms, b ms"}) {
    EXPECT_FALSE(parse_quantiles(text)) << text;
  }
}

TEST(ReportValues, KeyNamesItsMetric) {
  for (const char* const metric :
       {kStateAgeMetric, kWakeupJitterMetric, kComputeTimeMetric, kStateToTorqueMetric}) {
    EXPECT_EQ(metric_of_key(quantiles_key(metric)), metric);
  }
  EXPECT_EQ(quantiles_key(kWakeupJitterMetric), "wake-up jitter p50, p99");
  EXPECT_EQ(metric_of_key("state age"), "");
  EXPECT_EQ(metric_of_key("faults"), "");
}

TEST(ReportValues, FaultsAreNamed) {
  EXPECT_EQ(faults_text({}), kNoFaults);
  EXPECT_FALSE(reports_fault(kNoFaults));
  EXPECT_TRUE(reports_fault("stale state"));
}

TEST(ReportValues, CountsAreWholeNumbers) {
  EXPECT_EQ(parse_count("18446744073709551615"), 18446744073709551615U);
  EXPECT_FALSE(parse_count("12 of 13"));
  EXPECT_FALSE(parse_count("-1"));
  EXPECT_FALSE(parse_count(""));
}

}  // namespace
}  // namespace spatial_dynamics::test

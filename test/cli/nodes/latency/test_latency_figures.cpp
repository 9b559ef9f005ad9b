#include "cli/nodes/latency/latency_figures.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::cli {
namespace {

TEST(LatencyFigures, SpreadHasMinimumMedianAndTail) {
  const std::vector<double> numbers{5.0, 1.0, 4.0, 2.0, 3.0};
  const Spread spread = spread_of(numbers);
  EXPECT_EQ(spread.min, 1.0);
  EXPECT_EQ(spread.p50, 3.0);
  EXPECT_EQ(spread.p99, 5.0);
  EXPECT_EQ(spread.count, 5u);
}

TEST(LatencyFigures, TimingIsReadBackFromItsText) {
  Histogram histogram;
  histogram.record(1'000'000);  // before the snapshot: not counted
  TimedLoop before;
  before.compute = before.wait = before.jitter = histogram.snapshot();
  before.overruns = 3;
  for (int i = 0; i < 10; ++i) histogram.record(8000);
  TimedLoop after = before;
  after.compute = after.wait = after.jitter = histogram.snapshot();
  after.overruns = 5;
  LoopTiming timing;
  ASSERT_TRUE(read_timing(timing_text(after, before), timing));
  EXPECT_EQ(timing.compute.count, 10u);
  EXPECT_NEAR(timing.compute.p50, 8.0, 0.5);
  EXPECT_NEAR(timing.wait.min, 8.0, 0.5);
  EXPECT_NEAR(timing.jitter.p99, 8.0, 0.5);
  EXPECT_EQ(timing.overruns, 2u);
}

TEST(LatencyFigures, ALogLineIsNotATiming) {
  LoopTiming timing;
  EXPECT_FALSE(read_timing("[INFO] [1.0] [dynamics]: up", timing));
  EXPECT_FALSE(read_timing("{\"compute\":1}", timing));
  EXPECT_FALSE(read_timing("", timing));
}

TEST(LatencyFigures, ProcessesAreMergedByTheirMedians) {
  std::vector<LoopTiming> parts(3);
  const std::vector<double> medians{10.0, 90.0, 12.0};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].compute = {static_cast<double>(5 - i), medians[i], 2.0 * medians[i], 100};
    parts[i].overruns = i;
  }
  const LoopTiming all = merged(parts);
  EXPECT_EQ(all.compute.min, 3.0);
  EXPECT_EQ(all.compute.p50, 12.0);
  EXPECT_EQ(all.compute.p99, 24.0);
  EXPECT_EQ(all.compute.count, 300u);
  EXPECT_EQ(all.overruns, 3u);
}

TEST(LatencyFigures, RoundsWithoutAnAnswerHaveNoRatio) {
  LatencyReport report;
  report.node.round_medians = {120.0, 0.0, 90.0};
  report.echo.round_medians = {100.0, 80.0, 0.0};
  EXPECT_EQ(ratios_of_rounds(report.node, report.echo), std::vector<double>{1.2});
}

TEST(LatencyFigures, GoalsAreJudgedByTheMedians) {
  LatencyReport report;
  report.node.all = report.node.round_medians = {140.0, 200.0, 140.0};
  report.echo.all = report.echo.round_medians = {100.0, 100.0, 100.0};
  report.loop.compute.p50 = 21.0;
  std::string text = to_text(report);
  EXPECT_NE(text.find("goal 1.5: reached"), std::string::npos) << text;
  EXPECT_NE(text.find("goal 20: missed"), std::string::npos) << text;
  report.node.round_medians = {160.0, 200.0, 140.0};
  report.loop.compute.p50 = 19.0;
  text = to_text(report);
  EXPECT_NE(text.find("goal 1.5: missed"), std::string::npos) << text;
  EXPECT_NE(text.find("goal 20: reached"), std::string::npos) << text;
}

}  // namespace
}  // namespace spatial_dynamics::cli

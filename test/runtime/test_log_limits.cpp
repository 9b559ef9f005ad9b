#include "runtime/log_limits.hpp"
#include "support/constants.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

TEST(LineLimiter, AFewLinesPassUnchanged) {
  LineLimiter limiter;
  for (int i = 0; i < LineLimiter::kAtOnce; ++i) EXPECT_EQ(limiter.pass("text", 1), "text");
}

TEST(LineLimiter, AFloodIsCutToALineASecondWithTheNumberLeftOut) {
  LineLimiter limiter;
  int passed = 0;
  std::uint64_t counted = 0;
  const int lines = 60'000;  // a minute at 1 kHz
  for (int i = 0; i < lines; ++i) {
    const std::string text = limiter.pass("x", 5 + i * kMillisecond);
    if (text.empty()) continue;
    ++passed;
    if (text != "x") counted += std::stoull(text.substr(text.find('(') + 1));
  }
  EXPECT_EQ(passed, LineLimiter::kAtOnce + 59);
  // All lines except those of the last second, which the next line would count.
  EXPECT_GE(counted + static_cast<std::uint64_t>(passed), static_cast<std::uint64_t>(lines - 1000));
  EXPECT_LE(counted + static_cast<std::uint64_t>(passed), static_cast<std::uint64_t>(lines));
}

TEST(LineLimiter, AfterAQuietTimeItAllowsAsManyAsAtFirst) {
  LineLimiter limiter;
  for (int i = 0; i < 100; ++i) (void)limiter.pass("x", 1);
  const std::int64_t later = 3600 * 1000 * kMillisecond;
  EXPECT_NE(limiter.pass("x", later).find("90 lines"), std::string::npos);
  for (int i = 1; i < LineLimiter::kAtOnce; ++i) EXPECT_EQ(limiter.pass("x", later), "x");
  EXPECT_EQ(limiter.pass("x", later), "");
}

TEST(LimitedLog, PassesTenLinesAtOnceWithTheirLevel) {
  int lines = 0;
  LimitedLog log([&lines](LogLevel level, const std::string& text) {
    EXPECT_EQ(level, LogLevel::kWarning);
    EXPECT_EQ(text.rfind("text", 0), 0U) << text;
    ++lines;
  });
  for (int i = 0; i < 1000; ++i) log.write(LogLevel::kWarning, "text");
  EXPECT_GE(lines, LineLimiter::kAtOnce);
  EXPECT_LE(lines, LineLimiter::kAtOnce + 5);  // and one per second on a busy machine
}

TEST(LogMismatches, CopiesShareOneLimit) {
  int lines = 0;
  const auto note = log_mismatches([&lines](LogLevel, const std::string&) { ++lines; });
  const auto copy = note;
  for (int i = 0; i < 500; ++i) {
    note({"/torque", true, "DEADLINE"});
    copy({"/joint_states", false, "RELIABILITY"});
  }
  EXPECT_GE(lines, LineLimiter::kAtOnce);
  EXPECT_LE(lines, LineLimiter::kAtOnce + 5);
}

TEST(ChangeFilter, ANewTextIsLoggedAtOnceAndOnlyOnce) {
  ChangeFilter filter;
  EXPECT_TRUE(filter.worth_logging("waiting", Phase::kWaiting, kSecond));
  EXPECT_TRUE(filter.worth_logging("running", Phase::kRunning, 2 * kSecond));
  for (int i = 3; i < 500; ++i) {
    EXPECT_FALSE(filter.worth_logging("running", Phase::kRunning, i * kSecond)) << i;
  }
}

TEST(ChangeFilter, AlternatingTextIsLoggedTwiceAMinute) {
  ChangeFilter filter;
  int lines = 0;
  for (int i = 0; i < 600; ++i) {
    const char* const text = i % 2 == 0 ? "running" : "saturated";
    lines += filter.worth_logging(text, Phase::kRunning, i * kSecond) ? 1 : 0;
  }
  EXPECT_GE(lines, 2 * 9);
  EXPECT_LE(lines, 2 * 11);
}

TEST(ChangeFilter, RecentTextIsLoggedAgainAfterFiveSeconds) {
  ChangeFilter filter;
  EXPECT_TRUE(filter.worth_logging("running", Phase::kRunning, 0));
  EXPECT_TRUE(filter.worth_logging("saturated", Phase::kRunning, 1 * kSecond));
  for (int i = 2; i < 7; ++i) {
    EXPECT_FALSE(filter.worth_logging("running", Phase::kRunning, i * kSecond)) << i;
  }
  EXPECT_TRUE(filter.worth_logging("running", Phase::kRunning, 7 * kSecond));
}

TEST(ChangeFilter, ChangeOfPhaseIsLoggedAtOnce) {
  ChangeFilter filter;
  for (int i = 0; i < ChangeFilter::kPhasesAtOnce; i += 2) {
    EXPECT_TRUE(filter.worth_logging("running", Phase::kRunning, 2 * i * kSecond)) << i;
    EXPECT_TRUE(filter.worth_logging("stale", Phase::kFallback, 2 * (i + 1) * kSecond)) << i;
  }
}

TEST(ChangeFilter, PhasesThatAlternateForLongAreLoggedSixTimesAMinute) {
  ChangeFilter filter;
  int lines = 0;
  for (int i = 0; i < 600; ++i) {
    lines += i % 2 == 0 ? filter.worth_logging("running", Phase::kRunning, i * kSecond)
                        : filter.worth_logging("stale", Phase::kFallback, i * kSecond);
  }
  EXPECT_GE(lines, 60);
  EXPECT_LE(lines, 60 + ChangeFilter::kPhasesAtOnce + 2 * 11);
}

}  // namespace
}  // namespace spatial_dynamics::test

#include "spatial_dynamics/runtime/line_limiter.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

TEST(LineLimiter, AFewLinesPassAsTheyAre) {
  LineLimiter limiter;
  for (int i = 0; i < LineLimiter::kAtOnce; ++i) EXPECT_EQ(limiter.pass("text", 1), "text");
}

TEST(LineLimiter, AFloodIsCutToALineASecondThatTellsWhatWasLeftOut) {
  LineLimiter limiter;
  int passed = 0;
  std::uint64_t told = 0;
  const int lines = 60'000;  // a minute at 1 kHz
  for (int i = 0; i < lines; ++i) {
    const std::string text = limiter.pass("x", 5 + i * kMillisecond);
    if (text.empty()) continue;
    ++passed;
    if (text != "x") told += std::stoull(text.substr(text.find('(') + 1));
  }
  EXPECT_EQ(passed, LineLimiter::kAtOnce + 59);
  // All but those of the last second, which the next line would tell.
  EXPECT_GE(told + static_cast<std::uint64_t>(passed), static_cast<std::uint64_t>(lines - 1000));
  EXPECT_LE(told + static_cast<std::uint64_t>(passed), static_cast<std::uint64_t>(lines));
}

TEST(LineLimiter, AfterAQuietTimeItIsAsPatientAsAtFirst) {
  LineLimiter limiter;
  for (int i = 0; i < 100; ++i) (void)limiter.pass("x", 1);
  const std::int64_t later = 3600 * 1000 * kMillisecond;
  EXPECT_NE(limiter.pass("x", later).find("90 lines"), std::string::npos);
  for (int i = 1; i < LineLimiter::kAtOnce; ++i) EXPECT_EQ(limiter.pass("x", later), "x");
  EXPECT_EQ(limiter.pass("x", later), "");
}

}  // namespace
}  // namespace spatial_dynamics::test

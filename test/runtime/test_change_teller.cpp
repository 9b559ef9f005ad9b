// What the log is told of a state that changes.
#include "spatial_dynamics/runtime/change_teller.hpp"

#include <gtest/gtest.h>

#include "spatial_dynamics/runtime/clock.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr std::int64_t kSecond = kNanosecondsPerSecond;

TEST(ChangeTeller, NewsIsToldAtOnceAndOnlyOnce) {
  ChangeTeller teller;
  EXPECT_TRUE(teller.worth_telling("waiting", kSecond));
  EXPECT_TRUE(teller.worth_telling("running", 2 * kSecond));
  for (int i = 3; i < 500; ++i) EXPECT_FALSE(teller.worth_telling("running", i * kSecond)) << i;
}

TEST(ChangeTeller, WhatComesAndGoesEverySecondIsToldTwiceAMinute) {
  ChangeTeller teller;
  int lines = 0;
  for (int i = 0; i < 600; ++i) {
    lines += teller.worth_telling(i % 2 == 0 ? "running" : "saturated", i * kSecond) ? 1 : 0;
  }
  EXPECT_GE(lines, 2 * 9);
  EXPECT_LE(lines, 2 * 11);
}

TEST(ChangeTeller, WhatWasToldLatelyIsToldAgainOnceItLasts) {
  ChangeTeller teller;
  EXPECT_TRUE(teller.worth_telling("running", 0));
  EXPECT_TRUE(teller.worth_telling("fallback", 1 * kSecond));
  for (int i = 2; i < 7; ++i) EXPECT_FALSE(teller.worth_telling("running", i * kSecond)) << i;
  EXPECT_TRUE(teller.worth_telling("running", 7 * kSecond));
}

}  // namespace
}  // namespace spatial_dynamics::test

// The rate of the torques that a node sends, from its diagnostics.
#include "cli/nodes/demo/sent_torques.hpp"
#include "support/constants.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

using cli::DemoReading;
using cli::SentTorques;

// The node's clock and the steady clock are independent.
constexpr std::int64_t kStamp = 1'700'000'000 * kSecond, kNow = 5'000 * kSecond;

class SentTorquesTest : public ::testing::Test {
 protected:
  void report(int second, std::uint64_t torques, std::uint64_t seen) {
    sent.add({kStamp + second * kSecond, torques, seen}, kNow + second * kSecond);
  }
  DemoReading::Rate rate_at(double second) const {
    return sent.rate(kNow + static_cast<std::int64_t>(second * 1e9));
  }

  SentTorques sent;
};

TEST_F(SentTorquesTest, TwoReportsGiveARate) {
  EXPECT_FALSE(rate_at(0).known);
  report(1, 5000, 900);
  EXPECT_FALSE(rate_at(1).known);
  EXPECT_EQ(sent.seen_hz(), 0.0);
  report(2, 6000, 1800);
  ASSERT_TRUE(rate_at(2).known);
  EXPECT_DOUBLE_EQ(rate_at(2).last_hz, 1000.0);
  EXPECT_DOUBLE_EQ(rate_at(2).mean_hz, 1000.0);
  EXPECT_DOUBLE_EQ(sent.seen_hz(), 900.0);
}

TEST_F(SentTorquesTest, LastRateUsesTwoReportsAndMeanRateUsesAll) {
  report(0, 0, 0);
  for (int second = 1; second <= 9; ++second) report(second, 1000U * second, 1000U * second);
  report(10, 9500, 9500);
  EXPECT_DOUBLE_EQ(rate_at(10).last_hz, 500.0);
  EXPECT_DOUBLE_EQ(rate_at(10).mean_hz, 950.0);
}

TEST_F(SentTorquesTest, SeenRateIsAtMostTheSentRate) {
  report(0, 0, 0);
  report(1, 1000, 1003);  // three came before the report that does not count them yet
  EXPECT_DOUBLE_EQ(sent.seen_hz(), 1000.0);
}

TEST_F(SentTorquesTest, RateIsUnknownWhileNoReportArrives) {
  report(0, 0, 0);
  report(1, 1000, 1000);
  EXPECT_TRUE(rate_at(3).known) << "one late report is no silence";
  EXPECT_FALSE(rate_at(4).known);
  EXPECT_FALSE(rate_at(100).known);
  report(11, 2000, 2000);
  ASSERT_TRUE(rate_at(11).known);
  EXPECT_DOUBLE_EQ(rate_at(11).last_hz, 100.0);
}

TEST_F(SentTorquesTest, ARepeatedReportDoesNotCount) {
  report(0, 0, 0);
  report(1, 1000, 1000);
  sent.add({kStamp + kSecond, 1000, 1000}, kNow + 5 * kSecond);
  EXPECT_FALSE(rate_at(5).known);
}

TEST_F(SentTorquesTest, ARestartedNodeRestartsTheCount) {
  report(0, 50000, 0);
  report(1, 51000, 1000);
  report(3, 200, 1200);
  EXPECT_FALSE(rate_at(3).known);
  report(4, 1000, 2000);
  ASSERT_TRUE(rate_at(4).known);
  EXPECT_DOUBLE_EQ(rate_at(4).last_hz, 800.0);
  EXPECT_DOUBLE_EQ(rate_at(4).mean_hz, 800.0);
  EXPECT_DOUBLE_EQ(sent.seen_hz(), 800.0);
}

TEST_F(SentTorquesTest, ARestartedNodeMayHaveAnEarlierClock) {
  report(10, 50000, 0);
  report(11, 51000, 1000);
  sent.add({0, 200, 1200}, kNow + 13 * kSecond);
  sent.add({kSecond, 700, 1700}, kNow + 14 * kSecond);
  ASSERT_TRUE(rate_at(14).known);
  EXPECT_DOUBLE_EQ(rate_at(14).mean_hz, 500.0);
}

}  // namespace
}  // namespace spatial_dynamics::test

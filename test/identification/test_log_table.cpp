#include "identification/log_table.hpp"

#include <gtest/gtest.h>

#include "identification/two_joints.hpp"

namespace spatial_dynamics::test {
namespace {

/// Rows of one joint: time, position, velocity, effort.
LogTable one_joint(const std::vector<std::array<double, 4>>& rows) {
  LogTable table(1);
  table.source.file = "log";
  for (const auto& [time, q, v, effort] : rows) {
    table.add({time, q, v, kMissingNumber, effort}, ", line " + std::to_string(table.rows() + 2));
  }
  return table;
}
const std::vector<ScalarCoordinate> kHinge{{"hinge", 1, 0, 0, false}};
const std::vector<ScalarCoordinate> kWheel{{"wheel", 1, 0, 0, true}};
constexpr double kNoNumber = kMissingNumber;

/// A regular table of n rows whose times are shifted from row `from` on.
LogTable regular(std::size_t n, std::size_t from = 0, double shift = 0.0) {
  std::vector<std::array<double, 4>> rows;
  for (std::size_t i = 0; i < n; ++i) {
    const auto x = static_cast<double>(i);
    rows.push_back({0.01 * x + (i >= from ? shift : 0.0), x, 1.0, 2.0});
  }
  return one_joint(rows);
}

TEST(LogTableTest, LeavesOutIncompleteRowsAndKeepsWhatMostRowsHave) {
  const RobotLog log =
      to_log({one_joint({{0, 1, 2, 3}, {1, 2, kNoNumber, 3}, {2, kNoNumber, 2, 3}, {3, 4, 2, 3}})},
             kHinge);
  EXPECT_EQ(log.time, (std::vector<double>{0, 3}));
  EXPECT_EQ(log.exclusions.incomplete, 2U);
  EXPECT_EQ(log.v.cols(), 2);
  const RobotLog rarely =
      to_log({one_joint({{0, 1, 2, 3}, {1, 2, kNoNumber, 3}, {2, 3, kNoNumber, 3}})}, kHinge);
  EXPECT_EQ(rarely.size(), 3);
  EXPECT_EQ(rarely.v.size(), 0);
}

TEST(LogTableTest, KeepsWhatAllLogsHave) {
  LogTable with(2), without(2);
  for (int i = 0; i < 5; ++i) {
    const double t = i;
    with.add({t, 1, 2, 3, 4, kNoNumber, kNoNumber, 5, 6}, "");
    without.add({t, 1, 2, kNoNumber, kNoNumber, kNoNumber, kNoNumber, kNoNumber, 7}, "");
  }
  const RobotLog log = to_log({with, without}, kTwoJoints);
  EXPECT_EQ(log.size(), 10);
  EXPECT_EQ(log.v.size(), 0);
  EXPECT_EQ(log.has_effort, (std::vector<bool>{false, true}));
  EXPECT_EQ(log.effort(0, 0), 0.0);
  EXPECT_EQ(log.effort(1, 9), 7.0);
}

TEST(LogTableTest, GapsBeginSegments) {
  const RobotLog log = to_log({regular(200, 100, 0.2)}, kHinge);
  ASSERT_EQ(log.segments.size(), 2U);
  EXPECT_EQ(log.segments[1].first, 100);
  EXPECT_EQ(log.exclusions.gaps, 1U);
  EXPECT_EQ(to_log({regular(200, 100, 0.05)}, kHinge).segments.size(), 1U);
}

TEST(LogTableTest, ClockJumpsBackBeginSegmentsWhoseTimesContinue) {
  const RobotLog log = to_log({regular(400, 300, -2.0)}, kHinge);
  EXPECT_EQ(log.exclusions.clock_jumps, 1U);
  ASSERT_EQ(log.segments.size(), 2U);
  EXPECT_EQ(log.segments[1].first, 300);
  EXPECT_NEAR(log.time[300] - log.time[299], 1.0, 1e-9);
  EXPECT_NEAR(log.time[301] - log.time[300], 0.01, 1e-9);
}

TEST(LogTableTest, RejectsDisorder) {
  EXPECT_EQ(message_of([] {
              return to_log({one_joint({{1, 1, 1, 1}, {0.5, 1, 1, 1}})}, kHinge);
            }),
            "log, line 3: the time 0.5 s comes after 1 s; sort the log, or split it where its "
            "clock was changed.");
}

TEST(LogTableTest, DropsRepeatedAndSingleLateRows) {
  LogTable table = regular(100);
  std::vector<std::array<double, 4>> rows;
  for (std::size_t i = 0; i < 100; ++i) {
    rows.push_back({table.row(i)[0], table.row(i)[1], 1, 2});
    if (i == 20) rows.push_back(rows.back());
    if (i == 40) rows.push_back({0.1, 10, 1, 2});
  }
  const RobotLog log = to_log({one_joint(rows)}, kHinge);
  EXPECT_EQ(log.size(), 100);
  EXPECT_EQ(log.exclusions.repeated, 2U);
  EXPECT_EQ(log.exclusions.clock_jumps, 0U);
}

TEST(LogTableTest, UnwrapsContinuousJoints) {
  std::vector<std::array<double, 4>> rows;
  for (int i = 0; i < 1000; ++i)
    rows.push_back({0.01 * i, std::remainder(0.02 * i, 2.0 * M_PI), 2.0, 1.0});
  const RobotLog log = to_log({one_joint(rows)}, kWheel);
  for (Index i = 0; i < log.size(); ++i)
    EXPECT_NEAR(log.q(0, i), 0.02 * static_cast<double>(i), 1e-9);
  // Degrees stay degrees, so that their unit can be recognised.
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i][1] = 5.0 * static_cast<double>(i);
  EXPECT_EQ(to_log({one_joint(rows)}, kWheel).q(0, 300), 1500.0);
}

TEST(LogTableTest, NamesTheJointThatIsMissing) {
  LogTable table(2);
  table.source = {"bag", "MCAP", "/s", "", "", 0};
  table.add({0, 1, kNoNumber, kNoNumber, kNoNumber, kNoNumber, kNoNumber, 1, kNoNumber}, "");
  EXPECT_EQ(message_of([&] { return to_log({table}, kTwoJoints); }),
            "topic '/s' of bag has no position of joint 'elbow'; choose another log, or fix the "
            "joint with --lock.");
  table.add({1, kNoNumber, 1, kNoNumber, kNoNumber, kNoNumber, kNoNumber, 1, kNoNumber}, "");
  EXPECT_EQ(message_of([&] { return to_log({table}, kTwoJoints); }),
            "topic '/s' of bag has no message with the positions of all joints; record them "
            "together, or fix "
            "the others with --lock.");
  EXPECT_EQ(message_of([] {
              return to_log({one_joint({{0, 1, 2, kNoNumber}})}, kHinge);
            }),
            "log has no efforts; record the joint states of a robot that measures them.");
}

}  // namespace
}  // namespace spatial_dynamics::test

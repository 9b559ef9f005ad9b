#include "support/history.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

TEST(History, CsvQuotesNamesWithCommasOrQuotes) {
  History history({"plain", "a,b", "say \"x\""});
  history.add(0.5, {1.0, -2.0, 0.25});
  EXPECT_EQ(to_csv(history), "time_s,plain,\"a,b\",\"say \"\"x\"\"\"\n0.5,1,-2,0.25\n");
}

TEST(History, ColumnsAreFoundByName) {
  History history({"a", "b"});
  history.add(0.0, {1.0, 2.0});
  history.add(1.0, {3.0, 4.0});
  EXPECT_EQ(history.rows(), 2U);
  EXPECT_EQ(history.value(1, history.find("b")), 4.0);
  EXPECT_EQ(history.find("c"), 2U);
}

TEST(History, RejectsARowOfAnotherLength) {
  History history({"a", "b"});
  EXPECT_THROW(history.add(0.0, {1.0}), std::logic_error);
}

}  // namespace
}  // namespace spatial_dynamics::test

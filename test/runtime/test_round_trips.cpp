#include "runtime/round_trips.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

TEST(RoundTrips, RoundsAreSummarisedByTheirMedians) {
  RoundTrips trips;
  trips.add_round({3.0, 1.0, 2.0});
  trips.add_round({});
  EXPECT_EQ(trips.round_medians, (std::vector<double>{2.0, 0.0}));
  EXPECT_EQ(trips.all.size(), 3U);
}

TEST(RoundTrips, RatiosAreOfRoundsWithAnswersOfBoth) {
  RoundTrips node, echo;
  node.round_medians = {120.0, 0.0, 90.0, 50.0};
  echo.round_medians = {100.0, 80.0, 0.0};
  EXPECT_EQ(ratios_of_rounds(node, echo), std::vector<double>{1.2});
}

}  // namespace
}  // namespace spatial_dynamics::test

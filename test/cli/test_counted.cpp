#include "cli/counted.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::cli {
namespace {

TEST(Counted, OneThingIsNotSeveral) {
  EXPECT_EQ(counted(0, "overrun"), "0 overruns");
  EXPECT_EQ(counted(1, "overrun"), "1 overrun");
  EXPECT_EQ(counted(2U, "round trip"), "2 round trips");
}

}  // namespace
}  // namespace spatial_dynamics::cli

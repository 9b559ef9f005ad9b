#include "support/nearest_name.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace spatial_dynamics::test {
namespace {

TEST(NearestName, AllowsAThirdOfTheCharactersToDiffer) {
  const std::vector<std::string> names{"check", "compute", "tool0"};
  EXPECT_EQ(nearest_name("chekc", names), "");
  EXPECT_EQ(nearest_name("chek", names), "check");
  EXPECT_EQ(nearest_name("tool_0", names), "tool0");
  EXPECT_EQ(nearest_name("compuet", names), "compute");
  EXPECT_EQ(nearest_name("flange", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("x", {}), "");
}

TEST(NearestName, AdviceListsAtMostTwelveNames) {
  EXPECT_EQ(name_advice("tol0", {"base", "tool0"}), "did you mean 'tool0'?");
  EXPECT_EQ(name_advice("flange", {"base", "tool0"}), "choose among 'base', 'tool0'");
  const std::string text = name_advice("flange", std::vector<std::string>(13, "x"));
  EXPECT_EQ(std::count(text.begin(), text.end(), 'x'), 12) << text;
  EXPECT_NE(text.find(", ..."), std::string::npos) << text;
}

}  // namespace
}  // namespace spatial_dynamics::test

#include "support/text_diff.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

TEST(TextDiffTest, EqualTextsHaveNoDifference) {
  EXPECT_EQ(unified_diff("a\nb\n", "a\nb\n", "x", "y"), "");
  EXPECT_EQ(unified_diff("", "", "x", "y"), "");
}

TEST(TextDiffTest, ShowsThreeLinesAroundAChange) {
  EXPECT_EQ(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "x", "y"),
            "--- x\n+++ y\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(TextDiffTest, JoinsNearChangesAndSeparatesDistantOnes) {
  std::string before, after;
  for (int i = 1; i <= 30; ++i) {
    before += std::to_string(i) + "\n";
    after += (i == 5 || i == 9 || i == 25 ? "x" : "") + std::to_string(i) + "\n";
  }
  const std::string diff = unified_diff(before, after, "a", "b");
  EXPECT_NE(diff.find("@@ -2,11 +2,11 @@"), std::string::npos) << diff;
  EXPECT_NE(diff.find("@@ -22,7 +22,7 @@"), std::string::npos) << diff;
}

TEST(TextDiffTest, ShowsAddedAndRemovedLines) {
  EXPECT_EQ(unified_diff("a\nb\n", "a\nnew\nb\n", "x", "y"),
            "--- x\n+++ y\n@@ -1,2 +1,3 @@\n a\n+new\n b\n");
  EXPECT_EQ(unified_diff("a\nb", "a\n", "x", "y"),
            "--- x\n+++ y\n@@ -1,2 +1,1 @@\n a\n-b\n\\ No newline at end of file\n");
  EXPECT_EQ(unified_diff("", "a\n", "x", "y"), "--- x\n+++ y\n@@ -0,0 +1,1 @@\n+a\n");
}

}  // namespace
}  // namespace spatial_dynamics::test

// Reasons why messages are dropped, and the lookup of names.
#include "runtime/rejections.hpp"

#include <gtest/gtest.h>

#include <set>

#include "runtime/messages.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(RejectionReasons, TextsAreUnique) {
  std::set<std::string> words;
  for (int i = 0; i < static_cast<int>(RejectionReason::kCount); ++i) {
    EXPECT_TRUE(words.insert(to_string(static_cast<RejectionReason>(i))).second) << i;
  }
  EXPECT_EQ(words.count("unknown"), 0u);
}

TEST(RejectionReasons, AreCountedOneByOne) {
  RejectionCounts counts;
  EXPECT_EQ(counts.add(RejectionReason::kNoNames), RejectionReason::kNoNames);
  (void)counts.add(RejectionReason::kNoNames);
  EXPECT_EQ(counts.count(RejectionReason::kNoNames), 2u);
  EXPECT_EQ(counts.count(RejectionReason::kBadNumber), 0u);
}

class NameMapTest : public ::testing::Test {
 protected:
  const Model model = load_urdf_file(shipped_urdf("double_pendulum"));
  const Coordinates coordinates{model};
  NameMap map;
};

TEST_F(NameMapTest, FindsTheRobotsJointsInAnyOrder) {
  EXPECT_EQ(map.update(coordinates, {"elbow", "camera", "shoulder"}), RejectionReason::kNone);
  EXPECT_EQ(map.index(), (std::vector<Index>{1, kNoIndex, 0}));
  EXPECT_TRUE(map.has_unknown());
  EXPECT_EQ(map.update(coordinates, {"shoulder"}), RejectionReason::kNone);
  EXPECT_EQ(map.index(), std::vector<Index>{0});
  EXPECT_FALSE(map.has_unknown());
}

TEST_F(NameMapTest, RejectsTheSameNamesEveryTime) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(map.update(coordinates, {"elbow", "elbow"}), RejectionReason::kDuplicateNames);
    EXPECT_EQ(map.update(coordinates, {}), RejectionReason::kNoNames);
    EXPECT_EQ(map.update(coordinates, std::vector<std::string_view>(kMostNames + 1, "elbow")),
              RejectionReason::kTooLarge);
  }
  EXPECT_EQ(map.update(coordinates, {"elbow"}), RejectionReason::kNone);
}

TEST(RejectionReason, EveryReasonHasText) {
  for (int i = 0; i < static_cast<int>(RejectionReason::kCount); ++i) {
    EXPECT_STRNE(to_string(static_cast<RejectionReason>(i)), "unknown");
  }
  EXPECT_FALSE(drops(RejectionReason::kNone));
  EXPECT_TRUE(drops(RejectionReason::kBadPosition));
  EXPECT_FALSE(drops(RejectionReason::kMissingVelocity));
}

}  // namespace
}  // namespace spatial_dynamics::test

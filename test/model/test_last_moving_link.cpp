#include "spatial_dynamics/model/last_moving_link.hpp"

#include "model/rejections.hpp"

namespace spatial_dynamics::test {
namespace {

std::string hand_of(const Model& model) { return model.link(last_moving_link(model)).name; }

TEST(LastMovingLink, IsTheLastLinkFixedToTheEndOfAnArm) {
  EXPECT_EQ(hand_of(chain(3).build()), "l3");
  EXPECT_EQ(hand_of(chain(3)
                        .add_link("tool")
                        .add_joint(joint_between("weld", JointType::kFixed, "l3", "tool"))
                        .build()),
            "tool");
}

TEST(LastMovingLink, IsNeverALinkFixedToTheWorld) {
  const Model model = chain(3)
                          .add_link("frame")
                          .add_joint(joint_between("weld", JointType::kFixed, "base", "frame"))
                          .build();
  ASSERT_EQ(model.link(model.link_count() - 1).name, "frame");
  EXPECT_EQ(hand_of(model), "l3");
}

TEST(LastMovingLink, IsAtTheEndOfTheLongestChain) {
  const Model model = chain(3)
                          .add_link("ear", ball())
                          .add_joint(joint_between("twitch", JointType::kContinuous, "l1", "ear"))
                          .build();
  EXPECT_EQ(hand_of(model), "l3");
}

TEST(LastMovingLink, IsTheLastLinkIfNoJointMoves) {
  const Model model = ModelBuilder("rock")
                          .add_link("base")
                          .add_link("top", ball())
                          .add_joint(joint_between("weld", JointType::kFixed, "base", "top"))
                          .build();
  EXPECT_EQ(hand_of(model), "top");
}

}  // namespace
}  // namespace spatial_dynamics::test

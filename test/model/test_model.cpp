// Queries and setters of Model.
#include "spatial_dynamics/model/model.hpp"

#include "model/rejections.hpp"
#include "support/malloc_hook.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(Model, FindsLinksAndJointsByName) {
  const Model model = chain(3).build();
  EXPECT_EQ(model.link(model.find_link("l2")).name, "l2");
  EXPECT_EQ(model.joint(model.find_joint("j3")).name, "j3");
  EXPECT_EQ(model.find_link("j3"), kNoIndex);
  EXPECT_EQ(model.find_joint("base"), kNoIndex);
  EXPECT_EQ(model.find_joint(""), kNoIndex);
}

TEST(Model, TheRootIsItsFirstLink) {
  const Model model = ModelBuilder("r")
                          .add_link("tip", ball())
                          .add_link("root")
                          .add_joint(joint_between("j", JointType::kContinuous, "root", "tip"))
                          .build();
  EXPECT_EQ(model.link(0).name, "root");
}

TEST(SetPayload, ReplacesThePreviousPayloadExactly) {
  Random random(2);
  Model model = chain(3).build();
  const Matrix6 empty = model.inertia(2).matrix();
  const Index link = model.find_link("l2");
  const MassProperties load = random_mass_properties(random);
  const Inertia payload = Inertia::from_com(load.mass, load.com, load.inertia_about_com);
  for (int i = 0; i < 100; ++i) {
    model.set_payload(link, payload);
  }
  EXPECT_TRUE(model.inertia(2).matrix().isApprox(empty + payload.matrix(), 1e-15));
  EXPECT_DOUBLE_EQ(model.total_mass(), 3.0 + load.mass);
  model.set_payload(link, Inertia::Zero());
  EXPECT_EQ(model.inertia(2).matrix(), empty);
}

TEST(SetPayload, KeepsPayloadsOfOtherLinksOfTheBody) {
  JointDescription weld = joint_between("weld", JointType::kFixed, "l1", "tool");
  weld.origin = Transform::translation({0, 0, 1});
  Model model = chain(1).add_link("tool").add_joint(weld).build();
  const MassProperties b = ball();
  const Inertia load = Inertia::from_com(b.mass, b.com, b.inertia_about_com);
  model.set_payload(model.find_link("tool"), load);
  model.set_payload(model.find_link("l1"), load);
  EXPECT_EQ(model.inertia(1).mass, 3.0);
  EXPECT_TRUE(model.inertia(1).com().isApprox(Vector3(0, 0, 1.0 / 3.0), 1e-15));
  model.set_payload(model.find_link("l1"), Inertia::Zero());
  EXPECT_EQ(model.inertia(1).mass, 2.0);
}

TEST(Model, SettersDoNotAllocate) {
  Model model = chain(3).build();
  const MassProperties b = ball();
  const Inertia load = Inertia::from_com(b.mass, b.com, b.inertia_about_com);
  const HeapWatch heap;
  model.set_payload(2, load);
  model.set_gravity({0, 1, 2});
  model.set_friction_speed(0.5);
  EXPECT_EQ(heap.count(), 0U);
  EXPECT_EQ(model.gravity(), Vector3(0, 1, 2));
  EXPECT_EQ(model.friction_speed(), 0.5);
}

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

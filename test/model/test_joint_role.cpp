// Joints that follow others, and joints that are locked.
#include <limits>
#include <string>

#include "model/rejections.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr JointType kSlider = JointType::kPrismatic;

/// Joints "a", "b", "c", … all on the base, each with its type.
class Hand {
 public:
  Hand& joint(const std::string& name, JointType type) {
    JointDescription joint = joint_between(name, type, "base", "link_" + name);
    joint.origin = Transform::translation(Vector3::UnitX());
    joints_.push_back(joint);
    return *this;
  }
  Hand& follower(const std::string& name, JointType type, const std::string& leader,
                 double multiplier = 1.0, double offset = 0.0) {
    joint(name, type);
    joints_.back().mimic = MimicDescription{leader, multiplier, offset};
    return *this;
  }
  [[nodiscard]] Model build(const BuildOptions& options = {}, ModelReport* report = nullptr) const {
    ModelBuilder builder("hand");
    builder.add_link("base");
    for (const JointDescription& joint : joints_) {
      builder.add_link(joint.child, ball()).add_joint(joint);
    }
    return builder.build(options, report);
  }

 private:
  std::vector<JointDescription> joints_;
};

void expect_hand_rejected(const Hand& hand, const std::string& element,
                          const std::vector<std::string>& words, const BuildOptions& options = {}) {
  expect_rejected([&] { static_cast<void>(hand.build(options)); }, element, words);
}

BuildOptions locking(const std::string& joint, double position) {
  BuildOptions options;
  options.locked[joint] = position;
  return options;
}

const Joint& named(const Model& model, const std::string& name) {
  return model.joint(model.find_joint(name));
}

TEST(Mimic, FollowerSharesTheCoordinateOfItsLeader) {
  ModelReport report;
  const Model model = Hand()
                          .joint("x", JointType::kContinuous)
                          .joint("a", JointType::kContinuous)
                          .follower("b", kSlider, "a", -2.0, 0.5)
                          .build({}, &report);
  EXPECT_EQ(model.nq(), 2);
  EXPECT_EQ(model.nv(), 2);
  EXPECT_TRUE(model.has_mimic());
  EXPECT_EQ(model.joint_names(), (std::vector<std::string>{"x", "a"}));
  const Joint& b = named(model, "b");
  EXPECT_EQ(b.mimics, model.find_joint("a"));
  EXPECT_EQ(b.q_index, 1);
  EXPECT_EQ(b.v_index, 1);
  EXPECT_EQ(b.ratio, -2.0);
  EXPECT_EQ(b.offset, 0.5);
  ASSERT_EQ(report.mimic.size(), 1U);
  EXPECT_EQ(report.mimic[0].joint, "b");
  EXPECT_EQ(report.mimic[0].leader, "a");
  // The child is at ratio * q + offset.
  VectorXd q(2);
  q << 9.0, 0.25;
  EXPECT_TRUE(
      parent_to_child(b, q).position().isApprox(Vector3(1.0, 0.0, -2.0 * 0.25 + 0.5), 1e-15));
}

TEST(Mimic, FollowerMayComeBeforeItsLeader) {
  const Model model = Hand()
                          .follower("b", JointType::kContinuous, "a", 3.0)
                          .joint("x", JointType::kContinuous)
                          .joint("a", JointType::kContinuous)
                          .build();
  EXPECT_EQ(model.joint_names(), (std::vector<std::string>{"x", "a"}));
  EXPECT_EQ(named(model, "b").mimics, model.find_joint("a"));
  EXPECT_EQ(named(model, "b").q_index, 1);
  EXPECT_LT(model.find_joint("b"), model.find_joint("a"));
}

TEST(Mimic, ChainResolvesToItsLastLeader) {
  // c = 3 b + 1, b = 2 a + 0.5: c = 6 a + 2.5.
  const Model model = Hand()
                          .follower("c", JointType::kContinuous, "b", 3.0, 1.0)
                          .follower("b", JointType::kContinuous, "a", 2.0, 0.5)
                          .joint("a", JointType::kContinuous)
                          .build();
  EXPECT_EQ(named(model, "c").mimics, model.find_joint("a"));
  EXPECT_EQ(named(model, "c").ratio, 6.0);
  EXPECT_EQ(named(model, "c").offset, 2.5);
  EXPECT_EQ(named(model, "b").mimics, model.find_joint("a"));
}

TEST(Mimic, ChainOfThousandsResolves) {
  Hand hand;
  constexpr int kLength = 20000;
  for (int i = kLength; i > 0; --i) {
    hand.follower("j" + std::to_string(i), JointType::kContinuous, "j" + std::to_string(i - 1), 1.0,
                  1.0);
  }
  const Model model = hand.joint("j0", JointType::kContinuous).build();
  EXPECT_EQ(model.nv(), 1);
  EXPECT_EQ(named(model, "j" + std::to_string(kLength)).offset, kLength);
}

TEST(Mimic, OfItselfIsRejected) {
  expect_hand_rejected(Hand().follower("a", JointType::kContinuous, "a"), "joint 'a'", {"itself"});
}

TEST(Mimic, OfAMissingJointIsRejected) {
  expect_hand_rejected(Hand().follower("a", JointType::kContinuous, "ghost"), "joint 'a'",
                       {"'ghost'"});
}

TEST(Mimic, CycleIsRejected) {
  expect_hand_rejected(
      Hand().follower("a", JointType::kContinuous, "b").follower("b", JointType::kContinuous, "a"),
      "joint 'a'", {"itself through", "'b'"});
  expect_hand_rejected(Hand()
                           .follower("tail", JointType::kContinuous, "a")
                           .follower("a", JointType::kContinuous, "b")
                           .follower("b", JointType::kContinuous, "c")
                           .follower("c", JointType::kContinuous, "a"),
                       "joint 'a'", {"itself through", "'b'"});
}

TEST(Mimic, OfOrByAJointWithSeveralDegreesOfFreedomIsRejected) {
  for (const JointType type : {JointType::kPlanar, JointType::kFloating}) {
    expect_hand_rejected(Hand().joint("a", type).follower("b", JointType::kContinuous, "a"),
                         "joint 'b'", {to_string(type)});
    expect_hand_rejected(Hand().joint("a", JointType::kContinuous).follower("b", type, "a"),
                         "joint 'b'", {to_string(type)});
  }
}

TEST(Mimic, ChainsWithHugeMultipliersAreRejected) {
  Hand hand;
  hand.joint("a", JointType::kContinuous)
      .follower("b", JointType::kContinuous, "a", 1e10)
      .follower("c", JointType::kContinuous, "b", 1e10);
  expect_hand_rejected(hand, "joint 'c'", {"1e15"});
}

TEST(Mimic, OfAFixedJointIsHeldAtItsOffset) {
  ModelReport report;
  const Model model =
      Hand().joint("a", JointType::kFixed).follower("b", kSlider, "a", 2.0, 0.3).build({}, &report);
  EXPECT_EQ(model.nv(), 0);
  EXPECT_TRUE(
      model.link(model.find_link("link_b")).placement.position().isApprox(Vector3(1, 0, 0.3)));
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "joint 'b'", "'a', which is fixed"));
}

TEST(Mimic, OnAFixedJointHasNoEffect) {
  ModelReport report;
  const Model model = Hand()
                          .joint("a", JointType::kContinuous)
                          .follower("b", JointType::kFixed, "a")
                          .build({}, &report);
  EXPECT_EQ(model.nv(), 1);
  EXPECT_FALSE(model.has_mimic());
  EXPECT_TRUE(has_finding(report, Severity::kInfo, "joint 'b'", "no effect"));
}

TEST(Mimic, MultiplierOfZeroHoldsTheJointAtItsOffset) {
  ModelReport report;
  const Model model = Hand()
                          .joint("a", JointType::kContinuous)
                          .follower("b", kSlider, "a", 0.0, 0.7)
                          .build({}, &report);
  EXPECT_EQ(model.nv(), 1);
  EXPECT_FALSE(model.has_mimic());
  EXPECT_TRUE(
      model.link(model.find_link("link_b")).placement.position().isApprox(Vector3(1, 0, 0.7)));
  ASSERT_EQ(report.locked.size(), 1U);
  EXPECT_EQ(report.locked[0].joint, "b");
  EXPECT_EQ(report.locked[0].value, 0.7);
}

TEST(Mimic, UrdfDefaultsAreMultiplierOneAndOffsetZero) {
  const std::string follower =
      "<link name=\"finger\"/><joint name=\"f\" type=\"continuous\"><parent link=\"base\"/><child "
      "link=\"finger\"/><mimic joint=\"hinge\"/></joint></robot>";
  const Model model = load_urdf(replaced(kPendulum, "</robot>", follower));
  EXPECT_EQ(model.nv(), 1);
  EXPECT_EQ(named(model, "f").ratio, 1.0);
  EXPECT_EQ(named(model, "f").offset, 0.0);
  const std::string urdf = replaced(kPendulum, "</robot>", follower);
  expect_urdf_rejected(replaced(urdf, "<mimic joint=\"hinge\"/>", "<mimic/>"), "joint 'f'",
                       {"joint"});
  expect_urdf_rejected(
      replaced(urdf, "<mimic joint=\"hinge\"/>", "<mimic joint=\"hinge\" multiplier=\"x\"/>"),
      "joint 'f'", {"multiplier"});
  expect_urdf_rejected(
      replaced(urdf, "<mimic joint=\"hinge\"/>", "<mimic joint=\"hinge\" offset=\"inf\"/>"),
      "joint 'f'", {"offset"});
}

TEST(Locking, EqualsFixedJointAtSamePosition) {
  for (const JointType type : {JointType::kContinuous, kSlider, JointType::kRevolute}) {
    const double position = 0.6;
    const Model locked = chain(3, type).build(locking("j2", position));
    EXPECT_EQ(locked.nv(), 2);
    EXPECT_EQ(locked.joint_names(), (std::vector<std::string>{"j1", "j3"}));
    VectorXd q(3);
    q << 0.0, position, 0.0;
    const Model free = chain(3, type).build();
    const Transform at_position = parent_to_child(free.joint(2), q);
    const Transform& placement = locked.link(locked.find_link("l2")).placement;
    EXPECT_TRUE(placement.E.isApprox(at_position.E, 1e-15));
    EXPECT_TRUE(placement.r.isApprox(at_position.r, 1e-15));
    const Inertia expected = free.inertia(1) + to_parent(at_position, free.inertia(2));
    EXPECT_TRUE(locked.inertia(1).matrix().isApprox(expected.matrix(), 1e-15));
  }
}

TEST(Locking, OfALeaderHoldsItsFollowers) {
  ModelReport report;
  const Model model = Hand()
                          .follower("c", kSlider, "b", 3.0, 1.0)
                          .follower("b", kSlider, "a", 2.0, 0.5)
                          .joint("a", kSlider)
                          .build(locking("a", 0.25), &report);
  EXPECT_EQ(model.nv(), 0);
  EXPECT_TRUE(
      model.link(model.find_link("link_b")).placement.position().isApprox(Vector3(1, 0, 1)));
  EXPECT_TRUE(
      model.link(model.find_link("link_c")).placement.position().isApprox(Vector3(1, 0, 4)));
  EXPECT_EQ(report.locked.size(), 3U);
}

TEST(Locking, RejectsMissingMimicFixedPlanarAndFloatingJoints) {
  Hand hand;
  hand.joint("a", JointType::kContinuous)
      .follower("b", JointType::kContinuous, "a")
      .joint("f", JointType::kFixed);
  hand.joint("p", JointType::kPlanar).joint("g", JointType::kFloating);
  expect_hand_rejected(hand, "joint 'ghost'", {"no joint"}, locking("ghost", 0.0));
  expect_hand_rejected(hand, "joint 'b'", {"follows", "'a'"}, locking("b", 0.0));
  expect_hand_rejected(hand, "joint 'f'", {"fixed"}, locking("f", 0.0));
  expect_hand_rejected(hand, "joint 'p'", {"planar"}, locking("p", 0.0));
  expect_hand_rejected(hand, "joint 'g'", {"floating"}, locking("g", 0.0));
}

TEST(Locking, AtNonFiniteOrHugePositionIsRejected) {
  for (const double position : {std::numeric_limits<double>::quiet_NaN(), kUnlimited, 1e16}) {
    expect_hand_rejected(Hand().joint("a", JointType::kContinuous), "joint 'a'", {"finite"},
                         locking("a", position));
  }
}

TEST(Locking, OutsideTheLimitsIsWarnedOf) {
  ModelReport report;
  EXPECT_EQ(load_urdf(kPendulum, locking("hinge", 2.5), &report).nv(), 0);
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "joint 'hinge'", "outside its limits"));
  EXPECT_EQ(load_urdf(kPendulum, locking("hinge", 1.5), &report).nv(), 0);
  EXPECT_FALSE(has_finding(report, Severity::kWarning, "joint 'hinge'", "outside its limits"));
}

}  // namespace
}  // namespace spatial_dynamics::test

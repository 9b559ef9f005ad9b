// Links and joints that are not one tree are rejected; trees load in linear time at any depth.
#include <pthread.h>

#include <chrono>
#include <functional>
#include <limits>
#include <string>

#include "model/rejections.hpp"

namespace spatial_dynamics::test {
namespace {

void expect_tree_rejected(const ModelBuilder& builder, const std::string& element,
                          const std::vector<std::string>& words) {
  expect_rejected([&builder] { static_cast<void>(builder.build()); }, element, words);
}

TEST(LinkTree, RobotWithoutLinksIsRejected) {
  expect_rejected([] { static_cast<void>(ModelBuilder("empty").build()); }, "robot", {"no links"});
  expect_urdf_rejected("<robot name='empty'/>", "robot", {"no links"});
}

TEST(LinkTree, DuplicateLinkIsRejected) {
  expect_tree_rejected(chain(2).add_link("l1"), "link 'l1'", {"twice"});
  expect_urdf_rejected(
      replaced(kPendulum, "<link name=\"base\"/>", "<link name=\"base\"/><link name=\"base\"/>"),
      "link 'base'", {"twice"});
}

TEST(LinkTree, DuplicateJointIsRejected) {
  expect_tree_rejected(
      chain(2).add_link("x").add_joint(joint_between("j1", JointType::kContinuous, "base", "x")),
      "joint 'j1'", {"twice"});
  expect_urdf_rejected(replaced(kPendulum, "</robot>",
                                "<link name=\"x\"/><joint name=\"hinge\" type=\"fixed\"><parent "
                                "link=\"base\"/><child link=\"x\"/></joint></robot>"),
                       "joint 'hinge'", {"twice"});
}

TEST(LinkTree, LinkAndJointMayShareAName) {
  EXPECT_EQ(ModelBuilder("r")
                .add_link("a")
                .add_link("arm", ball())
                .add_joint(joint_between("arm", JointType::kContinuous, "a", "arm"))
                .build()
                .nv(),
            1);
}

TEST(LinkTree, UnknownLinksAreRejected) {
  expect_tree_rejected(
      chain(1).add_link("x").add_joint(joint_between("j", JointType::kContinuous, "nobody", "x")),
      "joint 'j'", {"parent", "'nobody'"});
  expect_tree_rejected(
      chain(1).add_joint(joint_between("j", JointType::kContinuous, "base", "nobody")), "joint 'j'",
      {"child", "'nobody'"});
  expect_urdf_rejected(replaced(kPendulum, "<child link=\"rod\"/>", "<child link=\"nobody\"/>"),
                       "joint 'hinge'", {"'nobody'"});
}

TEST(LinkTree, SelfLoopIsRejected) {
  expect_tree_rejected(
      chain(1).add_link("x").add_joint(joint_between("j", JointType::kContinuous, "x", "x")),
      "joint 'j'", {"to itself"});
  expect_urdf_rejected(replaced(kPendulum, "<child link=\"rod\"/>", "<child link=\"base\"/>"),
                       "joint 'hinge'", {"to itself"});
}

TEST(LinkTree, LinkWithTwoParentsIsRejected) {
  expect_tree_rejected(chain(2).add_joint(joint_between("j", JointType::kContinuous, "base", "l2")),
                       "link 'l2'", {"'j2'", "'j'"});
  expect_urdf_rejected(
      replaced(kPendulum, "</robot>",
               "<joint name=\"second\" type=\"fixed\"><parent link=\"base\"/><child "
               "link=\"rod\"/></joint></robot>"),
      "link 'rod'", {"'hinge'", "'second'"});
}

TEST(LinkTree, CycleWithoutRootIsRejected) {
  ModelBuilder ring("ring");
  ring.add_link("a").add_link("b");
  ring.add_joint(joint_between("ab", JointType::kContinuous, "a", "b"))
      .add_joint(joint_between("ba", JointType::kContinuous, "b", "a"));
  expect_tree_rejected(ring, "joint 'ba'", {"cycle"});
  expect_urdf_rejected(replaced(kPendulum, "</robot>",
                                "<joint name=\"back\" type=\"fixed\"><parent link=\"rod\"/><child "
                                "link=\"base\"/></joint></robot>"),
                       "joint 'back'", {"cycle"});
}

TEST(LinkTree, CycleBesideTheTreeIsRejected) {
  ModelBuilder builder = chain(2);
  builder.add_link("a").add_link("b").add_link("tail");
  builder.add_joint(joint_between("tail", JointType::kContinuous, "b", "tail"));
  builder.add_joint(joint_between("ab", JointType::kContinuous, "a", "b"));
  builder.add_joint(joint_between("ba", JointType::kContinuous, "b", "a"));
  expect_tree_rejected(builder, "joint 'ba'", {"cycle"});
}

TEST(LinkTree, SeveralRootsAreRejected) {
  expect_tree_rejected(chain(2).add_link("alone"), "link 'alone'", {"'base'", "one root"});
  expect_urdf_rejected(replaced(kPendulum, "</robot>", "<link name=\"alone\"/></robot>"),
                       "link 'alone'", {"'base'", "one root"});
}

TEST(LinkTree, CoordinatesAreDepthFirstInTheOrderOfJoints) {
  // base - (b: b1, b2), (a); joints are added out of order, and names sort differently.
  ModelBuilder builder("tree");
  for (const char* link : {"a", "b2", "b", "base", "b1"}) {
    builder.add_link(link, ball());
  }
  builder.add_joint(joint_between("z_b1", JointType::kContinuous, "b", "b1"));
  builder.add_joint(joint_between("y_b", JointType::kContinuous, "base", "b"));
  builder.add_joint(joint_between("x_a", JointType::kContinuous, "base", "a"));
  builder.add_joint(joint_between("w_b2", JointType::kContinuous, "b", "b2"));
  EXPECT_EQ(builder.build().joint_names(),
            (std::vector<std::string>{"y_b", "z_b1", "w_b2", "x_a"}));
}

TEST(LinkTree, UrdfKeepsTheOrderOfItsJoints) {
  std::string urdf = "<robot name='r'><link name='base'/>";
  const std::vector<std::string> names = {"m", "b", "z", "a", "q"};
  for (const std::string& name : names) {
    urdf += "<joint name='" + name + "' type='continuous'><parent link='base'/><child link='l" +
            name + "'/></joint><link name='l" + name + "'/>";
  }
  EXPECT_EQ(load_urdf(urdf + "</robot>").joint_names(), names);
}

/// Compact, so that 100,000 links fit into the largest document.
std::string chain_urdf(int links) {
  std::string urdf = "<robot name='chain'><link name='l0'/>";
  for (int i = 1; i <= links; ++i) {
    const std::string n = std::to_string(i);
    urdf += "<link name='l" + n + "'/><joint name='j" + n + "' type='continuous'><parent link='l" +
            std::to_string(i - 1) + "'/><child link='l" + n + "'/></joint>";
  }
  return urdf + "</robot>";
}

std::string star_urdf(int links) {
  std::string urdf = "<robot name='star'><link name='l0'/>";
  for (int i = 1; i <= links; ++i) {
    const std::string n = std::to_string(i);
    urdf += "<link name='l" + n + "'/><joint name='j" + n +
            "' type='continuous'><parent link='l0'/><child link='l" + n + "'/></joint>";
  }
  return urdf + "</robot>";
}

double seconds_to_load(const std::string& urdf, int links) {
  double best = std::numeric_limits<double>::infinity();
  for (int repetition = 0; repetition < 3; ++repetition) {
    const auto start = std::chrono::steady_clock::now();
    ModelReport report;
    const Model model = load_urdf(urdf, {}, &report);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(model.nv(), links);
    best = std::min(best, elapsed.count());
  }
  return best;
}

TEST(LinkTree, TenThousandLinksLoadInLinearTime) {
  // Ten times the links take ten times as long, and would take a hundred times if anything were
  // quadratic.
  for (const auto& make : {chain_urdf, star_urdf}) {
    const double small = seconds_to_load(make(1000), 1000);
    const double large = seconds_to_load(make(10000), 10000);
    EXPECT_LT(large / small, 40.0);
  }
}

/// Runs `job` on a thread with a stack of 256 KiB, which a recursion per link would overflow.
void run_on_small_stack(const std::function<void()>& job) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, std::size_t{256} * 1024), 0);
  pthread_t thread{};
  const auto entry = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  void* argument = const_cast<std::function<void()>*>(&job);
  ASSERT_EQ(pthread_create(&thread, &attributes, entry, argument), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
}

TEST(LinkTree, HundredThousandLinksInARowLoad) {
  const std::string urdf = chain_urdf(100000);
  run_on_small_stack([&urdf] { EXPECT_EQ(load_urdf(urdf).nv(), 100000); });
}

TEST(LinkTree, HundredThousandLinksInARowAreRejectedWithoutRecursion) {
  const std::string urdf = replaced(chain_urdf(100000), "</robot>", "<link name='alone'/></robot>");
  run_on_small_stack([&urdf] { expect_urdf_rejected(urdf, "link 'alone'", {"one root"}); });
}

}  // namespace
}  // namespace spatial_dynamics::test

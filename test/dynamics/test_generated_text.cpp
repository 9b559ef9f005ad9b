#include "dynamics/generated_text.hpp"

#include "kernels/kernel_test.hpp"

namespace spatial_dynamics::test {
namespace {

/// The text of a robot whose three functions compute nothing.
GeneratedCode frame_of(const Model& model, const std::string& name = "robot") {
  const CompactModel compact = compile(model);
  GeneratedText text(model, compact, name, model.link(model.link_count() - 1).name);
  int cost = 0;
  for (const bool loaded : {false, true}) {
    for (const char* function : {"inverse_dynamics", "mass_matrix", "forward_dynamics"}) {
      OperationCounts counts;
      counts.multiplications = ++cost;
      text.add(function, loaded, {{"  // nothing\n"}, 0}, counts);
    }
  }
  return text.finish();
}
bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
Model arm(bool friction) {
  Random random(3);
  RandomTreeOptions options;
  options.joints = 3;
  options.dissipation = friction;
  return random_tree(random, options);
}

TEST(GeneratedText, EveryFunctionIsDeclaredAndDefined) {
  const GeneratedCode code = frame_of(arm(false));
  for (const char* function :
       {"robot_nq(", "robot_nv(", "robot_inverse_dynamics(", "robot_mass_matrix(",
        "robot_forward_dynamics(", "robot_inverse_dynamics_batch(", "robot_mass_matrix_batch(",
        "robot_forward_dynamics_batch("}) {
    EXPECT_TRUE(has(code.header, function)) << function;
    EXPECT_TRUE(has(code.source, function)) << function;
  }
}

TEST(GeneratedText, TheHeaderNamesJointsLinksAndCosts) {
  const Model model = arm(false);
  const GeneratedCode code = frame_of(model);
  for (const std::string& joint : model.joint_names()) {
    EXPECT_TRUE(has(code.header, "//   " + joint + "\n"));
  }
  EXPECT_TRUE(has(code.header, "//   " + model.link(0).name + "\n"));
  EXPECT_TRUE(has(code.header, "// inverse_dynamics: 1 multiplications"));
  EXPECT_TRUE(has(code.header, "// forward_dynamics_loaded: 6 multiplications"));
}

TEST(GeneratedText, NoMarkRemains) {
  const GeneratedCode code = frame_of(arm(true));
  for (const char* mark : {"NAME", "NQ", "NV", "WRENCHES", "ANGLES", "@"}) {
    EXPECT_FALSE(has(code.header, mark)) << mark;
    EXPECT_FALSE(has(code.source, mark)) << mark;
  }
}

TEST(GeneratedText, ANameMayContainAMark) {
  const GeneratedCode code = frame_of(arm(false), "NAME_NV_ANGLES");
  EXPECT_TRUE(has(code.header, "int NAME_NV_ANGLES_nv() noexcept;"));
  EXPECT_TRUE(has(code.source, "int NAME_NV_ANGLES_nv() noexcept { return 3; }"));
}

TEST(GeneratedText, OnlyARobotWithFrictionComputesIt) {
  const auto uses = [](const GeneratedCode& code) {
    int count = 0;
    for (std::size_t at = 0;
         (at = code.source.find("hyperbolic_tangent(", at)) != std::string::npos; ++at) {
      ++count;
    }
    return count;
  };
  constexpr int kDefinitions = 3;
  EXPECT_EQ(uses(frame_of(arm(false))), kDefinitions);
  EXPECT_GT(uses(frame_of(arm(true))), kDefinitions);
}

TEST(GeneratedText, TheSourceIncludesOnlyItsHeaderAndItself) {
  std::string source = frame_of(arm(false)).source;
  EXPECT_TRUE(has(source, "#include \"robot.hpp\""));
  const std::string include = "#include \"";
  for (std::size_t at = 0; (at = source.find(include, at)) != std::string::npos;) {
    at += include.size();
    const std::string file = source.substr(at, source.find('"', at) - at);
    EXPECT_TRUE(file == "robot.hpp" || file == "robot.cpp") << file;
  }
}

TEST(GeneratedText, PartsOfAFunctionAreCalledInOrder) {
  const Model model = arm(false);
  const CompactModel compact = compile(model);
  GeneratedText text(model, compact, "robot", model.link(model.link_count() - 1).name);
  text.add("mass_matrix", false, {{"  // one\n", "  // two\n"}, 7}, {});
  const std::string source = text.finish().source;
  EXPECT_TRUE(has(source,
                  "  T kept[7];\n"
                  "  mass_matrix_part0(q, s, c, M, kept);\n"
                  "  mass_matrix_part1(q, s, c, M, kept);\n"));
}

}  // namespace
}  // namespace spatial_dynamics::test

// Generated code, compiled and loaded as a user's program would.
#include "spatial_dynamics/kernels/generate.hpp"

#include <filesystem>

#include "kernels/kernel_test.hpp"
#include "model/refusals.hpp"
#include "spatial_dynamics/algorithms/forward_dynamics.hpp"
#include "spatial_dynamics/algorithms/inverse_dynamics.hpp"
#include "spatial_dynamics/algorithms/mass_matrix.hpp"
#include "spatial_dynamics/kernels/generated_library.hpp"
#include "spatial_dynamics/model/last_moving_link.hpp"

namespace spatial_dynamics::test {
namespace {

class GeneratedCodeTest : public KernelTest {
 protected:
  static std::string folder() { return ::testing::TempDir() + "spatial_dynamics_generated"; }
};
std::vector<NamedRobot> small_robots() {
  std::vector<NamedRobot> robots;
  for (const NamedRobot& robot : kernel_robots()) {
    for (const char* name : {"tree3_all_kinds", "tree3_mimic", "tree3_floating", "arm7", "gripper",
                             "arm6_floating", "double_pendulum"}) {
      if (robot.name == name) robots.push_back(robot);
    }
  }
  return robots;
}
INSTANTIATE_TEST_SUITE_P(Robots, GeneratedCodeTest, ::testing::ValuesIn(small_robots()),
                         robot_name);

TEST_P(GeneratedCodeTest, EqualsTheTextbookWithAndWithoutPayload) {
  const GeneratedLibrary library = GeneratedLibrary::build(model, {}, folder());
  const GeneratedFunctions& f = library.functions();
  const double payload[10] = {2.0, 0.1, -0.2, 0.3, 0.5, 0.01, -0.02, 0.6, 0.03, 0.4};
  Matrix3 I;
  I << payload[4], payload[5], payload[6], payload[5], payload[7], payload[8], payload[6],
      payload[8], payload[9];
  const Inertia load(payload[0], Vector3(payload[1], payload[2], payload[3]), I);
  model.set_gravity({0.5, 1.0, -9.0});
  const Index n = model.nv();
  for (const bool loaded : {false, true}) {
    const double* given = loaded ? payload : nullptr;
    model.set_payload(last_moving_link(model), loaded ? load : Inertia::Zero());
    const State s = random_state();
    VectorXd tau(n), a(n);
    MatrixXd M(n, n);
    f.inverse_dynamics(s.q.data(), s.v.data(), s.a.data(), model.gravity().data(), given,
                       tau.data());
    const VectorXd expected = inverse_dynamics(model, data, s.q, s.v, s.a);
    EXPECT_LT(largest(tau - expected), kTolerance * largest(expected));
    f.mass_matrix(s.q.data(), given, M.data());
    const MatrixXd expected_M = mass_matrix(model, data, s.q);
    EXPECT_LT(largest(M - expected_M), kTolerance * largest(expected_M));
    ASSERT_EQ(f.forward_dynamics(s.q.data(), s.v.data(), s.tau.data(), model.gravity().data(),
                                 given, a.data()),
              1);
    const VectorXd expected_a = forward_dynamics(model, data, s.q, s.v, s.tau);
    EXPECT_LT(largest(a - expected_a),
              kTolerance * condition_number(expected_M) * largest(expected_a));
  }
}

TEST(FindDifference, RefusesTheCodeOfAnotherRobotWithASentence) {
  Random random(3);
  const Model one = random_tree(random, {3}), other = random_tree(random, {3});
  const GeneratedLibrary library =
      GeneratedLibrary::build(one, {}, ::testing::TempDir() + "spatial_dynamics_generated");
  EXPECT_EQ(find_difference(library.functions(), one), "");
  EXPECT_NE(find_difference(library.functions(), other).find("differs from the loop kernel"),
            std::string::npos);
}

TEST(GenerateCode, FoldsZerosAndCountsWhatIsLeft) {
  Random random(3);
  const Model model = random_tree(random, {4, false, true, false, false, false});
  const GeneratedCode code = generate_code(model, {"some robot!", ""});
  EXPECT_EQ(code.name, "some_robot_");
  ASSERT_EQ(code.functions.size(), 6u);
  for (const GeneratedFunction& f : code.functions) {
    EXPECT_NE(
        code.header.find(f.name + ": " + std::to_string(f.multiplications) + " multiplications"),
        std::string::npos);
  }
  EXPECT_EQ(code.source.find(" * 0.0;"), std::string::npos);
  EXPECT_EQ(code.source.find(" 1.0 * "), std::string::npos);
}

TEST(GenerateCode, RefusesAPayloadOnALinkThatIsNotThere) {
  Random random(3);
  const Model model = random_tree(random, {2});
  EXPECT_THROW(generate_code(model, {"x", "nowhere"}), std::invalid_argument);
}

TEST(GenerateCode, PutsThePayloadOnTheLastLinkThatMoves) {
  ModelBuilder builder("armed");
  for (const char* name : {"base", "hand", "stand"}) builder.add_link(name, ball());
  const Model model =
      builder.add_joint(joint_between("turn", JointType::kContinuous, "base", "hand"))
          .add_joint(joint_between("weld", JointType::kFixed, "base", "stand"))
          .build();
  EXPECT_NE(generate_code(model).header.find("in the frame of link hand."), std::string::npos);
}

TEST(GenerateCode, RefusesAPayloadOnALinkThatDoesNotMove) {
  Random random(3);
  const Model model = random_tree(random, {2});
  try {
    generate_code(model, {"x", model.link(0).name});
    FAIL() << "taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("is fixed to the world"), std::string::npos);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test

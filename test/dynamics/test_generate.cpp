// Generated code, compiled and loaded as in a user's program.
#include "spatial_dynamics/dynamics/generate.hpp"

#include <filesystem>

#include "kernels/kernel_test.hpp"
#include "model/rejections.hpp"
#include "spatial_dynamics/dynamics/generated_library.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"

namespace spatial_dynamics::test {
namespace {

class GeneratedCodeTest : public KernelTest {
 protected:
  GeneratedCodeTest()
      : library(GeneratedLibrary::build(model, {}, ::testing::TempDir() + "generated")),
        f(library.functions()) {}

  /// A payload on the last moving link, in the model and in the format of generated code.
  const double* load() {
    Matrix3 I;
    I << payload[4], payload[5], payload[6], payload[5], payload[7], payload[8], payload[6],
        payload[8], payload[9];
    model.set_payload(last_moving_link(model),
                      Inertia(payload[0], Vector3(payload[1], payload[2], payload[3]), I));
    return payload;
  }
  void expect_equal(const State& s, const ExternalForces& forces, const double* given,
                    double tolerance = kTolerance) {
    const Index n = model.nv();
    const double* external =
        forces.empty() ? nullptr : forces.on_body(0).moment.data();  // six numbers per body
    const double* gravity = model.gravity().data();
    VectorXd tau(n), a(n);
    MatrixXd M(n, n);
    f.inverse_dynamics(s.q.data(), s.v.data(), s.a.data(), gravity, given, external, tau.data());
    const VectorXd expected = inverse_dynamics(model, data, s.q, s.v, s.a, forces);
    EXPECT_LT(largest(tau - expected), tolerance * largest(expected));
    f.mass_matrix(s.q.data(), given, M.data());
    const MatrixXd expected_M = mass_matrix(model, data, s.q);
    EXPECT_LT(largest(M - expected_M), tolerance * largest(expected_M));
    ASSERT_EQ(f.forward_dynamics(s.q.data(), s.v.data(), s.tau.data(), gravity, given, external,
                                 a.data()),
              1);
    const VectorXd expected_a = forward_dynamics(model, data, s.q, s.v, s.tau, forces);
    EXPECT_LT(largest(a - expected_a),
              tolerance * condition_number(expected_M) * largest(expected_a));
  }

  const double payload[10] = {2.0, 0.1, -0.2, 0.3, 0.5, 0.01, -0.02, 0.6, 0.03, 0.4};
  GeneratedLibrary library;
  const GeneratedFunctions& f;
};
std::vector<NamedRobot> small_robots() {
  std::vector<NamedRobot> robots;
  for (const NamedRobot& robot : all_robots()) {
    for (const char* name : {"tree3_all_kinds", "tree3_mimic", "tree3_floating", "arm7", "gripper",
                             "arm6_floating", "double_pendulum"}) {
      if (robot.name == name) robots.push_back(robot);
    }
  }
  return robots;
}
INSTANTIATE_TEST_SUITE_P(Robots, GeneratedCodeTest, ::testing::ValuesIn(small_robots()),
                         robot_name);

TEST_P(GeneratedCodeTest, EqualsTheTextbook) {
  expect_equal(random_state(), ExternalForces(), nullptr);
}
TEST_P(GeneratedCodeTest, AcceptsAnyGravity) {
  model.set_gravity({0.5, 1.0, -9.0});
  expect_equal(random_state(), ExternalForces(), nullptr);
}
TEST_P(GeneratedCodeTest, AcceptsAPayload) {
  const double* given = load();
  expect_equal(random_state(), ExternalForces(), given);
}
TEST_P(GeneratedCodeTest, AcceptsWrenches) {
  expect_equal(random_state(), random_wrenches(), nullptr);
}
TEST_P(GeneratedCodeTest, AcceptsAPayloadAndWrenchesTogether) {
  const double* given = load();
  expect_equal(random_state(), random_wrenches(), given);
}

TEST_P(GeneratedCodeTest, ABatchEqualsItsStatesOneByOne) {
  const Index n = model.nv(), wrenches = 6 * model.body_count();
  const double* gravity = model.gravity().data();
  for (const int count : {0, 1, 3, 4, 6}) {
    MatrixXd q(model.nq(), count), v(n, count), x(n, count), external(wrenches, count);
    MatrixXd tau(n, count), a(n, count), M(n * n, count);
    for (Index i = 0; i < count; ++i) {
      const State s = random_state();
      q.col(i) = s.q;
      v.col(i) = s.v;
      x.col(i) = s.a;
      external.col(i) = random_vector(random, wrenches);
    }
    for (const double* given : {static_cast<const double*>(nullptr), payload}) {
      for (const bool pushed : {false, true}) {
        f.inverse_dynamics_batch(count, q.data(), v.data(), x.data(), gravity, given,
                                 pushed ? external.data() : nullptr, tau.data());
        f.mass_matrix_batch(count, q.data(), given, M.data());
        EXPECT_EQ(f.forward_dynamics_batch(count, q.data(), v.data(), tau.data(), gravity, given,
                                           pushed ? external.data() : nullptr, a.data()),
                  0);
        VectorXd one(n);
        MatrixXd one_M(n, n);
        for (Index i = 0; i < count; ++i) {
          const double* push = pushed ? external.col(i).data() : nullptr;
          f.inverse_dynamics(q.col(i).data(), v.col(i).data(), x.col(i).data(), gravity, given,
                             push, one.data());
          EXPECT_LT(largest(tau.col(i) - one), kTolerance * largest(one));
          f.mass_matrix(q.col(i).data(), given, one_M.data());
          EXPECT_LT(largest(M.col(i).reshaped(n, n) - one_M), kTolerance * largest(one_M));
          EXPECT_LT(largest(a.col(i) - x.col(i)),
                    kTolerance * condition_number(one_M) * largest(tau.col(i)));
        }
      }
    }
  }
}

TEST_P(GeneratedCodeTest, NonFiniteStateDoesNotChangeItsNeighbours) {
  const Index n = model.nv();
  MatrixXd q(model.nq(), 4), v(n, 4), tau(n, 4), expected(n, 4), a(n, 4);
  for (Index i = 0; i < 4; ++i) {
    const State s = random_state();
    q.col(i) = s.q;
    v.col(i) = s.v;
    tau.col(i) = s.tau;
  }
  const auto solve = [&](MatrixXd& to) {
    return f.forward_dynamics_batch(4, q.data(), v.data(), tau.data(), model.gravity().data(),
                                    nullptr, nullptr, to.data());
  };
  EXPECT_EQ(solve(expected), 0);
  tau(0, 1) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(solve(a), 1);
  EXPECT_EQ(largest(a.col(1)), 0.0);
  for (const Index i : {0, 2, 3}) EXPECT_EQ(a.col(i), expected.col(i));
}

TEST_P(GeneratedCodeTest, AnglesBeyondTheFastSineAreComputedToo) {
  State s = random_state();
  for (const Index i : model.coordinate_joints()) {
    if (model.joint(i).type == JointType::kRevolute) s.q(model.joint(i).q_index) += 2e5;
  }
  // An angle of that size, with an offset added, rounds to 2^-35.
  expect_equal(s, ExternalForces(), nullptr, 1e-9);
}

TEST(GenerateCode, FoldsZerosAndCountsTheRemainingOperations) {
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

TEST(GenerateCode, ARobotOfSingularMassMatrixHasAllFunctionsButForwardDynamics) {
  ModelBuilder builder("light_tip");
  builder.add_link("base");
  builder.add_link("heavy", {1.0, {0.1, 0.0, 0.0}, 0.01 * Matrix3::Identity()});
  builder.add_link("massless");
  for (const auto& [parent, child] : {std::pair{"base", "heavy"}, std::pair{"heavy", "massless"}}) {
    JointDescription joint;
    joint.name = std::string("to_") + child;
    joint.type = JointType::kRevolute;
    joint.parent = parent;
    joint.child = child;
    joint.axis = Vector3::UnitY();
    builder.add_joint(joint);
  }
  const Model model = builder.build();
  ASSERT_FALSE(model.why_forward_dynamics_fails().empty());
  const GeneratedLibrary library =
      GeneratedLibrary::build(model, {}, ::testing::TempDir() + "generated");
  const GeneratedFunctions& f = library.functions();
  const double q[] = {0.1, 0.2}, v[] = {0.3, 0.4}, tau[] = {0.5, 0.6};
  double a[] = {1.0, 1.0}, torque[2];
  EXPECT_EQ(f.forward_dynamics(q, v, tau, model.gravity().data(), nullptr, nullptr, a), 0);
  EXPECT_EQ(a[0], 0.0);
  EXPECT_EQ(a[1], 0.0);
  f.inverse_dynamics(q, v, tau, model.gravity().data(), nullptr, nullptr, torque);
  textbook::Data data(model);
  const VectorXd expected =
      inverse_dynamics(model, data, Eigen::Map<const VectorXd>(q, 2),
                       Eigen::Map<const VectorXd>(v, 2), Eigen::Map<const VectorXd>(tau, 2));
  EXPECT_NEAR(torque[0], expected(0), 1e-14);
  EXPECT_NEAR(torque[1], 0.0, 1e-14);
}

TEST(GenerateCode, PayloadIsNotOnLinkFixedToTheBase) {
  ModelBuilder builder("with_a_shelf");
  for (const char* link : {"base", "arm", "shelf"}) builder.add_link(link);
  JointDescription joint;
  joint.name = "hinge";
  joint.type = JointType::kRevolute;
  joint.parent = "base";
  joint.child = "arm";
  joint.axis = Vector3::UnitY();
  builder.add_joint(joint);
  joint.name = "screws";
  joint.type = JointType::kFixed;
  joint.child = "shelf";
  builder.add_joint(joint);
  const GeneratedCode code = generate_code(builder.build());
  EXPECT_NE(code.header.find("in the frame of link arm."), std::string::npos) << code.header;
}

TEST(GenerateCode, RejectsAPayloadOnAMissingLink) {
  Random random(3);
  const Model model = random_tree(random, {2});
  EXPECT_THROW(generate_code(model, {"x", "nowhere"}), std::invalid_argument);
}

TEST(GenerateCode, ThePayloadLinkIsTheLastMovingLinkByDefault) {
  ModelBuilder builder("armed");
  for (const char* name : {"base", "hand", "stand"}) builder.add_link(name, ball());
  const Model model =
      builder.add_joint(joint_between("turn", JointType::kContinuous, "base", "hand"))
          .add_joint(joint_between("weld", JointType::kFixed, "base", "stand"))
          .build();
  EXPECT_NE(generate_code(model).header.find("in the frame of link hand."), std::string::npos);
}

TEST(GenerateCode, RejectsPayloadOnFixedLink) {
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

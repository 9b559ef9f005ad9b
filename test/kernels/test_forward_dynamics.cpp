#include "kernels/forward_dynamics.hpp"

#include "kernels/inverse_dynamics.hpp"
#include "kernels/kernel_table.hpp"
#include "kernels/kernel_test.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"

namespace spatial_dynamics::test {
namespace {

class ForwardDynamicsKernel : public KernelTest {
 protected:
  void SetUp() override {
    if (!model.why_forward_dynamics_fails().empty()) GTEST_SKIP() << "M is singular";
  }
  double tolerance(const State& s, const VectorXd& expected) {
    return kTolerance * condition_number(mass_matrix(model, data, s.q)) * largest(expected);
  }
};
INSTANTIATE_TEST_SUITE_P(Robots, ForwardDynamicsKernel, ::testing::ValuesIn(kernel_robots()),
                         robot_name);

TEST_P(ForwardDynamicsKernel, EqualsTheTextbook) {
  for (int trial = 0; trial < 3; ++trial) {
    const State s = random_state();
    const ExternalForces forces = random_wrenches();
    const VectorXd expected = forward_dynamics(model, data, s.q, s.v, s.tau, forces);
    const VectorXd a = forward_dynamics(compact, workspace, s.q, s.v, s.tau, on_bodies(forces));
    ASSERT_FALSE(workspace.singular);
    ASSERT_LT(largest(a - expected), tolerance(s, expected));
  }
}

TEST_P(ForwardDynamicsKernel, UndoesInverseDynamics) {
  const State s = random_state();
  const VectorXd tau = inverse_dynamics(compact, workspace, s.q, s.v, s.a);
  const VectorXd a = forward_dynamics(compact, workspace, s.q, s.v, tau);
  EXPECT_LT(largest(a - s.a), kTolerance * condition_number(mass_matrix(model, data, s.q)));
}

TEST_P(ForwardDynamicsKernel, BothMethodsAgree) {
  if (compact.reduced()) GTEST_SKIP() << "there is one way with mimic joints";
  const State s = random_state();
  VectorXd factorised(model.nv()), articulated(model.nv());
  const KernelState state{s.q.data(), s.v.data(), s.tau.data(), nullptr};
  const KernelTable& kernels = compact.kernels();
  const KernelScratch& scratch = workspace.memory.scratch();
  ASSERT_TRUE(kernels.forward_dynamics(compact.layout(), scratch, state, factorised.data()));
  ASSERT_TRUE(kernels.articulated_dynamics(compact.layout(), scratch, state, articulated.data()));
  EXPECT_LT(largest(factorised - articulated), tolerance(s, factorised));
}

Model chain_of(int joints) {
  Random random(5);
  ModelBuilder builder("chain");
  builder.add_link("link0");
  for (int i = 1; i <= joints; ++i) {
    JointDescription joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = JointType::kRevolute;
    joint.parent = "link" + std::to_string(i - 1);
    joint.child = "link" + std::to_string(i);
    joint.origin = random_transform(random);
    builder.add_link(joint.child, random_mass_properties(random)).add_joint(joint);
  }
  return builder.build();
}

TEST(ForwardDynamicsChoice, OnlyDeepTreesUseArticulatedBodies) {
  for (const int joints : {1, 7}) EXPECT_FALSE(compile(chain_of(joints)).prefers_articulated());
  for (const int joints : {30, 1000}) EXPECT_TRUE(compile(chain_of(joints)).prefers_articulated());
}

TEST(SingularMassMatrixKernel, IsFlaggedAndGivesZeroInsteadOfNaN) {
  const Vector3 axis = Vector3(0.3, 1.0, -0.2).normalized();
  // No mass, and a point mass on the axis.
  for (const auto& tip : {std::optional<MassProperties>{},
                          std::optional<MassProperties>{{1.0, 0.3 * axis, Matrix3::Zero()}}}) {
    const Model model = rod_and_tip(tip, axis).build();
    const CompactModel compact = compile(model);
    Workspace workspace(compact);
    const VectorXd q = VectorXd::Constant(2, 0.3), v = VectorXd::Ones(2), tau = VectorXd::Ones(2);
    EXPECT_EQ(forward_dynamics(compact, workspace, q, v, tau), VectorXd(VectorXd::Zero(2)));
    EXPECT_TRUE(workspace.singular);
    MatrixXd inverse(2, 2);
    EXPECT_TRUE(inverse_dynamics(compact, workspace, q, v, tau).allFinite());
  }
}

TEST(SmallInertiaKernel, IsNotTreatedAsZero) {
  const Model model =
      rod_and_tip(MassProperties{1e-9, {0, 0, 0.01}, 1e-14 * Matrix3::Identity()}).build();
  const CompactModel compact = compile(model);
  Workspace workspace(compact);
  const VectorXd q = VectorXd::Constant(2, 0.3), v = VectorXd::Ones(2), a = VectorXd::Ones(2);
  const VectorXd tau = inverse_dynamics(compact, workspace, q, v, a);
  const VectorXd back = forward_dynamics(compact, workspace, q, v, tau);
  EXPECT_FALSE(workspace.singular);
  textbook::Data data(model);
  EXPECT_LT(largest(back - a), 1e-14 * condition_number(mass_matrix(model, data, q)));
}

}  // namespace
}  // namespace spatial_dynamics::test

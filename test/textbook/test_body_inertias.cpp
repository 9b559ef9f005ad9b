#include "spatial_dynamics/textbook/body_inertias.hpp"

#include <Eigen/Eigenvalues>

#include "spatial_dynamics/textbook/energy.hpp"
#include "spatial_dynamics/textbook/kinematics.hpp"
#include "textbook/free_of_mimic.hpp"

namespace spatial_dynamics::test {
namespace {

double smallest_eigenvalue(const Matrix6& m) {
  return Eigen::SelfAdjointEigenSolver<Matrix6>(m, Eigen::EigenvaluesOnly).eigenvalues().minCoeff();
}

class SOACompositeInertia : public LawTest {};
INSTANTIATE_TEST_SUITE_P(Robots, SOACompositeInertia, ::testing::ValuesIn(all_robots()),
                         robot_name);

TEST_P(SOACompositeInertia, OfTheBaseIsTheWholeRobots) {
  const VectorXd q = random_configuration(random, model);
  const Inertia whole = composite_inertias(model, data, q)[0];
  EXPECT_NEAR(whole.mass, model.total_mass(), rounding(model.total_mass()));
  const Vector3 com = center_of_mass(model, data, q);
  EXPECT_LT((whole.com() - com).norm(), rounding(com.norm()));
}

TEST_P(SOACompositeInertia, IsTheSumOverTheBodiesBeyond) {
  // Without the recursion: each body is transformed directly to each of its ancestors.
  const VectorXd q = random_configuration(random, model);
  forward_kinematics(model, data, q);
  std::vector<Matrix6> sum(to_size(model.body_count()), Matrix6::Zero());
  for (Index i = 0; i < model.body_count(); ++i) {
    for (Index j = i;; j = model.parent(j)) {
      const Transform X = data.X_world[to_size(i)] * data.X_world[to_size(j)].inverse();
      const Matrix6 m = X.motion_matrix();
      sum[to_size(j)] += m.transpose() * model.inertia(i).matrix() * m;
      if (j == 0) break;
    }
  }
  composite_inertias(model, data, q);
  for (Index i = 0; i < model.body_count(); ++i) {
    EXPECT_LT(largest(data.Ic[to_size(i)].matrix() - sum[to_size(i)]),
              rounding(largest(sum[0]) + largest(sum[to_size(i)])))
        << i;
  }
}

class SOAArticulatedInertia : public LawTest {};
INSTANTIATE_TEST_SUITE_P(Robots, SOAArticulatedInertia, ::testing::ValuesIn(robots_free_of_mimic()),
                         robot_name);

TEST_P(SOAArticulatedInertia, LiesBetweenTheBodysAndTheCompositeInertia) {
  const VectorXd q = random_configuration(random, model);
  ASSERT_TRUE(articulated_inertias(model, data, q));
  composite_inertias(model, data, q);
  for (Index i = 1; i < model.body_count(); ++i) {
    const std::size_t b = to_size(i);
    const Matrix6 IA = data.IA[b].matrix(), own = model.inertia(i).matrix();
    // Rotors resist motion of their joints, so that the inertia is at most the composite.
    const double slack = rounding(largest(data.Ic[b].matrix()));
    EXPECT_GT(smallest_eigenvalue(IA - own), -slack) << i;
    EXPECT_GT(smallest_eigenvalue(data.Ic[b].matrix() - IA), -slack) << i;
  }
}

TEST_P(SOAArticulatedInertia, IsZeroAlongAJointWithoutRotor) {
  // (IA - U D^-1 U') S = 0: a free joint transmits no inertia along its axis.
  const VectorXd q = random_configuration(random, model);
  ASSERT_TRUE(articulated_inertias(model, data, q));
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    const std::size_t b = to_size(i);
    const MatrixXd felt = data.IA[b].matrix() * joint.S -
                          data.U[b] * data.D_inverse[b] * (data.U[b].transpose() * joint.S);
    // With a rotor, the joint transmits U D^-1 armature.
    const MatrixXd held = data.U[b] * data.D_inverse[b] * joint.armature;
    EXPECT_LT(largest(felt - held), rounding(largest(data.IA[b].matrix()))) << i;
  }
}

TEST(SOAArticulatedInertia, IsRejectedForMimicAndMasslessJoints) {
  RandomTreeOptions options;
  options.mimic = true;
  Random random(3);
  Model model = random_tree(random, options);
  while (!model.has_mimic()) model = random_tree(random, options);
  textbook::Data data(model);
  EXPECT_FALSE(articulated_inertias(model, data, random_configuration(random, model)));
  const Model massless = massless_hinge();
  textbook::Data other(massless);
  EXPECT_FALSE(articulated_inertias(massless, other, VectorXd::Zero(1)));
}

}  // namespace
}  // namespace spatial_dynamics::test

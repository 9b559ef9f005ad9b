#include "spatial_dynamics/algorithms/configuration.hpp"

#include "spatial_dynamics/algorithms/kinematics.hpp"
#include "support/law_test.hpp"

namespace spatial_dynamics::test {
namespace {

class Configuration : public LawTest {};
INSTANTIATE_TEST_SUITE_P(Robots, Configuration, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(Configuration, DifferenceUndoesIntegration) {
  const State s = random_state();
  VectorXd v(model.nv());
  difference(model, s.q, moved(s.q, s.v, 1.0), v);
  EXPECT_LT(largest(v - s.v), 1e-13 * (1.0 + largest(s.q)));
}

TEST_P(Configuration, TwoHalfStepsMakeAWholeOne) {
  const State s = random_state();
  const VectorXd whole = moved(s.q, s.v, 0.5);
  const VectorXd halves = moved(moved(s.q, s.v, 0.25), s.v, 0.25);
  EXPECT_LT(largest(whole - halves), 1e-14 * (1.0 + largest(s.q)));
}

TEST_P(Configuration, IntegrationMayOverwriteItsInput) {
  const State s = random_state();
  VectorXd q = s.q;
  integrate(model, q, s.v, 0.5, q);
  EXPECT_EQ(largest(q - moved(s.q, s.v, 0.5)), 0.0);
}

TEST_P(Configuration, ScalingAQuaternionDoesNotMoveTheRobot) {
  const State s = random_state();
  VectorXd scaled = s.q;
  for (const Index i : model.coordinate_joints()) {
    const Joint& joint = model.joint(i);
    if (joint.type == JointType::kFloating) scaled.segment<4>(joint.q_index + 3) *= 1.001;
  }
  Data other(model);
  forward_kinematics(model, data, s.q);
  forward_kinematics(model, other, scaled);
  const std::size_t last = data.X_world.size() - 1;
  EXPECT_LT((data.X_world[last].motion_matrix() - other.X_world[last].motion_matrix()).norm(),
            rounding(100.0));
}

}  // namespace
}  // namespace spatial_dynamics::test

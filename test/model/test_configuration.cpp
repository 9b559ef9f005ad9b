#include "spatial_dynamics/model/configuration.hpp"

#include <cmath>
#include <random>

#include "spatial_dynamics/model/model_builder.hpp"
#include "spatial_dynamics/textbook/kinematics.hpp"
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

TEST_P(Configuration, TwoHalfStepsEqualAWholeStep) {
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
  textbook::Data other(model);
  forward_kinematics(model, data, s.q);
  forward_kinematics(model, other, scaled);
  const std::size_t last = data.X_world.size() - 1;
  EXPECT_LT((data.X_world[last].motion_matrix() - other.X_world[last].motion_matrix()).norm(),
            rounding(100.0));
}

Model planar_model() {
  ModelBuilder builder("sledge");
  builder.add_link("ground");
  builder.add_link("sledge", MassProperties{1.0, Vector3::Zero(), Matrix3::Identity()});
  JointDescription joint;
  joint.name = "slide";
  joint.type = JointType::kPlanar;
  joint.parent = "ground";
  joint.child = "sledge";
  joint.axis = Vector3::UnitZ();
  builder.add_joint(joint);
  return builder.build();
}

TEST(PlanarConfiguration, DifferenceHasTheSmallestRotationToTheSamePose) {
  constexpr auto kPi = static_cast<double>(EIGEN_PI);
  const Model model = planar_model();
  Random random(5);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (const double turn : {0.0, 1e-9, 1.0, 3.0, 3.3, kPi, 2.0 * kPi, 2.0 * kPi + 1e-9, -4.0,
                            -2.0 * kPi, 4.0 * kPi, 6.0, -7.0, 100.0}) {
    SCOPED_TRACE(turn);
    const Eigen::VectorXd q0 = Eigen::Vector3d(number(random), number(random), 9 * number(random));
    const Eigen::VectorXd q1 = q0 + Eigen::Vector3d(number(random), number(random), turn);
    VectorXd v(3);
    difference(model, q0, q1, v);
    EXPECT_LE(std::abs(v[2]), kPi);
    // The arc is at most half a circle over a chord of at most sqrt(8), so pi/2 times as long.
    EXPECT_LE(v.head<2>().norm(), 0.5 * kPi * std::sqrt(8.0));
    VectorXd reached(3);
    integrate(model, q0, v, 1.0, reached);
    EXPECT_LT((reached - q1).head<2>().norm(), 1e-13);
    EXPECT_NEAR(std::remainder(reached[2] - q1[2], 2.0 * kPi), 0.0, 1e-13 * (1.0 + std::abs(turn)));
  }
}

TEST(PlanarConfiguration, DifferenceBelowHalfATurnReachesTheExactAngle) {
  const Model model = planar_model();
  const Eigen::VectorXd q0 = Eigen::Vector3d(0.1, -0.2, 20.0);
  const Eigen::VectorXd q1 = Eigen::Vector3d(1.0, 0.5, 23.1);
  VectorXd v(3);
  difference(model, q0, q1, v);
  integrate(model, q0, v, 1.0, v);
  EXPECT_LT((v - q1).norm(), 1e-13);
}

}  // namespace
}  // namespace spatial_dynamics::test

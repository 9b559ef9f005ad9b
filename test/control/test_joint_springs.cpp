#include "control/joint_springs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/random_tree.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

class JointSpringsTest : public ::testing::Test {
 protected:
  void update(bool at_once) {
    const JointSettings joints = resolve_joint_settings(settings, model);
    springs.update_settings(joints, joints.stiffness, RampStep::of(0.1, 0.4, at_once));
    springs.update_damping(q, robot);
  }

  Random random{3};
  Model model = load_urdf_file(shipped_urdf("arm7"));
  RobotDynamics robot{model};
  JointSprings springs{7};
  ControlSettings settings;
  VectorXd q = random_configuration(random, model);
};

TEST_F(JointSpringsTest, DampingFollowsFromRatioStiffnessAndInertia) {
  settings.stiffness = {100.0, 90.0, 80.0, 70.0, 30.0, 20.0, 10.0};
  settings.damping_ratio = {0.5};
  update(true);
  const VectorXd inertia = robot.mass_matrix(q).diagonal();
  for (Index k = 0; k < 7; ++k) {
    EXPECT_EQ(springs.stiffness()(k), settings.stiffness[static_cast<std::size_t>(k)]);
    EXPECT_NEAR(springs.damping()(k), std::sqrt(springs.stiffness()(k) * inertia(k)), 1e-12) << k;
  }
}

TEST_F(JointSpringsTest, GivenDampingIgnoresRatio) {
  settings.damping = {3.0};
  settings.damping_ratio = {0.5};
  update(true);
  EXPECT_EQ(springs.damping(), VectorXd::Constant(7, 3.0));
}

TEST_F(JointSpringsTest, ChangesAreRamped) {
  settings.damping = {4.0};
  settings.stiffness = {40.0};
  update(true);
  settings.damping = {8.0};
  settings.stiffness = {80.0};
  update(false);
  EXPECT_LE((springs.stiffness() - VectorXd::Constant(7, 50.0)).norm(), 1e-12) << "a quarter";
  EXPECT_LE((springs.damping() - VectorXd::Constant(7, 5.0)).norm(), 1e-12);
}

TEST_F(JointSpringsTest, ClearedSpringsStartAtZero) {
  settings.stiffness = {40.0};
  update(true);
  springs.clear();
  springs.update_damping(q, robot);
  EXPECT_TRUE(springs.stiffness().isZero(0.0));
  EXPECT_TRUE(springs.damping().isZero(0.0));
  update(false);
  EXPECT_LE((springs.stiffness() - VectorXd::Constant(7, 10.0)).norm(), 1e-12);
}

}  // namespace
}  // namespace spatial_dynamics::test

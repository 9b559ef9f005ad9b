#include "control/fallback_torque.hpp"

#include "control/controller_harness.hpp"

namespace spatial_dynamics::test {
namespace {

class FallbackTorqueTest : public ::testing::Test {
 protected:
  Random random{2};
  Model model = load_urdf_file(shipped_urdf("arm7"));
  textbook::Data data{model};
  RobotDynamics robot{model};
  VectorXd q = random_configuration(random, model);
  FallbackTorque fallback{q, 7};
};

TEST_F(FallbackTorqueTest, ZeroAndStopAreZero) {
  for (const Fallback choice : {Fallback::kZero, Fallback::kStop}) {
    (void)fallback.update(choice, false, 1.0, robot);
    EXPECT_TRUE(fallback.torque().isZero(0.0));
    EXPECT_TRUE(fallback.is_zero());
  }
}

TEST_F(FallbackTorqueTest, ChangeOfFallbackReportsStep) {
  EXPECT_FALSE(fallback.update(Fallback::kZero, false, 1.0, robot));
  EXPECT_TRUE(fallback.update(Fallback::kGravityOnly, false, 1.0, robot));
  EXPECT_FALSE(fallback.update(Fallback::kGravityOnly, false, 1.0, robot));
}

TEST_F(FallbackTorqueTest, GravityOnlySendsGravityTorqueUntilTimeIsOver) {
  q = random_configuration(random, model);
  fallback.set_position(q);
  (void)fallback.update(Fallback::kGravityOnly, false, 0.5, robot);
  EXPECT_LE((fallback.torque() - 0.5 * gravity_torque(model, data, q)).norm(), 1e-9);
  EXPECT_FALSE(fallback.is_zero());
  EXPECT_TRUE(fallback.update(Fallback::kGravityOnly, true, 0.5, robot))
      << "the torque steps to zero";
  EXPECT_TRUE(fallback.is_zero());
  EXPECT_FALSE(fallback.update(Fallback::kGravityOnly, false, 0.5, robot));
  EXPECT_TRUE(fallback.torque().isZero(0.0)) << "zero until another phase begins";
  fallback.restart();
  (void)fallback.update(Fallback::kGravityOnly, false, 0.5, robot);
  EXPECT_FALSE(fallback.torque().isZero(0.0));
}

TEST_F(FallbackTorqueTest, NonFiniteGravityTorqueIsReplacedByZero) {
  q(2) = std::numeric_limits<double>::quiet_NaN();
  fallback.set_position(q);
  EXPECT_TRUE(fallback.update(Fallback::kGravityOnly, false, 1.0, robot));
  EXPECT_TRUE(fallback.torque().isZero(0.0));
}

}  // namespace
}  // namespace spatial_dynamics::test

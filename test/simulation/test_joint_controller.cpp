#include "simulation/joint_controller.hpp"

#include <gtest/gtest.h>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/model/model_error.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

Model arm() { return load_urdf_file(shipped_urdf("arm7")); }

TEST(JointController, NoneHasNoEffort) {
  const Model model = arm();
  JointController controller(model, ControllerKind::kNone, VectorXd::Zero(7));
  EXPECT_TRUE(controller.effort(1.0, VectorXd::Ones(7), VectorXd::Ones(7)).isZero(0.0));
}

TEST(JointController, GravityCompensationIsTheGravityTorque) {
  const Model model = arm();
  textbook::Data data(model);
  const VectorXd q = VectorXd::LinSpaced(7, -0.5, 0.7);
  JointController controller(model, ControllerKind::kGravityCompensation, VectorXd::Zero(7));
  const VectorXd expected = gravity_torque(model, data, q);
  // Two algorithms that sum torques below 100 N m.
  EXPECT_LT((controller.effort(0.0, q, VectorXd::Ones(7)) - expected).norm(), 1e-12);
}

TEST(JointController, ComputedTorqueOnTheReferenceIsInverseDynamics) {
  const Model model = arm();
  textbook::Data data(model);
  const VectorXd start = VectorXd::Constant(7, 0.1);
  JointController controller(model, ControllerKind::kComputedTorque, start);
  // At t = 0 the reference is at rest at the start.
  const VectorXd zero = VectorXd::Zero(7);
  const VectorXd expected = inverse_dynamics(model, data, start, zero, zero);
  EXPECT_LT((controller.effort(0.0, start, zero) - expected).norm(), 1e-12);
  EXPECT_EQ(controller.reference(), start);
}

TEST(JointController, RejectsAFloatingBaseForComputedTorque) {
  LoadOptions options;
  options.floating_base = true;
  const Model model = load_urdf_file(shipped_urdf("arm7"), options);
  const VectorXd start = VectorXd::Zero(model.nq());
  EXPECT_THROW(JointController(model, ControllerKind::kComputedTorque, start), ModelError);
  EXPECT_NO_THROW(JointController(model, ControllerKind::kNone, start));
}

}  // namespace
}  // namespace spatial_dynamics::test

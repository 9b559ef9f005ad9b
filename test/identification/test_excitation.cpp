#include "spatial_dynamics/identification/excitation.hpp"

#include <gtest/gtest.h>

#include "identification/identification_rig.hpp"

namespace spatial_dynamics::test {
namespace {

ExcitationOptions quick(int evaluations = 150) {
  ExcitationOptions options;
  options.evaluations = evaluations;
  return options;
}

TEST(ExcitationTest, KeepsAllLimitsAndBeginsAndEndsAtRest) {
  for (const char* name : {"arm6", "arm7", "planar_arm", "scara", "gripper"}) {
    SCOPED_TRACE(name);
    const Model model = load_urdf(rig_urdf(name));
    const Excitation result = optimise_excitation(model, quick());
    const JointMotion& motion = result.motion;
    EXPECT_NEAR(motion.duration(), 30.0, 1e-9);
    for (const Index i : {Index{0}, motion.size() - 1}) {
      EXPECT_LT(motion.velocity.col(i).norm(), 1e-9);
      EXPECT_LT(motion.acceleration.col(i).norm(), 1e-9);
    }
    Data data(model);
    VectorXd q, v, a;
    for (double t = 0.0; t < 10.0; t += 0.0037) {
      sample(motion, t, q, v, a);
      const VectorXd tau = inverse_dynamics(model, data, q, v, a);
      for (Index j = 1; j < model.body_count(); ++j) {
        const Joint& joint = model.joint(j);
        const double position = joint.ratio * q(joint.q_index) + joint.offset;
        EXPECT_GE(position, joint.limits.lower);
        EXPECT_LE(position, joint.limits.upper);
        EXPECT_LE(std::abs(joint.ratio * v(joint.v_index)), 0.701 * joint.limits.velocity);
        if (!joint.is_mimic()) {
          EXPECT_LE(std::abs(tau(joint.v_index)), 0.71 * joint.limits.effort);
        }
      }
    }
  }
}

TEST(ExcitationTest, TheSearchImprovesTheCriterion) {
  const Model model = load_urdf(rig_urdf("arm7"));
  const Excitation result = optimise_excitation(model, quick(400));
  EXPECT_GT(result.criterion, result.first_criterion + 0.3);
  EXPECT_LT(result.condition, 200.0);
  EXPECT_EQ(result.base.rank(), base_parameters(model).rank());
}

TEST(ExcitationTest, IsDeterministicForASeed) {
  const Model model = load_urdf(rig_urdf("planar_arm"));
  ExcitationOptions options = quick(60);
  const Excitation first = optimise_excitation(model, options);
  EXPECT_EQ(first.motion.position, optimise_excitation(model, options).motion.position);
  options.seed = 2;
  EXPECT_NE(first.motion.position, optimise_excitation(model, options).motion.position);
}

TEST(ExcitationTest, KeepsRangesAndStillJoints) {
  const Model model = load_urdf(rig_urdf("planar_arm"));
  ExcitationOptions options = quick();
  options.still["elbow"] = 0.4;
  options.ranges["shoulder"] = {-0.2, 0.1};
  options.accelerations["extension"] = 0.3;
  const Excitation result = optimise_excitation(model, options);
  EXPECT_FALSE(result.joints[1].moves);
  EXPECT_EQ(result.joints[1].lower, 0.4);
  EXPECT_GE(result.joints[0].lower, -0.2);
  EXPECT_LE(result.joints[0].upper, 0.1);
  EXPECT_LE(result.joints[2].acceleration, 0.3 * 1.001);
  EXPECT_LT(result.base.rank(), base_parameters(model).rank());
}

TEST(ExcitationTest, RejectsWhatLeavesNoMotion) {
  const Model model = load_urdf(rig_urdf("planar_arm"));
  ExcitationOptions unknown = quick(), heavy = quick(), empty = quick(), all_still = quick();
  unknown.still["knee"] = 0.0;
  EXPECT_THROW(optimise_excitation(model, unknown), std::invalid_argument);
  heavy.effort_share = 0.01;
  heavy.ranges["shoulder"] = {-0.1, 0.1};  // horizontal
  EXPECT_THROW(optimise_excitation(model, heavy), std::invalid_argument);
  empty.ranges["elbow"] = {1.0, 0.5};
  EXPECT_THROW(optimise_excitation(model, empty), std::invalid_argument);
  for (const char* name : {"shoulder", "elbow", "extension"}) all_still.still[name] = 0.1;
  EXPECT_THROW(optimise_excitation(model, all_still), std::invalid_argument);
}

}  // namespace
}  // namespace spatial_dynamics::test

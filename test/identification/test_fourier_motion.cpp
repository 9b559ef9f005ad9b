#include "identification/fourier_motion.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

FourierJoint random_joint() {
  FourierJoint joint;
  joint.centre = 0.3;
  joint.a = VectorXd::Random(5);
  joint.b = VectorXd::Random(5);
  FourierSampler::begin_at_rest(joint);
  return joint;
}

TEST(FourierMotionTest, BeginsAtRestAndIsConsistent) {
  const FourierSampler sampler(10.0, 5, 2000);
  const std::vector<ExcitationLimits> limits{{-1.0, 1.0, 2.0, 5.0, 1.0}};
  SampledMotion motion;
  for (int n = 0; n < 20; ++n) {
    sampler.sample({random_joint()}, limits, motion);
    EXPECT_NEAR(motion.v(0, 0), 0.0, 1e-12);
    EXPECT_NEAR(motion.a(0, 0), 0.0, 1e-12);
    const double dt = 10.0 / 2000.0;
    for (Index i = 1; i + 1 < 2000; ++i) {
      EXPECT_NEAR((motion.q(0, i + 1) - motion.q(0, i - 1)) / (2.0 * dt), motion.v(0, i), 2e-4);
      EXPECT_NEAR((motion.v(0, i + 1) - motion.v(0, i - 1)) / (2.0 * dt), motion.a(0, i), 2e-3);
    }
  }
}

TEST(FourierMotionTest, ReachesOneLimitAndBreaksNone) {
  const FourierSampler sampler(10.0, 5, 500);
  SampledMotion motion;
  for (const ExcitationLimits& limits :
       {ExcitationLimits{-0.1, 0.5, 9.0, 99.0, 1.0}, ExcitationLimits{-9.0, 9.0, 0.2, 99.0, 1.0},
        ExcitationLimits{-9.0, 9.0, 9.0, 0.1, 1.0}}) {
    sampler.sample({random_joint()}, {limits}, motion);
    EXPECT_GE(motion.q.minCoeff(), limits.lower - 1e-12);
    EXPECT_LE(motion.q.maxCoeff(), limits.upper + 1e-12);
    EXPECT_LE(motion.v.cwiseAbs().maxCoeff(), limits.velocity + 1e-12);
    EXPECT_LE(motion.a.cwiseAbs().maxCoeff(), limits.acceleration + 1e-12);
    const bool reached = motion.q.minCoeff() < limits.lower + 1e-9 ||
                         motion.q.maxCoeff() > limits.upper - 1e-9 ||
                         motion.v.cwiseAbs().maxCoeff() > limits.velocity - 1e-9 ||
                         motion.a.cwiseAbs().maxCoeff() > limits.acceleration - 1e-9;
    EXPECT_TRUE(reached);
  }
}

TEST(FourierMotionTest, LimitsHoldBetweenSamplesToo) {
  const FourierSampler sampler(10.0, 5, 80), dense(10.0, 5, 40000);
  const ExcitationLimits limits{-0.2, 0.5, 0.3, 0.6, 1.0};
  bool broken = false;
  for (int n = 0; n < 50; ++n) {
    const FourierJoint joint = random_joint();
    const double size = sampler.size_at_all_times(joint, limits), all = dense.size(joint, limits);
    EXPECT_LE(size, all);
    EXPECT_GT(size, 0.8 * all);
    broken = broken || sampler.size(joint, limits) > all;
  }
  EXPECT_TRUE(broken);  // the samples alone do not show the peaks
}

TEST(FourierMotionTest, StillJointsStandStill) {
  const FourierSampler sampler(10.0, 5, 100);
  SampledMotion motion;
  sampler.sample({random_joint()}, {{0.7, 0.7, 1.0, 1.0, 1.0}}, motion);
  EXPECT_EQ(motion.q.minCoeff(), 0.7);
  EXPECT_EQ(motion.q.maxCoeff(), 0.7);
  EXPECT_EQ(motion.v.cwiseAbs().maxCoeff(), 0.0);
}

}  // namespace
}  // namespace spatial_dynamics::test

#include <cmath>

#include "kernels/compiler.hpp"
#include "kernels/kernel_test.hpp"
#include "spatial_dynamics/spatial/rotation.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kFrameRounding = 1e-14;  // of a few rotations

class FramesTest : public KernelTest {
 protected:
  FramesTest() : frames(choose_frames(model)) {}
  [[nodiscard]] const Transform& frame(Index body) const {
    return frames[static_cast<std::size_t>(body)];
  }
  std::vector<Transform> frames;
};
INSTANTIATE_TEST_SUITE_P(Robots, FramesTest, ::testing::ValuesIn(kernel_robots()), robot_name);

TEST_P(FramesTest, AJointsAxisIsTheZOfItsBody) {
  for (Index i = 1; i < model.body_count(); ++i) {
    if (model.joint(i).type == JointType::kFloating) continue;
    EXPECT_LT((frame(i).E * model.joint(i).axis - Vector3::UnitZ()).norm(), kFrameRounding);
  }
}

TEST_P(FramesTest, AFloatingBodyKeepsItsFrame) {
  for (Index i = 1; i < model.body_count(); ++i) {
    if (model.joint(i).type != JointType::kFloating) continue;
    EXPECT_EQ(frame(i).E, Matrix3::Identity());
    EXPECT_EQ(frame(i).r, Vector3::Zero());
  }
}

TEST_P(FramesTest, OneChildOfARevoluteOrPrismaticBodyDiffersByOneRotationAboutX) {
  for (Index i = 1; i < model.body_count(); ++i) {
    if (model.joint(i).nv != 1) continue;
    Index child = i + 1;
    while (child < model.body_count() &&
           !(model.parent(child) == i && model.joint(child).nv == 1)) {
      ++child;
    }
    if (child == model.body_count()) continue;
    const Transform X = frame(child) * model.joint(child).placement * frame(i).inverse();
    EXPECT_EQ(twist_angles(X.rotation()).sg, 0.0) << model.joint(child).name;
  }
}

TEST(TwistAngles, ReproduceTheRotation) {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const Matrix3 R = random_rotation(random);
    const TwistAngles t = twist_angles(R);
    const Matrix3 back = axis_rotation(Vector3::UnitZ(), std::atan2(t.sg, t.cg)) *
                         axis_rotation(Vector3::UnitX(), std::atan2(t.sa, t.ca)) *
                         axis_rotation(Vector3::UnitZ(), t.theta);
    EXPECT_LT((back - R).cwiseAbs().maxCoeff(), kFrameRounding);
  }
}

TEST(TwistAngles, OfARotationAboutZHaveGammaAndAlphaZero) {
  for (const double angle : {-2.0, 0.0, 0.3}) {
    const TwistAngles t = twist_angles(axis_rotation(Vector3::UnitZ(), angle));
    EXPECT_EQ(t.sg, 0.0);
    EXPECT_EQ(t.sa, 0.0);
    EXPECT_NEAR(t.theta, angle, kFrameRounding);
  }
}

TEST(Dust, IsRoundingErrorRelativeToALargerNumber) {
  EXPECT_EQ(without_dust(1e-16, 1.0), 0.0);
  EXPECT_EQ(without_dust(-1e-13, 1000.0), 0.0);
  EXPECT_EQ(without_dust(1e-16, 1e-3), 1e-16);
  EXPECT_TRUE(std::isnan(without_dust(std::nan(""), 1.0)));
}

}  // namespace
}  // namespace spatial_dynamics::test

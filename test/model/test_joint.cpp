// Axes and motion subspaces of joints agree with their transforms.
#include "spatial_dynamics/model/joint.hpp"

#include <gtest/gtest.h>

#include "spatial_dynamics/spatial/rotation.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr JointType kAllTypes[] = {JointType::kFixed,      JointType::kRevolute,
                                   JointType::kContinuous, JointType::kPrismatic,
                                   JointType::kPlanar,     JointType::kFloating};

TEST(JointType, HasTheNamesOfUrdf) {
  EXPECT_STREQ(to_string(JointType::kFixed), "fixed");
  EXPECT_STREQ(to_string(JointType::kRevolute), "revolute");
  EXPECT_STREQ(to_string(JointType::kContinuous), "continuous");
  EXPECT_STREQ(to_string(JointType::kPrismatic), "prismatic");
  EXPECT_STREQ(to_string(JointType::kPlanar), "planar");
  EXPECT_STREQ(to_string(JointType::kFloating), "floating");
}

TEST(JointType, HasItsNumberOfPositionsAndVelocities) {
  const Index positions[] = {0, 1, 1, 1, 3, 7};
  const Index velocities[] = {0, 1, 1, 1, 3, 6};
  for (std::size_t i = 0; i < std::size(kAllTypes); ++i) {
    EXPECT_EQ(position_count(kAllTypes[i]), positions[i]);
    EXPECT_EQ(velocity_count(kAllTypes[i]), velocities[i]);
    EXPECT_EQ(motion_subspace(kAllTypes[i], Vector3::UnitX()).cols(), velocities[i]);
  }
}

TEST(InPlaneAxes, FollowTheNearestAxisCyclically) {
  Vector3 x;
  Vector3 y;
  in_plane_axes(Vector3::UnitZ(), x, y);
  EXPECT_EQ(x, Vector3::UnitX());
  EXPECT_EQ(y, Vector3::UnitY());
  in_plane_axes(Vector3::UnitX(), x, y);
  EXPECT_EQ(x, Vector3::UnitY());
  EXPECT_EQ(y, Vector3::UnitZ());
  in_plane_axes(Vector3::UnitY(), x, y);
  EXPECT_EQ(x, Vector3::UnitZ());
  EXPECT_EQ(y, Vector3::UnitX());
  in_plane_axes(-Vector3::UnitZ(), x, y);
  EXPECT_EQ(x, Vector3::UnitX());
  EXPECT_EQ(y, -Vector3::UnitY());
}

TEST(InPlaneAxes, AreRightHandedForEveryNormal) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const Vector3 normal = random_unit_vector(random);
    Vector3 x;
    Vector3 y;
    in_plane_axes(normal, x, y);
    EXPECT_NEAR(x.norm(), 1.0, 1e-14);
    EXPECT_NEAR(x.dot(normal), 0.0, 1e-14);
    EXPECT_TRUE(x.cross(y).isApprox(normal, 1e-14));
  }
}

TEST(JointTransform, MovesTheChildAlongAndAboutTheAxis) {
  const double quarter = 0.5 * M_PI;
  const Transform turned = joint_transform(JointType::kRevolute, Vector3::UnitZ(), &quarter);
  EXPECT_TRUE(turned.rotation().isApprox(axis_rotation(Vector3::UnitZ(), quarter), 1e-15));
  EXPECT_EQ(turned.position(), Vector3::Zero());
  const double way = 0.25;
  const Transform slid = joint_transform(JointType::kPrismatic, Vector3(0.6, 0.0, 0.8), &way);
  EXPECT_TRUE(slid.position().isApprox(Vector3(0.15, 0.0, 0.2), 1e-15));
  const double in_plane[] = {1.0, 2.0, quarter};
  const Transform planar = joint_transform(JointType::kPlanar, Vector3::UnitX(), in_plane);
  EXPECT_TRUE(planar.position().isApprox(Vector3(0.0, 1.0, 2.0), 1e-15));
  EXPECT_TRUE(planar.rotation().isApprox(axis_rotation(Vector3::UnitX(), quarter), 1e-15));
}

TEST(JointTransform, NormalisesQuaternions) {
  const double q[] = {1.0, 2.0, 3.0, 0.0, 0.0, 2.0, 2.0};
  const Transform floating = joint_transform(JointType::kFloating, Vector3::UnitX(), q);
  EXPECT_TRUE(floating.rotation().isApprox(axis_rotation(Vector3::UnitZ(), 0.5 * M_PI), 1e-15));
  EXPECT_EQ(floating.position(), Vector3(1.0, 2.0, 3.0));
}

/// q after moving with v for dt.
std::vector<double> moved(JointType type, const std::vector<double>& q, const VectorXd& v,
                          double dt) {
  std::vector<double> result = q;
  if (type == JointType::kPlanar) {
    const double c = std::cos(q[2]);
    const double s = std::sin(q[2]);
    result[0] += dt * (c * v(0) - s * v(1));
    result[1] += dt * (s * v(0) + c * v(1));
    result[2] += dt * v(2);
  } else if (type == JointType::kFloating) {
    const Quaternion before(q[6], q[3], q[4], q[5]);
    const Vector3 step = before * Vector3(dt * v.tail<3>());
    const Quaternion after = integrate_quaternion(before, v.head<3>(), dt);
    result = {q[0] + step.x(), q[1] + step.y(), q[2] + step.z(), after.x(),
              after.y(),       after.z(),       after.w()};
  } else {
    result[0] += dt * v(0);
  }
  return result;
}

TEST(MotionSubspace, IsTheDerivativeOfTheTransform) {
  // X(q moved by v dt) X(q)^-1 = exp(S v dt): the central difference has an error of dt^2.
  Random random(5);
  constexpr double kStep = 1e-4;
  for (const JointType type : kAllTypes) {
    if (type == JointType::kFixed) {
      continue;
    }
    for (int repetition = 0; repetition < 20; ++repetition) {
      const Vector3 axis = random_unit_vector(random);
      const VectorXd start = random_vector(random, position_count(type));
      std::vector<double> q(start.data(), start.data() + start.size());
      if (type == JointType::kFloating) {
        const Eigen::Vector4d quaternion = start.tail<4>().normalized();
        std::copy(quaternion.data(), quaternion.data() + 4, q.begin() + 3);
      }
      const VectorXd v = random_vector(random, velocity_count(type));
      const Transform after = joint_transform(type, axis, moved(type, q, v, kStep).data());
      const Transform before = joint_transform(type, axis, moved(type, q, v, -kStep).data());
      const Vector6 velocity = log_motion(after * before.inverse()).vector() / (2.0 * kStep);
      const Vector6 expected = motion_subspace(type, axis) * v;
      EXPECT_LT((velocity - expected).norm(), 1e-6 * (1.0 + expected.norm())) << to_string(type);
    }
  }
}

}  // namespace
}  // namespace spatial_dynamics::test

// Motion, Force and Transform obey the algebra of 6-D vectors; each compact formula equals its 6x6
// matrix.
#include <gtest/gtest.h>

#include <type_traits>

#include "spatial_dynamics/spatial/articulated_inertia.hpp"
#include "support/constants.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

// Sums of a few products of numbers of order one.
constexpr double kVectorTolerance = 1e-14;

template <typename A, typename B, typename = void>
struct CanAdd : std::false_type {};
template <typename A, typename B>
struct CanAdd<A, B, std::void_t<decltype(std::declval<A>() + std::declval<B>())>> : std::true_type {
};

TEST(SpatialVectors, MotionAndForceDoNotAdd) {
  EXPECT_TRUE((CanAdd<Motion, Motion>::value));
  EXPECT_TRUE((CanAdd<Force, Force>::value));
  EXPECT_FALSE((CanAdd<Motion, Force>::value));
  EXPECT_FALSE((CanAdd<Force, Motion>::value));
  EXPECT_FALSE((std::is_convertible_v<Motion, Force>));
  EXPECT_FALSE((std::is_convertible_v<Force, Motion>));
}

TEST(SpatialVectors, ArithmeticIsElementwise) {
  Random random(1);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Motion a = random_motion(random), b = random_motion(random);
    const Force f = random_force(random), g = random_force(random);
    EXPECT_EQ((a + b).vector(), Vector6(a.vector() + b.vector()));
    EXPECT_EQ((a - b).vector(), Vector6(a.vector() - b.vector()));
    EXPECT_EQ((-a).vector(), Vector6(-a.vector()));
    EXPECT_EQ((2.0 * a).vector(), Vector6(2.0 * a.vector()));
    EXPECT_EQ((f + g).vector(), Vector6(f.vector() + g.vector()));
    EXPECT_EQ((f - g).vector(), Vector6(f.vector() - g.vector()));
    EXPECT_EQ((f * 3.0).vector(), Vector6(3.0 * f.vector()));
    EXPECT_NEAR(dot(a, f), a.vector().dot(f.vector()), kVectorTolerance);
  }
}

TEST(SpatialVectors, CrossProductsEqualTheirMatrices) {
  Random random(2);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Motion v = random_motion(random), m = random_motion(random);
    const Force f = random_force(random);
    EXPECT_LT((cross(v, m).vector() - cross_matrix(v) * m.vector()).norm(), kVectorTolerance);
    EXPECT_LT((cross_star(v, f).vector() + cross_matrix(v).transpose() * f.vector()).norm(),
              kVectorTolerance);
  }
}

TEST(SpatialVectors, CrossProductSatisfiesJacobisIdentity) {
  Random random(3);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Motion a = random_motion(random), b = random_motion(random), c = random_motion(random);
    const Motion sum = cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b));
    EXPECT_LT(sum.vector().norm(), kVectorTolerance);
    EXPECT_LT(cross(a, a).vector().norm(), kVectorTolerance);
  }
}

TEST(SpatialVectors, PowerOfCrossedVectorsIsBalanced) {
  // (v x m).f + m.(v x* f) = 0: the power does not change if both move with v.
  Random random(4);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Motion v = random_motion(random), m = random_motion(random);
    const Force f = random_force(random);
    EXPECT_NEAR(dot(cross(v, m), f) + dot(m, cross_star(v, f)), 0.0, kVectorTolerance);
  }
}

TEST(Transform, ActionsEqualTheirMatrices) {
  Random random(5);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Transform X = random_transform(random);
    const Motion m = random_motion(random);
    const Force f = random_force(random);
    const Matrix6 matrix = X.motion_matrix();
    EXPECT_LT((X.force_matrix() - matrix.inverse().transpose()).norm(), kVectorTolerance);
    EXPECT_LT(((X * m).vector() - matrix * m.vector()).norm(), kVectorTolerance);
    EXPECT_LT((X.apply_inverse(m).vector() - matrix.inverse() * m.vector()).norm(),
              kVectorTolerance);
    EXPECT_LT((X.apply_star(f).vector() - X.force_matrix() * f.vector()).norm(), kVectorTolerance);
    EXPECT_LT((X.apply_transpose(f).vector() - matrix.transpose() * f.vector()).norm(),
              kVectorTolerance);
  }
}

TEST(Transform, CompositionAndInverseFormAGroup) {
  Random random(6);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Transform A = random_transform(random), B = random_transform(random);
    EXPECT_LT(((A * B).motion_matrix() - A.motion_matrix() * B.motion_matrix()).norm(),
              kVectorTolerance);
    EXPECT_LT(((A * A.inverse()).motion_matrix() - Matrix6::Identity()).norm(), kVectorTolerance);
    const Vector3 p = random_vector3(random);
    EXPECT_LT((A.inverse_point(A.point(p)) - p).norm(), kVectorTolerance);
    EXPECT_LT(((A * B).point(p) - A.point(B.point(p))).norm(), kVectorTolerance);
  }
}

TEST(Transform, PowerIsTheSameInEveryFrame) {
  Random random(7);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Transform X = random_transform(random);
    const Motion m = random_motion(random);
    const Force f = random_force(random);
    EXPECT_NEAR(dot(X * m, X.apply_star(f)), dot(m, f), kVectorTolerance);
  }
}

TEST(Transform, CrossProductsTransformAsVectors) {
  // X (v x m) = (X v) x (X m): the cross product means the same in any frame. [L4]
  Random random(8);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Transform X = random_transform(random);
    const Motion v = random_motion(random), m = random_motion(random);
    const Force f = random_force(random);
    EXPECT_LT(((X * cross(v, m)) - cross(X * v, X * m)).vector().norm(), kVectorTolerance);
    EXPECT_LT((X.apply_star(cross_star(v, f)) - cross_star(X * v, X.apply_star(f))).vector().norm(),
              kVectorTolerance);
  }
}

TEST(Transform, PoseGivesBackRotationAndPosition) {
  Random random(9);
  const Matrix3 R = random_rotation(random);
  const Vector3 p = random_vector3(random);
  const Transform X = Transform::from_pose(R, p);
  EXPECT_EQ(X.rotation(), R);
  EXPECT_EQ(X.position(), p);
  EXPECT_LT(X.point(p).norm(), kVectorTolerance);  // the origin of B, in B
}

}  // namespace
}  // namespace spatial_dynamics::test

#include "spatial_dynamics/spatial/inertia.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "spatial_dynamics/spatial/articulated_inertia.hpp"
#include "support/constants.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kInertiaTolerance = 1e-13;  // sums of a few products of numbers up to ten

Inertia random_inertia(Random& random) {
  const MassProperties p = random_mass_properties(random);
  return Inertia::from_com(p.mass, p.com, p.inertia_about_com);
}

TEST(Inertia, SteinersTheoremHoldsForAPointMass) {
  // A point mass m at (0, 0, d) has m d^2 about x and y and nothing about z. [L4]
  const Inertia point = Inertia::from_com(2.0, {0, 0, 3}, Matrix3::Zero());
  EXPECT_EQ(point.I, Matrix3(Vector3(18.0, 18.0, 0.0).asDiagonal()));
  EXPECT_EQ(point.h, Vector3(0, 0, 6));
}

TEST(Inertia, CentreOfMassAndTensorAreRecovered) {
  Random random(1);
  for (int trial = 0; trial < kTrials; ++trial) {
    const MassProperties p = random_mass_properties(random);
    const Inertia I = Inertia::from_com(p.mass, p.com, p.inertia_about_com);
    EXPECT_LT((I.com() - p.com).norm(), kInertiaTolerance);
    EXPECT_LT((I.inertia_about_com() - p.inertia_about_com).norm(), kInertiaTolerance);
  }
}

TEST(Inertia, MomentumEqualsTheMatrixTimesVelocity) {
  Random random(2);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Inertia I = random_inertia(random);
    const Motion v = random_motion(random);
    EXPECT_LT(((I * v).vector() - I.matrix() * v.vector()).norm(), kInertiaTolerance);
    EXPECT_NEAR(quadratic_form(I, v), v.vector().dot(I.matrix() * v.vector()), kInertiaTolerance);
  }
}

TEST(Inertia, TransformsByCongruence) {
  Random random(3);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Transform X = random_transform(random);
    const Inertia I = random_inertia(random);
    const Matrix6 matrix = X.motion_matrix();
    EXPECT_LT((to_parent(X, I).matrix() - matrix.transpose() * I.matrix() * matrix).norm(),
              kInertiaTolerance);
    EXPECT_LT((to_child(X, to_parent(X, I)).matrix() - I.matrix()).norm(), kInertiaTolerance);
  }
}

TEST(Inertia, KineticEnergyIsTheSameInEveryFrame) {
  Random random(4);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Transform X = random_transform(random);
    const Inertia I = random_inertia(random);
    const Motion v = random_motion(random);
    EXPECT_NEAR(quadratic_form(to_child(X, I), X * v), quadratic_form(I, v), kInertiaTolerance);
  }
}

TEST(Inertia, SumEqualsBothBodiesTogether) {
  Random random(5);
  const Inertia a = random_inertia(random), b = random_inertia(random);
  const Motion v = random_motion(random);
  EXPECT_LT(((a + b) * v - (a * v + b * v)).vector().norm(), kInertiaTolerance);
}

TEST(Inertia, BoxesArePhysicalInEveryFrame) {
  Random random(6);
  for (int trial = 0; trial < kTrials; ++trial) {
    EXPECT_TRUE(is_physical(to_child(random_transform(random), random_inertia(random))));
  }
  EXPECT_TRUE(is_physical(Inertia::Zero()));
}

TEST(Inertia, InconsistentInertiasAreNotPhysical) {
  const Vector3 c(0.1, 0.2, 0.3);
  const auto about = [&](double x, double y, double z, double mass = 1.0) {
    return Inertia::from_com(mass, c, Vector3(x, y, z).asDiagonal());
  };
  EXPECT_TRUE(is_physical(about(1.0, 1.0, 2.0)));    // a flat disc: on the edge of the triangle
  EXPECT_TRUE(is_physical(about(1.0, 1.0, 0.0)));    // a thin rod
  EXPECT_FALSE(is_physical(about(1.0, 1.0, 2.1)));   // triangle inequality
  EXPECT_FALSE(is_physical(about(1.0, 1.0, -0.1)));  // negative moment
  EXPECT_FALSE(is_physical(about(1.0, 1.0, 1.0, -1.0)));
  EXPECT_FALSE(is_physical(Inertia(0.0, Vector3::Zero(), Matrix3::Identity())));
  EXPECT_FALSE(is_physical(about(std::nan(""), 1.0, 1.0)));
  EXPECT_FALSE(is_physical(about(1.0, 1.0, 1.0, std::numeric_limits<double>::infinity())));
}

TEST(Inertia, RoundingErrorOfAZeroMomentIsAccepted) {
  Matrix3 rod = Vector3(1e-3, 1e-3, -5e-20).asDiagonal();
  EXPECT_TRUE(check_inertia(rod).positive_semidefinite);
  rod(2, 2) = -1e-10;  // a ten-millionth of the others: not rounding
  EXPECT_FALSE(check_inertia(rod).positive_semidefinite);
}

TEST(Inertia, RoundingErrorOfAPointMassIsAccepted) {
  Matrix3 dust = Matrix3::Zero();
  dust(0, 2) = dust(2, 0) = 2.4e-35;  // as iCub's head has it
  EXPECT_TRUE(check_inertia(dust).positive_semidefinite);
  EXPECT_TRUE(check_inertia(dust).triangle_inequality);
  dust(0, 2) = dust(2, 0) = 1e-9;
  EXPECT_FALSE(check_inertia(dust).positive_semidefinite);
}

TEST(Inertia, PrincipalMomentsDoNotDependOnAxes) {
  Random random(7);
  const Matrix3 R = random_rotation(random);
  const Vector3 moments(1.0, 2.0, 2.5);
  const InertiaValidity validity = check_inertia(R * moments.asDiagonal() * R.transpose());
  EXPECT_LT((validity.principal_moments - moments).norm(), kInertiaTolerance);
  EXPECT_TRUE(validity.triangle_inequality);
}

TEST(ArticulatedInertia, OfARigidBodyIsItsInertia) {
  Random random(8);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Inertia I = random_inertia(random);
    const Transform X = random_transform(random);
    const Motion v = random_motion(random);
    EXPECT_EQ(ArticulatedInertia(I).matrix(), I.matrix());
    EXPECT_LT((ArticulatedInertia(I) * v - I * v).vector().norm(), kInertiaTolerance);
    EXPECT_LT((to_parent(X, ArticulatedInertia(I)).matrix() - to_parent(X, I).matrix()).norm(),
              kInertiaTolerance);
  }
}

TEST(ArticulatedInertia, TransformsByCongruence) {
  Random random(9);
  for (int trial = 0; trial < kTrials; ++trial) {
    // I, H and M without the form of a rigid body.
    Matrix6 A = random_inertia(random).matrix();
    const Vector6 U = random_force(random).vector();
    A += to_parent(random_transform(random), random_inertia(random)).matrix() -
         0.05 * U * U.transpose();
    const ArticulatedInertia IA(A.topLeftCorner<3, 3>(), A.topRightCorner<3, 3>(),
                                A.bottomRightCorner<3, 3>());
    EXPECT_LT((IA.matrix() - A).norm(), kInertiaTolerance);
    const Transform T = random_transform(random);
    const Matrix6 congruent = T.motion_matrix().transpose() * IA.matrix() * T.motion_matrix();
    EXPECT_LT((to_parent(T, IA).matrix() - congruent).norm(), kInertiaTolerance);
    const Motion v = random_motion(random);
    EXPECT_LT(((IA * v).vector() - IA.matrix() * v.vector()).norm(), kInertiaTolerance);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test

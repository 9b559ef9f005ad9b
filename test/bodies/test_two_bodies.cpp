// The claims of [F3D] and [F6D]; both agree with the general algorithms for two bodies.
#include "spatial_dynamics/bodies/two_bodies.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "bodies/random_two_bodies.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/textbook/body_inertias.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "support/constants.hpp"

namespace spatial_dynamics::test {
namespace {

// Sums of a few products of numbers of size 10: bodies of up to 3 kg, distances of up to 3 m.

/// The 6-D inertia at C1, with rows and columns in the order of [F3D]: [linear; angular].
Matrix6 in_order_of_f3d(const Matrix6& m) {
  Matrix6 swapped;
  swapped << m.bottomRightCorner<3, 3>(), m.bottomLeftCorner<3, 3>(), m.topRightCorner<3, 3>(),
      m.topLeftCorner<3, 3>();
  return swapped;
}

TEST(F3D, DiagonalBlocksAreSymmetricAndTheOthersTransposes) {
  Random random(1);
  for (int trial = 0; trial < kTrials; ++trial) {
    const TwoBodyEquation e = two_body_equation(random_two_bodies(random));
    EXPECT_LT((e.A - e.A.transpose()).norm(), kRounding);
    EXPECT_LT((e.D - e.D.transpose()).norm(), kRounding);
    EXPECT_LT((e.B - e.C.transpose()).norm(), kRounding);
    EXPECT_GT(e.B.norm(), 1e-3);
  }
}

TEST(F3D, CoefficientsAreThoseOfEquations21And25) {
  // As printed, term by term.
  Random random(2);
  for (int trial = 0; trial < kTrials; ++trial) {
    const TwoBodies b = random_two_bodies(random);
    const TwoBodyEquation e = two_body_equation(b);
    const Matrix3 r1 = skew(b.p - b.c1), r2 = skew(b.p - b.c2), ss = b.s * b.s.transpose();
    const Matrix3 J = b.I2 - b.m2 * r2 * r2, K = b.I2 + b.m2 * (r1 - r2) * r2;
    const double sJs = b.s.dot(J * b.s);
    const Matrix3 A = (b.m1 + b.m2) * Matrix3::Identity() + b.m2 * b.m2 * r2 * ss * r2 / sJs;
    const Matrix3 B = b.m2 * (r2 - r1) - b.m2 * r2 * ss * (J + b.m2 * r2 * r1) / sJs;
    const Matrix3 C = b.m2 * (r1 - r2) + b.m2 * K * ss * r2 / sJs;
    const Matrix3 D = b.I1 + b.I2 - b.m2 * (r1 - r2) * (r1 - r2) - K * ss * K.transpose() / sJs;
    EXPECT_LT((e.J - J).norm() + (e.K - K).norm(), kRounding);
    EXPECT_LT((e.A - A).norm() + (e.B - B).norm(), kRounding);
    EXPECT_LT((e.C - C).norm() + (e.D - D).norm(), kRounding);
  }
}

TEST(F3D, TheMatrixIsPositiveDefiniteAndTheDenominatorPositive) {
  Random random(3);
  for (int trial = 0; trial < kTrials; ++trial) {
    TwoBodies b = random_two_bodies(random);
    if (trial % 2 == 0) b.p = b.c2;  // the least denominator: the axis through the centre of mass
    const TwoBodyEquation e = two_body_equation(b);
    EXPECT_GT(e.denominator, 0.0);
    const Eigen::SelfAdjointEigenSolver<Matrix6> solver(e.matrix(), Eigen::EigenvaluesOnly);
    EXPECT_GT(solver.eigenvalues().minCoeff(), 0.0);
  }
}

TEST(F3D, TheThreeFormsOfTheJointAccelerationAgree) {
  Random random(4);
  for (int trial = 0; trial < kTrials; ++trial) {
    const TwoBodies b = random_two_bodies(random);
    const TwoBodyEquation e = two_body_equation(b);
    const LinearAngular x{random_vector3(random), random_vector3(random)};
    const Vector3 r1 = b.p - b.c1, r2 = b.p - b.c2;
    const double eq18 =
        -b.s.dot(b.I2 * x.angular - b.m2 * r2.cross(x.linear + (r2 - r1).cross(x.angular))) /
        b.s.dot(b.I2 * b.s - b.m2 * r2.cross(r2.cross(b.s)));
    const double eq20 =
        -b.s.dot(e.J * x.angular - b.m2 * r2.cross(x.linear - r1.cross(x.angular))) /
        b.s.dot(e.J * b.s);
    const double scale = (1.0 + b.m2 * 10.0) / e.denominator;  // of the terms that are summed
    EXPECT_NEAR(joint_acceleration(e, x), eq18, 1e-15 * 10 * scale);
    EXPECT_NEAR(joint_acceleration(e, x), eq20, 1e-15 * 10 * scale);
  }
}

TEST(F3D, AccelerationsSatisfyTheEquationsTheyCameFrom) {
  // Eq. 1 to 17, before elimination.
  Random random(5);
  for (int trial = 0; trial < kTrials; ++trial) {
    const TwoBodies b = random_two_bodies(random);
    const TwoBodyEquation e = two_body_equation(b);
    const Vector3 f = random_vector3(random), tau = random_vector3(random);
    const LinearAngular first = acceleration_of_first(e, f, tau);
    const double alpha = joint_acceleration(e, first);
    const Vector3 r1 = b.p - b.c1, r2 = b.p - b.c2;
    const Vector3 w2 = first.angular + b.s * alpha;                            // [eq. 16]
    const Vector3 a2 = first.linear - r1.cross(first.angular) + r2.cross(w2);  // [eq. 17]
    const Vector3 f2 = b.m2 * a2, tau2 = b.I2 * w2;                            // [eq. 3, 4]
    const double tolerance = kRounding * condition(e.matrix());
    EXPECT_LT((f - b.m1 * first.linear - f2).norm(), tolerance);  // [eq. 11]
    EXPECT_LT((tau - b.I1 * first.angular - tau2 - (r1 - r2).cross(f2)).norm(), tolerance);  // [12]
    EXPECT_NEAR(b.s.dot(tau2 - r2.cross(f2)), 0.0, tolerance);  // [eq. 15]
  }
}

TEST(F3D, EqualsTheSixDimensionalSolution) {
  Random random(6);
  for (int trial = 0; trial < kTrials; ++trial) {
    const TwoBodies b = random_two_bodies(random);
    const TwoBodyEquation e = two_body_equation(b);
    // [F6D eq. 7] with the origin moved to C1, where [F3D] keeps its vectors.
    const Transform to_c1 = Transform::translation(b.c1);
    const Matrix6 at_c1 = inertia_with_hinged_body(to_child(to_c1, b.first()),
                                                   to_child(to_c1, b.second()), to_c1 * b.axis());
    EXPECT_LT((e.matrix() - in_order_of_f3d(at_c1)).norm(), kRounding);

    const Vector3 force = random_vector3(random), moment = random_vector3(random);
    const LinearAngular first = acceleration_of_first(e, force, moment);
    const Force f = to_c1.apply_transpose({moment, force});
    const TwoBodyResponse response = push_first(b.first(), b.second(), b.axis(), f);
    const Motion a1 = to_c1 * response.a1;
    const double tolerance = kRounding * condition(e.matrix());
    EXPECT_LT((first.linear - a1.linear).norm(), tolerance);
    EXPECT_LT((first.angular - a1.angular).norm(), tolerance);
    EXPECT_NEAR(joint_acceleration(e, first), response.alpha, 10 * tolerance);
  }
}

TEST(F6D, TheInertiaIsPositiveDefiniteAndLiesBetweenItsParts) {
  // B2 on a hinge loads B1 less than if it were welded to it, and more than if it were not there.
  Random random(7);
  for (int trial = 0; trial < kTrials; ++trial) {
    const TwoBodies b = random_two_bodies(random);
    const Matrix6 hinged = inertia_with_hinged_body(b.first(), b.second(), b.axis());
    const auto smallest = [](const Matrix6& m) {
      return Eigen::SelfAdjointEigenSolver<Matrix6>(m, Eigen::EigenvaluesOnly)
          .eigenvalues()
          .minCoeff();
    };
    EXPECT_GT(smallest(hinged), 0.0);
    EXPECT_GT(smallest(hinged - b.first().matrix()), -kRounding);
    EXPECT_GT(smallest((b.first() + b.second()).matrix() - hinged), -kRounding);
    // Along the joint's axis B2 is not felt at all.
    const Vector6 felt = (hinged - b.first().matrix()) * b.axis().vector();
    EXPECT_LT(felt.norm(), kRounding);
  }
}

TEST(F6D, TheJointForceDoesNoWorkAndBothBodiesObeyIt) {
  Random random(8);
  for (int trial = 0; trial < kTrials; ++trial) {
    const TwoBodies b = random_two_bodies(random);
    const Inertia I1 = b.first(), I2 = b.second();
    const Force f = random_force(random);
    const TwoBodyResponse r = push_first(I1, I2, b.axis(), f);
    const double tolerance = kRounding * condition(inertia_with_hinged_body(I1, I2, b.axis()));
    EXPECT_NEAR(dot(b.axis(), r.joint_force), 0.0, tolerance);                 // [eq. 4]
    EXPECT_LT((f - r.joint_force - I1 * r.a1).vector().norm(), tolerance);     // [eq. 1]
    EXPECT_LT((r.joint_force - I2 * r.a2).vector().norm(), tolerance);         // [eq. 2]
    EXPECT_LT((r.a2 - r.a1 - b.axis() * r.alpha).vector().norm(), tolerance);  // [eq. 3]
    EXPECT_GT(r.joint_force.vector().norm(), 1e-6);
  }
}

TEST(F6D, IsForwardDynamicsOfAFloatingTreeOfTwoBodies) {
  Random random(9);
  for (int trial = 0; trial < kTrials; ++trial) {
    const TwoBodies b = random_two_bodies(random);
    const Model model = as_floating_tree(b);
    textbook::Data data(model);
    // Its inertia is the first articulated inertia.
    ASSERT_TRUE(articulated_inertias(model, data, neutral_configuration(model)));
    EXPECT_LT(
        (data.IA[1].matrix() - inertia_with_hinged_body(b.first(), b.second(), b.axis())).norm(),
        kRounding);
    ExternalForces forces(model);
    const Force f = random_force(random);
    forces.add(model, model.find_link("first"), f);
    const VectorXd zero = VectorXd::Zero(model.nv());
    const VectorXd a =
        forward_dynamics(model, data, neutral_configuration(model), zero, zero, forces);
    const TwoBodyResponse r = push_first(b.first(), b.second(), b.axis(), f);
    const double tolerance =
        kRounding * condition(inertia_with_hinged_body(b.first(), b.second(), b.axis()));
    EXPECT_LT((a.head<6>() - r.a1.vector()).norm(), tolerance);
    EXPECT_NEAR(a(6), r.alpha, 10 * tolerance);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test

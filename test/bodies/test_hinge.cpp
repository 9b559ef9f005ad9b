#include "spatial_dynamics/bodies/hinge.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "spatial_dynamics/spatial/rotation.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kHingeRounding = 1e-14;
constexpr double kGradientTolerance = 1e-9;  // of a gradient by central differences

/// True if the hinge permits exactly the span of these motions.
bool permits_exactly(const Hinge& hinge, const MatrixXd& motions, double tolerance) {
  const MatrixXd outside = motions - hinge.permitted * (hinge.permitted.transpose() * motions);
  return hinge.dof == motions.cols() && outside.norm() < tolerance;
}

/// A pin about the joint's z axis: the origins stay together and the axes stay parallel.
VectorXd pin(const Transform& X) {
  const Vector3 axis = X.rotation() * Vector3::UnitZ();
  VectorXd d(5);
  d << X.position(), axis.x(), axis.y();
  return d;
}

TEST(SOAHinge, APinHasRankFiveAndPermitsRotationAboutItsAxis) {
  Random random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix3 R = axis_rotation(Vector3::UnitZ(), uniform(random, -3, 3));
    const Transform X = Transform::from_pose(R, Vector3::Zero());
    const Hinge hinge = hinge_from_constraints(constraint_gradient(pin, X));
    EXPECT_EQ(hinge.rank, 5);
    EXPECT_TRUE(permits_exactly(hinge, Vector6::Unit(2), kGradientTolerance));
  }
}

TEST(SOAHinge, APinInTheSlidesCoordinatesIsTheSameHinge) {
  // dx = dy = dz = eul(1) = eul(2) = 0: at the zero configuration rates of Euler angles are angular
  // velocities.
  ConstraintMatrix G = ConstraintMatrix::Zero(5, 6);
  G.topRightCorner<3, 3>().setIdentity();
  G(3, 0) = G(4, 1) = 1.0;
  const Hinge hinge = hinge_from_constraints(G);
  EXPECT_EQ(hinge.dof, 1);
  EXPECT_TRUE(permits_exactly(hinge, Vector6::Unit(2), kHingeRounding));
}

TEST(SOAHinge, ASlotAndABallJointHaveTheirDegreesOfFreedom) {
  // A pin in a slot rotates about z and slides along x. A ball joint rotates.
  const auto slot = [](const Transform& X) {
    const Vector3 axis = X.rotation() * Vector3::UnitZ();
    return VectorXd((VectorXd(4) << X.position().tail<2>(), axis.x(), axis.y()).finished());
  };
  const auto ball = [](const Transform& X) { return VectorXd(X.position()); };
  const Hinge in_slot = hinge_from_constraints(constraint_gradient(slot, Transform::Identity()));
  EXPECT_EQ(in_slot.dof, 2);
  MatrixXd motions = MatrixXd::Zero(6, 2);
  motions(2, 0) = motions(3, 1) = 1.0;
  EXPECT_TRUE(permits_exactly(in_slot, motions, kGradientTolerance));
  const Hinge on_ball = hinge_from_constraints(constraint_gradient(ball, Transform::Identity()));
  EXPECT_TRUE(permits_exactly(on_ball, MatrixXd::Identity(6, 3), kGradientTolerance));
}

TEST(SOAHinge, PermittedMotionsAndReactionsAreOrthogonalComplements) {
  Random random(2);
  for (int trial = 0; trial < 50; ++trial) {
    // Dependent rows: rank r from 8 rows.
    const Eigen::Index r = trial % 7;
    MatrixXd few(6, r), mix(8, r);
    for (Eigen::Index k = 0; k < r; ++k) {
      few.col(k) = random_vector(random, 6);
      mix.col(k) = random_vector(random, 8);
    }
    const ConstraintMatrix G = mix * few.transpose();
    const Hinge hinge = hinge_from_constraints(G);
    EXPECT_EQ(hinge.rank, r);
    EXPECT_EQ(hinge.dof, 6 - r);
    const MatrixXd square = (MatrixXd(6, 6) << hinge.permitted, hinge.reactions).finished();
    EXPECT_LT((square.transpose() * square - MatrixXd::Identity(6, 6)).norm(), 1e-13);
    EXPECT_LT((G * hinge.permitted).norm(), 1e-12);  // [G V = 0], and reactions do no work on it
  }
}

TEST(SOAHinge, TheScaleOfARowDoesNotMatter) {
  ConstraintMatrix G = ConstraintMatrix::Zero(3, 6);
  G(0, 0) = 1.0;
  G(1, 1) = 1e-12;
  G(2, 4) = 1e12;
  EXPECT_EQ(hinge_from_constraints(G).rank, 3);
}

TEST(SOAHinge, ZeroConstraintsPermitSixMotionsAndSixPermitZero) {
  EXPECT_EQ(hinge_from_constraints(ConstraintMatrix(0, 6)).dof, 6);
  EXPECT_EQ(hinge_from_constraints(ConstraintMatrix::Zero(4, 6)).dof, 6);
  EXPECT_EQ(hinge_from_constraints(Matrix6::Identity()).dof, 0);
}

TEST(SOAHinge, ARollingBallHasThreeRotationalVelocities) {
  const Hinge hinge = hinge_from_constraints(rolling_ball(0.3, Vector3::UnitZ()));
  EXPECT_EQ(hinge.dof, 3);
  // Each rotation determines the velocity of the centre; spin about the normal does not move it.
  MatrixXd rolling(6, 3);
  rolling.topRows<3>().setIdentity();
  rolling.bottomRows<3>() = -skew(0.3 * Vector3::UnitZ());
  EXPECT_TRUE(permits_exactly(hinge, rolling, kHingeRounding));
  EXPECT_NEAR(rolling(3, 1), 0.3, kHingeRounding);  // a rotation about y rolls towards x
}

TEST(SOAHinge, ARollingBallReturnsToItsPositionRotated) {
  // Around a square, a quarter turn per side: the position returns, the attitude does not. Three
  // velocities reach a fourth coordinate, and by other paths all five.
  const double radius = 0.3;
  const Hinge hinge = hinge_from_constraints(rolling_ball(radius, Vector3::UnitZ()));
  Vector3 position(0, 0, radius);
  Matrix3 R = Matrix3::Identity();
  const Vector3 sides[] = {Vector3::UnitY(), -Vector3::UnitX(), -Vector3::UnitY(),
                           Vector3::UnitX()};
  for (const Vector3& w : sides) {
    // The permitted velocity with this angular part.
    const Vector6 V = hinge.permitted * hinge.permitted.topRows<3>().fullPivLu().solve(w);
    const double t = M_PI / 2;
    position += t * V.tail<3>();
    R = exp_rotation(t * V.head<3>()) * R;
  }
  EXPECT_LT((position - Vector3(0, 0, radius)).norm(), kHingeRounding);
  EXPECT_NEAR(log_rotation(R).norm(), 2 * M_PI / 3, 1e-12);  // a third of a turn about a diagonal
}

TEST(SOAHinge, ACarHasTwoVelocitiesAndParksSideways) {
  const Hinge hinge = hinge_from_constraints(car());
  EXPECT_EQ(hinge.dof, 2);
  MatrixXd motions = MatrixXd::Zero(6, 2);
  motions(2, 0) = motions(3, 1) = 1.0;  // steer, drive
  ASSERT_TRUE(permits_exactly(hinge, motions, kHingeRounding));
  // Steer, drive, steer back, drive back: a net sideways displacement of angle times distance, to
  // first order.
  const Motion steer(Vector6(motions.col(0))), drive(Vector6(motions.col(1)));
  const double e = 1e-3;
  const Transform end = exp_motion(-e * drive) * exp_motion(-e * steer) * exp_motion(e * drive) *
                        exp_motion(e * steer);
  EXPECT_NEAR(end.position().y(), e * e, 2 * e * e * e);
  EXPECT_NEAR(end.position().x(), 0.0, 2 * e * e * e);
  EXPECT_LT((end.rotation() - Matrix3::Identity()).norm(), kHingeRounding);
  // The net motion is the cross product of the two, which the constraints never permit directly.
  EXPECT_LT((cross(steer, drive).vector() - Vector6::Unit(4)).norm(), kHingeRounding);
}

TEST(SOAHinge, ADrivenHingeMovesWithItsDrive) {
  // A turntable: a pin driven at 2 rad/s, so that all six numbers are given.
  ConstraintMatrix G = Matrix6::Identity();
  VectorXd U = 2.0 * VectorXd::Unit(6, 2);
  EXPECT_LT((driven_velocity(G, U).vector() - Vector6(U)).norm(), kHingeRounding);
  // A conveyor at 0.5 m/s under a rolling ball: G V = U, plus any permitted motion.
  G = rolling_ball(0.3, Vector3::UnitZ());
  U = 0.5 * VectorXd::Unit(3, 0);
  const Hinge hinge = hinge_from_constraints(G);
  const Vector6 V = driven_velocity(G, U).vector() + hinge.permitted * Vector3(1, -2, 3);
  EXPECT_LT((G * V - U).norm(), kHingeRounding);
}

TEST(SOAHinge, ContradictionsAndInvalidNumbersAreRejected) {
  ConstraintMatrix G = ConstraintMatrix::Zero(2, 6);
  G(0, 0) = G(1, 0) = 1.0;
  EXPECT_THROW(driven_velocity(G, Eigen::Vector2d(1.0, 2.0)), std::invalid_argument);
  EXPECT_THROW(driven_velocity(G, Vector3::Zero()), std::invalid_argument);
  G(1, 3) = std::nan("");
  EXPECT_THROW(hinge_from_constraints(G), std::invalid_argument);
}

}  // namespace
}  // namespace spatial_dynamics::test

// [SOA]: one body, four generalised velocities, and the summary table of their equations of motion.
#include "spatial_dynamics/bodies/single_body.hpp"

#include <gtest/gtest.h>

#include "spatial_dynamics/bodies/state_space.hpp"
#include "spatial_dynamics/spatial/rotation.hpp"
#include "support/constants.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

struct Row {
  VelocityChoice choice;
  const char* name;
  bool keeps_momentum, does_no_work, independent_of_linear_velocity;
};
/// The summary table of the slides.
const Row kTable[] = {{VelocityChoice::kCenter, "Center", true, true, true},
                      {VelocityChoice::kPoint, "Point", false, false, true},
                      {VelocityChoice::kBody, "Body", false, true, false},
                      {VelocityChoice::kInertialReference, "InertialReference", true, true, false}};

class SOA : public ::testing::TestWithParam<Row> {
 protected:
  SOA() {
    const MassProperties p = random_mass_properties(random);
    inertia = Inertia::from_com(p.mass, p.com, p.inertia_about_com);
    pose = {random_rotation(random), random_vector3(random)};
  }
  Inertia M() const { return inertia_in(GetParam().choice, pose, inertia); }
  /// x of the state space, from the velocity of z along inertial axes.
  VectorXd state(const Motion& of_z) const {
    VectorXd x(13);
    x << Quaternion(pose.rotation).coeffs(), pose.position,
        change_choice(VelocityChoice::kPoint, GetParam().choice, pose, inertia, of_z).vector();
    return x;
  }
  /// M V of a state, in the frame of the choice.
  Vector6 momentum(const VectorXd& x) const {
    const BodyPose at{Quaternion(x(3), x(0), x(1), x(2)).toRotationMatrix(), x.segment<3>(4)};
    return (inertia_in(GetParam().choice, at, inertia) * Motion(Vector6(x.tail<6>()))).vector();
  }

  Random random{20240619};
  Inertia inertia;
  BodyPose pose;
};
INSTANTIATE_TEST_SUITE_P(Choices, SOA, ::testing::ValuesIn(kTable),
                         [](const auto& row) { return row.param.name; });

TEST_P(SOA, MomentumIsConservedAsInTheTable) {
  const StateSpace system = single_body_system(inertia, GetParam().choice);
  const VectorXd u = VectorXd::Zero(9);
  const VectorXd start = state(random_motion(random));
  VectorXd x = start;
  for (int step = 0; step < 1000; ++step) x = runge_kutta_step(system, x, u, 1e-3);
  const double change = (momentum(x) - momentum(start)).norm();
  // Runge-Kutta's error in a second of turning at 1 rad/s is about 1e-12; a momentum that is not
  // conserved changes by its magnitude.
  if (GetParam().keeps_momentum) {
    EXPECT_LT(change, 1e-11);
  } else {
    EXPECT_GT(change, 0.1);
  }
}

TEST_P(SOA, TheGyroscopicForceDoesNoWorkAsInTheTable) {
  double largest_power = 0.0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Motion V = random_motion(random);
    const double power = dot(V, gyroscopic_force(GetParam().choice, M(), V));
    largest_power = std::max(largest_power, std::abs(power));
  }
  if (GetParam().does_no_work) {
    EXPECT_LT(largest_power, kRounding);
  } else {
    EXPECT_GT(largest_power, 0.01);
  }
}

TEST_P(SOA, TheGyroscopicForceIgnoresLinearVelocityAsInTheTable) {
  double largest_change = 0.0;
  for (int trial = 0; trial < kTrials; ++trial) {
    Motion V = random_motion(random);
    const Force before = gyroscopic_force(GetParam().choice, M(), V);
    V.linear = random_vector3(random);
    const Force after = gyroscopic_force(GetParam().choice, M(), V);
    largest_change = std::max(largest_change, (after - before).vector().norm());
  }
  if (GetParam().independent_of_linear_velocity) {
    EXPECT_EQ(largest_change, 0.0);
  } else {
    EXPECT_GT(largest_change, 0.01);
  }
}

TEST_P(SOA, KineticEnergyIsTheSameInEveryChoiceAndKeptWithoutForces) {
  const StateSpace system = single_body_system(inertia, GetParam().choice);
  const VectorXd u = VectorXd::Zero(9);
  const Motion of_z = random_motion(random);
  VectorXd x = state(of_z);
  const double start =
      0.5 * quadratic_form(inertia_in(VelocityChoice::kPoint, pose, inertia), of_z);
  EXPECT_NEAR(0.5 * Motion(Vector6(x.tail<6>())).vector().dot(momentum(x)), start, kRounding);
  for (int step = 0; step < 1000; ++step) x = runge_kutta_step(system, x, u, 1e-3);
  EXPECT_NEAR(system.h(x, u)(13), start, 1e-11);
}

TEST_P(SOA, EveryChoiceDescribesTheSameMotion) {
  // Under a wrench and gravity, against the body choice, after a second.
  VectorXd u(9);
  u << random_force(random).vector(), 0.3, -0.2, -9.81;
  const Motion of_z = random_motion(random);
  const StateSpace system = single_body_system(inertia, GetParam().choice);
  const StateSpace reference = single_body_system(inertia, VelocityChoice::kBody);
  VectorXd x = state(of_z), x_reference = x;
  x_reference.tail<6>() =
      change_choice(VelocityChoice::kPoint, VelocityChoice::kBody, pose, inertia, of_z).vector();
  EXPECT_LT((system.h(x, u) - reference.h(x_reference, u)).norm(), 1e-11);
  constexpr double kDt = 1e-3;
  for (int step = 0; step < 1000; ++step) {
    x = runge_kutta_step(system, x, u, kDt);
    x_reference = runge_kutta_step(reference, x_reference, u, kDt);
  }
  // The wrench of 1 N m accelerates the lightest axis of 0.01 kg m^2 to about 50 rad/s: (50 dt)^4
  // in each of a thousand steps.
  const VectorXd y = system.h(x, u), y_reference = reference.h(x_reference, u);
  EXPECT_LT((y - y_reference).norm(), 1e-4 * (1.0 + y.norm()));
  EXPECT_GT((y - system.h(state(of_z), u)).norm(), 1.0);
}

TEST_P(SOA, ForceIsRateOfSpatialMomentumIfMomentumIsConserved) {
  // f = d h / dt for the centre of mass and the inertial reference, f != d h / dt for z.
  const StateSpace system = single_body_system(inertia, GetParam().choice);
  VectorXd u = VectorXd::Zero(9);
  u.head<6>() = random_force(random).vector();
  const VectorXd x = state(random_motion(random));
  constexpr double kStep = 1e-5;
  const VectorXd rate = system.g(x, u);
  const Vector6 h_rate = (momentum(runge_kutta_step(system, x, u, kStep)) -
                          momentum(runge_kutta_step(system, x, u, -kStep))) /
                         (2 * kStep);
  const Transform to_choice = frame_of(GetParam().choice, pose, inertia) *
                              frame_of(VelocityChoice::kPoint, pose, inertia).inverse();
  const Vector6 f = to_choice.apply_star(Force(Vector6(u.head<6>()))).vector();
  // A central difference: 1e-16 / 1e-5 of rounding, and h^2 times a third derivative of below 1e4
  // (rates of up to 20 rad/s).
  constexpr double kDifference = 1e-6;
  if (GetParam().keeps_momentum) {
    EXPECT_LT((h_rate - f).norm(), kDifference);
  } else {
    EXPECT_GT((h_rate - f).norm(), 0.01);
  }
  // In every choice it is M beta' + b.
  const Motion V(Vector6(x.tail<6>())), acceleration(Vector6(rate.tail<6>()));
  const Force back = generalized_force(GetParam().choice, M(), V, acceleration);
  EXPECT_LT((back.vector() - f).norm(), 1e-11);
}

TEST(SOABody, GyroscopicForcesAreThoseOfTheSlidesByComponents) {
  Random random(2);
  for (int trial = 0; trial < kTrials; ++trial) {
    const MassProperties mp = random_mass_properties(random);
    const Inertia M = Inertia::from_com(mp.mass, mp.com, mp.inertia_about_com);
    const Inertia center = Inertia::from_com(mp.mass, Vector3::Zero(), mp.inertia_about_com);
    const Motion V = random_motion(random);
    const Vector3& w = V.angular;
    const Vector3& v = V.linear;
    const Force at_center = gyroscopic_force(VelocityChoice::kCenter, center, V);
    EXPECT_LT((at_center.moment - w.cross(mp.inertia_about_com * w)).norm(), kRounding);
    EXPECT_LT(at_center.force.norm(), kRounding);
    const Force at_z = gyroscopic_force(VelocityChoice::kPoint, M, V);  // [2.26]
    EXPECT_LT((at_z.moment - w.cross(M.I * w)).norm(), kRounding);
    EXPECT_LT((at_z.force - mp.mass * w.cross(w.cross(mp.com))).norm(), kRounding);
    const Force body = gyroscopic_force(VelocityChoice::kBody, M, V);  // [2.28], its third line
    EXPECT_LT((body.moment - w.cross(M.I * w) - mp.mass * mp.com.cross(w.cross(v))).norm(),
              kRounding);
    EXPECT_LT((body.force - mp.mass * w.cross(w.cross(mp.com) + v)).norm(), kRounding);
  }
}

TEST(SOABody, TheInertiallyReferencedVelocityIsTheSameFromEveryPoint) {
  Random random(3);
  const MassProperties p = random_mass_properties(random);
  const Inertia at_z = Inertia::from_com(p.mass, p.com, p.inertia_about_com);
  const BodyPose pose{random_rotation(random), random_vector3(random)};
  const Motion V = random_motion(random);
  const Motion expected =
      change_choice(VelocityChoice::kPoint, VelocityChoice::kInertialReference, pose, at_z, V);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Vector3 x = random_vector3(random);  // another point, along inertial axes from z
    const Motion at_x(V.angular, V.linear + V.angular.cross(x));
    const BodyPose moved{pose.rotation, pose.position + x};
    const Motion reference = change_choice(VelocityChoice::kPoint,
                                           VelocityChoice::kInertialReference, moved, at_z, at_x);
    EXPECT_LT((reference - expected).vector().norm(), kRounding);
  }
}

TEST(SOABody, RatesOfTheInertiaAreThoseOfTheSlides) {
  // Along inertial axes: at z, M' = w~ M - M w~; at the inertial origin, M' = V x* M - M V x.
  Random random(4);
  constexpr double kStep = 1e-5;
  for (int trial = 0; trial < kTrials; ++trial) {
    const MassProperties p = random_mass_properties(random);
    const Inertia inertia = Inertia::from_com(p.mass, p.com, p.inertia_about_com);
    const BodyPose pose{random_rotation(random), random_vector3(random)};
    const Motion V = random_motion(random);  // of z
    const auto after = [&](VelocityChoice choice, double t) {
      const BodyPose at{exp_rotation(t * V.angular) * pose.rotation, pose.position + t * V.linear};
      return inertia_in(choice, at, inertia).matrix();
    };
    for (const VelocityChoice choice :
         {VelocityChoice::kPoint, VelocityChoice::kInertialReference}) {
      const Matrix6 rate = (after(choice, kStep) - after(choice, -kStep)) / (2 * kStep);
      const Matrix6 M = inertia_in(choice, pose, inertia).matrix();
      Motion W = change_choice(VelocityChoice::kPoint, choice, pose, inertia, V);
      if (choice == VelocityChoice::kPoint) W.linear.setZero();
      const Matrix6 W_cross = cross_matrix(W);
      EXPECT_LT((rate + W_cross.transpose() * M + M * W_cross).norm(), 1e-8);  // of a difference
    }
  }
}

TEST(SOABody, AccelerationsOfTwoPointsDifferByTheCoriolisTerm) {
  Random random(5);
  for (int trial = 0; trial < kTrials; ++trial) {
    const MassProperties p = random_mass_properties(random);
    const Inertia inertia = Inertia::from_com(p.mass, p.com, p.inertia_about_com);
    const BodyPose pose{random_rotation(random), random_vector3(random)};
    const Motion of_z = random_motion(random);
    const Force f = random_force(random);  // at z
    const Inertia M_z = inertia_in(VelocityChoice::kPoint, pose, inertia);
    const Inertia M_c = inertia_in(VelocityChoice::kCenter, pose, inertia);
    const Inertia M_b = inertia_in(VelocityChoice::kBody, pose, inertia);
    const auto change = [&](VelocityChoice to, const Motion& m) {
      return change_choice(VelocityChoice::kPoint, to, pose, inertia, m);
    };
    const Vector3 l = pose.rotation * p.com;  // from z to C
    const Motion at_z = generalized_acceleration(VelocityChoice::kPoint, M_z, of_z, f);
    const Motion at_c = generalized_acceleration(VelocityChoice::kCenter, M_c,
                                                 change(VelocityChoice::kCenter, of_z),
                                                 Transform::translation(l).apply_star(f));
    const double tolerance = 1e-12 * (1.0 + at_z.vector().norm());
    EXPECT_LT((acceleration_at(at_z, of_z.angular, l) - at_c).vector().norm(),
              tolerance);  // [2.25]
    EXPECT_LT((acceleration_at(at_c, of_z.angular, -l) - at_z).vector().norm(), tolerance);
    // beta_B' = beta_I' - [0; w x v], along the body's axes.
    const Motion in_body = generalized_acceleration(
        VelocityChoice::kBody, M_b, change(VelocityChoice::kBody, of_z),
        Transform::from_pose(pose.rotation, Vector3::Zero()).apply_star(f));
    const Motion expected(
        pose.rotation.transpose() * at_z.angular,
        pose.rotation.transpose() * (at_z.linear - of_z.angular.cross(of_z.linear)));
    EXPECT_LT((in_body - expected).vector().norm(), tolerance);
  }
}

TEST(SOABody, APowerIsTheSameInEveryChoice) {
  // V = A beta has the force T = A* f: T.beta = f.V.
  Random random(6);
  for (int trial = 0; trial < kTrials; ++trial) {
    const MassProperties p = random_mass_properties(random);
    const Inertia inertia = Inertia::from_com(p.mass, p.com, p.inertia_about_com);
    const BodyPose pose{random_rotation(random), random_vector3(random)};
    const Motion V = random_motion(random);
    const Force f = random_force(random);
    for (const Row& row : kTable) {
      const Transform X = frame_of(row.choice, pose, inertia) *
                          frame_of(VelocityChoice::kPoint, pose, inertia).inverse();
      EXPECT_NEAR(dot(X * V, X.apply_star(f)), dot(V, f), kRounding);
    }
  }
}

TEST(SOABody, AccelerometerReadsZeroInFreeFall) {
  Random random(7);
  const Inertia ball = Inertia::from_com(2.0, Vector3::Zero(), 0.1 * Matrix3::Identity());
  const StateSpace system = single_body_system(ball, VelocityChoice::kBody);
  VectorXd u = VectorXd::Zero(9), x = VectorXd::Zero(13);
  u.tail<3>() << 0, 0, -9.81;
  x(3) = 1.0;
  EXPECT_LT(system.h(x, u).tail<3>().norm(), 1e-14);
  u(5) = 2.0 * 9.81;  // held: the output follows the input at once
  EXPECT_LT((system.h(x, u).tail<3>() - Vector3(0, 0, 9.81)).norm(), 1e-14);
}

}  // namespace
}  // namespace spatial_dynamics::test

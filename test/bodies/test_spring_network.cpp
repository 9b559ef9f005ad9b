#include "spatial_dynamics/bodies/spring_network.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bodies/random_points.hpp"
#include "spatial_dynamics/bodies/rigid_body.hpp"
#include "support/constants.hpp"

namespace spatial_dynamics::test {
namespace {

Vector3 momentum(const PointMasses& points) { return total_mass(points) * center_velocity(points); }

TEST(PES, TheMomentumLawsHoldForAnySprings) {
  // Eq. 9 and 16 with arbitrary tensions that act equally on both ends.
  Random random(1);
  for (int trial = 0; trial < kTrials; ++trial) {
    const PointMasses points = random_points(random, 8);
    const std::vector<Spring> springs = springs_between_all(points, 1.0);
    std::vector<double> tensions;
    for (std::size_t i = 0; i < springs.size(); ++i) {
      tensions.push_back(uniform(random, -100, 100));
    }
    std::vector<Vector3> outer, forces;
    for (std::size_t k = 0; k < points.size(); ++k) outer.push_back(random_vector3(random));
    forces = outer;
    add_spring_forces(points, springs, tensions, forces);
    const Vector3 center = center_of_mass(points);
    Vector3 force = Vector3::Zero(), torque = Vector3::Zero(), all = force, all_torque = force;
    double largest = 0.0;
    for (std::size_t k = 0; k < points.size(); ++k) {
      force += outer[k];
      torque += (points[k].position - center).cross(outer[k]);
      all += forces[k];
      all_torque += (points[k].position - center).cross(forces[k]);
      largest = std::max(largest, forces[k].norm());
    }
    EXPECT_GT(largest, 10.0);                // the springs did act,
    EXPECT_LT((all - force).norm(), 1e-12);  // 28 tensions of 100 N that round to 1e-14 each
    EXPECT_LT((all_torque - torque).norm(), 1e-12);
  }
}

TEST(PES, SimulatedSpringsConserveMomentumAndAngularMomentum) {
  Random random(2);
  const PointMasses start = random_points(random, 8);
  const TensionLaw wild = [](const Spring& s, double length, double rate) {
    const double stretch = length - s.rest_length;
    return 30.0 * stretch + 200.0 * stretch * stretch * stretch + 0.5 * rate * std::abs(rate);
  };
  for (const TensionLaw& law : {TensionLaw(linear_tension), wild}) {
    SpringNetwork network(start, springs_between_all(start, 50.0, 0.3), law);
    constexpr int kSteps = 5000;
    for (int step = 0; step < kSteps; ++step) network.step(2e-3);
    // Each step rounds forces of up to 100 N over 2 ms by 1e-16 of them.
    constexpr double kDrift = kSteps * 1e-16 * 10;
    EXPECT_LT((momentum(network.points()) - momentum(start)).norm(), kDrift);
    EXPECT_LT((angular_momentum(network.points()) - angular_momentum(start)).norm(), kDrift);
    const double moved = (network.points()[0].position - start[0].position).norm();
    EXPECT_GT(moved, 0.1);
  }
}

TEST(PES, TheCentreOfASimulatedNetworkFallsLikeAPoint) {
  Random random(3);
  const PointMasses start = random_points(random, 6);
  SpringNetwork network(start, springs_between_all(start, 80.0));
  const Vector3 g(0, 0, -9.81);
  const PointForce weight = [&](std::size_t, const PointMass& p, double) -> Vector3 {
    return p.mass * g;
  };
  constexpr double kDt = 1e-3;
  constexpr int kSteps = 1000;
  for (int step = 0; step < kSteps; ++step) network.step(kDt, weight);
  const double t = kSteps * kDt;
  // Verlet is exact for a constant acceleration; the rest is the rounding error of 1000 sums.
  const Vector3 expected = center_of_mass(start) + t * center_velocity(start) + 0.5 * t * t * g;
  EXPECT_LT((center_of_mass(network.points()) - expected).norm(), 1e-12);
  EXPECT_LT((center_velocity(network.points()) - center_velocity(start) - t * g).norm(), 1e-12);
  EXPECT_LT((angular_momentum(network.points()) - angular_momentum(start)).norm(), 1e-11);
  EXPECT_NEAR(network.time(), t, 1e-12);
}

double energy(const SpringNetwork& network) {
  return kinetic_energy(network.points()) + network.elastic_energy();
}

TEST(PES, ANetworksEnergyErrorIsOfSecondOrderInTheStep) {
  Random random(4);
  const PointMasses start = random_points(random, 6);
  double before = 0.0;
  for (const double dt : {4e-3, 2e-3, 1e-3}) {
    SpringNetwork network(start, springs_between_all(start, 100.0));
    const double at_start = energy(network);
    double worst = 0.0;
    for (int step = 0; step < static_cast<int>(std::lround(1.0 / dt)); ++step) {
      network.step(dt);
      worst = std::max(worst, std::abs(energy(network) - at_start));
    }
    if (before > 0.0) {
      EXPECT_NEAR(before / worst, 4.0, 0.2);
    }
    before = worst;
  }
}

TEST(PES, DampedSpringsLoseEnergyUntilTheNetworkIsRigid) {
  Random random(5);
  PointMasses start = random_points(random, 6);
  SpringNetwork network(start, springs_between_all(start, 200.0, 5.0));
  double last = energy(network);
  for (int k = 0; k < 20; ++k) {
    for (int step = 0; step < 500; ++step) network.step(1e-3);
    EXPECT_LE(energy(network), last * (1 + 1e-9));
    last = energy(network);
  }
  // The rest is motion as one body: U_k = U_cm + Omega x X~_k [eq. 21], up to the remaining
  // vibration.
  const PointMasses& end = network.points();
  const RigidBody body = RigidBody::from_points(end);
  for (std::size_t k = 0; k < end.size(); ++k) {
    EXPECT_LT((body.point(k).velocity - end[k].velocity).norm(), 1e-2);
  }
}

/// The distance of a network of this stiffness from the rigid body after half a second of tumbling.
double distance_from_rigid(const PointMasses& start, const RigidBody& rigid, double stiffness) {
  SpringNetwork network(start, springs_between_all(start, stiffness));
  const double dt =
      0.02 / std::sqrt(stiffness);  // a fiftieth of the fastest vibration's stable step
  const int steps = static_cast<int>(std::lround(0.5 / dt));
  for (int step = 0; step < steps; ++step) network.step(0.5 / steps);
  double worst = 0.0;
  for (std::size_t k = 0; k < start.size(); ++k) {
    worst = std::max(worst, (network.points()[k].position - rigid.point(k).position).norm());
  }
  return worst;
}

TEST(PES, AStiffNetworkFollowsTheRigidBody) {
  Random random(6);
  PointMasses start = random_points(random, 6);
  move_rigidly(start, {0.3, -0.2, 0.1}, {2.0, -1.0, 3.0});
  RigidBody rigid = RigidBody::from_points(start);
  constexpr int kSteps = 500000;  // the first-order error of the scheme stays at 1e-5
  for (int step = 0; step < kSteps; ++step) rigid.step(0.5 / kSteps);
  // Springs stretch by about m Omega^2 r / stiffness: ten times stiffer, ten times nearer.
  const double soft = distance_from_rigid(start, rigid, 1e3);
  const double stiff = distance_from_rigid(start, rigid, 1e4);
  const double stiffer = distance_from_rigid(start, rigid, 1e5);
  EXPECT_LT(soft, 0.1);
  EXPECT_NEAR(soft / stiff, 10.0, 5.0);
  EXPECT_NEAR(stiff / stiffer, 10.0, 5.0);
}

TEST(PES, SpringsToMissingPointsAreRejected) {
  Random random(7);
  const PointMasses points = random_points(random, 3);
  for (const Spring& bad : {Spring{0, 3, 1.0, 1.0}, Spring{1, 1, 1.0, 1.0}}) {
    try {
      const SpringNetwork network(points, {bad});
      FAIL();
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("spring 0"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace spatial_dynamics::test

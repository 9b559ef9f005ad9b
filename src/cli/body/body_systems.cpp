#include "cli/body/body_systems.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <stdexcept>

#include "spatial_dynamics/bodies/hinged_pair.hpp"
#include "spatial_dynamics/bodies/rigid_body.hpp"
#include "spatial_dynamics/bodies/spring_network.hpp"

namespace spatial_dynamics::cli {
namespace {

std::string figure(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

std::size_t step_count(const BodySetup& setup) {
  return static_cast<std::size_t>(std::max(1LL, std::llround(setup.seconds / setup.dt)));
}

/// Calls record(time) at the start and after each step.
template <typename Step, typename Record>
void simulate(const BodySetup& setup, const ReportShare& progress, const Step& step,
              const Record& record) {
  const std::size_t steps = step_count(setup);
  record(0.0);
  for (std::size_t k = 1; k <= steps; ++k) {
    step(static_cast<double>(k - 1) * setup.dt);
    record(static_cast<double>(k) * setup.dt);
    progress(static_cast<double>(k) / static_cast<double>(steps));
  }
}

double size_of(double x) { return std::abs(x); }
template <typename Vector>
double size_of(const Vector& x) {
  return x.norm();
}

/// The largest distance from the first value, relative to the first value.
template <typename Value>
class Change {
 public:
  void add(const Value& value) {
    if (!first_) first_ = value;
    largest_ = std::max(largest_, size_of(Value(value - *first_)));
  }
  [[nodiscard]] double share() const { return largest_ / size_of(*first_); }

 private:
  std::optional<Value> first_;
  double largest_ = 0.0;
};

/// Corners of an oblique pyramid with three different inertias. They rotate about their centre.
PointMasses rotating_points() {
  PointMasses points{{0.5, {0.3, 0.0, 0.0}},
                     {0.4, {-0.3, 0.1, 0.0}},
                     {0.3, {0.0, 0.4, 0.1}},
                     {0.4, {0.1, -0.3, 0.1}},
                     {0.4, {0.0, 0.0, 0.5}}};
  const Vector3 center = center_of_mass(points);
  const Vector3 angular_velocity(0.4, 2.0, 0.8);  // rad/s
  for (PointMass& point : points) point.velocity = angular_velocity.cross(point.position - center);
  return points;
}

}  // namespace

BodyMotion tumble(const BodySetup& setup, const ReportShare& progress) {
  const Matrix3 inertia = Vector3(0.01, 0.02, 0.03).asDiagonal();  // kg m^2
  const Vector3 start(1e-3, 2.0, 1e-3);  // rad/s: nearly about the intermediate axis
  RigidBody body(1.0, inertia, Vector3::Zero(), Vector3::Zero(), inertia * start,
                 {Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()});
  BodyMotion motion{History({"wx", "wy", "wz", "kinetic_energy", "angular_momentum"}), {}, {}};
  Change<Vector3> momentum;
  Change<double> energy;
  int reversals = 0;
  double side = 1.0;
  simulate(
      setup, progress, [&](double) { body.step(setup.dt); },
      [&](double time) {
        const Vector3 w = body.angular_velocity();
        const auto along = [&](std::size_t axis) { return w.dot(body.offsets()[axis]); };
        motion.history.add(time, {along(0), along(1), along(2), body.kinetic_energy(),
                                  body.angular_momentum().norm()});
        momentum.add(body.angular_momentum());
        energy.add(body.kinetic_energy());
        if (along(1) * side < -0.5 * start.y()) {
          side = -side;
          ++reversals;
        }
      });
  motion.panels = {{"angular velocity along the body's axes, rad/s",
                    {{0, "smallest inertia"}, {1, "intermediate inertia"}, {2, "largest inertia"}}},
                   {"kinetic energy, J", {{3, "kinetic"}}}};
  motion.summary =
      "A free body rotates about the axis of its intermediate inertia, which is not stable.\n"
      "It flipped over " +
      std::to_string(reversals) + (reversals == 1 ? " time.\n" : " times.\n") +
      "Angular momentum changed by at most " + figure(momentum.share()) +
      " (relative): the integrator conserves it exactly.\nKinetic energy changed by at most " +
      figure(energy.share()) + " (relative); half the --dt halves this change.\n";
  return motion;
}

BodyMotion springs(const BodySetup& setup, const ReportShare& progress) {
  const PointMasses points = rotating_points();
  const auto others = static_cast<double>(points.size() - 1);
  const double longest = 2.0 * std::sqrt(0.3 / (setup.stiffness * others));
  if (setup.dt > longest) {
    throw std::invalid_argument("Springs of this stiffness need a --dt below " + figure(longest) +
                                " s.");
  }
  SpringNetwork network(points, springs_between_all(points, setup.stiffness));
  RigidBody rigid = RigidBody::from_points(points);
  BodyMotion motion{
      History({"distance", "kinetic_energy", "elastic_energy", "network_x", "rigid_x"}), {}, {}};
  Change<Vector3> momentum;
  Change<double> energy;
  double farthest = 0.0;
  simulate(
      setup, progress,
      [&](double) {
        network.step(setup.dt);
        rigid.step(setup.dt);
      },
      [&](double time) {
        const PointMass& point = network.points()[0];
        const double kinetic = kinetic_energy(network.points());
        const double elastic = network.elastic_energy();
        double distance = 0.0;
        for (std::size_t k = 0; k < points.size(); ++k) {
          distance =
              std::max(distance, (network.points()[k].position - rigid.point(k).position).norm());
        }
        motion.history.add(
            time, {distance, kinetic, elastic, point.position.x(), rigid.point(0).position.x()});
        momentum.add(angular_momentum(network.points()));
        energy.add(kinetic + elastic);
        farthest = std::max(farthest, distance);
      });
  motion.panels = {{"x of the first point, m", {{3, "springs"}, {4, "rigid body", true}}},
                   {"largest distance of a point from the rigid body, m", {{0, "distance"}}},
                   {"energies, J", {{1, "kinetic"}, {2, "of the springs"}}}};
  motion.summary =
      "Five points with springs of " + figure(setup.stiffness) +
      " N/m between all of them rotate in space, compared with a rigid body.\n"
      "Angular momentum changed by at most " +
      figure(momentum.share()) +
      " (relative): the forces of springs cancel in pairs.\nEnergy changed by at most " +
      figure(energy.share()) + " (relative).\nThe points were at most " + figure(farthest) +
      " m from those of the rigid body: the stiffer the springs, the closer.\n";
  return motion;
}

BodyMotion two_body(const BodySetup& setup, const ReportShare& progress) {
  constexpr double kPush = 0.5;  // s
  TwoBodies pair{};
  pair.m1 = 2.0;
  pair.c1 = Vector3::Zero();
  pair.I1 = Vector3(0.02, 0.03, 0.04).asDiagonal();
  pair.m2 = 1.0;
  pair.c2 = Vector3(0.5, 0.0, 0.1);
  pair.I2 = Vector3(0.005, 0.02, 0.02).asDiagonal();
  pair.p = Vector3(0.2, 0.0, 0.0);
  pair.s = Vector3::UnitZ();
  const StateSpace system = hinged_pair_system(pair);
  VectorXd x = VectorXd::Zero(system.states);
  x(3) = 1.0;  // identity quaternion
  VectorXd pushed = VectorXd::Zero(system.inputs);
  pushed.head<6>() << 0.0, 0.05, 0.0, 0.0, 4.0, 1.0;  // N m, N
  const VectorXd no_force = VectorXd::Zero(system.inputs);
  BodyMotion motion{History({"angle", "rate", "c1_y", "c2_y", "kinetic_energy"}), {}, {}};
  Change<Vector6> momentum;
  Change<double> energy;
  bool was_pushed = false;
  simulate(
      setup, progress,
      [&](double time) {
        was_pushed = time + 0.5 * setup.dt < kPush;
        x = runge_kutta_step(system, x, was_pushed ? pushed : no_force, setup.dt);
      },
      [&](double time) {
        const VectorXd y = system.h(x, no_force);
        motion.history.add(time, {x(7), x(14), y(1), y(4), y(12)});
        if (time + 0.5 * setup.dt < kPush) return;
        momentum.add(y.segment<6>(6));
        energy.add(y(12));
      });
  motion.panels = {{"angle of the hinge, rad", {{0, "angle"}}},
                   {"y of the centres of mass, m", {{2, "first body"}, {3, "second body"}}},
                   {"kinetic energy, J", {{4, "kinetic"}}}};
  motion.summary = "Two hinged bodies float in space. The first is pushed for " + figure(kPush) +
                   " s, then no force acts.\n";
  if (setup.seconds <= kPush) return motion;
  motion.summary += "After that, momentum changed by at most " + figure(momentum.share()) +
                    " (relative) and kinetic energy by at most " + figure(energy.share()) + ".\n";
  return motion;
}

}  // namespace spatial_dynamics::cli

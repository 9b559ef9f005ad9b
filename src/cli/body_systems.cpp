#include "body_systems.hpp"

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
void walk(const BodySetup& setup, const ReportShare& progress, const Step& step,
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

/// The largest distance from the first value, which is also the measure of it.
template <typename Value>
class Change {
 public:
  void see(const Value& value) {
    if (!first_) first_ = value;
    largest_ = std::max(largest_, size_of(Value(value - *first_)));
  }
  [[nodiscard]] double share() const { return largest_ / size_of(*first_); }

 private:
  std::optional<Value> first_;
  double largest_ = 0.0;
};

/// Corners of a slanting pyramid: no two inertias alike. They turn about their centre.
PointMasses turning_points() {
  PointMasses points{{0.5, {0.3, 0.0, 0.0}},
                     {0.4, {-0.3, 0.1, 0.0}},
                     {0.3, {0.0, 0.4, 0.1}},
                     {0.4, {0.1, -0.3, 0.1}},
                     {0.4, {0.0, 0.0, 0.5}}};
  const Vector3 center = center_of_mass(points);
  const Vector3 turn(0.4, 2.0, 0.8);  // rad/s
  for (PointMass& point : points) point.velocity = turn.cross(point.position - center);
  return points;
}

}  // namespace

BodyMotion tumble(const BodySetup& setup, const ReportShare& progress) {
  const Matrix3 inertia = Vector3(0.01, 0.02, 0.03).asDiagonal();  // kg m^2
  const Vector3 start(1e-3, 2.0, 1e-3);  // rad/s: about the middle axis, but for a little
  RigidBody body(1.0, inertia, Vector3::Zero(), Vector3::Zero(), inertia * start,
                 {Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()});
  BodyMotion motion{History({"wx", "wy", "wz", "kinetic_energy", "angular_momentum"}), {}, {}};
  Change<Vector3> momentum;
  Change<double> energy;
  int turns_over = 0;
  double side = 1.0;
  walk(
      setup, progress, [&](double) { body.step(setup.dt); },
      [&](double time) {
        const Vector3 w = body.angular_velocity();
        const auto along = [&](std::size_t axis) { return w.dot(body.offsets()[axis]); };
        motion.history.add(time, {along(0), along(1), along(2), body.kinetic_energy(),
                                  body.angular_momentum().norm()});
        momentum.see(body.angular_momentum());
        energy.see(body.kinetic_energy());
        if (along(1) * side < -0.5 * start.y()) {
          side = -side;
          ++turns_over;
        }
      });
  motion.panels = {{"angular velocity along the body's own axes, rad/s",
                    {{0, "least inertia"}, {1, "middle inertia"}, {2, "greatest inertia"}}},
                   {"kinetic energy, J", {{3, "kinetic"}}}};
  motion.words =
      "A free body spins about the axis of its middle inertia, which is not stable.\n"
      "It turned over " +
      std::to_string(turns_over) + (turns_over == 1 ? " time.\n" : " times.\n") +
      "Angular momentum changed by at most " + figure(momentum.share()) +
      " of itself: the scheme keeps it exactly.\nKinetic energy changed by at most " +
      figure(energy.share()) + " of itself: half of it with half the --dt.\n";
  return motion;
}

BodyMotion springs(const BodySetup& setup, const ReportShare& progress) {
  const PointMasses points = turning_points();
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
  walk(
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
        momentum.see(angular_momentum(network.points()));
        energy.see(kinetic + elastic);
        farthest = std::max(farthest, distance);
      });
  motion.panels = {{"x of the first point, m", {{3, "springs"}, {4, "rigid body", true}}},
                   {"largest distance of a point from the rigid body's, m", {{0, "distance"}}},
                   {"energies, J", {{1, "kinetic"}, {2, "of the springs"}}}};
  motion.words =
      "Five points with springs of " + figure(setup.stiffness) +
      " N/m between all of them turn in space, beside the rigid body that they would be.\n"
      "Angular momentum changed by at most " +
      figure(momentum.share()) +
      " of itself: springs cancel in pairs.\nEnergy changed by at most " + figure(energy.share()) +
      " of itself.\nThe points were at most " + figure(farthest) +
      " m from the rigid body's: the stiffer the springs, the nearer.\n";
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
  x(3) = 1.0;  // upright
  VectorXd pushed = VectorXd::Zero(system.inputs);
  pushed.head<6>() << 0.0, 0.05, 0.0, 0.0, 4.0, 1.0;  // N m, N
  const VectorXd alone = VectorXd::Zero(system.inputs);
  BodyMotion motion{History({"angle", "rate", "c1_y", "c2_y", "kinetic_energy"}), {}, {}};
  Change<Vector6> momentum;
  Change<double> energy;
  bool was_pushed = false;
  walk(
      setup, progress,
      [&](double time) {
        was_pushed = time + 0.5 * setup.dt < kPush;
        x = runge_kutta_step(system, x, was_pushed ? pushed : alone, setup.dt);
      },
      [&](double time) {
        const VectorXd y = system.h(x, alone);
        motion.history.add(time, {x(7), x(14), y(1), y(4), y(12)});
        if (time + 0.5 * setup.dt < kPush) return;
        momentum.see(y.segment<6>(6));
        energy.see(y(12));
      });
  motion.panels = {{"angle of the hinge, rad", {{0, "angle"}}},
                   {"y of the centres of mass, m", {{2, "first body"}, {3, "second body"}}},
                   {"kinetic energy, J", {{4, "kinetic"}}}};
  motion.words = "Two bodies on a hinge float in space. The first is pushed for " + figure(kPush) +
                 " s, then both are left alone.\n";
  if (setup.seconds <= kPush) return motion;
  motion.words += "From then on momentum changed by at most " + figure(momentum.share()) +
                  " of itself and kinetic energy by at most " + figure(energy.share()) + ".\n";
  return motion;
}

}  // namespace spatial_dynamics::cli

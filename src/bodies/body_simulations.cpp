#include "bodies/body_simulations.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "spatial_dynamics/bodies/hinged_pair.hpp"
#include "spatial_dynamics/bodies/rigid_body.hpp"
#include "spatial_dynamics/bodies/spring_network.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kSmallestPointMass = 0.3;  // kg, of rotating_points()

/// Calls record(time) at the start and after each step.
template <typename Step, typename Record>
void simulate(const SimulationTimes& times, const Step& step, const Record& record) {
  const auto steps =
      static_cast<std::size_t>(std::max(1LL, std::llround(times.seconds / times.dt)));
  record(0.0);
  for (std::size_t k = 1; k <= steps; ++k) {
    step(static_cast<double>(k - 1) * times.dt);
    record(static_cast<double>(k) * times.dt);
    times.progress(static_cast<double>(k) / static_cast<double>(steps));
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

TumblingBody simulate_tumbling_body(const SimulationTimes& times) {
  const Matrix3 inertia = Vector3(0.01, 0.02, 0.03).asDiagonal();  // kg m^2
  const Vector3 start(1e-3, 2.0, 1e-3);  // rad/s: nearly about the intermediate axis
  RigidBody body(1.0, inertia, Vector3::Zero(), Vector3::Zero(), inertia * start,
                 {Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()});
  TumblingBody result{History({"wx", "wy", "wz", "kinetic_energy", "angular_momentum"}), {}};
  Change<Vector3> momentum;
  Change<double> energy;
  double side = 1.0;
  simulate(
      times, [&](double) { body.step(times.dt); },
      [&](double time) {
        const Vector3 w = body.angular_velocity();
        const auto along = [&](std::size_t axis) { return w.dot(body.offsets()[axis]); };
        result.history.add(time, {along(0), along(1), along(2), body.kinetic_energy(),
                                  body.angular_momentum().norm()});
        momentum.add(body.angular_momentum());
        energy.add(body.kinetic_energy());
        if (along(1) * side < -0.5 * start.y()) {
          side = -side;
          ++result.reversals;
        }
      });
  result.error = {momentum.share(), energy.share()};
  return result;
}

double longest_spring_step(double stiffness) {
  const auto others = static_cast<double>(rotating_points().size() - 1);
  return 2.0 * std::sqrt(kSmallestPointMass / (stiffness * others));
}

SpringBody simulate_spring_body(double stiffness, const SimulationTimes& times) {
  const PointMasses points = rotating_points();
  SpringNetwork network(points, springs_between_all(points, stiffness));
  RigidBody rigid = RigidBody::from_points(points);
  SpringBody result{
      History({"distance", "kinetic_energy", "elastic_energy", "network_x", "rigid_x"}), {}};
  Change<Vector3> momentum;
  Change<double> energy;
  simulate(
      times,
      [&](double) {
        network.step(times.dt);
        rigid.step(times.dt);
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
        result.history.add(
            time, {distance, kinetic, elastic, point.position.x(), rigid.point(0).position.x()});
        momentum.add(angular_momentum(network.points()));
        energy.add(kinetic + elastic);
        result.farthest = std::max(result.farthest, distance);
      });
  result.error = {momentum.share(), energy.share()};
  return result;
}

PushedPair simulate_pushed_pair(const SimulationTimes& times) {
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
  PushedPair result{History({"angle", "rate", "c1_y", "c2_y", "kinetic_energy"}), {}};
  Change<Vector6> momentum;
  Change<double> energy;
  bool was_pushed = false;
  simulate(
      times,
      [&](double time) {
        was_pushed = time + 0.5 * times.dt < kPushSeconds;
        x = runge_kutta_step(system, x, was_pushed ? pushed : no_force, times.dt);
      },
      [&](double time) {
        const VectorXd y = system.h(x, no_force);
        result.history.add(time, {x(7), x(14), y(1), y(4), y(12)});
        if (time + 0.5 * times.dt < kPushSeconds) return;
        momentum.add(y.segment<6>(6));
        energy.add(y(12));
      });
  result.error = {momentum.share(), energy.share()};
  result.was_free = times.seconds > kPushSeconds;
  return result;
}

}  // namespace spatial_dynamics

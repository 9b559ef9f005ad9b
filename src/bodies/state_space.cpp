#include "spatial_dynamics/bodies/state_space.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <stdexcept>

namespace spatial_dynamics {
namespace {

/// The meaning of the numbers of a single body's x and u.
struct SingleBody {
  Inertia inertia;
  VelocityChoice choice;

  struct State {
    Quaternion attitude;
    BodyPose pose;
    Motion velocity;
  };
  static State read(const VectorXd& x) {
    Quaternion attitude(x(3), x(0), x(1), x(2));
    attitude.normalize();
    return {attitude, {attitude.toRotationMatrix(), x.segment<3>(4)}, Motion(Vector6(x.tail<6>()))};
  }

  [[nodiscard]] Motion acceleration(const State& s, const VectorXd& u) const {
    // Weight acts at the centre of mass: at z it is M [0; g].
    const Force weight =
        inertia_in(VelocityChoice::kPoint, s.pose, inertia) * Motion(Vector3::Zero(), u.tail<3>());
    const Force at_z = Force(Vector6(u.head<6>())) + weight;
    const Transform to_choice = frame_of(choice, s.pose, inertia) *
                                frame_of(VelocityChoice::kPoint, s.pose, inertia).inverse();
    return generalized_acceleration(choice, inertia_in(choice, s.pose, inertia), s.velocity,
                                    to_choice.apply_star(at_z));
  }

  [[nodiscard]] Motion velocity_of_z(const State& s) const {
    return change_choice(choice, VelocityChoice::kPoint, s.pose, inertia, s.velocity);
  }

  [[nodiscard]] VectorXd g(const VectorXd& x, const VectorXd& u) const {
    const State s = read(x);
    const Motion V = velocity_of_z(s);
    // q' = 1/2 (w, 0) q for w along inertial axes
    const Quaternion turn =
        Quaternion(0.0, V.angular.x(), V.angular.y(), V.angular.z()) * s.attitude;
    VectorXd rate(13);
    rate << 0.5 * turn.coeffs(), V.linear, acceleration(s, u).vector();
    return rate;
  }

  [[nodiscard]] VectorXd h(const VectorXd& x, const VectorXd& u) const {
    const State s = read(x);
    const Motion V = velocity_of_z(s);
    const Inertia M = inertia_in(VelocityChoice::kPoint, s.pose, inertia);
    VectorXd y(17);
    y << s.attitude.coeffs(), s.pose.position, V.vector(), 0.5 * quadratic_form(M, V),
        s.pose.rotation.transpose() * (acceleration_of_z(s, V, u) - u.tail<3>());
    return y;
  }

 private:
  /// d/dt of the velocity of z along inertial axes, for every choice.
  [[nodiscard]] Vector3 acceleration_of_z(const State& s, const Motion& V,
                                          const VectorXd& u) const {
    const SingleBody same{inertia, VelocityChoice::kPoint};
    return same.acceleration({s.attitude, s.pose, V}, u).linear;
  }
};

}  // namespace

VectorXd runge_kutta_step(const StateSpace& system, const VectorXd& x, const VectorXd& u,
                          double dt) {
  const VectorXd k1 = system.g(x, u);
  const VectorXd k2 = system.g(x + 0.5 * dt * k1, u);
  const VectorXd k3 = system.g(x + 0.5 * dt * k2, u);
  const VectorXd k4 = system.g(x + dt * k3, u);
  return x + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
}

StateSpace single_body_system(const Inertia& inertia, VelocityChoice choice) {
  if (!(inertia.mass > 0.0)) throw std::invalid_argument("a body needs a positive mass to move");
  const SingleBody body{inertia, choice};
  return {13, 9, 17, [body](const VectorXd& x, const VectorXd& u) { return body.g(x, u); },
          [body](const VectorXd& x, const VectorXd& u) { return body.h(x, u); }};
}

StateSpace pendulum_system(const TwoLinkPendulum& pendulum, PendulumAngles angles) {
  StateSpace system{4, 2, 5, nullptr, nullptr};
  system.g = [=](const VectorXd& x, const VectorXd& u) {
    const EquationOfMotion e = equation_of_motion(pendulum, angles, x.head(2), x.tail(2));
    VectorXd rate(4);
    rate << x.tail(2), e.M.llt().solve(u - e.bias);
    return rate;
  };
  system.h = [=](const VectorXd& x, const VectorXd&) {
    const double q2 = angles == PendulumAngles::kRelative ? x(0) + x(1) : x(1);
    const Eigen::Vector2d elbow = pendulum.l1 * Eigen::Vector2d(std::sin(x(0)), -std::cos(x(0)));
    VectorXd y(5);
    y << elbow, elbow + pendulum.c2 * Eigen::Vector2d(std::sin(q2), -std::cos(q2)),
        energy(pendulum, angles, x.head(2), x.tail(2));
    return y;
  };
  return system;
}

}  // namespace spatial_dynamics

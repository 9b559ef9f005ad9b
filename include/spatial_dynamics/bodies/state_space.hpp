// Mechanics as a dynamical system: x' = g(x, u), y = h(x, u). [SOA 2: dynamical systems]
#pragma once

#include <functional>

#include "spatial_dynamics/bodies/single_body.hpp"
#include "spatial_dynamics/bodies/two_link_pendulum.hpp"

namespace spatial_dynamics {

/// A smooth system. x holds coordinates and velocities, u external forces, y measurements. The
/// functions allocate their results.
struct StateSpace {
  Eigen::Index states;
  Eigen::Index inputs;
  Eigen::Index outputs;
  std::function<VectorXd(const VectorXd& x, const VectorXd& u)> g;
  std::function<VectorXd(const VectorXd& x, const VectorXd& u)> h;
};

/// x after dt seconds of constant u, by the classical Runge-Kutta method of fourth order.
/// Allocates.
VectorXd runge_kutta_step(const StateSpace& system, const VectorXd& x, const VectorXd& u,
                          double dt);

/// One rigid body, `inertia` in its frame at z.
///  x (13): quaternion xyzw of the body, position of z, generalised velocity of this choice;
///  u (9):  wrench at z along inertial axes [moment; force], gravity in inertial axes;
///  y (17): quaternion (unit), position of z, velocity of z along inertial axes [angular; linear],
///          kinetic energy, and the reading of an accelerometer at z, along the body's axes: its
///          acceleration minus gravity.
/// Allocates; throws std::invalid_argument if the mass is not positive.
StateSpace single_body_system(const Inertia& inertia, VelocityChoice choice);

/// A two-link pendulum: x (4) angles and rates, u (2) the forces that belong to these rates, y (5)
/// positions (x, z) of the elbow and of the second link's centre of mass, and the energy.
/// Allocates.
StateSpace pendulum_system(const TwoLinkPendulum& pendulum, PendulumAngles angles);

}  // namespace spatial_dynamics

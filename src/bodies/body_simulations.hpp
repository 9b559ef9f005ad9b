// Simulations of free bodies that conserve momentum, with the errors of the integration.
#pragma once

#include <functional>

#include "support/history.hpp"

namespace spatial_dynamics {

/// Duration, step (s) and progress callback of a simulation.
struct SimulationTimes {
  double seconds = 0.0;
  double dt = 0.0;
  std::function<void(double share)> progress = [](double) {};  ///< called after each step
};

/// The largest distance of conserved quantities from their first values, relative to these.
struct ConservationError {
  double momentum = 0.0;
  double energy = 0.0;
};

struct TumblingBody {
  /// Angular velocity along the body's axes (wx, wy, wz), kinetic_energy, angular_momentum.
  History history;
  ConservationError error;
  int reversals = 0;  ///< of the rotation about the intermediate axis
};
/// A free body with three different inertias that rotates about the intermediate axis. [PES eq. 37
/// to 41, 52, 62] Allocates.
TumblingBody simulate_tumbling_body(const SimulationTimes& times);

struct SpringBody {
  /// distance, kinetic_energy, elastic_energy, network_x, rigid_x.
  History history;
  ConservationError error;
  double farthest = 0.0;  ///< of a point from that of the rigid body, m
};
/// Five points with springs of `stiffness` (N/m) between all of them, rotating in space, compared
/// with a rigid body. [PES eq. 1 to 3] Diverges if dt is above longest_spring_step(). Allocates.
SpringBody simulate_spring_body(double stiffness, const SimulationTimes& times);
/// The longest stable step of simulate_spring_body(), s.
double longest_spring_step(double stiffness);

struct PushedPair {
  /// angle, rate, c1_y, c2_y, kinetic_energy.
  History history;
  ConservationError error;  ///< after the push
  bool was_free = false;    ///< the simulation is longer than the push
};
/// How long the first of two bodies is pushed, s.
inline constexpr double kPushSeconds = 0.5;
/// Two hinged bodies in space. The first is pushed, then left alone. [F3D, F6D] Allocates.
PushedPair simulate_pushed_pair(const SimulationTimes& times);

}  // namespace spatial_dynamics

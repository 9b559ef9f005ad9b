// Energy, centre of mass and momentum of the whole robot.
#pragma once

#include "spatial_dynamics/dynamics/data.hpp"

namespace spatial_dynamics {

// O(n). Real-time safe; throws std::invalid_argument for a wrong size.

/// Kinetic energy in J: 1/2 v' M v, including rotors.
double kinetic_energy(const Model& model, Data& data, VectorView q, VectorView v);

/// Potential energy in J: -sum of m g.c over all bodies, including the links of the base; zero at
/// the world's origin.
double potential_energy(const Model& model, Data& data, VectorView q);

/// Centre of mass of all links, including those of the base, in the world's frame, in m. The origin
/// if the total mass is zero.
Vector3 center_of_mass(const Model& model, Data& data, VectorView q);

/// Momentum of all bodies about their common centre of mass, along the world's axes: angular (kg
/// m^2/s), then linear (kg m/s).
Force centroidal_momentum(const Model& model, Data& data, VectorView q, VectorView v);

}  // namespace spatial_dynamics

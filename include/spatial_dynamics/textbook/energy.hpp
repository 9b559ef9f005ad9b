// Energy, centre of mass and momentum of the whole robot.
#pragma once

#include "spatial_dynamics/textbook/data.hpp"

namespace spatial_dynamics::textbook {

/// 1/2 v' M v, rotors (armature) included. J. Real-time safe.
double kinetic_energy(const Model& model, Data& data, VectorIn q, VectorIn v) noexcept;

/// -sum of m g.c over all bodies, the base's links included; zero at the world's origin. J.
/// Real-time safe.
double potential_energy(const Model& model, Data& data, VectorIn q) noexcept;

/// Centre of mass of all links, the base's included, in the world's frame; the origin if nothing
/// has mass. m. Real-time safe.
Vector3 center_of_mass(const Model& model, Data& data, VectorIn q) noexcept;

/// Momentum of all bodies about their common centre of mass, along the world's axes. Real-time
/// safe.
Force centroidal_momentum(const Model& model, Data& data, VectorIn q, VectorIn v) noexcept;

}  // namespace spatial_dynamics::textbook

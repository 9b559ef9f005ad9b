// Forces of the ground on a robot that stands or walks.
#pragma once

#include <string>
#include <vector>

#include "spatial_dynamics/dynamics/data.hpp"

namespace spatial_dynamics {

/// A point of the robot that touches the ground.
struct Contact {
  Index link = 0;                   ///< from Model::find_link()
  Vector3 point = Vector3::Zero();  ///< in the link's frame, m
};

/// Whether forces at the contacts can support a motion, and if not, the first reason that applies.
enum class Balance {
  kBalanced,
  kNoGravity,       ///< gravity is zero, so no direction is up
  kPull,            ///< the ground would have to pull the robot
  kOutsideSupport,  ///< the centre of mass (in motion: the zero-moment point) is not supported
  kFriction,        ///< the feet would slip
  kUnbalanced,      ///< the contacts cannot provide the moment, for example about a vertical axis
};

/// Results of contact_forces(). Construct it once; it may be used for any contacts of this model.
struct ContactForces {
  /// For at most `capacity` contacts at once. Allocates.
  ContactForces(const Model& model, std::size_t capacity);

  Balance balance = Balance::kUnbalanced;
  std::vector<Vector3> forces;  ///< on the robot, one per contact, along the world's axes, N
  /// These forces and the other external forces, for inverse_dynamics() and the like.
  ExternalForces wrenches;
  /// The largest ratio of tangential to normal force: the friction coefficient that these forces
  /// need.
  double needed_friction = 0.0;
  /// kPull: the force towards the ground, N. kOutsideSupport: the distance to the support polygon,
  /// m. kFriction: the coefficient that the smallest forces without a limit of friction need.
  double excess = 0.0;
  bool at_rest = false;   ///< no velocity, no acceleration, no other external forces
  double friction = 0.0;  ///< the given coefficient

  std::vector<Vector3> points;  ///< scratch: the contacts in the world
};

/// A usual coefficient: rubber on a dry floor.
inline constexpr double kDefaultGroundFriction = 1.0;

/// The forces of a horizontal ground (perpendicular to gravity) at the contacts that support the
/// motion q, v, a: with them, inverse dynamics needs no force and no moment at the floating base.
/// Among these forces the ones with the smallest sum of squares are chosen; they are unique. A
/// normal force is not negative, and a tangential force is at most `friction` (>= 0, may be
/// infinite) times the normal force. The contacts may have different heights.
///
/// Returns true if such forces exist (result.balance is kBalanced). Otherwise all forces are zero.
/// Does not allocate or lock. O(n), and usually 50 evaluations of O(contacts), but some thousands
/// if the friction only just suffices; the limit is 180000, so use it in a control loop only with a
/// margin of friction. Throws std::invalid_argument for a wrong size, a model without a floating
/// base, a contact on a link that the base does not move, no contacts, more contacts than the
/// capacity, or a negative friction.
bool contact_forces(const Model& model, Data& data, VectorView q, VectorView v, VectorView a,
                    const std::vector<Contact>& contacts, ContactForces& result,
                    double friction = kDefaultGroundFriction,
                    const ExternalForces& external = kNoExternalForces);

/// A sentence with the reason why the forces do not exist; empty if they do. Allocates.
std::string explain(const ContactForces& result);

}  // namespace spatial_dynamics

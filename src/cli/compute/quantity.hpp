// The quantities that a state can request.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics::cli {

enum class Quantity {
  kInverseDynamics,
  kForwardDynamics,
  kBias,
  kGravity,
  kCoriolisMatrix,
  kMassMatrix,
  kKineticEnergy,
  kPotentialEnergy,
  kCenterOfMass,
  kPose,
  kJacobian,
  kJointWrenches,
  kMassMatrixInverse,
  kMomentum,
  kInverseDynamicsDerivatives,
  kForwardDynamicsDerivatives,
  kRegressor,
  kContactForces,
  kNeededFriction,
};

struct RequestedQuantity {
  Quantity quantity = Quantity::kInverseDynamics;
  Index link = kNoIndex;  ///< for poses and Jacobians
};

inline bool operator==(const RequestedQuantity& a, const RequestedQuantity& b) noexcept {
  return a.quantity == b.quantity && a.link == b.link;
}

/// "id fd bias … pose:LINK …": the names of all quantities, for messages.
std::string quantity_names();

/// Reads "id", "pose:LINK" and so on. Allocates; throws InputError that names the unknown quantity
/// or link.
RequestedQuantity parse_quantity(std::string_view text, const Model& model);

/// The inverse of parse_quantity(); also the key of the answer.
std::string to_string(const RequestedQuantity& request, const Model& model);

}  // namespace spatial_dynamics::cli

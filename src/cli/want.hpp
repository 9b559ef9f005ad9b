// What can be asked of a state.
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
};

struct Want {
  Quantity quantity = Quantity::kInverseDynamics;
  Index link = kNoIndex;  ///< for poses and Jacobians
};

inline bool operator==(const Want& a, const Want& b) noexcept {
  return a.quantity == b.quantity && a.link == b.link;
}

/// "id", "pose:LINK", …: every spelling, for messages and help.
std::string list_of_wants();

/// Allocates; throws InputError that names what is unknown.
Want parse_want(std::string_view text, const Model& model);

/// The text that parse_want understands, which is also the key of the answer.
std::string to_string(const Want& want, const Model& model);

}  // namespace spatial_dynamics::cli

#include "cli/compute/quantity.hpp"

#include <array>

#include "cli/compute/json_reader.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::cli {

namespace {

struct Spelling {
  Quantity quantity;
  std::string_view name;
  bool of_a_link;
};

constexpr std::array<Spelling, 19> kSpellings{{
    {Quantity::kInverseDynamics, "id", false},
    {Quantity::kForwardDynamics, "fd", false},
    {Quantity::kBias, "bias", false},
    {Quantity::kGravity, "gravity", false},
    {Quantity::kCoriolisMatrix, "coriolis_matrix", false},
    {Quantity::kMassMatrix, "mass_matrix", false},
    {Quantity::kKineticEnergy, "kinetic_energy", false},
    {Quantity::kPotentialEnergy, "potential_energy", false},
    {Quantity::kCenterOfMass, "center_of_mass", false},
    {Quantity::kPose, "pose", true},
    {Quantity::kJacobian, "jacobian", true},
    {Quantity::kJointWrenches, "joint_wrenches", false},
    {Quantity::kMassMatrixInverse, "mass_matrix_inverse", false},
    {Quantity::kMomentum, "momentum", false},
    {Quantity::kInverseDynamicsDerivatives, "id_derivatives", false},
    {Quantity::kForwardDynamicsDerivatives, "fd_derivatives", false},
    {Quantity::kRegressor, "regressor", false},
    {Quantity::kContactForces, "contact_forces", false},
    {Quantity::kNeededFriction, "needed_friction", false},
}};

}  // namespace

std::string quantity_names() {
  std::string list;
  for (const Spelling& spelling : kSpellings) {
    if (!list.empty()) list += ' ';
    list += spelling.name;
    if (spelling.of_a_link) list += ":LINK";
  }
  return list;
}

RequestedQuantity parse_quantity(std::string_view text, const Model& model) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  for (const Spelling& spelling : kSpellings) {
    if (spelling.name != name || spelling.of_a_link != (colon != std::string_view::npos)) continue;
    if (!spelling.of_a_link) return {spelling.quantity, kNoIndex};
    const std::string_view link_name = text.substr(colon + 1);
    const Index link = model.find_link(link_name);
    if (link == kNoIndex) {
      throw InputError("want " + in_quotes(text) + ": the robot has no link " +
                       in_quotes(link_name));
    }
    return {spelling.quantity, link};
  }
  throw InputError("want " + in_quotes(text) + " is unknown; choose among " + quantity_names());
}

std::string to_string(const RequestedQuantity& request, const Model& model) {
  for (const Spelling& spelling : kSpellings) {
    if (spelling.quantity != request.quantity) continue;
    std::string text(spelling.name);
    if (spelling.of_a_link) text += ':' + model.link(request.link).name;
    return text;
  }
  return {};
}

}  // namespace spatial_dynamics::cli

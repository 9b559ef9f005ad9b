#include "spatial_dynamics/model/coordinates.hpp"

#include <algorithm>
#include <unordered_map>

#include "spatial_dynamics/model/model_error.hpp"

namespace spatial_dynamics {

std::vector<std::string> names_of(const std::vector<ScalarCoordinate>& coordinates) {
  std::vector<std::string> names;
  names.reserve(coordinates.size());
  for (const ScalarCoordinate& coordinate : coordinates) names.push_back(coordinate.name);
  return names;
}

std::vector<ScalarCoordinate> in_order(std::vector<ScalarCoordinate> coordinates,
                                       const std::vector<std::string>& names) {
  if (names.size() != coordinates.size()) return coordinates;
  std::unordered_map<std::string_view, const ScalarCoordinate*> by_name;
  for (const ScalarCoordinate& c : coordinates) by_name.emplace(c.name, &c);
  std::vector<ScalarCoordinate> result;
  result.reserve(names.size());
  for (const std::string& name : names) {
    const auto found = by_name.find(name);
    if (found == by_name.end()) return coordinates;
    result.push_back(*found->second);
    by_name.erase(found);  // a repeated name is then not found
  }
  return result;
}

bool has_floating_base(const Model& model) noexcept {
  return model.body_count() > 1 && model.joint(1).type == JointType::kFloating &&
         model.parent(1) == 0;
}

std::vector<ScalarCoordinate> scalar_coordinates(const Model& model) {
  std::vector<ScalarCoordinate> result;
  for (const Index i : model.coordinate_joints()) {
    const Joint& joint = model.joint(i);
    if (i == 1 && has_floating_base(model)) continue;
    if (joint.type == JointType::kFloating) {
      throw ModelError("joint '" + joint.name + "'",
                       "joint '" + joint.name +
                           "' floats, but only the base may float, because no message has its "
                           "state; make it fixed in the URDF or remove it.");
    }
    if (joint.type == JointType::kPlanar) {
      const char* const suffix[] = {"/x", "/y", "/theta"};
      for (Index k = 0; k < 3; ++k) {
        result.push_back(
            {joint.name + suffix[k], i, joint.q_index + k, joint.v_index + k, k == 2, joint.type});
      }
      continue;
    }
    result.push_back({joint.name, i, joint.q_index, joint.v_index,
                      joint.type == JointType::kContinuous, joint.type});
  }
  return result;
}

Coordinates::Coordinates(const Model& model)
    : nq_(model.nq()),
      nv_(model.nv()),
      floating_base_(has_floating_base(model)),
      root_link_(model.link(0).name),
      scalars_(scalar_coordinates(model)) {}

bool Coordinates::same_as(const Coordinates& other) const noexcept {
  const auto same = [](const ScalarCoordinate& a, const ScalarCoordinate& b) {
    return a.name == b.name && a.q == b.q && a.v == b.v && a.wraps == b.wraps && a.type == b.type;
  };
  return floating_base_ == other.floating_base_ && nq_ == other.nq_ && nv_ == other.nv_ &&
         std::equal(begin(), end(), other.begin(), other.end(), same);
}

}  // namespace spatial_dynamics

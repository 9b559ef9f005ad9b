#include "spatial_dynamics/runtime/coordinates.hpp"

#include "spatial_dynamics/model/model_error.hpp"

namespace spatial_dynamics {

std::vector<std::string> names_of(const std::vector<ScalarCoordinate>& coordinates) {
  std::vector<std::string> names;
  names.reserve(coordinates.size());
  for (const ScalarCoordinate& coordinate : coordinates) names.push_back(coordinate.name);
  return names;
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
                           "' floats, and only the base may: no message carries its state; make it "
                           "fixed in the URDF or remove it.");
    }
    if (joint.type == JointType::kPlanar) {
      const char* const suffix[] = {"/x", "/y", "/theta"};
      for (Index k = 0; k < 3; ++k) {
        result.push_back({joint.name + suffix[k], i, joint.q_index + k, joint.v_index + k, k == 2});
      }
      continue;
    }
    result.push_back(
        {joint.name, i, joint.q_index, joint.v_index, joint.type == JointType::kContinuous});
  }
  return result;
}

}  // namespace spatial_dynamics

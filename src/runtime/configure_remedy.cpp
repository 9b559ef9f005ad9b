#include "runtime/configure_remedy.hpp"

#include "spatial_dynamics/model/model_error.hpp"

namespace spatial_dynamics {

std::string configure_remedy(const std::exception& error, const ParameterSet& parameters,
                             const std::string& node) {
  const std::string configure = "then: ros2 lifecycle set " + node + " configure";
  const auto restart = [](const std::string& parameter) {
    return "restart the node with another value of " + parameter + ", which is read once, at start";
  };
  if (const auto* const rejected = dynamic_cast<const ParameterError*>(&error)) {
    const ParameterDescription* row = find_parameter(parameters.table(), rejected->parameter());
    if (row == nullptr) row = find_joint_parameter(parameters.table(), rejected->parameter()).row;
    if (row != nullptr && !row->live) return restart(row->name);
  }
  if (dynamic_cast<const ModelError*>(&error) != nullptr) {
    if (!parameters.get_text("robot_description").empty()) return restart("robot_description");
    return "correct the file, " + configure + " (another urdf_file takes a restart)";
  }
  return "correct it, " + configure;
}

}  // namespace spatial_dynamics

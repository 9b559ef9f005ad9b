#include "runtime/robot.hpp"

#include <algorithm>
#include <utility>

namespace spatial_dynamics {
namespace {

/// The matrix has nv^2 numbers, so it is there only if it is published.
ControlOutput make_outputs(const TorqueController& controller, const Config& config) {
  ControlOutput out = controller.make_output();
  const Index n = config.compute.mass_matrix ? controller.model().nv() : 0;
  out.mass_matrix = MatrixXd::Zero(n, n);
  return out;
}

}  // namespace

Robot::Robot(Model loaded, ModelReport model_report, const Config& config,
             const std::vector<std::string>& order)
    : report(std::move(model_report)),
      model(std::move(loaded)),
      controller(model),
      inbox(model, controller.coordinates()),
      published(in_order(controller.coordinates().scalars(), order)),
      names(names_of(published)),
      settings(Settings{config, resolve(config)}),
      outputs(make_outputs(controller, config)),
      joints_(std::make_shared<const JointSettings>(settings.read().joints)) {
  inbox.set_jump_factor(config.state_jump_factor);
}

void Robot::set_settings(const Config& config, const JointSettings& new_joints) {
  std::atomic_store(&joints_, std::make_shared<const JointSettings>(new_joints));
  settings.write_slot() = Settings{config, new_joints};
  settings.publish();
  inbox.set_jump_factor(config.state_jump_factor);
}

std::vector<std::string> Robot::copy_inputs(const std::vector<std::shared_ptr<Robot>>& earlier) {
  const auto same = std::find_if(earlier.rbegin(), earlier.rend(), [this](const auto& other) {
    return controller.coordinates().same_as(other->controller.coordinates());
  });
  if (same != earlier.rend()) return inbox.copy_from((*same)->inbox);
  if (!earlier.empty()) return inbox.copy_world_from(earlier.back()->inbox);
  return {};
}

}  // namespace spatial_dynamics

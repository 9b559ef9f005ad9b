#include "spatial_dynamics/runtime/robot.hpp"

#include <utility>

namespace spatial_dynamics {

Robot::Robot(Model model, ModelReport model_report, const Config& config)
    : report(std::move(model_report)),
      engine(std::move(model)),
      inbox(engine),
      names(names_of(engine.coordinates())),
      settings(Settings{config, resolve_joint_settings(config, engine.model())}),
      outputs(engine.make_outputs()),
      direct_outputs(engine.make_outputs()),
      joints_(std::make_shared<const JointSettings>(settings.read().joints)) {}

void Robot::set_settings(const Config& config, const JointSettings& new_joints) {
  std::atomic_store(&joints_, std::make_shared<const JointSettings>(new_joints));
  settings.write_slot() = Settings{config, new_joints};
  settings.publish();
}

}  // namespace spatial_dynamics

#include "runtime/parameter_update.hpp"

namespace spatial_dynamics {

Config read_config(const ParameterSet& parameters, Loop loop) {
  Config config = make_config(parameters);
  if (loop == Loop::kOwn) return config;
  config.trigger = Trigger::kCaller;
  // The caller reads these from the output, whether they are published or not.
  config.compute.torque_terms = config.compute.external_torque = true;
  return config;
}

ParameterUpdate prepare_update(const ParameterSet& parameters, const ParameterChanges& changes,
                               Loop loop, double deadline_s,
                               const std::vector<std::shared_ptr<Robot>>& robots) {
  ParameterUpdate update{parameters, {}, {}};
  for (const auto& [name, value] : changes) update.parameters.change(name, value);
  update.config = read_config(update.parameters, loop);
  check_live_rate(update.config, deadline_s);
  for (const std::shared_ptr<Robot>& robot : robots) {
    try {
      update.robots.emplace_back(robot, robot->resolve(update.config));
    } catch (const ParameterError&) {
      // The newest robot decides. Values that fit it may not fit the robot that it replaces, which
      // keeps its own until its torque is zero.
      if (robot == robots.back()) throw;
    }
  }
  return update;
}

}  // namespace spatial_dynamics

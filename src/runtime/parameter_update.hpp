// Changes of parameters while a node runs: what they mean for each robot, before they are applied.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/config.hpp"
#include "runtime/robot.hpp"

namespace spatial_dynamics {

/// Who runs the cycles of a DynamicsCore: its own thread, or callers of step().
enum class Loop : std::uint8_t { kOwn, kCaller };

/// make_config() with what Loop::kCaller changes. Allocates; throws ParameterError.
Config read_config(const ParameterSet& parameters, Loop loop);

struct ParameterUpdate {
  ParameterSet parameters;
  Config config;
  /// New settings; without robots that keep theirs.
  std::vector<std::pair<std::shared_ptr<Robot>, JointSettings>> robots;
};
/// Checks changes together; `robots` has the newest one last. `deadline_s` is the deadline that
/// torques are offered with. Allocates; throws ParameterError.
ParameterUpdate prepare_update(const ParameterSet& parameters, const ParameterChanges& changes,
                               Loop loop, double deadline_s,
                               const std::vector<std::shared_ptr<Robot>>& robots);

}  // namespace spatial_dynamics

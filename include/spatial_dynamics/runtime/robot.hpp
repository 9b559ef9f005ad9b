// A robot as the node has it, from its description to the boxes between the threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spatial_dynamics/runtime/inbox.hpp"

namespace spatial_dynamics {

/// A model with all that is sized for it.
struct Robot {
  /// Throws ModelError or ParameterError.
  Robot(Model model, ModelReport model_report, const Config& config);

  ModelReport report;
  Engine engine;
  Inbox inbox;
  std::vector<std::string> names;       ///< of the scalar coordinates
  TripleBuffer<Settings> settings;      ///< parameters -> loop
  TripleBuffer<EngineOutputs> outputs;  ///< loop -> publisher
  EngineOutputs direct_outputs;         ///< of steps that the bringer of a state makes itself

  /// Per-joint settings as of now; never null. Any thread but the loop's, which has its own in `settings`.
  [[nodiscard]] std::shared_ptr<const JointSettings> joints() const {
    return std::atomic_load(&joints_);
  }
  /// Makes new settings valid, for the loop at a cycle's edge. One thread at a time. Allocates.
  void set_settings(const Config& config, const JointSettings& joints);

 private:
  std::shared_ptr<const JointSettings> joints_;
};

}  // namespace spatial_dynamics

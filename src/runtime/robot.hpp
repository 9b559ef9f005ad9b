// A robot as the node has it, from its description to the boxes between the threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/inbox.hpp"
#include "spatial_dynamics/control/torque_controller.hpp"

namespace spatial_dynamics {

/// A model with all that is sized for it.
struct Robot {
  /// Outputs and per-joint parameters follow `order`, the names of the robot before, if both have
  /// the same names; else the model's order. Throws ModelError or ParameterError.
  Robot(Model loaded, ModelReport model_report, const Config& config,
        const std::vector<std::string>& order = {});

  ModelReport report;
  const Model
      model;  ///< as loaded; the loop changes payloads and gravity of the controller's model
  TorqueController controller;
  Inbox inbox;
  std::vector<ScalarCoordinate> published;  ///< the scalar coordinates in the order of outputs
  std::vector<std::string> names;           ///< of `published`
  TripleBuffer<Settings> settings;          ///< parameters -> loop
  TripleBuffer<ControlOutput> outputs;      ///< loop -> publisher

  /// Per-joint settings as of now; never null. Any thread but the loop's, which has its own in
  /// `settings`.
  [[nodiscard]] std::shared_ptr<const JointSettings> joints() const {
    return std::atomic_load(&joints_);
  }
  /// What these parameters mean for this robot. Allocates; throws ParameterError.
  [[nodiscard]] JointSettings resolve(const Config& config) const {
    return resolve_joint_settings(config, model, names);
  }
  /// Makes new settings valid, for the loop at a cycle's edge. One thread at a time. Allocates.
  void set_settings(const Config& config, const JointSettings& joints);
  /// Copies the inputs of the newest of `earlier` with the same coordinates; if none has the same,
  /// only the world's of the newest. Returns the names of the links whose payloads are lost (see
  /// Inbox::copy_from()). No message may arrive meanwhile. Allocates.
  std::vector<std::string> copy_inputs(const std::vector<std::shared_ptr<Robot>>& earlier);

 private:
  std::shared_ptr<const JointSettings> joints_;
};

}  // namespace spatial_dynamics

// Ramps gravity, payloads and wrenches.
#pragma once

#include <cstdint>
#include <vector>

#include "ramp.hpp"
#include "robot_dynamics.hpp"
#include "spatial_dynamics/control/control_input.hpp"

namespace spatial_dynamics {

/// Applies gravity and payloads to the model and sums the wrenches. While torques are sent, all
/// changes are ramped. Construction allocates; everything else is real-time safe.
class World {
 public:
  explicit World(const Model& model);

  /// One cycle.
  void update(std::int64_t now, const ControlView& in, const RampStep& step,
              RobotDynamics& robot) noexcept;

  /// The sum of the wrenches to compensate; empty if there is none.
  [[nodiscard]] const ExternalForces& wrenches() const noexcept {
    return has_wrenches_ ? wrenches_ : kNoExternalForces;
  }
  /// True if a wrench other than zero timed out.
  [[nodiscard]] bool wrench_is_stale() const noexcept { return wrench_is_stale_; }
  /// The generation of the present payloads, or of those to which a ramp leads.
  [[nodiscard]] std::uint64_t payload_generation() const noexcept { return generation_; }

 private:
  static void update_gravity(const ControlView& in, const RampStep& step,
                             RobotDynamics& robot) noexcept;
  void update_payloads(const Payloads& payloads, const RampStep& step,
                       RobotDynamics& robot) noexcept;
  void update_wrenches(std::int64_t now, const ControlView& in, const RampStep& step,
                       const Model& model) noexcept;

  std::uint64_t generation_ = 0;
  double payload_progress_ = 1.0;  // of the ramp from from_ to to_
  // Per link: the payload of the model at construction, start and end of the ramp, present payload.
  std::vector<Inertia> own_, from_, to_, payloads_;
  ExternalForces wrenches_;
  struct KnownWrench {
    Force wrench = Force::Zero();  // the last fresh one
    double weight = 0.0;           // ramps to 1 while it is fresh, then to 0
    bool fresh = false;            // in this cycle
  };
  std::vector<KnownWrench> known_;  // per link
  bool has_wrenches_ = false;
  bool wrench_is_stale_ = false;
};

}  // namespace spatial_dynamics

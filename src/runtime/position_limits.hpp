// References beyond the position limits.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "spatial_dynamics/control/control_input.hpp"
#include "spatial_dynamics/model/coordinates.hpp"

namespace spatial_dynamics {

/// The position limits of the scalar coordinates. Construction allocates; everything else is
/// real-time safe.
class PositionLimits {
 public:
  PositionLimits(const Model& model, const Coordinates& coordinates) {
    for (const ScalarCoordinate& c : coordinates) {
      const bool limited = c.type == JointType::kRevolute || c.type == JointType::kPrismatic;
      limits_.push_back(limited ? model.joint(c.joint).limits : JointLimits{});
    }
  }

  /// Moves the position of a reference of coordinate k to the nearest limit if it is beyond it. Its
  /// velocity and acceleration are then zero. Returns true if it was beyond.
  bool clip(std::size_t k, Knot& knot) const noexcept {
    const JointLimits& limits = limits_[k];
    const double within = std::max(limits.lower, std::min(limits.upper, knot.position));
    if (within == knot.position || std::isnan(knot.position)) return false;
    knot.position = within;
    knot.velocity = knot.acceleration = 0.0;
    return true;
  }

 private:
  std::vector<JointLimits> limits_;
};

}  // namespace spatial_dynamics

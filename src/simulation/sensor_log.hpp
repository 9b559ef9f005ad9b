// What the sensors of a simulated robot measure: the log that a recorder would write.
#pragma once

#include <cstdint>
#include <vector>

#include "spatial_dynamics/model/coordinates.hpp"
#include "support/history.hpp"

namespace spatial_dynamics {

/// Errors of the sensors, in the units of the coordinate: standard deviations of Gaussian noise,
/// one per coordinate or empty, and the resolution of positions.
struct SensorErrors {
  std::vector<double> position, velocity, effort;
  double position_quantum = 0.0;  ///< positions are multiples of this; 0: exact
  bool velocities = true;         ///< velocities are measured
  std::uint64_t seed = 1;
};

/// `run` is the history of a SimulationRun. The result has the columns position:, velocity: and
/// effort: of each coordinate, and the same times. An effort is the mean of those in the steps
/// before and after the sample, so that efforts and states have no delay. Allocates.
History sensor_log(const std::vector<ScalarCoordinate>& coordinates, const History& run,
                   const SensorErrors& errors);

}  // namespace spatial_dynamics

// A motion that a robot is to follow: a table of positions, velocities and accelerations.
#pragma once

#include <string>
#include <vector>

#include "spatial_dynamics/identification/log.hpp"

namespace spatial_dynamics {

/// One column per time; rows are `joints`. SI units.
struct JointMotion {
  std::vector<std::string> joints;  ///< names of coordinates, see ScalarCoordinate
  std::vector<double> time;         ///< s, increasing, from 0
  MatrixXd position, velocity, acceleration;

  [[nodiscard]] Index size() const noexcept { return static_cast<Index>(time.size()); }
  [[nodiscard]] double duration() const noexcept { return time.empty() ? 0.0 : time.back(); }
};

/// Reads a CSV file whose first line is `time`, and position:JOINT, velocity:JOINT and
/// acceleration:JOINT for each joint, in any order. The times are moved so that they begin at 0.
/// `path` "-" is standard input. Allocates; throws LogError.
JointMotion read_motion(const std::string& path);

/// Writes such a file, or to standard output if `path` is "-". Allocates; throws std::runtime_error
/// that names the file.
void write_motion(const std::string& path, const JointMotion& motion);

/// The motion with the rows in the order of these coordinates. Throws LogError if it lacks one of
/// them or moves a joint that the robot does not have. Allocates.
JointMotion in_order(const JointMotion& motion, const std::vector<ScalarCoordinate>& coordinates);

/// Position, velocity and acceleration at time t, s: between the points, the polynomial of fifth
/// degree that agrees with both of them; at rest before the first point and after the last. The
/// results have one number per row. Allocates only if the sizes of the results differ.
void sample(const JointMotion& motion, double t, VectorXd& position, VectorXd& velocity,
            VectorXd& acceleration);

}  // namespace spatial_dynamics

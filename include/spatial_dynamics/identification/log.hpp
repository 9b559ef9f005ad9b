// Logs of a robot: times, positions, velocities, accelerations and efforts from a CSV file.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "spatial_dynamics/model/coordinates.hpp"

namespace spatial_dynamics {

/// A log that cannot be used: one sentence with the file and, if known, the line.
class LogError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One column per sample; rows are the robot's coordinates, in order. SI units.
struct RobotLog {
  std::vector<double> time;      ///< s, increasing
  MatrixXd q, v, a, effort;      ///< empty if the file has no such column
  std::vector<bool> has_effort;  ///< per coordinate
  std::size_t skipped = 0;       ///< rows that lack a number or repeat a time

  [[nodiscard]] Index size() const noexcept { return static_cast<Index>(time.size()); }
};

/// Reads a log for these coordinates. The first line names the columns: `time`, and one column per
/// joint and quantity such as `position:JOINT`, `JOINT.velocity` or `/joint_states/JOINT/effort`.
/// Positions are required for all joints, velocities and accelerations for all or none, efforts for
/// at least one. `path` "-" is standard input. Calls `progress` with the share of the file that was
/// read, if its size is known. Allocates; throws LogError.
RobotLog read_log(
    const std::string& path, const std::vector<ScalarCoordinate>& coordinates,
    const std::function<void(double share)>& progress = [](double) {});

/// What a column contains.
enum class LogQuantity { kNone, kTime, kPosition, kVelocity, kAcceleration, kEffort };
struct LogColumn {
  LogQuantity quantity = LogQuantity::kNone;
  Index coordinate = kNoIndex;
};
/// Finds out from a column's name what it contains; kNone for columns that are ignored.
LogColumn parse_column_name(const std::string& name,
                            const std::vector<ScalarCoordinate>& coordinates);

}  // namespace spatial_dynamics

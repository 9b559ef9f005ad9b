// A robot's log: times, positions, velocities, accelerations and efforts from a CSV file.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "spatial_dynamics/runtime/coordinates.hpp"

namespace spatial_dynamics::cli {

/// Why a log was refused: one sentence with the file and, where there is one, the line.
class LogError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One column per sample; rows are the robot's coordinates, in order. SI units.
struct Log {
  std::vector<double> time;      ///< s, increasing
  MatrixXd q, v, a, effort;      ///< empty where no column has them
  std::vector<bool> has_effort;  ///< per coordinate
  std::size_t skipped = 0;       ///< rows that lack a number or repeat a time

  [[nodiscard]] Index size() const noexcept { return static_cast<Index>(time.size()); }
};

/// Reads a log for these coordinates. The first line names the columns: `time`, and per joint a column each such as
/// `position:JOINT`, `JOINT.velocity` or `/joint_states/JOINT/effort`. Positions are needed for all, velocities and accelerations
/// for all or none, efforts for one at least. `path` "-" is standard input. Allocates; throws LogError.
Log read_log(const std::string& path, const std::vector<ScalarCoordinate>& coordinates);

/// How a column's name is understood; for messages and tests.
enum class LogQuantity { kNone, kTime, kPosition, kVelocity, kAcceleration, kEffort };
struct LogColumn {
  LogQuantity quantity = LogQuantity::kNone;
  Index coordinate = kNoIndex;
};
LogColumn understand_column(const std::string& name,
                            const std::vector<ScalarCoordinate>& coordinates);

}  // namespace spatial_dynamics::cli

// The demo's record: a row per joint state, as CSV.
#pragma once

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "demo_reading.hpp"

namespace spatial_dynamics::cli {

/// Columns: time (s since the beginning, of the state), then per joint position, velocity and effort as measured, reference (its
/// position; empty where none is followed), command (the node's torque), effort_limit (empty where there is none) and slides (1: m and
/// N, 0: rad and N m); at last latency, s from a state's stamp to its torque's arrival here, where one came since the row before. `replay` and `identify` read
/// such files, scripts/plot draws them.
class DemoRecorder {
 public:
  /// Creates the file, in place of an older one. Throws std::runtime_error.
  DemoRecorder(const std::string& path, const DemoSubject& subject);

  /// `reference` has one position per joint, or none at all. Allocates.
  void write(double time, const std::vector<JointReading>& joints,
             const std::vector<double>& reference, std::optional<double> latency);

  /// Writes all to disk. False if that failed now or before.
  [[nodiscard]] bool close();
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  std::vector<std::string> constants_;  // per joint: effort_limit and slides, as text
  std::ofstream file_;
  std::string row_;
};

}  // namespace spatial_dynamics::cli

// Records the demo as CSV, one row per joint state.
#pragma once

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "cli/nodes/demo/demo_reading.hpp"

namespace spatial_dynamics::cli {

/// Columns: time of the state (s since the start); per joint the measured position, velocity and
/// effort, reference (position; empty without a reference), command (the node's torque),
/// effort_limit (empty if there is none), slides (1: m and N, 0: rad and N m), external (torque;
/// empty if the node does not publish it), contact_threshold, soft_lower and soft_upper (stops;
/// empty if there are none); latency (s from a
/// state's stamp to the arrival of its torque; empty if none arrived since the row before).
/// `replay` and `identify` read such files, scripts/plot draws them.
class DemoRecorder {
 public:
  /// Creates the file or replaces it; kStandardOutput is standard output. Throws
  /// std::runtime_error.
  DemoRecorder(const std::string& path, const DemoSubject& subject);

  /// `reference` has one position per joint, or is empty. Allocates.
  void write(double time, const std::vector<JointReading>& joints,
             const std::vector<double>& reference, bool external_known,
             std::optional<double> latency);

  /// Closes the file. Returns false if this or an earlier write failed.
  [[nodiscard]] bool close();
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  struct Constants {     // of one joint, as text
    std::string before;  // effort_limit and slides
    std::string after;   // contact_threshold, soft_lower and soft_upper
  };

  std::string path_;
  std::vector<Constants> constants_;
  std::ofstream file_;
  std::string row_;
};

}  // namespace spatial_dynamics::cli

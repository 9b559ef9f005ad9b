// A log of joint states as a CSV file.
#pragma once

#include <fstream>
#include <string>
#include <vector>

namespace spatial_dynamics::cli {

/// Positions, velocities and efforts of one message, by joint.
struct RecordedStates {
  std::vector<std::string> name;
  std::vector<double> position, velocity, effort;
};

/// Writes one row per message that has all joints of the first one.
class StateRecorder {
 public:
  /// "-" is standard output. Throws std::runtime_error.
  explicit StateRecorder(const std::string& path);

  /// `time` in s. Allocates.
  void write(double time, const RecordedStates& states);
  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  /// Returns false if the file could not be written.
  [[nodiscard]] bool close();

 private:
  std::ofstream file_;
  std::vector<std::string> names_;
  std::size_t rows_ = 0;
  std::string row_;
};

}  // namespace spatial_dynamics::cli

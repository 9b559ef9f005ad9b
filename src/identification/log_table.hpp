// Rows of a log while it is read, and the log that they give.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "spatial_dynamics/identification/log.hpp"

namespace spatial_dynamics {

/// Rows of time, then q, v, a and effort of each coordinate; NaN where the log has no number.
class LogTable {
 public:
  explicit LogTable(std::size_t coordinates) : coordinates_(coordinates) {}

  [[nodiscard]] std::size_t coordinates() const noexcept { return coordinates_; }
  [[nodiscard]] std::size_t width() const noexcept { return 1 + 4 * coordinates_; }
  [[nodiscard]] std::size_t rows() const noexcept { return numbers_.size() / width(); }
  [[nodiscard]] const double* row(std::size_t i) const noexcept {
    return numbers_.data() + i * width();
  }
  /// Appends `values`, of size width(). `where` describes the row for messages: ", line 3". Throws
  /// LogProblem for rows of more than 2 GB.
  void add(const std::vector<double>& values, const std::string& where);
  /// Counts a row that could not be used.
  void count_incomplete() noexcept { ++incomplete_; }
  [[nodiscard]] std::size_t incomplete() const noexcept { return incomplete_; }
  /// Where a time first went back, as a sentence without the file's name; empty: nowhere.
  [[nodiscard]] const std::string& disorder() const noexcept { return disorder_; }

  LogSource source;
  EffortKind effort_kind = EffortKind::kEffort;

 private:
  std::size_t coordinates_;
  std::vector<double> numbers_;
  std::size_t incomplete_ = 0;
  std::string disorder_;
};

inline constexpr double kMissingNumber = std::numeric_limits<double>::quiet_NaN();

/// The first of the four numbers of `quantity` in a row: its column is this plus the coordinate.
[[nodiscard]] std::size_t first_column(LogQuantity quantity, std::size_t coordinates) noexcept;

/// Makes a log of the tables, in their order. A quantity counts as present if at least half of the
/// rows with positions have it. Rows that lack a number of a present quantity are left out. Throws
/// LogError that names the file.
RobotLog to_log(const std::vector<LogTable>& tables,
                const std::vector<ScalarCoordinate>& coordinates);

}  // namespace spatial_dynamics

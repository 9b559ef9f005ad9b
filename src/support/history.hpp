// A table of numbers over time, for CSV files and plots.
#pragma once

#include <string>
#include <vector>

namespace spatial_dynamics {

/// Each row belongs to one time, s; the columns have names.
class History {
 public:
  /// Names of all columns except the time.
  explicit History(std::vector<std::string> columns);

  [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return columns_; }
  [[nodiscard]] std::size_t rows() const noexcept { return times_.size(); }
  /// `values` has one number per column. Allocates.
  void add(double time_s, const std::vector<double>& values);
  [[nodiscard]] double time(std::size_t row) const { return times_[row]; }
  [[nodiscard]] double value(std::size_t row, std::size_t column) const {
    return values_[row * columns_.size() + column];
  }
  /// Index of a column; columns().size() if there is none.
  [[nodiscard]] std::size_t find(const std::string& column) const;

 private:
  std::vector<std::string> columns_;
  std::vector<double> times_;
  std::vector<double> values_;  // row by row
};

/// Comma-separated values with a line of names, "time_s" first; names that need it are quoted.
/// Numbers have 17 digits.
std::string to_csv(const History& history);

}  // namespace spatial_dynamics

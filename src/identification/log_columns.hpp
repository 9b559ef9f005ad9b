// Which columns of a table are the times, positions, velocities, accelerations and efforts.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "spatial_dynamics/identification/log.hpp"

namespace spatial_dynamics {

/// The comma-separated fields of a line, without blanks and quotes around them.
std::vector<std::string_view> split_fields(std::string_view line);

/// The columns of a robot's log, found by their names.
class LogColumns {
 public:
  /// `header` is the first line. Throws LogError that names `file`.
  LogColumns(std::string file, std::string_view header,
             const std::vector<ScalarCoordinate>& coordinates);

  [[nodiscard]] std::size_t count() const noexcept { return names_.size(); }
  /// The column of each number of a row of LogTable; kNoIndex where there is none.
  [[nodiscard]] const std::vector<Index>& places() const noexcept { return places_; }
  [[nodiscard]] bool are_currents() const noexcept { return currents_; }
  /// "time 't', position 'q_JOINT', effort 'tau_JOINT' of 3 joints": where each quantity was found.
  [[nodiscard]] std::string description() const;

 private:
  void find_numbered(LogQuantity quantity,
                     const std::function<bool(std::string_view stem)>& is_stem);
  void find_currents();
  void require(LogQuantity quantity, bool always) const;
  [[nodiscard]] std::size_t slot(LogQuantity quantity, std::size_t coordinate) const;
  [[nodiscard]] std::size_t count_of(LogQuantity quantity) const;
  void place(const LogColumn& column, std::size_t index);
  [[nodiscard]] std::string describe(LogQuantity quantity) const;

  std::string file_;
  const std::vector<ScalarCoordinate>& coordinates_;
  std::vector<std::string> names_;
  std::vector<Index> places_;
  std::vector<LogQuantity> numbered_;  // quantities that were found by number
  bool currents_ = false;
};

}  // namespace spatial_dynamics

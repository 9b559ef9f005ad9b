#include "identification/log_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "identification/log_problem.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::size_t kMostNumbers = 250'000'000;  // 2 GB
constexpr double kBetweenLogs = 1.0;  // s between the last time of a segment and the next one
constexpr double kGapSteps = 10.0;    // a gap is longer than this many median steps
constexpr std::size_t kMostClockJumps = 100;  // at most one per this many rows; more are disorder
constexpr std::array<LogQuantity, 4> kStored{{LogQuantity::kPosition, LogQuantity::kVelocity,
                                              LogQuantity::kAcceleration, LogQuantity::kEffort}};

/// The quantities that a table has, by coordinate.
struct Contents {
  std::size_t complete = 0;    // rows with all positions
  std::vector<bool> position;  // per coordinate: in at least one row
  bool v = false, a = false;
  std::vector<bool> effort;
};

Contents contents_of(const LogTable& table) {
  const std::size_t n = table.coordinates();
  Contents contents;
  contents.position.assign(n, false);
  std::vector<std::size_t> efforts(n, 0);
  std::size_t v = 0, a = 0;
  const auto all = [n](const double* numbers) {
    return std::all_of(numbers, numbers + n, [](double x) { return std::isfinite(x); });
  };
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double* const row = table.row(i) + 1;
    for (std::size_t k = 0; k < n; ++k) {
      if (std::isfinite(row[k])) contents.position[k] = true;
    }
    if (!all(row)) continue;
    ++contents.complete;
    if (all(row + n)) ++v;
    if (all(row + 2 * n)) ++a;
    for (std::size_t k = 0; k < n; ++k) {
      if (std::isfinite(row[3 * n + k])) ++efforts[k];
    }
  }
  const auto present = [&](std::size_t count) {
    return count > 0 && 2 * count >= contents.complete;
  };
  contents.v = present(v);
  contents.a = present(a);
  for (const std::size_t count : efforts) contents.effort.push_back(present(count));
  return contents;
}

/// Removes the steps by whole turns of a continuous joint, so that a filter does not see them. In
/// other units than rad other steps are as large, and nothing changes.
void unwrap(Eigen::Ref<VectorXd, 0, Eigen::InnerStride<>> q) {
  constexpr double kMuchLarger = 10.0;
  const double turn = 2.0 * M_PI;
  if (q.size() < 2) return;
  std::vector<double> steps;
  for (Index i = 1; i < q.size(); ++i) steps.push_back(std::abs(q[i] - q[i - 1]));
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  double turns = 0.0, before = q[0];
  for (Index i = 1; i < q.size(); ++i) {
    const double step = q[i] - before;
    before = q[i];
    if (std::abs(step) > std::max(M_PI, kMuchLarger * *middle)) turns -= std::round(step / turn);
    q[i] += turn * turns;
  }
}

/// The quantities that the log has: those of all its tables.
class LogAssembly {
 public:
  LogAssembly(const std::vector<LogTable>& tables, const std::vector<ScalarCoordinate>& coordinates)
      : tables_(tables), coordinates_(coordinates), n_(coordinates.size()) {
    log_.has_effort.assign(n_, true);
    for (const LogTable& table : tables) include(table);
  }

  RobotLog assemble() {
    for (const LogTable& table : tables_) append(table);
    const auto n = static_cast<Index>(n_);
    const auto fill = [&](LogQuantity quantity, MatrixXd& target) {
      target.resize(n, log_.size());
      const auto first = static_cast<Index>(first_column(quantity, n_));
      for (Index i = 0; i < log_.size(); ++i) {
        const double* const row = rows_[to_size(i)];
        for (Index k = 0; k < n; ++k) target(k, i) = row[first + k];
      }
    };
    fill(LogQuantity::kPosition, log_.q);
    for (const ScalarCoordinate& c : coordinates_) {
      if (c.wraps) unwrap(log_.q.row(c.v));
    }
    if (has_v_) fill(LogQuantity::kVelocity, log_.v);
    if (has_a_) fill(LogQuantity::kAcceleration, log_.a);
    fill(LogQuantity::kEffort, log_.effort);
    for (Index k = 0; k < n; ++k) {
      if (!log_.has_effort[to_size(k)]) log_.effort.row(k).setZero();
    }
    return std::move(log_);
  }

 private:
  void include(const LogTable& table) {
    const std::string& file = table.source.file;
    const Contents contents = contents_of(table);
    const std::string origin = table.source.topic.empty()
                                   ? file
                                   : "topic " + in_quotes(table.source.topic) + " of " + file;
    for (std::size_t k = 0; k < n_; ++k) {
      if (contents.position[k] || table.rows() == 0) continue;
      throw LogError(origin + " has no position of " + joint_element(coordinates_[k].name) +
                     "; choose another log, or fix the joint with --lock.");
    }
    if (contents.complete == 0 && table.rows() > 0) {
      throw LogError(origin + " has no " + (table.source.topic.empty() ? "row" : "message") +
                     " with the positions of all joints; record them together, or fix the others "
                     "with --lock.");
    }
    has_v_ = has_v_ && contents.v;
    has_a_ = has_a_ && contents.a && contents.v;
    bool any = false;
    for (std::size_t k = 0; k < n_; ++k) {
      if (!contents.effort[k]) log_.has_effort[k] = false;
      any = any || contents.effort[k];
    }
    if (!any && table.rows() > 0) {
      throw LogError(origin +
                     " has no efforts; record the joint states of a robot that measures "
                     "them.");
    }
    if (table.effort_kind == EffortKind::kCurrent) log_.effort_kind = EffortKind::kCurrent;
  }

  [[nodiscard]] bool is_complete(const double* row) const {
    const auto all = [this](const double* numbers) {
      return std::all_of(numbers, numbers + n_, [](double x) { return std::isfinite(x); });
    };
    if (!std::isfinite(row[0]) || !all(row + 1)) return false;
    if (has_v_ && !all(row + 1 + n_)) return false;
    if (has_a_ && !all(row + 1 + 2 * n_)) return false;
    for (std::size_t k = 0; k < n_; ++k) {
      if (log_.has_effort[k] && !std::isfinite(row[1 + 3 * n_ + k])) return false;
    }
    return true;
  }

  /// Appends the usable rows of a table as one or more segments.
  void append(const LogTable& table) {
    const std::size_t source = log_.sources.size();
    log_.sources.push_back(table.source);
    log_.sources.back().rows = table.rows() + table.incomplete();
    log_.exclusions.incomplete += table.incomplete();
    std::vector<const double*> rows;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      if (is_complete(table.row(i))) {
        rows.push_back(table.row(i));
      } else {
        ++log_.exclusions.incomplete;
      }
    }
    rows = without_repeats(rows);
    if (rows.empty()) return;
    const double gap = kGapSteps * median_step(rows);
    // Times begin where the log before ends.
    double shift = log_.time.empty() ? 0.0 : log_.time.back() + kBetweenLogs - rows[0][0];
    log_.segments.push_back({log_.size(), source});
    std::size_t clock_jumps = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double step = i == 0 ? 0.0 : rows[i][0] - rows[i - 1][0];
      if (step < 0.0) {
        ++clock_jumps;
        shift += kBetweenLogs - step;
      } else if (step > gap) {
        ++log_.exclusions.gaps;
      }
      if (step < 0.0 || step > gap) log_.segments.push_back({log_.size(), source});
      log_.time.push_back(rows[i][0] + shift);
      rows_.push_back(rows[i]);
    }
    log_.exclusions.clock_jumps += clock_jumps;
    if (clock_jumps * kMostClockJumps > rows.size()) {
      throw LogError(table.source.file + table.disorder() +
                     "; sort the log, or split it where its clock was changed.");
    }
  }

  /// The rows without those that repeat a time, and without single rows that came too late.
  std::vector<const double*> without_repeats(const std::vector<const double*>& rows) {
    std::vector<const double*> kept;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool repeats = !kept.empty() && rows[i][0] == kept.back()[0];
      const bool late = !kept.empty() && rows[i][0] < kept.back()[0] && i + 1 < rows.size() &&
                        rows[i + 1][0] > kept.back()[0];
      if (repeats || late) {
        ++log_.exclusions.repeated;
      } else {
        kept.push_back(rows[i]);
      }
    }
    return kept;
  }

  static double median_step(const std::vector<const double*>& rows) {
    std::vector<double> steps;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      if (rows[i][0] > rows[i - 1][0]) steps.push_back(rows[i][0] - rows[i - 1][0]);
    }
    if (steps.empty()) return kUnlimited;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    return *middle;
  }

  const std::vector<LogTable>& tables_;
  const std::vector<ScalarCoordinate>& coordinates_;
  std::size_t n_;
  RobotLog log_;
  bool has_v_ = true, has_a_ = true;
  std::vector<const double*> rows_;
};

}  // namespace

void LogTable::add(const std::vector<double>& values, const std::string& where) {
  if (numbers_.size() + width() > kMostNumbers) {
    throw LogProblem("has over " + std::to_string(rows()) + " rows; split it");
  }
  const double before = rows() == 0 ? values[0] : row(rows() - 1)[0];
  if (values[0] < before && disorder_.empty()) {
    disorder_ = where + ": the time " + number_text(values[0]) + " s comes after " +
                number_text(before) + " s";
  }
  numbers_.insert(numbers_.end(), values.begin(), values.end());
}

std::size_t first_column(LogQuantity quantity, std::size_t coordinates) noexcept {
  const auto block = static_cast<std::size_t>(std::find(kStored.begin(), kStored.end(), quantity) -
                                              kStored.begin());
  return 1 + block * coordinates;
}

RobotLog to_log(const std::vector<LogTable>& tables,
                const std::vector<ScalarCoordinate>& coordinates) {
  LogAssembly assembly(tables, coordinates);
  return assembly.assemble();
}

}  // namespace spatial_dynamics

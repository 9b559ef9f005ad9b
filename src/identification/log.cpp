#include "spatial_dynamics/identification/log.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "support/text.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::size_t kMostRows = 20'000'000;

struct Spelling {
  const char* text;
  LogQuantity quantity;
};
constexpr std::array<Spelling, 13> kQuantities{{{"position", LogQuantity::kPosition},
                                                {"pos", LogQuantity::kPosition},
                                                {"q", LogQuantity::kPosition},
                                                {"velocity", LogQuantity::kVelocity},
                                                {"vel", LogQuantity::kVelocity},
                                                {"v", LogQuantity::kVelocity},
                                                {"acceleration", LogQuantity::kAcceleration},
                                                {"acc", LogQuantity::kAcceleration},
                                                {"a", LogQuantity::kAcceleration},
                                                {"effort", LogQuantity::kEffort},
                                                {"torque", LogQuantity::kEffort},
                                                {"tau", LogQuantity::kEffort},
                                                {"measured_effort", LogQuantity::kEffort}}};
constexpr std::array<const char*, 5> kTimes{{"time", "t", "__time", "timestamp", "time_s"}};
constexpr std::string_view kSeparators = ":./_";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\"";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

/// True if `column` is `first`, a separator and `second`, optionally after a topic:
/// "/a/b/first/second".
bool is_pair(std::string_view column, std::string_view first, std::string_view second) {
  const std::size_t size = first.size() + 1 + second.size();
  if (column.size() < size) return false;
  const std::string_view end = column.substr(column.size() - size);
  if (column.size() > size && column[column.size() - size - 1] != '/') return false;
  return starts_with(end, first) && kSeparators.find(end[first.size()]) != std::string_view::npos &&
         end.substr(first.size() + 1) == second;
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    fields.push_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return fields;
}

const char* name_of(LogQuantity quantity) {
  switch (quantity) {
    case LogQuantity::kPosition:
      return "position";
    case LogQuantity::kVelocity:
      return "velocity";
    case LogQuantity::kAcceleration:
      return "acceleration";
    case LogQuantity::kEffort:
      return "effort";
    default:
      return "time";
  }
}

/// Maps the columns of a file to the numbers of a sample: time, then q, v, a, effort of each
/// coordinate.
class ColumnMap {
 public:
  ColumnMap(std::string file, const std::vector<ScalarCoordinate>& coordinates)
      : file_(std::move(file)), coordinates_(coordinates), places_(1 + 4 * coordinates.size()) {
    places_.assign(places_.size(), kNoIndex);
  }

  void read_header(std::string_view line) {
    if (starts_with(line, "\xEF\xBB\xBF")) line.remove_prefix(3);  // a byte order mark
    const std::vector<std::string_view> names = split(line);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const LogColumn column = parse_column_name(std::string(names[i]), coordinates_);
      if (column.quantity == LogQuantity::kNone) continue;
      Index& place = places_[slot(column)];
      if (place != kNoIndex) {
        throw LogError(file_ + " has two columns for " + describe(column) + ": " +
                       in_quotes(names[to_size(place)]) + " and " + in_quotes(names[i]) +
                       "; leave one of them out.");
      }
      place = static_cast<Index>(i);
    }
    columns_ = names.size();
    const std::size_t other = line.find_first_of(";\t");
    if (columns_ == 1 && other != std::string_view::npos) {
      throw LogError(file_ + " separates columns by " + (line[other] == ';' ? "';'" : "tabs") +
                     "; separate them by commas, and write numbers with a decimal point.");
    }
    if (places_[0] == kNoIndex) {
      throw LogError(file_ +
                     " has no time column; the first line must name the columns, one of them "
                     "'time', in seconds.");
    }
    require(LogQuantity::kPosition, true);
    require(LogQuantity::kVelocity, false);
    require(LogQuantity::kAcceleration, false);
    if (count(LogQuantity::kEffort) == 0) {
      throw LogError(file_ + " has no effort column; name it like " + example("effort") + ".");
    }
  }

  [[nodiscard]] bool known() const noexcept { return columns_ > 0; }

  /// Reads the numbers of a row. Returns false if one is missing.
  bool read_row(std::string_view line, std::uint64_t number, std::vector<double>& values) const {
    const std::vector<std::string_view> fields = split(line);
    if (fields.size() != columns_) {
      throw LogError(
          file_ + ", line " + std::to_string(number) + " has " + std::to_string(fields.size()) +
          " fields instead of " + std::to_string(columns_) +
          (fields.size() > columns_ ? "; write numbers with a decimal point, not a comma." : "."));
    }
    values.assign(places_.size(), 0.0);
    for (std::size_t k = 0; k < places_.size(); ++k) {
      if (places_[k] == kNoIndex) continue;
      const std::string field(fields[to_size(places_[k])]);
      if (field.empty() || field == "nan" || field == "NaN") return false;
      if (!parse_number(field, values[k])) {
        throw LogError(file_ + ", line " + std::to_string(number) + ": " + in_quotes(field) +
                       " is not a number; write numbers with a decimal point.");
      }
    }
    return true;
  }

  [[nodiscard]] std::size_t count(LogQuantity quantity) const {
    std::size_t found = 0;
    for (std::size_t k = 0; k < coordinates_.size(); ++k) {
      found += has(quantity, k) ? std::size_t{1} : std::size_t{0};
    }
    return found;
  }
  [[nodiscard]] bool has(LogQuantity quantity, std::size_t coordinate) const {
    return places_[slot({quantity, static_cast<Index>(coordinate)})] != kNoIndex;
  }
  [[nodiscard]] std::size_t slot(const LogColumn& column) const {
    if (column.quantity == LogQuantity::kTime) return 0;
    const auto block = static_cast<std::size_t>(column.quantity) -
                       static_cast<std::size_t>(LogQuantity::kPosition);
    return 1 + block * coordinates_.size() + to_size(column.coordinate);
  }

 private:
  void require(LogQuantity quantity, bool always) const {
    if (!always && count(quantity) == 0) return;
    for (std::size_t k = 0; k < coordinates_.size(); ++k) {
      if (has(quantity, k)) continue;
      throw LogError(file_ + " has no " + name_of(quantity) + " of " +
                     joint_element(coordinates_[k].name) + "; add a column like " +
                     in_quotes(std::string(name_of(quantity)) + ":" + coordinates_[k].name) +
                     (always ? ", or fix the joint with --lock." : "."));
    }
  }
  [[nodiscard]] std::string example(const std::string& quantity) const {
    return in_quotes(quantity + ":" + coordinates_.front().name);
  }
  [[nodiscard]] std::string describe(const LogColumn& column) const {
    const std::string what = name_of(column.quantity);
    return column.coordinate == kNoIndex
               ? what
               : what + " of " + joint_element(coordinates_[to_size(column.coordinate)].name);
  }

  std::string file_;
  const std::vector<ScalarCoordinate>& coordinates_;
  std::vector<Index> places_;  // columns; kNoIndex where there is none
  std::size_t columns_ = 0;
};

RobotLog assemble(const ColumnMap& columns, const std::vector<std::vector<double>>& rows,
                  std::size_t coordinates) {
  RobotLog log;
  const auto n = static_cast<Index>(coordinates);
  const auto size = static_cast<Index>(rows.size());
  const auto fill = [&](LogQuantity quantity, MatrixXd& target) {
    if (columns.count(quantity) == 0) return;
    target.resize(n, size);
    for (Index i = 0; i < size; ++i) {
      for (Index k = 0; k < n; ++k) target(k, i) = rows[to_size(i)][columns.slot({quantity, k})];
    }
  };
  log.time.reserve(rows.size());
  for (const std::vector<double>& row : rows) log.time.push_back(row[0]);
  fill(LogQuantity::kPosition, log.q);
  fill(LogQuantity::kVelocity, log.v);
  fill(LogQuantity::kAcceleration, log.a);
  fill(LogQuantity::kEffort, log.effort);
  for (std::size_t k = 0; k < coordinates; ++k) {
    log.has_effort.push_back(columns.has(LogQuantity::kEffort, k));
  }
  return log;
}

/// Size of a regular file; 0 if it is something else.
double file_size(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return 0.0;
  return static_cast<double>(status.st_size);
}

RobotLog read_lines(int descriptor, const std::string& file,
                    const std::vector<ScalarCoordinate>& coordinates,
                    const std::function<void(double share)>& progress) {
  const double size = file_size(descriptor);
  LineReader lines(descriptor, [&] {
    if (size > 0.0) progress(static_cast<double>(::lseek(descriptor, 0, SEEK_CUR)) / size);
  });
  ColumnMap columns(file, coordinates);
  std::vector<std::vector<double>> rows;
  std::vector<double> row;
  std::size_t skipped = 0;
  std::string_view line;
  for (std::uint64_t number = 1;; ++number) {
    const LineReader::Result result = lines.next(line);
    if (result == LineReader::Result::kEnd) break;
    if (result == LineReader::Result::kTooLong) {
      throw LogError(file + ", line " + std::to_string(number) + " is over 16 MiB long.");
    }
    if (number == 1) {
      columns.read_header(line);
      continue;
    }
    if (trimmed(line).empty()) continue;
    const bool complete = columns.read_row(line, number, row);
    if (!complete || (!rows.empty() && row[0] == rows.back()[0])) {
      ++skipped;
      continue;
    }
    if (!rows.empty() && row[0] < rows.back()[0]) {
      throw LogError(file + ", line " + std::to_string(number) + ": the time " +
                     number_text(row[0]) + " s comes after " + number_text(rows.back()[0]) +
                     " s; sort the log, or split it where its clock was changed.");
    }
    rows.push_back(row);
    if (rows.size() > kMostRows) throw LogError(file + " has over 20 million rows; split it.");
  }
  if (!columns.known()) throw LogError(file + " is empty; its first line must name the columns.");
  RobotLog log = assemble(columns, rows, coordinates.size());
  log.skipped = skipped;
  return log;
}

}  // namespace

LogColumn parse_column_name(const std::string& name,
                            const std::vector<ScalarCoordinate>& coordinates) {
  for (const char* const time : kTimes) {
    if (name == time) return {LogQuantity::kTime, kNoIndex};
  }
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    for (const Spelling& spelling : kQuantities) {
      if (is_pair(name, spelling.text, coordinates[k].name) ||
          is_pair(name, coordinates[k].name, spelling.text)) {
        return {spelling.quantity, static_cast<Index>(k)};
      }
    }
  }
  return {};
}

RobotLog read_log(const std::string& path, const std::vector<ScalarCoordinate>& coordinates,
                  const std::function<void(double share)>& progress) {
  if (path == "-") {
    return read_lines(STDIN_FILENO, "the log on standard input", coordinates, progress);
  }
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    throw LogError(path + " can't be read: " + std::generic_category().message(errno) + ".");
  }
  try {
    RobotLog log = read_lines(descriptor, path, coordinates, progress);
    ::close(descriptor);
    return log;
  } catch (...) {
    ::close(descriptor);
    throw;
  }
}

}  // namespace spatial_dynamics

#include "identification/text_log.hpp"

#include <algorithm>

#include "identification/joint_state_topics.hpp"
#include "identification/log_columns.hpp"
#include "support/text.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::size_t kMostEchoRejects = 10;  // lines without a message, at the begin

/// The lines of a source.
class Lines {
 public:
  Lines(std::string file, ByteSource& bytes) : file_(std::move(file)), bytes_(bytes) {}

  /// The line is valid until the next call.
  bool next(std::string_view& line) {
    std::size_t end = buffer_.find('\n', begin_);
    while (end == std::string::npos && fill()) end = buffer_.find('\n', searched_);
    if (begin_ == buffer_.size()) return false;
    end = std::min(end, buffer_.size());
    line = std::string_view(buffer_).substr(begin_, end - begin_);
    begin_ = std::min(end + 1, buffer_.size());
    ++number_;
    if (line.find('\0') == std::string_view::npos) return true;
    throw LogError(number_ == 1 ? file_ +
                                      " is neither a table nor a recording of rosbag2 (MCAP or "
                                      "SQLite)."
                                : where() + " has a zero byte; the file is damaged.");
  }
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  /// "log.csv, line 3"
  [[nodiscard]] std::string where() const { return file_ + suffix(); }
  [[nodiscard]] std::string suffix() const { return ", line " + std::to_string(number_); }

 private:
  bool fill() {
    buffer_.erase(0, begin_);
    begin_ = 0;
    searched_ = buffer_.size();
    if (searched_ > kLongestLine) {
      ++number_;
      throw LogError(where() + " is over 16 MiB long.");
    }
    constexpr std::size_t kPiece = 1U << 16U;
    buffer_.resize(searched_ + kPiece);
    buffer_.resize(searched_ + bytes_.read(buffer_.data() + searched_, kPiece));
    return buffer_.size() > searched_;
  }

  std::string file_;
  ByteSource& bytes_;
  std::string buffer_;
  std::size_t begin_ = 0, searched_ = 0;
  std::uint64_t number_ = 0;
};

/// Reads the numbers of a row. Returns false if one is missing.
bool read_row(const LogColumns& columns, const Lines& lines, std::string_view line,
              std::vector<double>& values) {
  const std::vector<std::string_view> fields = split_fields(line);
  if (fields.size() != columns.count()) {
    throw LogError(lines.where() + " has " + std::to_string(fields.size()) + " fields instead of " +
                   std::to_string(columns.count()) +
                   (fields.size() > columns.count()
                        ? "; write numbers with a decimal point, not a comma."
                        : "."));
  }
  const std::vector<Index>& places = columns.places();
  values.assign(places.size(), kMissingNumber);
  bool complete = true;
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (places[k] == kNoIndex) continue;
    const std::string_view field = fields[to_size(places[k])];
    if (field.empty() || field == "nan" || field == "NaN") {
      complete = complete && k > 0;
    } else if (!parse_number(field, values[k])) {
      throw LogError(lines.where() + ": " + in_quotes(field) +
                     " is not a number; write numbers with a decimal point.");
    }
  }
  return complete;
}

LogTable read_csv(const std::string& file, Lines& lines, std::string_view header,
                  const std::vector<ScalarCoordinate>& coordinates) {
  const LogColumns columns(file, header, coordinates);
  LogTable table(coordinates.size());
  table.source = {file, "CSV", "", columns.description(), "", 0};
  if (columns.are_currents()) table.effort_kind = EffortKind::kCurrent;
  std::vector<double> row;
  std::string_view line;
  while (lines.next(line)) {
    if (line.find_first_not_of(" \t\r\"") == std::string_view::npos) continue;
    if (read_row(columns, lines, line, row)) {
      table.add(row, lines.suffix());
    } else {
      table.count_incomplete();
    }
  }
  return table;
}

/// Lines that are no message, such as warnings about lost ones, are counted as incomplete.
LogTable read_echo(const std::string& file, Lines& lines, std::string_view first,
                   const std::vector<ScalarCoordinate>& coordinates) {
  JointStateRows rows(coordinates);
  JointStateMessage message;
  std::size_t rejected = 0;
  std::string_view line = first;
  do {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (parse_echo_line(line, message)) {
      if (message.stamp == 0) {
        throw LogError(lines.where() + " has no time: its stamp is zero.");
      }
      rows.add(message, 0);
    } else if (++rejected > kMostEchoRejects && rows.messages() < rejected) {
      throw LogError(lines.where() +
                     " is not a line of `ros2 topic echo --csv --full-length` for " +
                     kJointStateType + ".");
    }
  } while (lines.next(line));
  if (rows.messages() == 0) {
    throw LogError(file + " has no column names, and no line of `ros2 topic echo --csv` for " +
                   kJointStateType + ".");
  }
  if (rows.positions() == 0) {
    throw LogError(file + " has no position of a joint of this robot; is it another robot's?");
  }
  LogTable table = std::move(rows.table());
  for (std::size_t i = 0; i < rejected; ++i) table.count_incomplete();
  table.source.file = file;
  table.source.format = "ros2 topic echo";
  return table;
}

}  // namespace

LogTable read_text_log(const std::string& file, ByteSource& bytes,
                       const std::vector<ScalarCoordinate>& coordinates) {
  Lines lines(file, bytes);
  std::string_view line;
  if (!lines.next(line)) {
    throw LogError(file + " is empty; its first line must name the columns.");
  }
  const std::string first(line);
  double number = 0.0;
  // Names are no numbers.
  return parse_number(split_fields(first).front(), number)
             ? read_echo(file, lines, first, coordinates)
             : read_csv(file, lines, first, coordinates);
}

}  // namespace spatial_dynamics

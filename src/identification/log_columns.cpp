#include "identification/log_columns.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "identification/log_table.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

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
/// Further names of columns that have a number instead of a joint, as robots' own tools write them.
constexpr std::array<Spelling, 8> kNumberedQuantities{{{"actual_q", LogQuantity::kPosition},
                                                       {"actual_qd", LogQuantity::kVelocity},
                                                       {"qd", LogQuantity::kVelocity},
                                                       {"dq", LogQuantity::kVelocity},
                                                       {"qdd", LogQuantity::kAcceleration},
                                                       {"ddq", LogQuantity::kAcceleration},
                                                       {"tau_J", LogQuantity::kEffort},
                                                       {"actual_torque", LogQuantity::kEffort}}};
constexpr std::array<const char*, 3> kCurrents{{"current", "actual_current", "motor_current"}};
constexpr std::array<const char*, 5> kTimes{{"time", "t", "__time", "timestamp", "time_s"}};
constexpr std::array<LogQuantity, 4> kQuantityOrder{{LogQuantity::kPosition, LogQuantity::kVelocity,
                                                     LogQuantity::kAcceleration,
                                                     LogQuantity::kEffort}};
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

bool is_pair_either_way(std::string_view column, std::string_view first, std::string_view second) {
  return is_pair(column, first, second) || is_pair(column, second, first);
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

/// "q_3", "q3", "q[3]" and "/topic/q.3" are the stem "q" and the number 3.
struct NumberedName {
  std::string_view stem;
  std::size_t number = 0;
};
NumberedName numbered_name(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  std::string_view rest = name;
  if (!rest.empty() && rest.back() == ']') rest.remove_suffix(1);
  const std::size_t last = rest.find_last_not_of("0123456789");
  if (last == std::string_view::npos || rest.size() - last - 1 == 0 || rest.size() - last > 4) {
    return {};
  }
  NumberedName result;
  for (const char digit : rest.substr(last + 1)) {
    result.number = 10 * result.number + static_cast<std::size_t>(digit - '0');
  }
  rest = rest.substr(0, last + 1);
  if (rest.back() == '[' || kSeparators.find(rest.back()) != std::string_view::npos) {
    rest.remove_suffix(1);
  }
  const bool has_topic = slash != std::string_view::npos && slash < rest.size();
  result.stem = has_topic ? rest.substr(slash + 1) : rest;
  return result;
}

bool is_stem_of(std::string_view stem, LogQuantity quantity) {
  const auto is = [&](const Spelling& s) { return s.quantity == quantity && stem == s.text; };
  return std::any_of(kQuantities.begin(), kQuantities.end(), is) ||
         std::any_of(kNumberedQuantities.begin(), kNumberedQuantities.end(), is);
}

/// `name` with the joint's name replaced by JOINT.
std::string pattern_of(const std::string& name, const std::string& joint) {
  const std::size_t at = name.rfind(joint);
  return at == std::string::npos ? name
                                 : name.substr(0, at) + "JOINT" + name.substr(at + joint.size());
}

}  // namespace

std::vector<std::string_view> split_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    fields.push_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return fields;
}

LogColumns::LogColumns(std::string file, std::string_view header,
                       const std::vector<ScalarCoordinate>& coordinates)
    : file_(std::move(file)),
      coordinates_(coordinates),
      places_(1 + 4 * coordinates.size(), kNoIndex) {
  if (starts_with(header, "\xEF\xBB\xBF")) header.remove_prefix(3);  // a byte order mark
  for (const std::string_view name : split_fields(header)) names_.emplace_back(name);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const LogColumn column = parse_column_name(names_[i], coordinates_);
    if (column.quantity != LogQuantity::kNone) place(column, i);
  }
  const std::size_t other = header.find_first_of(";\t");
  if (names_.size() == 1 && other != std::string_view::npos) {
    throw LogError(file_ + " separates columns by " + (header[other] == ';' ? "';'" : "tabs") +
                   "; separate them by commas, and write numbers with a decimal point.");
  }
  if (places_[0] == kNoIndex) {
    throw LogError(file_ +
                   " has no time column; the first line must name the columns, one of them "
                   "'time', in seconds.");
  }
  for (const LogQuantity quantity : kQuantityOrder) {
    if (count_of(quantity) > 0) continue;
    find_numbered(quantity, [&](std::string_view stem) { return is_stem_of(stem, quantity); });
  }
  if (count_of(LogQuantity::kEffort) == 0) find_currents();
  require(LogQuantity::kPosition, true);
  require(LogQuantity::kVelocity, false);
  require(LogQuantity::kAcceleration, false);
  if (count_of(LogQuantity::kEffort) == 0) {
    throw LogError(file_ + " has no effort column; name it like " +
                   in_quotes("effort:" + coordinates_.front().name) + ".");
  }
}

void LogColumns::place(const LogColumn& column, std::size_t index) {
  const std::size_t at =
      column.quantity == LogQuantity::kTime ? 0 : slot(column.quantity, to_size(column.coordinate));
  if (places_[at] != kNoIndex) {
    const std::string joint =
        column.coordinate == kNoIndex
            ? ""
            : " of " + joint_element(coordinates_[to_size(column.coordinate)].name);
    throw LogError(file_ + " has two columns for " + name_of(column.quantity) + joint + ": " +
                   in_quotes(names_[to_size(places_[at])]) + " and " + in_quotes(names_[index]) +
                   "; leave one of them out.");
  }
  places_[at] = static_cast<Index>(index);
}

/// Takes columns with numbers as the joints in order, if there is exactly one for each joint.
void LogColumns::find_numbered(LogQuantity quantity,
                               const std::function<bool(std::string_view stem)>& is_stem) {
  std::vector<std::pair<std::size_t, std::size_t>> found;  // number, column
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const NumberedName name = numbered_name(names_[i]);
    if (is_stem(name.stem)) found.emplace_back(name.number, i);
  }
  std::sort(found.begin(), found.end());
  if (found.size() != coordinates_.size() || found.front().first > 1) return;
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (found[k].first != found.front().first + k) return;
  }
  for (std::size_t k = 0; k < found.size(); ++k) {
    place({quantity, static_cast<Index>(k)}, found[k].second);
  }
  numbered_.push_back(quantity);
}

/// Motor currents stand in for efforts, each multiplied by an unknown factor.
void LogColumns::find_currents() {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    for (std::size_t k = 0; k < coordinates_.size(); ++k) {
      const auto is_named = [&](const char* current) {
        return is_pair_either_way(names_[i], current, coordinates_[k].name);
      };
      if (std::any_of(kCurrents.begin(), kCurrents.end(), is_named)) {
        place({LogQuantity::kEffort, static_cast<Index>(k)}, i);
      }
    }
  }
  if (count_of(LogQuantity::kEffort) == 0) {
    find_numbered(LogQuantity::kEffort, [](std::string_view stem) {
      return std::find(kCurrents.begin(), kCurrents.end(), stem) != kCurrents.end();
    });
  }
  currents_ = count_of(LogQuantity::kEffort) > 0;
}

void LogColumns::require(LogQuantity quantity, bool always) const {
  if (!always && count_of(quantity) == 0) return;
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    if (places_[slot(quantity, k)] != kNoIndex) continue;
    throw LogError(file_ + " has no " + name_of(quantity) + " of " +
                   joint_element(coordinates_[k].name) + "; add a column like " +
                   in_quotes(std::string(name_of(quantity)) + ":" + coordinates_[k].name) +
                   (always ? ", or fix the joint with --lock." : "."));
  }
}

std::size_t LogColumns::slot(LogQuantity quantity, std::size_t coordinate) const {
  return first_column(quantity, coordinates_.size()) + coordinate;
}

std::size_t LogColumns::count_of(LogQuantity quantity) const {
  const auto first = places_.begin() + static_cast<std::ptrdiff_t>(slot(quantity, 0));
  const auto end = first + static_cast<std::ptrdiff_t>(coordinates_.size());
  return coordinates_.size() - static_cast<std::size_t>(std::count(first, end, kNoIndex));
}

std::string LogColumns::describe(LogQuantity quantity) const {
  std::string pattern, first, last;
  bool same = true;
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const Index at = places_[slot(quantity, k)];
    if (at == kNoIndex) continue;
    const std::string& name = names_[to_size(at)];
    const std::string own = pattern_of(name, coordinates_[k].name);
    same = same && (pattern.empty() || own == pattern) && own != name;
    pattern = own;
    if (first.empty()) first = name;
    last = name;
  }
  const std::size_t count = count_of(quantity);
  std::string text = quantity == LogQuantity::kEffort && currents_ ? "current" : name_of(quantity);
  text += " " + in_quotes(same ? pattern : first);
  if (!same && last != first) text += " to " + in_quotes(last);
  if (std::find(numbered_.begin(), numbered_.end(), quantity) != numbered_.end()) {
    text += " (in the URDF's order of joints)";
  } else if (count < coordinates_.size()) {
    text += " of " + count_text(count, "joint");
  }
  return text;
}

std::string LogColumns::description() const {
  std::string text = "time " + in_quotes(names_[to_size(places_[0])]);
  for (const LogQuantity quantity : kQuantityOrder) {
    if (count_of(quantity) > 0) text += ", " + describe(quantity);
  }
  return text;
}

LogColumn parse_column_name(const std::string& name,
                            const std::vector<ScalarCoordinate>& coordinates) {
  for (const char* const time : kTimes) {
    if (name == time) return {LogQuantity::kTime, kNoIndex};
  }
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    for (const Spelling& spelling : kQuantities) {
      if (is_pair_either_way(name, spelling.text, coordinates[k].name)) {
        return {spelling.quantity, static_cast<Index>(k)};
      }
    }
  }
  return {};
}

}  // namespace spatial_dynamics

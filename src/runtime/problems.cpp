#include "runtime/problems.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::size_t kLongestLine = 120;  // bytes

/// How much of the text fits on a line: up to a space, or the first word if it is longer.
std::size_t line_length(std::string_view text) {
  if (text.size() <= kLongestLine) return text.size();
  std::size_t end = text.rfind(' ', kLongestLine);
  if (end == std::string_view::npos || end == 0) end = text.find(' ', kLongestLine);
  return std::min(end, text.size());
}

std::string key_of_line(const std::string& key, int line) {
  return line == 1 ? key : key + ", line " + std::to_string(line);
}

}  // namespace

void Problems::add(Diagnostics::Level level, std::string text) {
  if (!text.empty() && text.back() == '.') text.pop_back();
  const auto place = std::find_if(problems_.begin(), problems_.end(),
                                  [level](const Problem& other) { return other.level < level; });
  problems_.insert(place, {level, std::move(text)});
}

void Problems::write_to(Diagnostics& diagnostics, const std::string& otherwise) const {
  diagnostics.level = problems_.empty() ? Diagnostics::Level::kOk : problems_.front().level;
  diagnostics.message = problems_.empty() ? otherwise : "";
  Diagnostics::Values values;
  for (std::size_t i = 0; i < problems_.size(); ++i) {
    diagnostics.message += (i == 0 ? "" : "; ") + problems_[i].text;
    add_value(values, "problem " + std::to_string(i + 1), problems_[i].text);
  }
  diagnostics.values.insert(diagnostics.values.begin(), std::make_move_iterator(values.begin()),
                            std::make_move_iterator(values.end()));
}

void add_value(Diagnostics::Values& values, const std::string& key, std::string_view text) {
  std::size_t length = line_length(text);
  values.emplace_back(key, text.substr(0, length));
  for (int line = 2; length < text.size(); ++line) {
    text.remove_prefix(length + 1);  // with the space
    length = line_length(text);
    values.emplace_back(key_of_line(key, line), text.substr(0, length));
  }
}

std::string whole_value(const std::map<std::string, std::string>& values, const std::string& key) {
  std::string text;
  for (int line = 1;; ++line) {
    const auto found = values.find(key_of_line(key, line));
    if (found == values.end()) return text;
    text.append(line == 1 ? "" : " ").append(found->second);
  }
}

std::string joints_text(const std::vector<std::string>& names) {
  std::string list = names.size() == 1 ? "joint " : "joints ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    list.append(i == 0 ? "" : ", ").append(in_quotes(names[i]));
  }
  return list;
}

}  // namespace spatial_dynamics

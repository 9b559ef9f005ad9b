#include "support/history.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

/// RFC 4180: a name with a comma, a quote or a line feed is quoted, and its own quotes are doubled.
void append_csv_name(std::string& out, const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) {
    out += name;
    return;
  }
  out += '"';
  for (const char c : name) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace

History::History(std::vector<std::string> columns) : columns_(std::move(columns)) {}

void History::add(double time_s, const std::vector<double>& values) {
  if (values.size() != columns_.size())
    throw std::logic_error("a row of a History must have one number per column");
  times_.push_back(time_s);
  values_.insert(values_.end(), values.begin(), values.end());
}

std::size_t History::find(const std::string& column) const {
  return static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), column) -
                                  columns_.begin());
}

std::string to_csv(const History& history) {
  std::string text = "time_s";
  for (const std::string& name : history.columns()) {
    text += ',';
    append_csv_name(text, name);
  }
  text += '\n';
  for (std::size_t row = 0; row < history.rows(); ++row) {
    append_number(text, history.time(row));
    for (std::size_t c = 0; c < history.columns().size(); ++c) {
      text += ',';
      append_number(text, history.value(row, c));
    }
    text += '\n';
  }
  return text;
}

}  // namespace spatial_dynamics

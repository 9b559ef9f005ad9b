#include "runtime/parameters_text.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::size_t kLongestName = 80;  // of names that are compared with those of the table
constexpr std::size_t kMostShown = 12;    // numbers or texts of an array

/// A number that YAML reads as one with a fraction, so that ROS 2 takes it for a double.
std::string yaml_number(double value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value > 0.0 ? ".inf" : "-.inf";
  std::string text = number_text(value);
  // 1e+30 has a fraction for some readers of YAML only, 1.0e+30 for all.
  const std::size_t exponent = text.find('e');
  if (text.find('.') == std::string::npos) {
    text.insert(exponent == std::string::npos ? text.size() : exponent, ".0");
  }
  return text;
}

/// Double-quoted YAML: what is not plain ASCII text is escaped byte by byte except UTF-8, which
/// stands as it is.
std::string yaml_text(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7F) {
      out += "\\x";
      out += kDigits[byte >> 4U];
      out += kDigits[byte & 0xFU];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

template <typename Items, typename Text>
std::string in_brackets(const Items& items, std::size_t most, const Text& text) {
  std::string out = "[";
  std::size_t count = 0;
  for (const auto& item : items) {
    if (count > 0) out += ", ";
    if (count == most) {
      out += "... (" + std::to_string(items.size()) + " values)";
      break;
    }
    out += text(item);
    ++count;
  }
  return out + "]";
}

/// The number of letters that must be inserted, deleted or replaced to change a into b
/// (Levenshtein), in O(|a| |b|) time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

/// Words between commas and white space; brackets around the whole are dropped.
std::vector<std::string> words_of(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n,";
  std::vector<std::string> words;
  std::size_t at = text.find_first_not_of(" \t\r\n");
  if (at != std::string_view::npos && text[at] == '[') {
    const std::size_t end = text.find_last_not_of(" \t\r\n");
    if (text[end] == ']') text = text.substr(at + 1, end - at - 1);
  }
  at = text.find_first_not_of(kSpace);
  while (at != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(kSpace, at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(kSpace, end);
  }
  return words;
}

bool contains(std::string_view text, std::string_view part) {
  return part.size() > 1 && text.find(part) != std::string_view::npos;
}

}  // namespace

const char* to_string(ParameterType type) noexcept {
  switch (type) {
    case ParameterType::kBool:
      return "boolean";
    case ParameterType::kInteger:
      return "integer";
    case ParameterType::kNumber:
      return "number";
    case ParameterType::kText:
      return "text";
    case ParameterType::kNumbers:
      return "numbers";
    case ParameterType::kTexts:
      return "texts";
  }
  return "";
}

const char* with_article(ParameterType type) noexcept {
  switch (type) {
    case ParameterType::kBool:
      return "true or false";
    case ParameterType::kInteger:
      return "an integer";
    case ParameterType::kNumber:
      return "a number";
    case ParameterType::kText:
      return "a text (in quotes, if it could be read as another type)";
    case ParameterType::kNumbers:
      return "an array of numbers, such as [1.0, 2.0], or one number";
    case ParameterType::kTexts:
      return "an array of texts, such as ['a', 'b'], or one text";
  }
  return "";
}

std::string to_text(const ParameterValue& value) {
  const std::size_t all = static_cast<std::size_t>(-1);
  switch (type_of(value)) {
    case ParameterType::kBool:
      return std::get<bool>(value) ? "true" : "false";
    case ParameterType::kInteger:
      return std::to_string(std::get<std::int64_t>(value));
    case ParameterType::kNumber:
      return yaml_number(std::get<double>(value));
    case ParameterType::kText:
      return yaml_text(std::get<std::string>(value));
    case ParameterType::kNumbers:
      return in_brackets(std::get<std::vector<double>>(value), all, yaml_number);
    case ParameterType::kTexts:
      return in_brackets(std::get<std::vector<std::string>>(value), all, yaml_text);
  }
  return "";
}

std::string shown(const ParameterValue& value) {
  switch (type_of(value)) {
    case ParameterType::kNumber:
      return number_text(std::get<double>(value));
    case ParameterType::kText:
      return in_quotes(std::get<std::string>(value));
    case ParameterType::kNumbers:
      return in_brackets(std::get<std::vector<double>>(value), kMostShown, number_text);
    case ParameterType::kTexts:
      return in_brackets(std::get<std::vector<std::string>>(value), kMostShown, in_quotes);
    case ParameterType::kBool:
    case ParameterType::kInteger:
      break;
  }
  return to_text(value);
}

std::string allowed_values(const ParameterDescription& description) {
  const std::string unit = description.unit.empty() ? "" : " " + description.unit;
  if (!description.choices.empty()) {
    std::string out = "one of ";
    for (std::size_t i = 0; i < description.choices.size(); ++i) {
      out += (i > 0 ? ", " : "") + in_quotes(description.choices[i]);
    }
    return out;
  }
  const bool below = std::isfinite(description.lower);
  const bool above = std::isfinite(description.upper);
  if (below && above) {
    return "from " + number_text(description.lower) + " to " + number_text(description.upper) +
           unit;
  }
  if (below) return "at least " + number_text(description.lower) + unit;
  if (above) return "at most " + number_text(description.upper) + unit;
  return "";
}

ParameterValue parse_value(const ParameterTable& table, std::string_view name,
                           std::string_view text) {
  const ParameterDescription* const row = find_parameter(table, name);
  const bool is_joint = row == nullptr && find_joint_parameter(table, name).row != nullptr;
  const ParameterType type = row != nullptr ? row->type()
                             : is_joint     ? ParameterType::kNumber
                                            : ParameterType::kText;
  const std::vector<std::string> words = words_of(text);
  const bool one = words.size() == 1;
  double number = 0.0;
  switch (type) {
    case ParameterType::kBool:
      if (one && is_one_of(words[0], {"true", "True"})) return true;
      if (one && is_one_of(words[0], {"false", "False"})) return false;
      break;
    case ParameterType::kInteger:
      if (one && parse_number(words[0], number) && number == std::trunc(number) &&
          std::abs(number) < 1e15) {
        return static_cast<std::int64_t>(number);
      }
      break;
    case ParameterType::kNumber:
      if (one && parse_number(words[0], number)) return number;
      break;
    case ParameterType::kText:
      return one ? words[0] : std::string(text);
    case ParameterType::kNumbers: {
      std::vector<double> numbers;
      for (const std::string& word : words) {
        if (!parse_number(word, number)) return std::string(text);
        numbers.push_back(number);
      }
      return numbers;
    }
    case ParameterType::kTexts:
      return words;
  }
  return std::string(text);
}

std::string nearest_name(const ParameterTable& table, std::string_view name) {
  if (name.size() > kLongestName) return "";
  std::string best;
  std::size_t least = kLongestName;
  for (const ParameterDescription& description : table) {
    const std::size_t distance = edit_distance(name, description.name);
    // A third of the letters may be wrong; a part of a name (`kp`) or a name with more around it is
    // near as well.
    const bool near = 3 * distance <= name.size() + 2 || contains(description.name, name) ||
                      contains(name, description.name);
    if (near && distance < least) {
      least = distance;
      best = description.name;
    }
  }
  return best;
}

}  // namespace spatial_dynamics

// YAML as parameter files use it: scalars, sequences and maps, each with its line. The only user of
// yaml-cpp.
#pragma once

#include <string>
#include <vector>

#include "runtime/parameters.hpp"

namespace spatial_dynamics::dds {

/// A syntax error: one sentence, and its line (from 1).
class YamlError : public std::runtime_error {
 public:
  YamlError(int line, const std::string& sentence) : std::runtime_error(sentence), line_(line) {}
  [[nodiscard]] int line() const noexcept { return line_; }

 private:
  int line_;
};

struct YamlNode {
  enum class Kind { kNothing, kScalar, kSequence, kMap };

  Kind kind = Kind::kNothing;
  int line = 1;
  std::string text;             ///< of a scalar
  bool is_text = false;         ///< a scalar in quotes, in a block, or tagged !!str
  std::vector<YamlNode> items;  ///< of a sequence; of a map: key, value, key, value, …
};

/// The only document of the text; kNothing if there is none. At most 32 levels; aliases are
/// rejected, as in ROS 2, so the tree is never larger than the text. Allocates; throws YamlError.
YamlNode parse_yaml(const std::string& text);

/// The value of a plain scalar by ROS 2's rules, independent of the locale: y, yes, true, on and
/// their opposites are booleans; integers may be hexadecimal (0x10) or octal (010); then numbers,
/// with .inf and .nan; everything else is a text.
ParameterValue scalar_value(const YamlNode& scalar);

/// The value of a scalar, or of a sequence of numbers or texts as an array. Throws YamlError for
/// anything else.
ParameterValue parameter_value(const YamlNode& node);

}  // namespace spatial_dynamics::dds

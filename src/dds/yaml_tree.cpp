#include "dds/yaml_tree.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

#include "support/text.hpp"

namespace spatial_dynamics::dds {
namespace {

constexpr std::size_t kDeepest = 32;
constexpr std::string_view kTextTag = "tag:yaml.org,2002:str";

int line_of(const YAML::Mark& mark) { return mark.line + 1; }

/// Builds the tree from yaml-cpp's events. `open_` is the path from the root to the container that
/// is being filled.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(YamlNode& root) : root_(root) {}

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    add(mark, YamlNode::Kind::kNothing);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    throw YamlError(line_of(mark), "aliases (*name) are not supported; write the value out.");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                const std::string& value) override {
    YamlNode& node = add(mark, YamlNode::Kind::kScalar);
    node.text = value;
    node.is_text = tag == "!" || tag == kTextTag;  // yaml-cpp tags what is in quotes with "!"
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/,
                       YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override {
    open(mark, YamlNode::Kind::kSequence);
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark, YamlNode::Kind::kMap);
  }
  void OnMapEnd() override { open_.pop_back(); }

 private:
  YamlNode& add(const YAML::Mark& mark, YamlNode::Kind kind) {
    // A container's items do not move while one of them is open, because only the innermost
    // container grows.
    YamlNode& node = open_.empty() ? root_ : open_.back()->items.emplace_back();
    node.kind = kind;
    node.line = std::max(line_of(mark), 1);
    return node;
  }
  void open(const YAML::Mark& mark, YamlNode::Kind kind) {
    if (open_.size() == kDeepest) {
      throw YamlError(line_of(mark), "it is nested more than " + std::to_string(kDeepest) +
                                         " deep; parameters need less.");
    }
    open_.push_back(&add(mark, kind));
  }

  YamlNode& root_;
  std::vector<YamlNode*> open_;
};

std::optional<bool> boolean(std::string_view text) {
  if (is_one_of(text, {"Y", "y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})) {
    return true;
  }
  if (is_one_of(text,
                {"N", "n", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})) {
    return false;
  }
  return std::nullopt;
}

/// The whole text as an integer; octal and hexadecimal as in C.
std::optional<std::int64_t> integer(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative || (!text.empty() && text.front() == '+')) text.remove_prefix(1);
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  std::uint64_t magnitude = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, magnitude, base);
  if (text.empty() || result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  const auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (magnitude > largest) return std::nullopt;
  const auto value = static_cast<std::int64_t>(magnitude);
  return negative ? -value : value;
}

std::optional<double> number(std::string_view text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (is_one_of(text, {".nan", ".NaN", ".NAN"})) return std::numeric_limits<double>::quiet_NaN();
  if (is_one_of(text, {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"})) return kInfinity;
  if (is_one_of(text, {"-.inf", "-.Inf", "-.INF"})) return -kInfinity;
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') return std::nullopt;
  }
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (text.empty() || result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return value;
}

ParameterValue array_value(const YamlNode& sequence) {
  std::vector<double> numbers;
  std::vector<std::string> texts;
  for (const YamlNode& item : sequence.items) {
    if (item.kind != YamlNode::Kind::kScalar) {
      throw YamlError(item.line, "an array may hold numbers or texts only.");
    }
    const ParameterValue value = scalar_value(item);
    switch (type_of(value)) {
      case ParameterType::kInteger:
        numbers.push_back(static_cast<double>(std::get<std::int64_t>(value)));
        break;
      case ParameterType::kNumber:
        numbers.push_back(std::get<double>(value));
        break;
      case ParameterType::kText:
        texts.push_back(std::get<std::string>(value));
        break;
      default:
        throw YamlError(item.line, "an array may hold numbers or texts only; put " +
                                       in_quotes(item.text) + " in quotes if it is a text.");
    }
  }
  if (!numbers.empty() && !texts.empty()) {
    throw YamlError(sequence.line, "an array may hold numbers or texts, not both; " +
                                       in_quotes(texts.front()) + " is not a number.");
  }
  if (!numbers.empty()) return numbers;
  return texts;
}

}  // namespace

YamlNode parse_yaml(const std::string& text) {
  YamlNode root;
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    TreeBuilder builder(root);
    if (!parser.HandleNextDocument(builder)) return root;
    YamlNode second;
    TreeBuilder rest(second);
    if (parser.HandleNextDocument(rest)) {
      throw YamlError(second.line, "it has more than one document (---); write one.");
    }
  } catch (const YAML::Exception& error) {
    throw YamlError(error.mark.is_null() ? 1 : line_of(error.mark),
                    "it is not valid YAML: " + error.msg + ".");
  }
  return root;
}

ParameterValue scalar_value(const YamlNode& scalar) {
  if (!scalar.is_text) {
    if (const auto value = boolean(scalar.text)) return *value;
    if (const auto value = integer(scalar.text)) return *value;
    if (const auto value = number(scalar.text)) return *value;
  }
  return scalar.text;
}

ParameterValue parameter_value(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kScalar:
      return scalar_value(node);
    case YamlNode::Kind::kSequence:
      return array_value(node);
    case YamlNode::Kind::kNothing:
      throw YamlError(node.line, "there is no value; for an empty text write \"\".");
    case YamlNode::Kind::kMap:
      break;
  }
  throw YamlError(node.line, "a map is not a value; write [a, b] for an array.");
}

}  // namespace spatial_dynamics::dds

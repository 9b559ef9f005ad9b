#include "dds/topic_names.hpp"

#include <algorithm>

#include "dds/error.hpp"

namespace spatial_dynamics::dds {
namespace {

// ROS 2's limits: DDS allows 255 characters, and prefixes such as "rt" need some of them.
constexpr std::size_t kLongestTopic = 247;
constexpr std::size_t kLongestNamespace = 245;
constexpr std::size_t kLongestNode = 255;

constexpr std::string_view kTopicScheme = "rostopic://";
constexpr std::string_view kServiceScheme = "rosservice://";

// Not the functions of <cctype>, which depend on the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

/// The text, cut to a length that fits a sentence; longer than any valid name.
std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 300;
  return text.size() <= kLongest ? std::string(text)
                                 : std::string(text.substr(0, kLongest)) + "...";
}

[[noreturn]] void reject(std::string_view what, std::string_view name, const std::string& reason) {
  throw Error(std::string(what) + " '" + shown(name) + "' " + reason + ".");
}

void check_node_name(std::string_view name) {
  if (name.empty()) reject("node name", name, "is empty");
  if (!std::all_of(name.begin(), name.end(), is_word)) {
    reject("node name", name, "may have letters, digits and _ only");
  }
  if (is_digit(name.front())) reject("node name", name, "must not start with a digit");
  if (name.size() > kLongestNode) reject("node name", name, "is longer than 255 characters");
}

/// A name such as /a/b, of words between slashes.
void check_absolute(std::string_view what, std::string_view name, std::size_t longest) {
  if (name.empty() || name.front() != '/') reject(what, name, "must start with /");
  if (name.back() == '/') reject(what, name, "must not end with /");
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '/') {
      if (!is_word(name[i])) reject(what, name, "may have letters, digits, _ and / only");
      continue;
    }
    if (name[i + 1] == '/') reject(what, name, "has a / after another one");
    if (is_digit(name[i + 1])) reject(what, name, "has a part that starts with a digit");
  }
  if (name.size() > longest) {
    reject(what, name, "is longer than " + std::to_string(longest) + " characters");
  }
}

void check_namespace(std::string_view ns) {
  if (ns != "/") check_absolute("namespace", ns, kLongestNamespace);
}

/// Replaces {node}, {ns} and {namespace}.
std::string substitute(std::string_view topic, const NodeName& node) {
  std::string result;
  for (std::size_t at = 0; at < topic.size();) {
    const std::size_t open = topic.find('{', at);
    result += topic.substr(at, open - at);
    if (open == std::string_view::npos) break;
    const std::size_t close = topic.find('}', open);
    if (close == std::string_view::npos) reject("topic name", topic, "has a { without its }");
    const std::string_view key = topic.substr(open + 1, close - open - 1);
    if (key == "node") {
      result += node.name;
    } else if (key == "ns" || key == "namespace") {
      result += node.ns;
    } else {
      reject("topic name", topic, "has a {} that is none of {node}, {ns}, {namespace}");
    }
    at = close + 1;
  }
  return result;
}

/// The full name before any rule.
std::string expand(std::string_view topic, const NodeName& node) {
  if (topic.empty()) reject("topic name", topic, "is empty");
  if (topic.back() == '/') reject("topic name", topic, "must not end with /");
  const bool is_private = topic.front() == '~';
  if (is_private && topic.size() > 1 && topic[1] != '/') {
    reject("topic name", topic, "must have a / after ~");
  }
  if (topic.find('~', 1) != std::string_view::npos) {
    reject("topic name", topic, "must not have a ~ that is not its first character");
  }
  std::string full = substitute(is_private ? topic.substr(1) : topic, node);
  if (is_private) {
    full = node.full() + full;
  } else if (full.empty() || full.front() != '/') {
    full = (node.ns == "/" ? node.ns : node.ns + '/') + full;
  }
  check_absolute("topic name", full, kLongestTopic);
  return full;
}

bool renames_node(const RemapRule& rule) { return rule.from == "__node" || rule.from == "__name"; }
bool moves_node(const RemapRule& rule) { return rule.from == "__ns"; }
bool means_node(const RemapRule& rule, std::string_view name) {
  return rule.node.empty() || rule.node == name;
}

}  // namespace

std::string NodeName::full() const { return (ns == "/" ? ns : ns + '/') + name; }

void check_remap_rules(const std::vector<RemapRule>& rules) {
  const NodeName any{"/ns", "node"};
  for (const RemapRule& rule : rules) {
    const std::string prefix = rule.node.empty() ? "" : rule.node + ':';
    try {
      if (!rule.node.empty()) check_node_name(rule.node);
      if (renames_node(rule)) {
        check_node_name(rule.to);
      } else if (moves_node(rule)) {
        check_namespace(rule.to);
      } else if (!starts_with(rule.from, kServiceScheme)) {
        const bool scheme = starts_with(rule.from, kTopicScheme);
        (void)expand(std::string_view(rule.from).substr(scheme ? kTopicScheme.size() : 0), any);
        (void)expand(rule.to, any);
      }
    } catch (const Error& error) {
      throw Error("remap rule '" + shown(prefix + rule.from + ":=" + rule.to) +
                  "': " + error.what());
    }
  }
}

NodeName resolve_node_name(std::string_view name, std::string_view ns,
                           const std::vector<RemapRule>& rules) {
  NodeName node{std::string(ns), std::string(name)};
  if (ns.empty() || ns.front() != '/') node.ns.insert(0, 1, '/');
  const auto renaming = std::find_if(rules.begin(), rules.end(), [&](const RemapRule& rule) {
    return renames_node(rule) && means_node(rule, name);
  });
  if (renaming != rules.end()) node.name = renaming->to;
  const auto moving = std::find_if(rules.begin(), rules.end(), [&](const RemapRule& rule) {
    return moves_node(rule) && means_node(rule, node.name);
  });
  if (moving != rules.end()) node.ns = moving->to;
  check_node_name(node.name);
  check_namespace(node.ns);
  return node;
}

std::string resolve_topic_name(std::string_view topic, const NodeName& node,
                               const std::vector<RemapRule>& rules) {
  std::string full = expand(topic, node);
  for (const RemapRule& rule : rules) {
    if (renames_node(rule) || moves_node(rule) || !means_node(rule, node.name) ||
        starts_with(rule.from, kServiceScheme)) {
      continue;
    }
    std::string_view from = rule.from;
    if (starts_with(from, kTopicScheme)) from.remove_prefix(kTopicScheme.size());
    if (expand(from, node) == full) return expand(rule.to, node);
  }
  return full;
}

std::string dds_topic_name(std::string_view full_name) { return "rt" + std::string(full_name); }

std::string ros_type_name(std::string_view dds_type_name) {
  std::string name(dds_type_name);
  for (std::size_t at = name.find("dds_::"); at != std::string::npos; at = name.find("dds_::")) {
    name.erase(at, 6);
  }
  for (std::size_t at = name.find("::"); at != std::string::npos; at = name.find("::", at)) {
    name.replace(at, 2, "/");
  }
  if (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

}  // namespace spatial_dynamics::dds

#include "dds/params_file.hpp"

#include <cerrno>
#include <fstream>
#include <system_error>

#include "dds/error.hpp"
#include "dds/yaml_tree.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::dds {
namespace {

constexpr std::string_view kParametersKey = "ros__parameters";
constexpr const char* kExample = "it should read like '/**: {ros__parameters: {rate_hz: 500.0}}'";

std::string joined(const std::string& front, char separator, const std::string& back) {
  return front.empty() ? back : front + separator + back;
}

/// Walks through the tree and collects values.
class Collector {
 public:
  std::vector<FileParameter> take() { return std::move(found_); }

  /// A level of node names: maps in maps until `ros__parameters`.
  void sections(const YamlNode& map, const std::string& node) {
    for_each(map, [&](const std::string& key, const YamlNode& key_node, const YamlNode& value) {
      if (key == kParametersKey) {
        if (node.empty()) {
          throw YamlError(
              key_node.line,
              std::string("ros__parameters has no node name above it; ") + kExample + ".");
        }
        require_map(value, "ros__parameters");
        values(value, node, "");
        return;
      }
      require_map(value, in_quotes(key));
      const bool has_slash = node.empty() || node.back() == '/' || key.front() == '/';
      sections(value, has_slash ? node + key : node + '/' + key);
    });
  }

 private:
  template <typename Visit>
  static void for_each(const YamlNode& map, const Visit& visit) {
    for (std::size_t i = 0; i + 1 < map.items.size(); i += 2) {
      const YamlNode& key = map.items[i];
      if (key.kind != YamlNode::Kind::kScalar || key.text.empty()) {
        throw YamlError(key.line, "a name must be before the colon.");
      }
      visit(key.text, key, map.items[i + 1]);
    }
  }

  static void require_map(const YamlNode& node, const std::string& what) {
    if (node.kind == YamlNode::Kind::kMap || node.kind == YamlNode::Kind::kNothing) return;
    throw YamlError(node.line, what + " must have names and values below it; " + kExample + ".");
  }

  void values(const YamlNode& map, const std::string& node, const std::string& prefix) {
    for_each(map, [&](const std::string& key, const YamlNode& key_node, const YamlNode& value) {
      const std::string name = joined(prefix, '.', key);
      if (value.kind == YamlNode::Kind::kMap) {
        values(value, node, name);
        return;
      }
      try {
        found_.push_back({node, name, parameter_value(value), key_node.line});
      } catch (const YamlError& error) {
        // YAML notices a missing value only where the next one begins.
        const bool missing = value.kind == YamlNode::Kind::kNothing;
        throw YamlError(missing ? key_node.line : error.line(),
                        "parameter " + in_quotes(name) + ": " + error.what());
      }
    });
  }

  std::vector<FileParameter> found_;
};

/// The parts of a name between slashes.
std::vector<std::string_view> parts(std::string_view name) {
  std::vector<std::string_view> result;
  while (!name.empty()) {
    const std::size_t slash = name.find('/');
    if (slash != 0) result.push_back(name.substr(0, slash));
    if (slash == std::string_view::npos) break;
    name.remove_prefix(slash + 1);
  }
  return result;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw Error("parameter file " + in_quotes(path) +
                " can't be opened: " + std::generic_category().message(errno) + ".");
  }
  std::string text(kLargestParamsFile + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad())
    throw Error("parameter file " + in_quotes(path) + " can't be read; is it a folder?");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kLargestParamsFile) {
    throw Error("parameter file " + in_quotes(path) +
                " is larger than 1 MiB; is it a parameter file?");
  }
  return text;
}

std::string at_line(const std::string& source, int line, const std::string& sentence) {
  return source + ':' + std::to_string(line) + ": " + sentence;
}

/// Parameters that `ros2 param dump` writes for every ROS 2 node; they have no effect here.
bool is_of_every_ros_node(std::string_view name) {
  return name == "start_type_description_service" || name.substr(0, 14) == "qos_overrides.";
}

}  // namespace

bool section_matches(std::string_view section, std::string_view full_node_name) {
  const auto pattern = parts(section);
  const auto name = parts(full_node_name);
  // matched[j]: the parts of the pattern so far match the first j parts of the name.
  std::vector<bool> matched(name.size() + 1, false);
  matched[0] = true;
  for (const std::string_view part : pattern) {
    std::vector<bool> next(name.size() + 1, false);
    for (std::size_t j = 0; j <= name.size(); ++j) {
      if (part == "**") {
        next[j] = matched[j] || (j > 0 && next[j - 1]);
      } else if (j > 0) {
        next[j] = matched[j - 1] && (part == "*" || part == name[j - 1]);
      }
    }
    matched = std::move(next);
  }
  return matched.back();
}

std::vector<FileParameter> parse_params(const std::string& text, const std::string& source) {
  try {
    const YamlNode root = parse_yaml(text);
    if (root.kind == YamlNode::Kind::kNothing) return {};
    if (root.kind != YamlNode::Kind::kMap) {
      throw YamlError(root.line, std::string("this is not a parameter file; ") + kExample + ".");
    }
    Collector collector;
    collector.sections(root, "");
    return collector.take();
  } catch (const YamlError& error) {
    throw Error(at_line(source, error.line(), error.what()));
  }
}

std::string apply_params_file(const std::string& path, std::string_view full_node_name,
                              ParameterSet& parameters) {
  ParameterSet changed = parameters;
  std::string other;  // a section of another node
  bool matches = false;
  for (const FileParameter& parameter : parse_params(read_text(path), path)) {
    if (!section_matches(parameter.node, full_node_name)) {
      other = parameter.node;
      continue;
    }
    matches = true;
    if (is_of_every_ros_node(parameter.name)) continue;
    try {
      changed.set(parameter.name, parameter.value);
    } catch (const ParameterError& error) {
      throw Error(at_line(path, parameter.line, error.what()));
    }
  }
  parameters = std::move(changed);
  if (matches || other.empty()) return {};
  return "parameter file " + in_quotes(path) + " has no parameters for node " +
         std::string(full_node_name) + ", but for " + in_quotes(other) + "; name the section " +
         in_quotes(full_node_name) + ", or '/**' for every node.";
}

}  // namespace spatial_dynamics::dds

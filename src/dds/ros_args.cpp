#include "dds/ros_args.hpp"

#include <algorithm>

#include "dds/error.hpp"
#include "dds/params_file.hpp"
#include "dds/yaml_tree.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::dds {
namespace {

constexpr std::string_view kSeparator = ":=";

/// "node", "name" and "value" of `node:name:=value`; the node may be missing.
struct Rule {
  std::string node;
  std::string name;
  std::string value;
};

/// The position of the colon after a node's name; the colon of a URL (rostopic://) does not count.
std::size_t prefix_end(std::string_view left) {
  const std::size_t colon = left.find(':');
  const bool url = colon != std::string_view::npos && left.substr(colon, 3) == "://";
  return url ? std::string_view::npos : colon;
}

Rule parse_rule(const std::string& flag, const std::string& text, const char* form) {
  const auto reject = [&](const std::string& why) {
    throw Error("argument " + in_quotes(flag + ' ' + text) + " " + why + "; write " + flag + ' ' +
                form + ".");
  };
  const std::size_t separator = text.find(kSeparator);
  if (separator == std::string::npos) reject("has no := in it");
  Rule rule;
  rule.name = text.substr(0, separator);
  rule.value = text.substr(separator + kSeparator.size());
  const std::size_t colon = prefix_end(rule.name);
  if (colon != std::string::npos) {
    rule.node = rule.name.substr(0, colon);
    rule.name.erase(0, colon + 1);
    if (rule.node.empty()) reject("has no name of a node before its colon");
  }
  if (rule.name.empty()) reject("has nothing before :=");
  if (rule.value.empty()) reject("has nothing after :=");
  return rule;
}

RemapRule parse_remap(const std::string& flag, const std::string& text) {
  Rule rule = parse_rule(flag, text, "from:=to");
  RemapRule remap{std::move(rule.node), std::move(rule.name), std::move(rule.value)};
  check_remap_rules({remap});
  return remap;
}

ParameterArgument parse_parameter(const std::string& flag, const std::string& text) {
  Rule rule = parse_rule(flag, text, "name:=value");
  return {"", std::move(rule.node), std::move(rule.name), std::move(rule.value)};
}

LoggerLevel parse_log_level(const std::string& flag, const std::string& text) {
  LoggerLevel result;
  result.level = text;
  const std::size_t separator = text.find(kSeparator);
  if (separator != std::string::npos) {
    result.logger = text.substr(0, separator);
    result.level = text.substr(separator + kSeparator.size());
  }
  for (char& c : result.level) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  if (separator == 0 ||
      !is_one_of(result.level, {"debug", "info", "warn", "error", "fatal", "unset"})) {
    throw Error("argument " + in_quotes(flag + ' ' + text) +
                " has no valid log level; write one of debug, info, warn, error, fatal, or "
                "logger:=level.");
  }
  return result;
}

/// Options about the destination of logs, which ROS 2's launch adds to some nodes.
bool is_ignored_with_value(std::string_view flag) {
  return is_one_of(flag, {"--log-config-file", "--log-file-name"});
}
bool is_ignored(std::string_view flag) {
  return is_one_of(
      flag, {"--enable-stdout-logs", "--disable-stdout-logs", "--enable-rosout-logs",
             "--disable-rosout-logs", "--enable-external-lib-logs", "--disable-external-lib-logs"});
}

/// Reads a command line from left to right.
class ArgumentReader {
 public:
  explicit ArgumentReader(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  RosArguments read() {
    bool in_section = false;
    for (; at_ < arguments_.size(); ++at_) {
      const std::string& argument = arguments_[at_];
      if (argument == "--ros-args") {
        in_section = true;
      } else if (in_section && argument == "--") {
        in_section = false;
      } else if (in_section) {
        ros_argument(argument);
      } else {
        other_argument(argument);
      }
    }
    return std::move(result_);
  }

 private:
  void ros_argument(const std::string& flag) {
    if (is_one_of(flag, {"-r", "--remap"})) {
      result_.remaps.push_back(parse_remap(flag, next("from:=to")));
    } else if (is_one_of(flag, {"-p", "--param"})) {
      result_.parameters.push_back(parse_parameter(flag, next("name:=value")));
    } else if (flag == "--params-file") {
      result_.parameters.push_back({next("the file's path"), "", "", ""});
      if (result_.parameters.back().file.empty()) throw Error("--params-file has an empty path.");
    } else if (flag == "--log-level") {
      result_.log_levels.push_back(parse_log_level(flag, next("a level")));
    } else if (is_one_of(flag, {"-e", "--enclave"})) {
      result_.enclave = next("the enclave's name");
    } else if (is_ignored_with_value(flag)) {
      result_.ignored.push_back(flag + ' ' + next("a value"));
    } else if (is_ignored(flag)) {
      result_.ignored.push_back(flag);
    } else {
      throw Error("argument " + in_quotes(flag) +
                  " after --ros-args is unknown to ROS 2; end ROS 2's arguments with -- "
                  "before others.");
    }
  }

  /// ROS 2 accepts ROS 1's form with a warning; this node rejects it.
  void other_argument(const std::string& argument) {
    const bool option = !argument.empty() && argument.front() == '-';
    if (!option && argument.find(kSeparator) != std::string::npos) {
      throw Error("argument " + in_quotes(argument) + " must be after --ros-args -r or -p.");
    }
    result_.rest.push_back(argument);
  }

  const std::string& next(const char* what) {
    if (at_ + 1 >= arguments_.size()) {
      throw Error("argument '" + arguments_[at_] + "' is the last one; write " + what +
                  " after it.");
    }
    return arguments_[++at_];
  }

  const std::vector<std::string>& arguments_;
  std::size_t at_ = 0;
  RosArguments result_;
};

/// A text that begins with '<', such as a URDF, is not parsed as YAML.
ParameterValue value_of(const ParameterArgument& argument, const ParameterTable& table) {
  const ParameterDescription* const row = find_parameter(table, argument.name);
  if (row != nullptr && row->type() == ParameterType::kText && argument.value.front() == '<') {
    return argument.value;
  }
  return parameter_value(parse_yaml(argument.value));
}

void apply_one(const ParameterArgument& argument, ParameterSet& parameters) {
  const std::string where =
      "argument " + in_quotes("-p " + argument.name + ":=" + argument.value) + ": ";
  try {
    parameters.set(argument.name, value_of(argument, parameters.table()));
  } catch (const ParameterError& error) {
    throw Error(where + error.what());
  } catch (const YamlError& error) {
    throw Error(where + error.what());
  }
}

}  // namespace

RosArguments parse_ros_arguments(const std::vector<std::string>& arguments) {
  return ArgumentReader(arguments).read();
}

std::vector<std::string> apply_parameters(const RosArguments& arguments,
                                          std::string_view full_node_name,
                                          ParameterSet& parameters) {
  ParameterSet changed = parameters;
  std::vector<std::string> warnings;
  for (const ParameterArgument& argument : arguments.parameters) {
    if (!argument.file.empty()) {
      const std::string warning = apply_params_file(argument.file, full_node_name, changed);
      if (!warning.empty()) warnings.push_back(warning);
    } else if (argument.node.empty() || section_matches(argument.node, full_node_name)) {
      apply_one(argument, changed);
    }
  }
  parameters = std::move(changed);
  return warnings;
}

}  // namespace spatial_dynamics::dds

#include "ros2/parameters.hpp"

#include <chrono>
#include <type_traits>
#include <utility>

#include "runtime/parameters_text.hpp"

namespace spatial_dynamics::ros2 {
namespace {

/// An empty array becomes an empty text: `ros2 param dump` would write the array as [], which
/// rclcpp can't load.
rclcpp::ParameterValue to_ros(const ParameterValue& value) {
  return std::visit(
      [](const auto& v) {
        using Value = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<Value, std::vector<double>> ||
                      std::is_same_v<Value, std::vector<std::string>>) {
          if (v.empty()) return rclcpp::ParameterValue("");
        }
        return rclcpp::ParameterValue(v);
      },
      value);
}

rcl_interfaces::msg::ParameterDescriptor descriptor_of(const ParameterDescription& row) {
  rcl_interfaces::msg::ParameterDescriptor d;
  d.name = row.name;
  d.description = row.help;
  if (!row.unit.empty()) d.description += " [" + row.unit + "]";
  const ParameterType type = row.type();
  const bool array = type == ParameterType::kNumbers || type == ParameterType::kTexts;
  // The bounds in words only: rclcpp would reject a number outside of a declared range without the
  // range, before our callback, which names it, is called.
  d.additional_constraints = allowed_values(row);
  if (row.may_be_empty()) {
    d.additional_constraints += d.additional_constraints.empty() ? "" : "; ";
    d.additional_constraints += "an array, or an empty text for none";
  }
  d.read_only = !row.live;
  // `rate_hz: 500` is an integer to ROS 2, and one gain is a number, not an array.
  d.dynamic_typing = type == ParameterType::kNumber || array;
  return d;
}

/// Of one joint's number, which has its row's bounds.
rcl_interfaces::msg::ParameterDescriptor descriptor_of(const ParameterDescription& row,
                                                       const std::string& joint) {
  ParameterDescription number = row;
  number.name += "." + joint;
  number.default_value = 0.0;
  number.help = "Joint '" + joint + "': " + row.help;
  return descriptor_of(number);
}

/// Whether the table has this parameter, or it is one joint's of a per-joint row.
bool is_ours(const ParameterTable& table, const std::string& name) {
  return find_parameter(table, name) != nullptr || find_joint_parameter(table, name).row != nullptr;
}

std::string unknown(const ParameterTable& table, const std::string& name) {
  std::string sentence = "parameter '";
  sentence.append(name).append("' is unknown to this node and ignored; ");
  const std::string near = nearest_name(table, name);
  if (near.empty()) return sentence.append("docs/parameters.md lists those it has.");
  return sentence.append("did you mean '").append(near).append("'?");
}

}  // namespace

ParameterValue from_ros(const std::string& name, const rclcpp::ParameterValue& value) {
  switch (value.get_type()) {
    case rclcpp::PARAMETER_BOOL:
      return value.get<bool>();
    case rclcpp::PARAMETER_INTEGER:
      return value.get<std::int64_t>();
    case rclcpp::PARAMETER_DOUBLE:
      return value.get<double>();
    case rclcpp::PARAMETER_STRING:
      return value.get<std::string>();
    case rclcpp::PARAMETER_INTEGER_ARRAY: {
      const auto& integers = value.get<std::vector<std::int64_t>>();
      return std::vector<double>(integers.begin(), integers.end());
    }
    case rclcpp::PARAMETER_BOOL_ARRAY:  // which an empty list is to ROS 2
      if (value.get<std::vector<bool>>().empty()) return std::vector<double>();
      break;
    case rclcpp::PARAMETER_DOUBLE_ARRAY:
      return value.get<std::vector<double>>();
    case rclcpp::PARAMETER_STRING_ARRAY:
      return value.get<std::vector<std::string>>();
    case rclcpp::PARAMETER_NOT_SET:
      throw ParameterError(name, "parameter '" + name + "' needs a value: it can't be deleted.");
    default:
      break;
  }
  throw ParameterError(name, "parameter '" + name + "' can't be of the type " +
                                 rclcpp::to_string(value.get_type()) + ".");
}

void replace_empty_arrays(const ParameterTable& table, std::vector<rclcpp::Parameter>& parameters) {
  for (rclcpp::Parameter& p : parameters) {
    // To ROS 2 an empty list is a list of booleans.
    const bool empty = p.get_type() == rclcpp::PARAMETER_BOOL_ARRAY && p.as_bool_array().empty();
    if (empty && find_parameter(table, p.get_name()) != nullptr) {
      p = rclcpp::Parameter(p.get_name(), "");
    }
  }
}

std::vector<std::pair<std::string, ParameterValue>> changes_of(
    const ParameterTable& table, const std::vector<rclcpp::Parameter>& parameters) {
  std::vector<std::pair<std::string, ParameterValue>> changes;
  for (const rclcpp::Parameter& p : parameters) {
    if (!is_ours(table, p.get_name())) continue;
    changes.emplace_back(p.get_name(), from_ros(p.get_name(), p.get_parameter_value()));
  }
  return changes;
}

ParameterSet declare(rclcpp::node_interfaces::NodeParametersInterface& node,
                     const ParameterTable& table, std::vector<std::string>& warnings) {
  ParameterSet parameters(table);
  for (const auto& [name, value] : node.get_parameter_overrides()) {
    if (is_ours(table, name)) {
      parameters.set(name, from_ros(name, value));
    } else if (!node.has_parameter(name) && name.rfind("qos_overrides.", 0) != 0 &&
               name.rfind("async_parameters.", 0) != 0) {  // of ros2_control
      warnings.push_back(unknown(table, name));
    }
  }
  for (const ParameterDescription& row : table) {
    if (node.has_parameter(row.name)) continue;
    // `ros2 param dump` can't write both effort_limits and effort_limits.shoulder.
    const bool by_name_only =
        parameters.by_joint().count(row.name) != 0 && parameters.get(row.name) == row.default_value;
    if (by_name_only) continue;
    // The value as it was given, with the table's type: an integer has become a number.
    node.declare_parameter(row.name, to_ros(parameters.get(row.name)), descriptor_of(row), true);
  }
  for (const auto& [name, joints] : parameters.by_joint()) {
    const ParameterDescription& row = *find_parameter(table, name);
    for (const auto& [joint, value] : joints) {
      const std::string full_name = name + "." + joint;
      if (node.has_parameter(full_name)) continue;
      node.declare_parameter(full_name, rclcpp::ParameterValue(value), descriptor_of(row, joint),
                             true);
    }
  }
  return parameters;
}

GiveUp pipe_patience(rclcpp::Context::SharedPtr context) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  return [context = std::move(context), deadline] {
    return !context->is_valid() || std::chrono::steady_clock::now() > deadline;
  };
}

}  // namespace spatial_dynamics::ros2

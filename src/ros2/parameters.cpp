#include "ros2/parameters.hpp"

#include <algorithm>
#include <cmath>

namespace spatial_dynamics::ros2 {
namespace {

/// rclcpp declares it in every node, for itself.
constexpr const char* kDeclaredByRos = "use_sim_time";

rclcpp::ParameterValue to_ros(const ParameterValue& value) {
  return std::visit([](const auto& v) { return rclcpp::ParameterValue(v); }, value);
}

rcl_interfaces::msg::ParameterDescriptor descriptor_of(const ParameterDescription& row) {
  rcl_interfaces::msg::ParameterDescriptor d;
  d.name = row.name;
  d.description = row.help;
  if (!row.unit.empty()) d.description += " [" + row.unit + "]";
  const std::string allowed = allowed_values(row);
  if (!allowed.empty()) d.additional_constraints = allowed;
  d.read_only = !row.live;
  const ParameterType type = row.type();
  // `rate_hz: 500` is an integer to ROS 2, and one gain is a number, not an array.
  d.dynamic_typing = type == ParameterType::kNumber || type == ParameterType::kNumbers ||
                     type == ParameterType::kTexts;
  const bool bounded = std::isfinite(row.lower) && std::isfinite(row.upper);
  if (bounded && type == ParameterType::kInteger) {
    d.integer_range.resize(1);
    d.integer_range[0].from_value = static_cast<std::int64_t>(row.lower);
    d.integer_range[0].to_value = static_cast<std::int64_t>(row.upper);
  }
  if (bounded && (type == ParameterType::kNumber || type == ParameterType::kNumbers)) {
    d.floating_point_range.resize(1);
    d.floating_point_range[0].from_value = row.lower;
    d.floating_point_range[0].to_value = row.upper;
  }
  return d;
}

bool concerns(const ParameterTable& table, const std::string& name) {
  return name != kDeclaredByRos && find_parameter(table, name) != nullptr;
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
    case rclcpp::PARAMETER_BOOL_ARRAY:  // what ROS 2 takes an empty list for
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

std::vector<std::pair<std::string, ParameterValue>> changes_of(
    const ParameterTable& table, const std::vector<rclcpp::Parameter>& parameters) {
  std::vector<std::pair<std::string, ParameterValue>> changes;
  for (const rclcpp::Parameter& p : parameters) {
    if (!concerns(table, p.get_name())) continue;
    changes.emplace_back(p.get_name(), from_ros(p.get_name(), p.get_parameter_value()));
  }
  return changes;
}

ParameterSet declare(rclcpp::node_interfaces::NodeParametersInterface& node,
                     const ParameterTable& table, std::vector<std::string>& warnings) {
  ParameterSet parameters(table);
  for (const auto& [name, value] : node.get_parameter_overrides()) {
    if (find_parameter(table, name) != nullptr) {
      parameters.set(name, from_ros(name, value));
    } else if (!node.has_parameter(name) && name.rfind("qos_overrides.", 0) != 0) {
      warnings.push_back("parameter '" + name +
                         "' means nothing to this node and is left aside: docs/parameters.md lists "
                         "those it has.");
    }
  }
  for (const ParameterDescription& row : table) {
    if (node.has_parameter(row.name)) continue;
    // The value as it was given, with the table's type: an integer has become a number.
    node.declare_parameter(row.name, to_ros(parameters.get(row.name)), descriptor_of(row), true);
  }
  return parameters;
}

}  // namespace spatial_dynamics::ros2

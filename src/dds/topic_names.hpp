// Resolves names by ROS 2's rules, and converts them to names on DDS.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spatial_dynamics::dds {

/// One `-r` of the command line: `from:=to`, or `node:from:=to` for the node of that name. `from`
/// is the name of a topic, `__node` (also `__name`) or `__ns`.
struct RemapRule {
  std::string node;  ///< empty: every node
  std::string from;
  std::string to;
};

struct NodeName {
  std::string ns = "/";  ///< absolute; "/" is the root
  std::string name;

  /// "/arm/left/dynamics".
  [[nodiscard]] std::string full() const;
};

/// Throws Error if a rule can never be applied because one of its sides is not a valid name.
void check_remap_rules(const std::vector<RemapRule>& rules);

/// The node's name after the first matching `__node` rule and the first matching `__ns` rule. As in
/// ROS 2, a `__node` rule for one node is matched with the original name, every other rule with the
/// new name. `ns` may lack the leading slash. Throws Error.
NodeName resolve_node_name(std::string_view name, std::string_view ns,
                           const std::vector<RemapRule>& rules = {});

/// The full name of a topic: `/x` is absolute, `~/x` below the node, `x` in its namespace;
/// `{node}`, `{ns}` and `{namespace}` are replaced. Then the first rule whose `from` resolves to
/// this name is applied, once. Throws Error.
std::string resolve_topic_name(std::string_view topic, const NodeName& node,
                               const std::vector<RemapRule>& rules = {});

/// "rt/joint_states" of "/joint_states".
std::string dds_topic_name(std::string_view full_name);

/// "sensor_msgs/msg/JointState" of "sensor_msgs::msg::dds_::JointState_".
std::string ros_type_name(std::string_view dds_type_name);

}  // namespace spatial_dynamics::dds

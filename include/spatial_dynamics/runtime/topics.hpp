// The one table of topics: what both doors join, and what docs/topics.md lists.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace spatial_dynamics {

struct TopicDescription {
  enum class Direction { kIn, kOut };
  Direction direction = Direction::kIn;
  std::string name;  ///< relative to the node's namespace; `~` is the node itself
  std::string type;  ///< "sensor_msgs/JointState"
  std::string qos;   ///< in words
  std::string when;  ///< the parameter that switches it on; empty: always there
  std::string help;  ///< one line
};

using TopicTable = std::vector<TopicDescription>;

/// The topics of the node `dynamics`.
const TopicTable& topic_table();
/// The topics of the node `robot_simulator`.
const TopicTable& simulator_topic_table();

/// Writes docs/topics.md.
void write_topic_markdown(std::ostream& out);

}  // namespace spatial_dynamics

#include "spatial_dynamics/runtime/topics.hpp"

#include <string_view>

namespace spatial_dynamics {
namespace {

constexpr auto kIn = TopicDescription::Direction::kIn;
constexpr auto kOut = TopicDescription::Direction::kOut;

constexpr const char* kStream = "best effort, 10";
constexpr const char* kCommand = "reliable, 10";
constexpr const char* kDescription = "reliable, transient local, 1";
constexpr const char* kOutput = "reliable, 1";
constexpr const char* kDefault = "reliable, 10";

TopicTable make_node_topics() {
  TopicTable table = {
      {kIn, "joint_states", "sensor_msgs/JointState", kStream, "",
       "Positions, velocities and measured efforts by joint name; parts of a state are merged."},
      {kIn, "robot_description", "std_msgs/String", kDescription, "",
       "The URDF, unless the parameter `robot_description` or `urdf_file` gives it; a new one "
       "replaces the old one, a bad "
       "one is refused."},
      {kIn, "odom", "nav_msgs/Odometry", kStream, "",
       "Pose and twist of a floating base; the twist in the base link's frame."},
      {kIn, "~/reference", "trajectory_msgs/JointTrajectory", kCommand, "",
       "One point with time_from_start 0: what to track now; else a trajectory that goes on from "
       "what is tracked at its "
       "start: now, or at its stamp. Joints that it does not name keep theirs."},
      {kIn, "~/effort_command", "sensor_msgs/JointState", kCommand, "",
       "The efforts whose accelerations are asked for, with `forward.effort_source: command`."},
      {kIn, "~/external_wrench", "geometry_msgs/WrenchStamped", kCommand, "",
       "A known wrench on the link `frame_id`, in its frame at its origin; faded out after "
       "`reference_timeout_s`."},
      {kIn, "~/payload", "geometry_msgs/InertiaStamped", kCommand, "",
       "What the link `frame_id`, one that moves, carries, the tensor about the centre of mass; "
       "mass 0 takes it off."},
      {kIn, "~/gravity", "geometry_msgs/Vector3Stamped", kCommand, "",
       "Gravity in the root link's frame, for inclined and moving mounts; from then on the "
       "parameter `gravity` has no effect."},
      {kOut, "~/torque", "sensor_msgs/JointState", kOutput, "",
       "`effort`, stamped with the state that it was computed from."},
      {kOut, "~/torque_array", "std_msgs/Float64MultiArray", kOutput, "publish.torque_array",
       "The same in the order of `command_joints`; silent while a joint has no effort limit."},
      {kOut, "~/acceleration", "trajectory_msgs/JointTrajectory", kOutput, "",
       "One point: the state and its forward dynamics."},
      {kOut, "~/base/acceleration", "geometry_msgs/AccelStamped", kOutput, "floating_base",
       "The base's rows of forward dynamics: the rate of its velocity's components in the base "
       "link's frame."},
      {kOut, "~/base/wrench", "geometry_msgs/WrenchStamped", kOutput, "floating_base",
       "The base's rows of inverse dynamics: the wrench that nothing provides."},
  };
  for (const char* term : {"gravity", "coriolis", "inertial", "friction", "external"}) {
    table.push_back({kOut, std::string("~/torque/") + term, "sensor_msgs/JointState", kOutput,
                     "publish.torque_terms", std::string("The ") + term + " part of the torque."});
  }
  const TopicTable rest = {
      {kOut, "~/external_torque", "sensor_msgs/JointState", kOutput, "publish.external_torque",
       "Momentum observer: what the model does not explain."},
      {kOut, "~/mass_matrix", "std_msgs/Float64MultiArray", kOutput, "publish.mass_matrix",
       "M(q), row by row; both dimensions are labelled with the joints' names."},
      {kOut, "/diagnostics", "diagnostic_msgs/DiagnosticArray", kDefault, "",
       "Once a second: how the node is, in words."},
      {kOut, "~/statistics", "statistics_msgs/MetricsMessage", kDefault, "",
       "Once a second: state age, wake-up jitter, compute time, state to torque, overruns."},
  };
  table.insert(table.end(), rest.begin(), rest.end());
  return table;
}

TopicTable make_simulator_topics() {
  return {
      {kIn, "dynamics/torque", "sensor_msgs/JointState", kCommand, "",
       "Efforts for the motors; the first one releases the brakes."},
      {kIn, "robot_description", "std_msgs/String", kDescription, "",
       "The URDF, unless a parameter gives it."},
      {kOut, "joint_states", "sensor_msgs/JointState", kDefault, "",
       "Measured positions, velocities and efforts."},
      {kOut, "odom", "nav_msgs/Odometry", kDefault, "floating_base",
       "Pose and twist of the floating base."},
      {kOut, "/clock", "rosgraph_msgs/Clock", kDefault, "publish_clock", "The simulated time."},
  };
}

void write_topics(std::ostream& out, const TopicTable& table) {
  out << "\n| topic | | type | QoS | with | meaning |\n|---|---|---|---|---|---|\n";
  for (const TopicDescription& t : table) {
    out << "| `" << t.name << "` | " << (t.direction == kIn ? "in" : "out") << " | " << t.type
        << " | " << t.qos << " | " << (t.when.empty() ? "" : "`" + t.when + "`") << " | " << t.help
        << " |\n";
  }
}

constexpr std::string_view kAboutTopics = R"(# Topics

This page is generated from one table; tests compare it with what the nodes really join, with ROS 2 and alone.

- Names follow the node's namespace; `~` is the node's own name, such as `/left/dynamics`. Each can be remapped.
- QoS: reliability, durability (volatile unless it says otherwise), depth of the history.
- "with" names the parameter that switches a topic on.
- A planar joint's coordinates are called `JOINT/x`, `JOINT/y` and `JOINT/theta`; mimic joints follow and are not named.
- SI units. Wrenches act on the robot, in the frame that they name, at its origin.
)";

}  // namespace

const TopicTable& topic_table() {
  static const TopicTable table = make_node_topics();
  return table;
}

const TopicTable& simulator_topic_table() {
  static const TopicTable table = make_simulator_topics();
  return table;
}

void write_topic_markdown(std::ostream& out) {
  out << kAboutTopics << "\n## The node `dynamics`\n";
  write_topics(out, topic_table());
  out << "\n## The simulated robot `robot_simulator`\n";
  write_topics(out, simulator_topic_table());
}

}  // namespace spatial_dynamics

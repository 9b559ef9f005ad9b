#include "runtime/topics.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

namespace spatial_dynamics {
namespace {

constexpr auto kIn = TopicDescription::Direction::kIn;
constexpr auto kOut = TopicDescription::Direction::kOut;
using Type = MessageType;

TopicTable make_node_inputs() {
  return {
      {Topic::kSimTime, kIn, "/clock", Type::kClock, kClockQos, "use_sim_time",
       "The simulated time, for stamps."},
      {Topic::kJointStates, kIn, "joint_states", Type::kJointState, kStreamQos, "",
       "Positions, velocities and measured efforts by joint name; messages with some of the joints "
       "are merged."},
      {Topic::kRobotDescription, kIn, "robot_description", Type::kString, kDescriptionQos, "",
       "The URDF, unless the parameter `robot_description` or `urdf_file` gives it. A new "
       "description replaces the robot model; an invalid one is rejected, and the old model stays "
       "in use.",
       Delivery::kOwnThread},
      {Topic::kOdometry, kIn, "odom", Type::kOdometry, kStreamQos, "",
       "Pose and twist of a floating base; the twist in the base link's frame."},
      {Topic::kSetActive, kIn, "~/set_active", Type::kBool, kCommandQos, "",
       "true activates the node and ends a latched stop; false deactivates it, which ramps the "
       "torque to zero. "
       "Diagnostics show the result as `last activation command`."},
      {Topic::kReference, kIn, "~/reference", Type::kJointTrajectory, kCommandQos, "",
       "One point with time_from_start 0 is the reference from now on. Other messages are "
       "trajectories; a trajectory starts now or at its stamp, from the reference at that time. "
       "Joints that the message does not name keep their reference. At most 1,000,000 knots "
       "(points times joints) in total.",
       Delivery::kOwnThread},
      {Topic::kEffortCommand, kIn, "~/effort_command", Type::kJointState, kCommandQos, "",
       "Efforts from which accelerations are computed, with `forward.effort_source: command`.",
       Delivery::kOwnThread},
      {Topic::kStiffness, kIn, "~/stiffness", Type::kJointState, kCommandQos, "",
       "Stiffness of `joint_impedance` in `effort`, N m/rad or N/m, by joint name, or without "
       "names "
       "one number for all joints; ramped over `ramp_s`. It replaces `impedance.stiffness` of "
       "these "
       "joints until the next message.",
       Delivery::kOwnThread},
      {Topic::kAcknowledge, kIn, "~/acknowledge", Type::kBool, kCommandQos, "",
       "true acknowledges a contact and ends the reaction to it; the robot holds its position, and "
       "references that arrived meanwhile are discarded. Has no effect without a contact."},
      {Topic::kExternalWrench, kIn, "~/external_wrench", Type::kWrenchStamped, kCommandQos, "",
       "A known wrench on the link `frame_id`, in this link's frame at its origin; ramped to zero "
       "after `reference_timeout_s`."},
      {Topic::kPayload, kIn, "~/payload", Type::kInertiaStamped, kCommandQos, "",
       "The payload of the link `frame_id`, which must be a moving link; the inertia tensor is "
       "about the centre of mass. Mass 0 removes the payload. A payload stays until the next "
       "message for its link, also while the node is inactive."},
      {Topic::kGravity, kIn, "~/gravity", Type::kVector3Stamped, kCommandQos, "",
       "Gravity in the root link's frame, for inclined and moving mounts. After the first message "
       "the parameter `gravity` has no effect."},
  };
}

TopicTable make_node_outputs() {
  TopicTable table = {
      {Topic::kTorque, kOut, "~/torque", Type::kJointState, kOutputQos, "",
       "Torques in `effort`, with the stamp of the state from which they were computed.",
       Delivery::kDirect, true},
      {Topic::kTorqueArray, kOut, "~/torque_array", Type::kFloat64MultiArray, kOutputQos,
       "publish.torque_array",
       "The same torques in the order of `command_joints`; not sent while a joint has no effort "
       "limit.",
       Delivery::kDirect, true},
      {Topic::kAcceleration, kOut, "~/acceleration", Type::kJointTrajectory, kOutputQos, "",
       "One point: position, velocity, and the acceleration from forward dynamics."},
      {Topic::kBaseAcceleration, kOut, "~/base/acceleration", Type::kAccelStamped, kOutputQos,
       "floating_base",
       "The base's rows of forward dynamics: the time derivative of its velocity components in the "
       "base link's frame."},
      {Topic::kBaseWrench, kOut, "~/base/wrench", Type::kWrenchStamped, kOutputQos, "floating_base",
       "The base's rows of inverse dynamics: the wrench on the base that no motor provides."},
  };
  const std::array<std::pair<Topic, const char*>, 5> terms{{{Topic::kGravityTerm, "gravity"},
                                                            {Topic::kCoriolisTerm, "coriolis"},
                                                            {Topic::kInertialTerm, "inertial"},
                                                            {Topic::kFrictionTerm, "friction"},
                                                            {Topic::kExternalTerm, "external"}}};
  for (const auto& [topic, term] : terms) {
    table.push_back({topic, kOut, std::string("~/torque/") + term, Type::kJointState, kOutputQos,
                     "publish.torque_terms", std::string("The ") + term + " part of the torque."});
  }
  const TopicTable rest = {
      {Topic::kExternalTorque, kOut, "~/external_torque", Type::kJointState, kOutputQos,
       "publish.external_torque", "Momentum observer: the torque that the model does not explain."},
      {Topic::kMassMatrix, kOut, "~/mass_matrix", Type::kFloat64MultiArray, kOutputQos,
       "publish.mass_matrix",
       "M(q), row by row; both dimensions are labelled with the joints' names."},
      {Topic::kDiagnostics, kOut, "/diagnostics", Type::kDiagnosticArray, kDefaultQos, "",
       "Once a second: the state of the node as text."},
      {Topic::kStatistics, kOut, "~/statistics", Type::kMetricsMessage, kDefaultQos, "",
       "Once a second: state age, wake-up jitter, compute time, state to torque, overruns, "
       "replaced "
       "torques."},
  };
  table.insert(table.end(), rest.begin(), rest.end());
  return table;
}

TopicTable make_node_topics() {
  TopicTable table = make_node_inputs();
  const TopicTable outputs = make_node_outputs();
  table.insert(table.end(), outputs.begin(), outputs.end());
  return table;
}

TopicTable make_simulator_topics() {
  return {
      {Topic::kEffort, kIn, "dynamics/torque", Type::kJointState, kCommandQos, "",
       "Efforts of the motors; the first message releases the brakes."},
      {Topic::kExternalWrench, kIn, "~/external_wrench", Type::kWrenchStamped, kCommandQos, "",
       "A wrench that acts on the link `frame_id`, in this link's frame at its origin, until it is "
       "older than `wrench_timeout_s`."},
      {Topic::kRobotDescription, kIn, "robot_description", Type::kString, kDescriptionQos, "",
       "The URDF, unless a parameter gives it."},
      {Topic::kSimulatedStates, kOut, "joint_states", Type::kJointState, kDefaultQos, "",
       "Measured positions, velocities and efforts."},
      {Topic::kSimulatedOdometry, kOut, "odom", Type::kOdometry, kDefaultQos, "floating_base",
       "Pose and twist of the floating base."},
      {Topic::kClock, kOut, "/clock", Type::kClock, kDefaultQos, "publish_clock",
       "The simulated time."},
  };
}

TopicTable make_simulated_system_topics() {
  return {
      {Topic::kExternalWrench, kIn, "~/external_wrench", Type::kWrenchStamped, kCommandQos, "",
       "A wrench that acts on the link `frame_id`, in this link's frame at its origin, until it is "
       "older than `wrench_timeout_s`."},
      {Topic::kPayload, kIn, "~/payload", Type::kInertiaStamped, kCommandQos, "",
       "A load that the link `frame_id` carries; the inertia tensor is about the centre of mass. "
       "Mass 0 removes the load."},
  };
}

std::string in_words(const TopicDescription& t) {
  std::string text = t.qos.reliability == Reliability::kReliable ? "reliable" : "best effort";
  if (t.qos.durability == Durability::kTransientLocal) text += ", transient local";
  text += ", " + std::to_string(t.qos.depth);
  return t.has_deadline ? text + "; deadline, liveliness" : text;
}

void write_topics(std::ostream& out, const TopicTable& table) {
  out << "\n| topic | | type | QoS | with | meaning |\n|---|---|---|---|---|---|\n";
  for (const TopicDescription& t : table) {
    out << "| `" << t.name << "` | " << (t.direction == kIn ? "in" : "out") << " | "
        << to_string(t.type) << " | " << in_words(t) << " | "
        << (t.when.empty() ? "" : "`" + t.when + "`") << " | " << t.help << " |\n";
  }
}

constexpr std::string_view kAboutTopics = R"(# Topics

This page is generated from the table from which the ROS 2 node and the stand-alone node create their topics.

- Names without a leading `/` are in the node's namespace; `~` is the node's name, such as `/left/dynamics`. Each can be remapped.
- QoS: reliability, durability (volatile unless stated otherwise), depth of the history.
- "deadline, liveliness": the node offers DEADLINE with `deadline_s`, by default five periods of the
  loop (5 ms at 1 kHz), and LIVELINESS MANUAL_BY_TOPIC with the same lease, which every message
  asserts. A subscriber may request either policy with that duration or a longer one; its middleware
  then reports when torques stop. With `trigger: state` neither is offered unless `deadline_s` is set.
- "with" names the parameter that switches a topic on.
- A planar joint's coordinates are called `JOINT/x`, `JOINT/y` and `JOINT/theta`; mimic joints are not listed.
- SI units. Wrenches act on the robot, in the frame that they name, at its origin.
)";

}  // namespace

std::string QosMismatch::sentence() const {
  return "topic '" + topic + "': a " + (we_publish ? "subscriber" : "publisher") +
         " was found whose " + policy + " does not fit ours; nothing will " +
         (we_publish ? "reach it." : "arrive from it.");
}

const char* to_string(MessageType type) noexcept {
  constexpr std::array<const char*, 13> kNames{
      "std_msgs/Bool",
      "std_msgs/String",
      "std_msgs/Float64MultiArray",
      "sensor_msgs/JointState",
      "trajectory_msgs/JointTrajectory",
      "nav_msgs/Odometry",
      "geometry_msgs/AccelStamped",
      "geometry_msgs/WrenchStamped",
      "geometry_msgs/InertiaStamped",
      "geometry_msgs/Vector3Stamped",
      "diagnostic_msgs/DiagnosticArray",
      "statistics_msgs/MetricsMessage",
      "rosgraph_msgs/Clock",
  };
  static_assert(kNames.size() == static_cast<std::size_t>(MessageType::kClock) + 1);
  return kNames.at(static_cast<std::size_t>(type));
}

const TopicTable& topic_table() {
  static const TopicTable table = make_node_topics();
  return table;
}

const TopicTable& simulator_topic_table() {
  static const TopicTable table = make_simulator_topics();
  return table;
}

const TopicTable& simulated_system_topic_table() {
  static const TopicTable table = make_simulated_system_topics();
  return table;
}

const TopicDescription& find_topic(const TopicTable& table, Topic topic) {
  return *std::find_if(table.begin(), table.end(),
                       [topic](const TopicDescription& row) { return row.topic == topic; });
}

TopicTable enabled_topics(const TopicTable& table, const ParameterSet& parameters,
                          std::chrono::nanoseconds deadline) {
  const bool robot_is_given = !parameters.get_text("robot_description").empty() ||
                              !parameters.get_text("urdf_file").empty();
  TopicTable enabled;
  for (const TopicDescription& row : table) {
    if (!row.when.empty() && !parameters.get_bool(row.when)) continue;
    if (row.topic == Topic::kRobotDescription && robot_is_given) continue;
    enabled.push_back(row);
    if (row.has_deadline) enabled.back().qos.deadline = deadline;
  }
  return enabled;
}

void throw_unserved(const TopicDescription& row) {
  throw std::logic_error("topic '" + row.name + "' is in the table, but no code serves it");
}

void require_row(const TopicTable& table, const TopicDescription& row,
                 TopicDescription::Direction direction) {
  const bool found = std::any_of(table.begin(), table.end(), [&](const TopicDescription& each) {
    return each.topic == row.topic && each.direction == direction;
  });
  if (!found) throw_unserved(row);
}

void write_topic_markdown(std::ostream& out) {
  out << kAboutTopics << "\n## The node `dynamics`\n";
  write_topics(out, topic_table());
  out << "\n## The simulated robot `robot_simulator`\n";
  write_topics(out, simulator_topic_table());
  out << "\n## The ros2_control hardware `spatial_dynamics/SimulatedSystem`\n\n"
         "`~` is the hardware's name in lower case.\n";
  write_topics(out, simulated_system_topic_table());
}

}  // namespace spatial_dynamics

// The one table of topics: both front ends create their publishers and subscriptions from it, and
// docs/topics.md lists it.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "runtime/parameters.hpp"
#include "runtime/qos.hpp"

namespace spatial_dynamics {

enum class Topic : std::uint8_t {
  kRobotDescription,  // of both nodes
  // inputs of the node `dynamics`
  kSimTime,
  kJointStates,
  kOdometry,
  kSetActive,
  kReference,
  kEffortCommand,
  kStiffness,
  kAcknowledge,
  kExternalWrench,
  kPayload,
  kGravity,
  // outputs of the node `dynamics`
  kTorque,
  kTorqueArray,
  kAcceleration,
  kBaseAcceleration,
  kBaseWrench,
  kGravityTerm,
  kCoriolisTerm,
  kInertialTerm,
  kFrictionTerm,
  kExternalTerm,
  kExternalTorque,
  kMassMatrix,
  kDiagnostics,
  kStatistics,
  // the node `robot_simulator`
  kEffort,
  kSimulatedStates,
  kSimulatedOdometry,
  kClock,
};

enum class MessageType : std::uint8_t {
  kBool,
  kString,
  kFloat64MultiArray,
  kJointState,
  kJointTrajectory,
  kOdometry,
  kAccelStamped,
  kWrenchStamped,
  kInertiaStamped,
  kVector3Stamped,
  kDiagnosticArray,
  kMetricsMessage,
  kClock,
};
/// "sensor_msgs/JointState".
const char* to_string(MessageType type) noexcept;

/// On which thread a message is decoded and delivered.
enum class Delivery : std::uint8_t {
  kDirect,     ///< the middleware's, or the writer's within one process: the shortest way
  kOwnThread,  ///< a separate one: a message that takes long to decode delays no joint state
};

struct TopicDescription {
  enum class Direction : std::uint8_t { kIn, kOut };
  Topic topic = Topic::kJointStates;
  Direction direction = Direction::kIn;
  std::string name;  ///< relative to the node's namespace; `~` is the node itself
  MessageType type = MessageType::kJointState;
  Qos qos;
  std::string when;  ///< the boolean parameter that switches it on; empty: always there
  std::string help;  ///< one line
  Delivery delivery = Delivery::kDirect;  ///< of an input
  bool has_deadline = false;              ///< `qos.deadline` follows from the parameters
};

using TopicTable = std::vector<TopicDescription>;

/// The topics of the node `dynamics`.
const TopicTable& topic_table();
/// The topics of the node `robot_simulator`.
const TopicTable& simulator_topic_table();
/// The topics of the ros2_control hardware `spatial_dynamics/SimulatedSystem`.
const TopicTable& simulated_system_topic_table();
/// The row of a topic, which the table must have.
const TopicDescription& find_topic(const TopicTable& table, Topic topic);

/// The rows that a node with these parameters joins, in the order of the table: those that are not
/// switched off, without robot_description if a parameter gives the robot. Torques are offered with
/// `deadline`. Allocates.
TopicTable enabled_topics(const TopicTable& table, const ParameterSet& parameters,
                          std::chrono::nanoseconds deadline = std::chrono::nanoseconds(0));

/// For code that serves the rows of a table one by one: throws std::logic_error, because there is
/// none for this row.
[[noreturn]] void throw_unserved(const TopicDescription& row);
/// throw_unserved() unless the table has a topic like this one in this direction.
void require_row(const TopicTable& table, const TopicDescription& row,
                 TopicDescription::Direction direction);

/// Whether the front end, not DynamicsCore, reads an input: how a node is activated and which clock
/// it has is up to its front end.
constexpr bool is_for_front_end(Topic topic) noexcept {
  return topic == Topic::kSetActive || topic == Topic::kSimTime;
}
/// Whether a topic exists as long as the node, also while a lifecycle node is not configured.
constexpr bool is_of_every_state(Topic topic) noexcept {
  return topic == Topic::kSetActive || topic == Topic::kDiagnostics;
}

/// Whether a message on this topic is a command for the motors: ~/torque or ~/torque_array.
constexpr bool carries_torque(Topic topic) noexcept {
  return topic == Topic::kTorque || topic == Topic::kTorqueArray;
}

/// Writes docs/topics.md.
void write_topic_markdown(std::ostream& out);

}  // namespace spatial_dynamics

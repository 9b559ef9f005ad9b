// The message sensor_msgs/msg/JointState, as bags and `ros2 topic echo` contain it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spatial_dynamics {

inline constexpr const char* kJointStateType = "sensor_msgs/msg/JointState";

struct JointStateMessage {
  std::int64_t stamp = 0;  ///< ns
  std::vector<std::string> name;
  std::vector<double> position, velocity, effort;
};

/// Decodes a message in CDR with its encapsulation (XCDR1 and the same type in XCDR2, little and
/// big endian). Returns what is wrong with it, or an empty text. Allocates at most in proportion to
/// the message.
std::string decode_joint_state(std::string_view bytes, JointStateMessage& message);

/// Reads one line of `ros2 topic echo --csv`: stamp.sec, stamp.nanosec, frame_id, then the elements
/// of name, position, velocity and effort; an empty array is one empty field. Returns false for
/// other lines.
bool parse_echo_line(std::string_view line, JointStateMessage& message);

}  // namespace spatial_dynamics

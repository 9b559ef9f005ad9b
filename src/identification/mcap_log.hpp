// Recordings in MCAP, the default format of rosbag2. Specification: https://mcap.dev/spec
#pragma once

#include "identification/joint_state_topics.hpp"
#include "identification/log_bytes.hpp"

namespace spatial_dynamics {

inline constexpr std::string_view kMcapMagic = "\x89MCAP0\r\n";

/// Reads the messages up to the end of the data section; the summary is not needed. Checks the
/// checksums of chunks. Memory grows with what is read, whatever sizes the file claims. Returns a
/// note, without the file's name, if the file is cut off: what is before is read. Throws
/// LogProblem.
std::string read_mcap(ByteSource& bytes, JointStateTopics& topics);

}  // namespace spatial_dynamics

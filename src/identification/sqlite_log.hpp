// Recordings of rosbag2 in SQLite.
#pragma once

#include <functional>

#include "identification/joint_state_topics.hpp"

namespace spatial_dynamics {

inline constexpr std::string_view kSqliteMagic{"SQLite format 3\0", 16};

/// Reads a file, which it does not change. Messages that rosbag2 compressed one by one (zstd) are
/// decompressed. Calls `progress` with the share that was read. Throws LogProblem.
void read_sqlite_file(const std::string& path, JointStateTopics& topics,
                      const std::function<void(double share)>& progress);

/// The same for the content of such a file.
void read_sqlite_bytes(std::string_view bytes, JointStateTopics& topics);

}  // namespace spatial_dynamics

// The folder of a rosbag2 recording.
#pragma once

#include <string>
#include <vector>

namespace spatial_dynamics {

/// The files of the recording, in order: those that metadata.yaml lists, otherwise (the recorder
/// was killed) all *.mcap, *.db3 and their compressed forms, by their numbers. Throws LogError that
/// names the folder.
std::vector<std::string> bag_files(const std::string& folder);

}  // namespace spatial_dynamics

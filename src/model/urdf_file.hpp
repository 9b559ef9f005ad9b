// Reads a URDF file as text.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace spatial_dynamics {

/// The largest description that is accepted, in bytes.
inline constexpr std::size_t kLargestUrdf = std::size_t{16} * 1024 * 1024;

/// Throws ModelError if the file does not exist, is a directory or may not be read. Reads nothing,
/// so that a pipe can still be read afterwards.
void require_urdf_file(const std::string& path);

/// Called before each read, and every 20 ms while a pipe has no data; true ends the reading. Empty:
/// waits without limit.
using GiveUp = std::function<bool()>;

/// The text of a file, cut after kLargestUrdf bytes and at most one block more. A pipe is read
/// until its last writer closes it. Allocates; throws ModelError as above, and if `give_up` ended
/// the reading.
std::string read_urdf_file(const std::string& path, const GiveUp& give_up = {});

}  // namespace spatial_dynamics

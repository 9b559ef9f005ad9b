// A URDF as a file, before anybody looks into it.
#pragma once

#include <string>

namespace spatial_dynamics {

/// Throws ModelError with a sentence that names the file and what to do if it is not there, is a directory or may not be read. Reads
/// nothing, so that a pipe can still be read by another.
void require_urdf_file(const std::string& path);

/// The text of a file, or as much of it as shows that it is too large. Allocates; throws ModelError as above.
std::string read_urdf_file(const std::string& path);

}  // namespace spatial_dynamics

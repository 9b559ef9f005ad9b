// A picture as a file: SVG as it is, PNG by another program.
#pragma once

#include <string>

namespace spatial_dynamics::cli {

/// What an option that takes the name of a picture says of it in its help.
inline constexpr const char* kPictureFile = "FILE.svg|FILE.png";

/// Why a picture can't be written to a file of this name; empty if it can. Asked before the work that the picture shows.
std::string picture_file_complaint(const std::string& file);

/// Writes a picture as its name's ending says, .svg or .png. Throws std::runtime_error with a sentence that names the file.
void write_picture(const std::string& file, const std::string& svg);

}  // namespace spatial_dynamics::cli

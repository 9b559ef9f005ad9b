// How many elements a serialised message has, read before it is decoded: a decoded element takes up
// to eight times the memory of a serialised one.
#pragma once

#include <string>
#include <string_view>

namespace spatial_dynamics {

/// Takes the serialised message with its four-byte header. Returns why it is not to be decoded, or
/// an empty string. Bytes that are no such message are left to the decoder.
using CountCheck = std::string (*)(std::string_view bytes);

/// At most kMostNames names.
std::string check_joint_state_counts(std::string_view bytes);
/// At most kMostNames names and kMostPoints points.
std::string check_trajectory_counts(std::string_view bytes);

}  // namespace spatial_dynamics

// Numbers of a line of input, with their place in error messages.
#pragma once

#include <string>
#include <string_view>

#include "cli/compute/json_reader.hpp"
#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics::cli {

/// The place of a number in the line, for messages: "q[2]", "v of 'elbow'", "wrenches of
/// 'hand'[5]".
struct Place {
  std::string_view member;
  std::string_view name = {};
  Index item = kNoIndex;
  [[nodiscard]] std::string text() const;
};

/// Reads one number of at most 1e15. Throws InputError that names the place.
double read_number(JsonReader& json, const Place& place);

/// Reads an array of numbers, stores the first `count` of them and returns how many it has. Throws
/// InputError that names the place.
Index read_numbers(JsonReader& json, Place place, Index count, double* values);

/// "q must have 2 numbers, not 3"
std::string wrong_count(const Place& place, Index count, Index got);

}  // namespace spatial_dynamics::cli

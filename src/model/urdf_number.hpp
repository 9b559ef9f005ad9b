// Strict parsing of numbers in a URDF, independent of the locale.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace spatial_dynamics {

/// The number in `text`, without surrounding white space. Errors name `where`, the attribute, such
/// as "the attribute value of <mass>". Infinity and overflow are ±infinity with `allow_infinite`
/// and errors otherwise; numbers too small for a double are zero. Throws ModelError.
double parse_number(const std::string& element, const std::string& where, std::string_view text,
                    bool allow_infinite = false);

/// Exactly three or four numbers with white space between them.
std::vector<double> parse_vector(const std::string& element, const std::string& where,
                                 std::string_view text, std::size_t count = 3);

}  // namespace spatial_dynamics

// Numbers as URDF writes them, read strictly and alike in every locale.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spatial_dynamics {

/// The number that `text` is, apart from white space around it. `where` names the attribute in a refusal, such as
/// "<mass value>" of "link 'forearm'". Infinity and overflow pass only as ±infinity with `allow_infinite`; what is too small
/// for a double is zero. Throws ModelError.
double parse_number(const std::string& element, const std::string& where, std::string_view text,
                    bool allow_infinite = false);

/// Exactly three numbers with white space between them.
std::vector<double> parse_vector(const std::string& element, const std::string& where,
                                 std::string_view text);

}  // namespace spatial_dynamics

// Parameters and their values in the words of sentences.
#pragma once

#include <string>
#include <string_view>

#include "runtime/parameters.hpp"

namespace spatial_dynamics {

/// "true or false", "an integer", "a number", …
const char* with_article(ParameterType type) noexcept;

/// A value as a sentence shows it: numbers as short as they are exact, texts in quotes and safe for
/// a terminal, long ones cut.
std::string shown(const ParameterValue& value);

}  // namespace spatial_dynamics

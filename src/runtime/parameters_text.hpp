// Parameters and their values as text: in sentences, in YAML and in a URDF.
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

/// "boolean", "integer", "number", "text", "numbers", "texts".
const char* to_string(ParameterType type) noexcept;
/// The value as YAML writes it: `true`, `500.0`, `"text"`, `[0.0, 1.0]`. Numbers read back as the
/// same double, in every locale.
std::string to_text(const ParameterValue& value);

/// A value of the parameter `name`, or of one joint's, from text as in a URDF: `true`, `4`, `0.5`,
/// `0.1 0.2` or `[0.1, 0.2]`. Text that can't be read as the parameter's type is returned as text,
/// which ParameterSet::set() rejects. Allocates.
ParameterValue parse_value(const ParameterTable& table, std::string_view name,
                           std::string_view text);

/// The name in the table that someone who wrote `name` most likely meant; empty if none is near.
std::string nearest_name(const ParameterTable& table, std::string_view name);

/// What is allowed, in words: "from 1 to 20000 Hz", "one of 'zero', 'stop'"; empty where everything
/// of the type is.
std::string allowed_values(const ParameterDescription& description);

}  // namespace spatial_dynamics

// Numbers and strings as text: the one place that knows their spelling. Independent of the locale.
#pragma once

#include <string>
#include <string_view>

namespace spatial_dynamics::cli {

/// Appends a finite number with 17 significant digits, which is enough to read back the same double. Zero has no sign.
void append_number(std::string& out, double value);

/// Appends a JSON string of valid UTF-8 text, quotes included.
void append_json_string(std::string& out, std::string_view text);

/// Reads all of `text` as a finite decimal number; false if it is none.
[[nodiscard]] bool parse_number(std::string_view text, double& value);

}  // namespace spatial_dynamics::cli

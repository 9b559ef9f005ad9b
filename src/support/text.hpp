// Names and numbers as text: in messages, in JSON and in CSV files. Independent of the locale.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace spatial_dynamics {

/// Length in bytes of the well-formed UTF-8 character that begins at byte i < text.size(); 0 if
/// none does.
std::size_t character_length(std::string_view text, std::size_t i) noexcept;

/// True if `text` is well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text) noexcept;

/// True if `text` holds a control character: C0, DEL, or C1 (U+0080 to U+009F, in UTF-8).
bool has_control_character(std::string_view text) noexcept;

/// The text in single quotes, safe for a terminal: control characters and bytes that are not UTF-8
/// appear as \xHH, and a text longer than a line is cut.
std::string in_quotes(std::string_view text);

/// True if the text equals one of these words.
bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words);

std::string link_element(std::string_view name);   ///< "link 'name'"
std::string joint_element(std::string_view name);  ///< "joint 'name'"

// Numbers below 1e10 are written without an exponent: 24550, not 2.455e+04.

/// The shortest decimal text that reads back as the same number, in every locale.
std::string number_text(double value);

/// The number to some significant digits, at most 9, for computed values in messages. Zero has no
/// sign.
std::string rounded_text(double value, int digits = 4);

/// "1 joint", "2 joints", "0 joints".
std::string count_text(std::size_t count, const std::string& noun);

/// Appends a finite number with 17 significant digits, which is enough to read back the same
/// double. Zero has no sign.
void append_number(std::string& out, double value);

/// Appends a JSON string of valid UTF-8 text, quotes included.
void append_json_string(std::string& out, std::string_view text);

/// Reads all of `text` as a finite decimal number. Returns false if it is not one.
[[nodiscard]] bool parse_number(std::string_view text, double& value);

}  // namespace spatial_dynamics

// A strict JSON reader without allocation, token by token. It determines the speed of `compute`.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace spatial_dynamics::cli {

/// An error in a line of input: one sentence, valid UTF-8.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads one JSON text. The caller reads the values that it expects; kind() returns the type of the
/// next one. Nesting happens only in the caller, so no text can exhaust the stack. Rejects
/// everything that RFC 8259 forbids, including invalid UTF-8 and unpaired surrogates.
///
/// All functions throw InputError with the column (bytes, from 1) of the error.
class JsonReader {
 public:
  enum class Kind { kObject, kArray, kString, kNumber, kLiteral };

  explicit JsonReader(std::string_view text) : text_(text) {}

  /// Type of the next value, from its first characters; true, false and null are literals.
  Kind kind();

  void enter_object() { open('{'); }
  /// Reads the key of the next member. Returns false, and leaves the object, if there is none. The
  /// key is valid until the next string is read.
  bool next_member(std::string_view& key);

  void enter_array() { open('['); }
  /// Moves to the next item. Returns false, and leaves the array, if there is none.
  bool next_item() { return next_in_container(']'); }

  /// The nearest double; infinite if the number is too large.
  double read_number();
  /// The string's text with escapes resolved; valid until the next string is read.
  std::string_view read_string();

  /// Checks that only white space follows.
  void finish();

 private:
  void skip_space() noexcept;
  void open(char bracket);
  bool next_in_container(char bracket);
  void skip_digits(const char* where);
  void read_escape();
  unsigned read_hex4();
  void skip_utf8_character();
  [[nodiscard]] char look() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[noreturn]] void fail(const std::string& why) const;
  [[noreturn]] void fail_unexpected(const std::string& expected) const;

  std::string_view text_;
  std::size_t at_ = 0;
  bool first_ = false;   // just after an opening bracket: no comma is expected
  std::string scratch_;  // a string that had escapes
};

}  // namespace spatial_dynamics::cli

// A strict, allocation-free reader of JSON text, token by token: the speed of `compute` hangs on it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace spatial_dynamics::cli {

/// Why a line of input can't be answered: one sentence, valid UTF-8.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Walks through one JSON text. The caller says what it expects next; kind() tells what is there. Only what the caller enters
/// is nested, so no text can exhaust the stack. Refuses all that RFC 8259 refuses, invalid UTF-8 and unpaired surrogates too.
///
/// All functions throw InputError with the column (bytes, from 1) where the text stops being JSON.
class JsonReader {
 public:
  enum class Kind { kObject, kArray, kString, kNumber, kLiteral };

  explicit JsonReader(std::string_view text) : text_(text) {}

  /// What the next value is, judged by its beginning; true, false and null are literals.
  Kind kind();

  void enter_object() { open('{'); }
  /// Steps to the next member, whose value comes next; false (and out of the object) if there is none. The key is valid until
  /// the next string is read.
  bool next_member(std::string_view& key);

  void enter_array() { open('['); }
  /// Steps to the next item; false (and out of the array) if there is none.
  bool next_item() { return next_in_container(']'); }

  /// A number of JSON's grammar as the nearest double; infinite where none is near.
  double read_number();
  /// The string's text with escapes resolved; valid until the next string is read.
  std::string_view read_string();

  /// Checks that nothing but white space follows.
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
  bool first_ = false;   // just behind an opening bracket, so no comma is due
  std::string scratch_;  // a string that had escapes
};

}  // namespace spatial_dynamics::cli

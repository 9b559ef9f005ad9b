#include "cli/compute/json_reader.hpp"

#include <charconv>
#include <cstdlib>

#include "support/text.hpp"

namespace spatial_dynamics::cli {

namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

void append_utf8(unsigned code_point, std::string& out) {
  const auto put = [&out](unsigned byte) { out.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80U) {
    put(code_point);
  } else if (code_point < 0x800U) {
    put(0xC0U | (code_point >> 6U));
    put(0x80U | (code_point & 0x3FU));
  } else if (code_point < 0x10000U) {
    put(0xE0U | (code_point >> 12U));
    put(0x80U | ((code_point >> 6U) & 0x3FU));
    put(0x80U | (code_point & 0x3FU));
  } else {
    put(0xF0U | (code_point >> 18U));
    put(0x80U | ((code_point >> 12U) & 0x3FU));
    put(0x80U | ((code_point >> 6U) & 0x3FU));
    put(0x80U | (code_point & 0x3FU));
  }
}

}  // namespace

void JsonReader::fail(const std::string& why) const {
  throw InputError("not valid JSON at column " + std::to_string(at_ + 1) + ": " + why);
}

void JsonReader::fail_unexpected(const std::string& expected) const {
  if (at_ >= text_.size()) fail("the line ends where " + expected + " should be");
  const auto byte = static_cast<unsigned char>(text_[at_]);
  if (byte > 0x20 && byte < 0x7F) {
    fail(expected + " should be where '" + std::string(1, text_[at_]) + "' is");
  }
  fail(expected + " should be where byte " + std::to_string(byte) + " is");
}

void JsonReader::skip_space() noexcept {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return;
    ++at_;
  }
}

JsonReader::Kind JsonReader::kind() {
  skip_space();
  const char c = look();
  if (c == '-' || is_digit(c)) return Kind::kNumber;
  if (c == '[') return Kind::kArray;
  if (c == '{') return Kind::kObject;
  if (c == '"') return Kind::kString;
  for (const std::string_view literal : {"true", "false", "null"}) {
    if (text_.substr(at_, literal.size()) == literal) return Kind::kLiteral;
  }
  fail_unexpected("a value");
}

void JsonReader::open(char bracket) {
  skip_space();
  if (look() != bracket) fail_unexpected("'" + std::string(1, bracket) + "'");
  ++at_;
  first_ = true;
}

// When an inner container closes, its parent has at least one element, so one flag is enough for
// all levels.
bool JsonReader::next_in_container(char bracket) {
  skip_space();
  const bool first = first_;
  first_ = false;
  if (look() == bracket) {
    ++at_;
    return false;
  }
  if (first) return true;
  if (look() != ',') fail_unexpected("',' or '" + std::string(1, bracket) + "'");
  ++at_;
  return true;
}

bool JsonReader::next_member(std::string_view& key) {
  if (!next_in_container('}')) return false;
  skip_space();
  if (look() != '"') fail_unexpected("a key in double quotes");
  key = read_string();
  skip_space();
  if (look() != ':') fail_unexpected("':'");
  ++at_;
  return true;
}

void JsonReader::skip_digits(const char* where) {
  if (!is_digit(look())) fail_unexpected(where);
  while (is_digit(look())) ++at_;
}

double JsonReader::read_number() {
  skip_space();
  const std::size_t begin = at_;
  if (look() == '-') ++at_;
  if (look() == '0') {
    ++at_;
    if (is_digit(look())) fail("a number must not begin with 0");
  } else {
    skip_digits("a digit");
  }
  if (look() == '.') {
    ++at_;
    skip_digits("a digit after the decimal point");
  }
  if (look() == 'e' || look() == 'E') {
    ++at_;
    if (look() == '+' || look() == '-') ++at_;
    skip_digits("a digit of the exponent");
  }
  const std::string_view token = text_.substr(begin, at_ - begin);
  double value = 0.0;
  const auto result = std::from_chars(token.data(), token.data() + token.size(), value);
  // from_chars does not distinguish overflow from underflow; strtod does, and reads a decimal point
  // because the program never leaves the "C" locale.
  if (result.ec != std::errc()) value = std::strtod(std::string(token).c_str(), nullptr);
  return value;
}

std::string_view JsonReader::read_string() {
  skip_space();
  if (look() != '"') fail_unexpected("a string");
  ++at_;
  std::size_t copied = at_;
  bool escaped = false;
  scratch_.clear();
  while (at_ < text_.size()) {
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (byte == '"') {
      const std::string_view rest = text_.substr(copied, at_ - copied);
      ++at_;
      if (!escaped) return rest;
      return scratch_.append(rest);
    }
    if (byte == '\\') {
      scratch_.append(text_.substr(copied, at_ - copied));
      escaped = true;
      read_escape();
      copied = at_;
    } else if (byte < 0x20) {
      fail("a control character in a string must be escaped");
    } else if (byte < 0x80) {
      ++at_;
    } else {
      skip_utf8_character();
    }
  }
  fail("the line ends inside a string");
}

void JsonReader::read_escape() {
  ++at_;
  const char c = look();
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  if (const std::size_t known = kLetters.find(c); c != '\0' && known != std::string_view::npos) {
    scratch_.push_back(kMeanings[known]);
    ++at_;
    return;
  }
  if (c != 'u') fail("unknown escape in a string");
  ++at_;
  unsigned code_point = read_hex4();
  if (code_point >= 0xD800U && code_point < 0xDC00U) {  // the first half of a surrogate pair
    if (text_.substr(at_, 2) != "\\u") fail("an unpaired surrogate in a string");
    at_ += 2;
    const unsigned low = read_hex4();
    if (low < 0xDC00U || low >= 0xE000U) fail("an unpaired surrogate in a string");
    code_point = 0x10000U + ((code_point - 0xD800U) << 10U) + (low - 0xDC00U);
  } else if (code_point >= 0xDC00U && code_point < 0xE000U) {
    fail("an unpaired surrogate in a string");
  }
  append_utf8(code_point, scratch_);
}

unsigned JsonReader::read_hex4() {
  unsigned value = 0;
  const std::string_view digits = text_.substr(at_, 4);
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.size() != 4 || result.ptr != digits.data() + 4 || digits[0] == '-') {
    fail("\\u needs four hexadecimal digits");
  }
  at_ += 4;
  return value;
}

void JsonReader::skip_utf8_character() {
  const std::size_t length = character_length(text_, at_);
  if (length == 0) fail("a string that is not UTF-8");
  at_ += length;
}

void JsonReader::finish() {
  skip_space();
  if (at_ < text_.size()) fail("unexpected text after the value");
}

}  // namespace spatial_dynamics::cli

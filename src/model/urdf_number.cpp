#include "urdf_number.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <locale>
#include <sstream>
#include <system_error>

#include "spatial_dynamics/model/model_error.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::string_view trimmed(std::string_view text) noexcept {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

[[noreturn]] void reject(const std::string& element, const std::string& where,
                         std::string_view text, const std::string& remedy) {
  throw ModelError(element, element + " has " + in_quotes(text) + " in " + where + "; " + remedy);
}

std::string remedy_for(std::string_view text) {
  if (text.find("${") != std::string_view::npos || text.find("$(") != std::string_view::npos) {
    return "run xacro first and load its output";
  }
  if (text.find(',') != std::string_view::npos) {
    return "write numbers with a decimal point and without commas, such as 1.5";
  }
  return "write a plain decimal number, such as 1.5 or 2e-3";
}

/// A number out of range for from_chars: infinite if too large, zero if too small. from_chars does
/// not distinguish them, a stream does.
double out_of_range(std::string_view text) {
  std::istringstream stream{std::string(text)};
  stream.imbue(std::locale::classic());
  double value = 0.0;
  if (stream >> value) {
    return value;
  }
  return std::copysign(std::numeric_limits<double>::infinity(), text.front() == '-' ? -1.0 : 1.0);
}

}  // namespace

double parse_number(const std::string& element, const std::string& where, std::string_view text,
                    bool allow_infinite) {
  std::string_view digits = trimmed(text);
  // from_chars accepts no plus sign, which numbers in XML may have.
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-' && digits[1] != '+') {
    digits.remove_prefix(1);
  }
  double value = 0.0;
  const char* end = digits.data() + digits.size();
  const auto result = std::from_chars(digits.data(), end, value);
  if (digits.empty() || result.ec == std::errc::invalid_argument || result.ptr != end) {
    reject(element, where, text, remedy_for(text));
  }
  if (result.ec == std::errc::result_out_of_range) {
    value = out_of_range(digits);
  }
  if (std::isnan(value) || (std::isinf(value) && !allow_infinite)) {
    reject(element, where, text, "give a finite number");
  }
  return value;
}

std::vector<double> parse_vector(const std::string& element, const std::string& where,
                                 std::string_view text, std::size_t count) {
  const std::string wanted = count == 4 ? "four numbers" : "three numbers";
  std::vector<double> numbers;
  std::string_view rest = trimmed(text);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(kSpace), rest.size());
    if (numbers.size() == count) {
      reject(element, where, text, "give " + wanted + ", and no more");
    }
    numbers.push_back(parse_number(element, where, rest.substr(0, end)));
    rest = trimmed(rest.substr(end));
  }
  if (numbers.size() != count) {
    reject(element, where, text,
           "give " + wanted + ", such as " + (count == 4 ? "0 0 0 1" : "0 0 1"));
  }
  return numbers;
}

}  // namespace spatial_dynamics

#include "require_number.hpp"

#include <cmath>

#include "support/text.hpp"
#include "validate_description.hpp"

namespace spatial_dynamics {

bool is_usable(double value) noexcept { return std::abs(value) <= kLargestNumber; }  // NaN is not

void require_usable(const std::string& element, const char* what, double value) {
  if (!is_usable(value)) {
    throw ModelError(element, element + " has " + what + " " + number_text(value) +
                                  "; give a finite number of magnitude 1e15 at most");
  }
}

void require_non_negative(const std::string& element, const char* what, double value) {
  require_usable(element, what, value);
  if (value < 0.0) {
    throw ModelError(element, element + " has " + what + " " + number_text(value) +
                                  ", which is negative; give zero or a positive number");
  }
}

}  // namespace spatial_dynamics

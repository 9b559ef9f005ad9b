// Checks of numbers that a description has, with messages that name the element.
#pragma once

#include <string>

#include "spatial_dynamics/model/model_builder.hpp"

namespace spatial_dynamics {

/// Whether a number is finite and of magnitude kLargestNumber at most.
bool is_usable(double value) noexcept;
/// Throws a ModelError for a number that is not usable. `what` ends with a word before the number:
/// "a mass of".
void require_usable(const std::string& element, const char* what, double value);
/// The same for a negative number.
void require_non_negative(const std::string& element, const char* what, double value);
/// The same as require_usable() for each entry of a matrix.
template <typename Derived>
void require_usable(const std::string& element, const char* what,
                    const Eigen::MatrixBase<Derived>& values) {
  for (Index column = 0; column < values.cols(); ++column) {
    for (Index row = 0; row < values.rows(); ++row) {
      require_usable(element, what, values(row, column));
    }
  }
}

}  // namespace spatial_dynamics

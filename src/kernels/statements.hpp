// Writes the operations of an ExpressionGraph as C++ statements.
#pragma once

#include <string>
#include <vector>

#include "expression.hpp"

namespace spatial_dynamics::kernels {

struct OperationCounts {
  int multiplications = 0, additions = 0, divisions = 0;
};

/// The target of an assignment.
struct Output {
  std::string target;
  Expression value;
};

/// Statements of more lines than this are written in parts: GCC's time to compile a function grows
/// faster than its length.
constexpr std::size_t kLongestPart = 1000;

/// The statements of a function.
struct StatementParts {
  std::vector<std::string> parts;  ///< in order; one, unless there are many statements
  int kept = 0;  ///< the size of the array `kept` through which parts give results to later ones
};

/// The statements that compute the outputs, without unused operations, and the number of their
/// operations. They work on numbers and lanes if set(target, value) supports both. Targets are set
/// after all inputs have been read. Allocates.
StatementParts write_statements(const ExpressionGraph& graph, const std::vector<Output>& outputs,
                                OperationCounts& counts, std::size_t longest_part = kLongestPart);

}  // namespace spatial_dynamics::kernels

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

/// The statements that compute the outputs, without unused operations, and the number of their
/// operations. They work on numbers and lanes if set(target, value) supports both. Allocates.
std::string write_statements(const ExpressionGraph& graph, const std::vector<Output>& outputs,
                             OperationCounts& counts);

}  // namespace spatial_dynamics::kernels

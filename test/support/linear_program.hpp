// Whether linear inequalities have a solution within a box.
#pragma once

#include <optional>

#include "spatial_dynamics/spatial/types.hpp"

namespace spatial_dynamics::test {

/// An x with lower <= x <= upper and A x <= b, if there is one. Phase 1 of the simplex method on a
/// dense tableau, with Bland's rule. Lower and upper are finite.
std::optional<VectorXd> find_solution(const MatrixXd& A, const VectorXd& b, const VectorXd& lower,
                                      const VectorXd& upper);

}  // namespace spatial_dynamics::test

// The singular value decomposition of a dense matrix, compiled once.
#pragma once

#include "spatial_dynamics/model/vector_view.hpp"

namespace spatial_dynamics {

/// A = U diag(s) V', s decreasing. U and V have as many columns as s has numbers.
struct SingularValues {
  MatrixXd U, V;
  VectorXd s;
};
/// Reduces a tall matrix to its triangle first. Allocates.
SingularValues singular_values(const MatrixXd& A);

}  // namespace spatial_dynamics

#include "identification/singular_values.hpp"

#include <Eigen/SVD>

namespace spatial_dynamics {

SingularValues singular_values(const MatrixXd& A) {
  const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {svd.matrixU(), svd.matrixV(), svd.singularValues()};
}

}  // namespace spatial_dynamics

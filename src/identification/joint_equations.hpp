// The linear equations of a log, compressed to one triangle per joint.
#pragma once

#include <vector>

#include "spatial_dynamics/model/vector_view.hpp"

namespace spatial_dynamics {

/// Rows of one coordinate's equation  Y x + known = effort,  reduced by Householder transformations
/// to a triangle with the same squares: |Y x + known c - effort g|^2 = |R (x, c, g)|^2. Nothing is
/// squared, so no digits are lost. Allocates.
class JointEquations {
 public:
  explicit JointEquations(Index unknowns);

  void add(const Eigen::Ref<const Eigen::RowVectorXd>& y, double known, double effort);
  /// Adds all rows of another one.
  void add(const JointEquations& other);

  /// The triangle: unknowns, then known, then effort. Up to unknowns + 2 rows.
  [[nodiscard]] const MatrixXd& triangle();
  [[nodiscard]] double count() const noexcept { return count_; }
  /// Mean square of Y x + known - gain effort.
  [[nodiscard]] double mean_square(const VectorXd& x, double gain);

 private:
  void reduce();

  MatrixXd rows_;     // the triangle, then rows that are not reduced yet
  Index filled_ = 0;  // of rows_
  Index triangle_rows_ = 0;
  MatrixXd triangle_;
  double count_ = 0.0;
};

/// Least squares with a weight for each joint: |A x - b|^2 is the weighted sum over all joints.
struct WeightedEquations {
  MatrixXd A;  ///< upper triangle
  VectorXd b;
};
WeightedEquations weigh_equations(std::vector<JointEquations>& joints, const VectorXd& weights,
                                  const VectorXd& gains);

}  // namespace spatial_dynamics

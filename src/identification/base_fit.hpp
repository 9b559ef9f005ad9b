// Weighted least squares on base parameters, and its covariance.
#pragma once

#include <vector>

#include "identification/robot_equations.hpp"

namespace spatial_dynamics {

/// The last number of `x` is the lag.
struct BaseFit {
  VectorXd x;
  VectorXd weights;              ///< 1 / variance of each joint's noise; 0 without effort
  std::vector<bool> determined;  ///< per number of x
  double condition = 0.0;        ///< of the equations with columns of unit length
  WeightedEquations equations;
};

/// Estimates the numbers and the noise of each joint together: joints with more noise get less
/// weight. Allocates.
BaseFit fit_base(std::vector<JointEquations>& joints, const std::vector<bool>& has_effort);

/// The covariance of BaseFit::x by the jackknife: from the changes of x if one of 50 blocks of time
/// is left out. It holds for noise that is correlated in time, within a block. Allocates.
MatrixXd block_covariance(const BaseFit& fit, const FitSamples& samples,
                          const std::vector<bool>& has_effort, const MatrixXd& rates,
                          SampleEquations& equations);

}  // namespace spatial_dynamics

// All parameters of a robot from equations that determine only some of their combinations.
#pragma once

#include <vector>

#include "identification/joint_equations.hpp"
#include "spatial_dynamics/identification/base_parameters.hpp"

namespace spatial_dynamics {

/// The distance to the model's parameters, which is added to the squares of the whitened equations.
struct ConsistentFitOptions {
  /// Expected error of the model's inertias, relative: 0.5 is 50 %.
  double inertia_error = 0.5;
  /// Expected errors of the other parameters, in their units; one number per parameter.
  VectorXd error;
  /// Per parameter: keeps the value of the model. Not for inertial parameters.
  std::vector<bool> held;
};

struct ConsistentFit {
  VectorXd parameters;
  /// Posterior standard deviation divided by that without the log: near 0 if the log determines the
  /// parameter, near 1 if it does not.
  VectorXd uncertainty;
  int iterations = 0;
};

/// Minimises  1/2 |A x - b|^2 + sum over bodies of d(J, J0) / error^2 + 1/2 sum of squares of the
/// other parameters' changes / error^2  with x = combination * parameters. J is the body's
/// pseudo-inertia, which is linear in the parameters, and d(J, J0) = tr(J0^-1 J) - log det(J0^-1 J)
/// - 4, which is half the squared relative change where that is small and infinite for a J that no
/// body has. Damping, friction and rotor inertia are not negative. The sum is convex: Newton's
/// method, with steps that stay among possible bodies. Allocates.
ConsistentFit fit_consistently(const WeightedEquations& equations, const BaseParameters& base,
                               const ConsistentFitOptions& options);

}  // namespace spatial_dynamics

// From a log to the linear equations of its base parameters.
#pragma once

#include <functional>
#include <vector>

#include "identification/fit_samples.hpp"
#include "identification/joint_equations.hpp"
#include "identification/robot_regressor.hpp"

namespace spatial_dynamics {

/// Evaluates the equations of each sample: base parameters, then the lag.
class SampleEquations {
 public:
  SampleEquations(const Model& model, const RobotLog& log, const BaseParameters& base);

  /// Rows of all coordinates at sample i. `rate` is the time derivative of the predicted efforts,
  /// whose negative is the column of the lag.
  void compute(const FitSamples& samples, Index i, const VectorXd& rate);
  [[nodiscard]] const MatrixXd& matrix() const noexcept { return Y_; }  ///< rank + 1 columns
  [[nodiscard]] const VectorXd& known() const noexcept;

 private:
  [[nodiscard]] std::size_t of_source(std::size_t source) const noexcept;

  const BaseParameters& base_;
  std::vector<RobotRegressor> regressors_;  // one per source with a payload, after the common one
  std::vector<std::size_t> sources_;        // of those regressors, without the first
  std::size_t current_ = 0;
  MatrixXd Y_;
};

/// Time derivatives of efforts by central differences; 0 at the ends of runs.
MatrixXd rates_of(const FitSamples& samples, const MatrixXd& efforts);

/// Efforts with these base parameters (without a lag), one column per sample.
MatrixXd predict_efforts(const FitSamples& samples, SampleEquations& equations, const VectorXd& x);

/// The part of the log that a fit may see, and the rest, per joint.
struct RobotEquations {
  std::vector<JointEquations> seen, unseen;
  Index unseen_samples = 0;
};
/// True for samples of the last `share` of each source.
std::vector<bool> held_out_samples(const FitSamples& samples, double share);
RobotEquations collect_equations(const FitSamples& samples, const std::vector<bool>& held_out,
                                 const std::vector<bool>& has_effort, const MatrixXd& rates,
                                 SampleEquations& equations,
                                 const std::function<void(double share)>& progress);

}  // namespace spatial_dynamics

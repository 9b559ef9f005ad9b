// The efforts of a robot as a linear function of its parameters.
#pragma once

#include <vector>

#include "spatial_dynamics/dynamics/data.hpp"
#include "spatial_dynamics/identification/base_parameters.hpp"

namespace spatial_dynamics {

/// Y and k with efforts = Y parameters + k. One per thread. Construction allocates.
class RobotRegressor {
 public:
  RobotRegressor(const Model& model, std::vector<RobotParameter> parameters);

  /// Computes Y and k at one state. `direction` is that of Coulomb friction for each coordinate,
  /// from -1 to 1. Allocates nothing.
  void compute(const VectorXd& q, const VectorXd& v, const VectorXd& a, const VectorXd& direction);
  [[nodiscard]] const MatrixXd& matrix() const noexcept { return Y_; }
  /// Efforts of the payloads and of the mimic joints' friction and rotors.
  [[nodiscard]] const VectorXd& known() const noexcept { return known_; }

  /// Payloads, and gravity, are those of this model from now on.
  [[nodiscard]] Model& model() noexcept { return model_; }

 private:
  void add_known(const VectorXd& v, const VectorXd& a, const VectorXd& direction);

  Model model_;
  std::vector<RobotParameter> parameters_;
  std::vector<Index> main_links_;
  Data data_;
  MatrixXd Y_;
  VectorXd known_;
};

/// The direction of Coulomb friction at this velocity, as in inverse_dynamics().
VectorXd friction_direction(const Model& model, const VectorXd& v);

/// The parameters of the model, in the same order.
VectorXd values_in_model(const std::vector<RobotParameter>& parameters);

}  // namespace spatial_dynamics

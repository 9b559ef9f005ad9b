// The regressor: torques as a linear function of the inertial parameters of the links, for
// identification.
#pragma once

#include "spatial_dynamics/dynamics/data.hpp"
#include "spatial_dynamics/model/inertial_parameters.hpp"

namespace spatial_dynamics {

/// Y (nv x 10 link_count()) with Y p = rigid_body_torque(q, v, a) for any p; see link_parameters().
/// The columns of links that do not move are zero. O(links x depth). Real-time safe; throws
/// std::invalid_argument for a wrong size or if Dense::kRegressor is not reserved.
const MatrixXd& regressor(const Model& model, Data& data, VectorView q, VectorView v, VectorView a);

}  // namespace spatial_dynamics

// Torques as a linear function of the links' inertial parameters, for identification.
#pragma once

#include "spatial_dynamics/model/inertial_parameters.hpp"
#include "spatial_dynamics/textbook/data.hpp"

namespace spatial_dynamics::textbook {

/// Y (nv x 10 link_count()) with Y p = M a + C v + g: the torque of inverse_dynamics without
/// friction, armature and external forces, for any p. Columns of links that do not move are zero.
/// O(links x depth). Real-time safe.
void regressor(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn a,
               Eigen::Ref<MatrixXd> Y) noexcept;

}  // namespace spatial_dynamics::textbook

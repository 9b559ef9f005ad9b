// Configurations: points q of a space that is not flat where a joint has a quaternion or a planar frame.
#pragma once

#include "spatial_dynamics/model/model.hpp"
#include "spatial_dynamics/model/vector_view.hpp"

namespace spatial_dynamics {

/// q = 0, with unit quaternions where a joint floats. Allocates.
VectorXd neutral_configuration(const Model& model);

/// The configuration reached from q by moving with the constant joint velocity v for dt seconds, exactly: quaternions stay
/// unit, planar joints follow their arc. `q_out` may be q itself. Real-time safe; throws std::invalid_argument for a wrong size.
void integrate(const Model& model, VectorView q, VectorView v, double dt,
               Eigen::Ref<VectorXd> q_out);

/// The velocity v that takes q0 to q1 in one second: integrate(q0, v, 1) = q1. Where a joint has a planar or floating frame,
/// the way of the least turn (at most pi), which ends at the same pose: a planar angle then differs from q1's by whole turns,
/// if by anything, and a quaternion perhaps in sign. Revolute and continuous joints count turns. Real-time safe; throws
/// std::invalid_argument for a wrong size.
void difference(const Model& model, VectorView q0, VectorView q1, Eigen::Ref<VectorXd> v);

}  // namespace spatial_dynamics

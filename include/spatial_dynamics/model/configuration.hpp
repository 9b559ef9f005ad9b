// Configurations q: their integration and difference, also for joints with a quaternion or a planar
// frame.
#pragma once

#include "spatial_dynamics/model/model.hpp"
#include "spatial_dynamics/model/vector_view.hpp"

namespace spatial_dynamics {

/// q = 0, with unit quaternions where a joint floats. Allocates.
VectorXd neutral_configuration(const Model& model);

/// The configuration after moving from q with the constant joint velocity v for dt seconds. The
/// result is exact: quaternions stay unit, planar joints follow their arc. `q_out` may be q itself.
/// Real-time safe; throws std::invalid_argument for a wrong size.
void integrate(const Model& model, VectorView q, VectorView v, double dt,
               Eigen::Ref<VectorXd> q_out);

/// The velocity v that moves q0 to q1 in one second: integrate(q0, v, 1) = q1. Planar and floating
/// joints take the smallest rotation (at most pi) to the same pose: the angle of a planar joint may
/// differ from q1's by whole turns, a quaternion may differ in sign. Revolute and continuous joints
/// count turns. Real-time safe; throws std::invalid_argument for a wrong size.
void difference(const Model& model, VectorView q0, VectorView q1, Eigen::Ref<VectorXd> v);

}  // namespace spatial_dynamics

// What a payload's weight asks of the joints at the worst pose.
#pragma once

#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics {

/// The largest magnitude of each coordinate's torque (nv numbers, N m or N) that the weight of this
/// payload alone causes at any pose within the position limits; a floating base stays upright where
/// it is. `payload` is in the link's frame.
///
/// Found by a search that gives the same answer every time: seeded poses, then ascent along one
/// joint after the other, which is exact per revolute joint because a weight's torque is a sinusoid
/// of its angle. The answer is never too large. Reads only what never changes of the model. Takes
/// some milliseconds for an arm, less than some seconds for any robot. Allocates.
VectorXd worst_weight_torque(const Model& model, Index link, const Inertia& payload,
                             const Vector3& gravity);

}  // namespace spatial_dynamics

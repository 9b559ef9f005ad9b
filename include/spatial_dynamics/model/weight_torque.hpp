// What weight asks of the joints at the worst pose.
#pragma once

#include "spatial_dynamics/model/model.hpp"
#include "spatial_dynamics/model/model_report.hpp"

namespace spatial_dynamics {

/// The largest magnitude of each coordinate's torque (nv numbers, N m or N) that the weight of this
/// payload alone causes at any pose within the position limits; a floating base stays upright where
/// it is. `payload` is in the link's frame.
///
/// Found by a search that gives the same answer every time: 257 poses, then ascent from the worst
/// of them along one joint after the other, which is exact per revolute joint because a weight's
/// torque is a sinusoid of its angle. The answer is reached at some pose, so that it is never too
/// large; it may be too small, because the search may miss the worst pose. Joints without position
/// limits move by up to half a turn or 1 m in both directions. Reads only what never changes of the
/// model. Takes some milliseconds for an arm, about a second for the largest robots. Allocates.
VectorXd worst_weight_torque(const Model& model, Index link, const Inertia& payload,
                             const Vector3& gravity);

/// The same for the weight of the whole robot, payloads included, in the model's gravity.
VectorXd worst_weight_torque(const Model& model);

/// Fills CoordinateEntry::weight of a report of this model, and appends a finding for each joint
/// whose effort limit is less: a warning if the limit is less than half. Between the two are many
/// sound robots, whose joints are helped by springs or avoid the worst pose. Searches as above.
/// Allocates.
void add_weights(const Model& model, ModelReport& report);

}  // namespace spatial_dynamics

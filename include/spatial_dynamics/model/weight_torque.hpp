// The joint torques that weight causes at the worst pose.
#pragma once

#include "spatial_dynamics/model/model.hpp"
#include "spatial_dynamics/model/model_report.hpp"

namespace spatial_dynamics {

/// The largest magnitude of each coordinate's torque (nv numbers, N m or N) that the weight of this
/// payload alone causes at any pose within the position limits; a floating base stays upright where
/// it is. `payload` is in the link's frame.
///
/// Found by a deterministic search: 257 poses, then an ascent from the worst of them along one
/// joint after the other. A step of the ascent is exact for a revolute joint, because the torque of
/// a weight is a sinusoid of its angle. The result is reached at some pose, so it is never too
/// large; it is too small if the search misses the worst pose. Joints without position limits move
/// by up to half a turn or 1 m in both directions. Reads only the constant part of the model, so
/// gravity and payloads may change meanwhile. Takes some milliseconds for an arm, about a second
/// for the largest robots. Allocates.
VectorXd worst_weight_torque(const Model& model, Index link, const Inertia& payload,
                             const Vector3& gravity);

/// The same for the weight of the whole robot, payloads included, in the model's gravity.
VectorXd worst_weight_torque(const Model& model);

/// Fills CoordinateEntry::weight of a report of this model, and appends a finding for each joint
/// whose effort limit is less: a warning if the limit is less than half of the weight's torque. A
/// limit between the two is often correct: a spring supports the joint, or the robot avoids the
/// worst pose. Searches as above. Allocates.
void add_weights(const Model& model, ModelReport& report);

}  // namespace spatial_dynamics

// The steps of compile(): compact frames and regrouped inertial parameters.
#pragma once

#include "kernels/compact_model.hpp"

namespace spatial_dynamics::kernels {

/// The frame of every body, as the transform from its frame in Model, 0 being the base:
///  - z along its joint's axis; of the base, the world's z;
///  - x along the common normal of that axis and the next joint's, so that one rotation about x
///    leads from one to the other;
///  - the origin at the start of that normal, if the axes are far from parallel: then the next
///    joint is at a x + d z' (modified Denavit-Hartenberg). For nearly parallel axes that point is
///    far away, and the origin stays.
/// "Next" is the first revolute or prismatic child. Floating bodies keep their frame, and planar
/// bodies get the frame of their plane, because their coordinates are components along these axes.
/// Allocates.
std::vector<Transform> choose_frames(const Model& model);

/// A rotation R = Rz(gamma) Rx(alpha) Rz(theta).
struct TwistAngles {
  double cg, sg;  ///< gamma
  double ca, sa;  ///< alpha
  double theta;
};
/// The angles of a rotation matrix; gamma = 0 exactly where the frames were chosen so. Real-time
/// safe.
TwistAngles twist_angles(const Matrix3& R) noexcept;

/// x, or 0 if it is rounding error relative to `scale`.
double without_dust(double x, double scale) noexcept;

/// Writes the inertial parameters of all links in compact frames, after moving parameters that
/// torques do not distinguish towards the base. Real-time safe.
void regroup(const Model& model, CompactParts& parts) noexcept;

}  // namespace spatial_dynamics::kernels

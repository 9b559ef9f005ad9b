// The geometry of compile(): which frame each body gets.
#pragma once

#include "spatial_dynamics/kernels/compact_model.hpp"

namespace spatial_dynamics {

/// The frame of every body, as the transform from its frame in Model, 0 being the base:
///  - z along its joint's axis; of the base, the world's z;
///  - x along the common normal of that axis and the next joint's, so that one turn about x leads from one to the other;
///  - the origin where that normal starts, if the axes are far from parallel: then the next joint's place is a x + d z'
///    (modified Denavit-Hartenberg). Next to parallel, that point runs away, and the origin stays.
/// "Next" is the first child that turns or slides. Floating bodies keep their frame, and planar ones take that of their plane,
/// because their coordinates are components along these axes. Allocates.
std::vector<Transform> choose_frames(const Model& model);

/// A turn R = Rz(gamma) Rx(alpha) Rz(theta).
struct TwistAngles {
  double cg, sg;  ///< gamma
  double ca, sa;  ///< alpha
  double theta;
};
/// The angles of a rotation matrix; gamma = 0 exactly where the frames were chosen so. Real-time safe.
TwistAngles twist_angles(const Matrix3& R) noexcept;

/// x, or 0 where it is rounding error beside `scale`.
double without_dust(double x, double scale) noexcept;

}  // namespace spatial_dynamics

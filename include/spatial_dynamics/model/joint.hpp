// Joints: how a body may move relative to its parent.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "spatial_dynamics/spatial/transform.hpp"

namespace spatial_dynamics {

using Index = Eigen::Index;
inline constexpr Index kNoIndex = -1;
inline constexpr double kUnlimited = std::numeric_limits<double>::infinity();
/// A number of larger magnitude, in any SI unit, is an error; a limit of this magnitude means
/// unlimited.
inline constexpr double kLargestNumber = 1e15;

/// An index into a container of the standard library. Real-time safe.
inline std::size_t to_size(Index i) noexcept { return static_cast<std::size_t>(i); }

enum class JointType { kFixed, kRevolute, kContinuous, kPrismatic, kPlanar, kFloating };

/// "revolute", "continuous", … as URDF spells them.
const char* to_string(JointType type) noexcept;
/// Numbers in q: 1, planar 3 (x, y, angle), floating 7 (position, quaternion xyzw), fixed 0.
Index position_count(JointType type) noexcept;
/// Numbers in v: 1, planar 3, floating 6, fixed 0.
Index velocity_count(JointType type) noexcept;

/// The columns of S: the motions that a joint permits, in the child's frame. Never allocates.
using MotionSubspace = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

/// Limits of a joint. Unlimited is infinity. Units: rad or m, rad/s or m/s, N m or N; rad/s^2 or
/// m/s^2, rad/s^3 or m/s^3. No algorithm of the library uses acceleration, deceleration and jerk,
/// which URDF has since version 1.2. The soft limits are those of the URDF's safety_controller: the
/// torque controller stops the joint there (see EnvelopeSettings).
struct JointLimits {
  double lower = -kUnlimited;
  double upper = kUnlimited;
  double velocity = kUnlimited;
  double effort = kUnlimited;
  double acceleration = kUnlimited;
  double deceleration = kUnlimited;
  double jerk = kUnlimited;
  double soft_lower = -kUnlimited;
  double soft_upper = kUnlimited;
};

/// A moving joint of a Model. Joint i connects body i to its parent.
///
/// Every joint type has an S that is constant in the child's frame. The child's velocity is X
/// v_parent + S v, and no algorithm needs a derivative of S:
///  - revolute, continuous: S = [axis; 0];  prismatic: S = [0; axis];
///  - planar: q = (x, y, angle) along in_plane_axes(axis) and about the axis, in the joint's frame;
///    v = (vx, vy, w) along and about the same axes, fixed in the child, so
///    (x', y') = rot(angle) (vx, vy);
///  - floating: q = (position, quaternion xyzw) in the joint's frame; v = [angular; linear] in the
///    child's frame.
///
/// A mimic joint has no coordinate: its position is ratio * q[k] + offset, where k is its leader's
/// index. All other joints have ratio = 1 and offset = 0, so one formula holds for both.
struct Joint {
  std::string name;
  JointType type = JointType::kRevolute;
  Index parent = 0;  ///< index of the parent body, less than the index of the joint; 0 is the base
  Transform placement = Transform::Identity();  ///< from the parent's frame to the joint's frame
  Vector3 axis = Vector3::UnitX();  ///< unit vector, the same in joint's and child's frame
  MotionSubspace S;
  Index q_index = 0;  ///< first coordinate in q; a mimic joint has its leader's
  Index v_index = 0;  ///< first coordinate in v; a mimic joint has its leader's
  Index nq = 1;
  Index nv = 1;
  Index mimics = kNoIndex;  ///< the joint followed, resolved through chains; kNoIndex if none
  double ratio = 1.0;
  double offset = 0.0;
  JointLimits limits;
  double damping = 0.0;   ///< N m s/rad or N s/m
  double friction = 0.0;  ///< Coulomb friction, N m or N
  double armature = 0.0;  ///< rotor inertia, reflected to the joint, kg m^2 or kg

  [[nodiscard]] bool is_mimic() const noexcept { return mimics != kNoIndex; }
};

/// Two unit vectors that form a right-handed frame (x, y, normal) with `normal`. Take the
/// coordinate axis that is nearest to the normal (z before y before x on a tie); the first vector
/// is the cyclically next axis, projected into the plane. For example, the normal z gives (x, y), x
/// gives (y, z), y gives (z, x). Real-time safe.
void in_plane_axes(const Vector3& normal, Vector3& x, Vector3& y) noexcept;

/// S of a joint of this type about or along this unit axis.
MotionSubspace motion_subspace(JointType type, const Vector3& axis) noexcept;

/// The transform from the joint's frame to the child's frame at position q of the joint itself: `q`
/// points to nq numbers. A quaternion is normalised first. Real-time safe.
Transform joint_transform(JointType type, const Vector3& axis, const double* q) noexcept;

/// The transform from the parent body's frame to the child's at the model's configuration q (mimic
/// resolved). Real-time safe.
Transform parent_to_child(const Joint& joint, VectorIn q) noexcept;

}  // namespace spatial_dynamics

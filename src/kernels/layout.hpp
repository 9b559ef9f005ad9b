// Memory layout of a compiled robot: plain arrays of numbers, in the order in which kernels read
// them.
#pragma once

#include <cstdint>

namespace spatial_dynamics::kernels {

/// One joint with its link, in the link's compact frame: z along the joint's axis.
///
/// The link is at p in its parent's frame, rotated by Rz(gamma) Rx(alpha) Rz(theta). Each body's
/// frame is rotated about its axis so that gamma = 0 for one child (modified Denavit-Hartenberg);
/// its siblings have a gamma in CompactExtra. Of the link's ten inertial parameters, seven stay
/// with a revolute joint (see regroup.cpp); the others are in CompactExtra.
struct CompactLink {
  double ca, sa;         ///< cos and sin of alpha
  double p[3];           ///< m, in the parent's frame; of a prismatic joint at position 0
  double hx, hy;         ///< first moment of mass, kg m
  double Jxx, Jyy;       ///< second moments of mass, of x^2 and y^2, kg m^2
  double Ixy, Ixz, Iyz;  ///< products of inertia, minus the second moments of xy, xz and yz
};
static_assert(sizeof(CompactLink) == 96, "a record and a half per pair of cache lines");

/// Data of some links only: gamma of siblings, mass and position of prismatic joints, all of it for
/// free joints.
struct CompactExtra {
  double cg, sg;         ///< cos and sin of gamma
  double mass, hz, Jzz;  ///< a rod along z: the parameters moved away from a revolute joint's link
  double rotation[9];    ///< free joints: axes of the joint's frame in the parent's, row by row
};

/// A joint's type and its differences from the plain case 0, a revolute joint on the previous link.
enum JointFlag : std::uint8_t {
  kPrismaticJoint = 1,
  kFreeJoint = 2,    ///< planar or floating
  kPlanarJoint = 4,  ///< a free joint with 3 coordinates instead of 6
  kElsewhere = 8,    ///< its parent is not the previous joint
  kBranches = 16,    ///< a later joint, not the next one, is its child
  kTurned = 32,      ///< gamma is not zero
};

/// How the position of each joint that is not revolute follows from q.
struct CompactSlide {
  std::int32_t joint;
  std::int32_t q_index;
  double ratio, offset;
};

/// The sparsity of a symmetric matrix, row by row: each row is stored from the base to its
/// diagonal, without coordinates that are not on this path.
struct FactorRows {
  std::int32_t count = 0;
  const std::int32_t* parent = nullptr;  ///< the next coordinate towards the base, -1 if none
  const std::int32_t* last = nullptr;    ///< the last coordinate beyond this one, or itself
  const std::int64_t* start = nullptr;   ///< where a row's first entry is
  const std::int32_t* depth = nullptr;   ///< entries before the diagonal
  const double* scale = nullptr;         ///< magnitude of the diagonal entry without cancellation

  /// Where a row's last entry is.
  [[nodiscard]] std::int64_t diagonal(std::int64_t k) const noexcept { return start[k] + depth[k]; }
};

/// A compiled robot as kernels read it. Joints are numbered from 0, and link j is the child of
/// joint j; the base is -1. Coordinates are unreduced: mimic joints have coordinates, too. All
/// arrays belong to CompactModel.
struct CompactLayout {
  std::int32_t joints = 0;
  std::int32_t coordinates = 0;  ///< unreduced
  std::int32_t slides = 0;       ///< joints that are not revolute
  std::int32_t bundles = 0;
  bool q_is_in_joint_order = true;  ///< joint j is at q[j]: one coordinate per joint, no mimic
  bool has_friction = false;        ///< any Coulomb friction
  bool has_damping = false;
  bool has_armature = false;
  std::int32_t path_length = 0;      ///< coordinates on the longest path from the base
  double friction_speed = 0.0;       ///< rad/s or m/s
  double base_acceleration[3] = {};  ///< minus gravity, in the base's frame

  // per joint; records, flags and angles are padded to a multiple of 4
  const CompactLink* links = nullptr;
  const CompactExtra* extras = nullptr;
  const std::uint8_t* flags = nullptr;
  const std::int32_t* parent = nullptr;
  const std::int32_t* first = nullptr;  ///< index of its first unreduced coordinate
  const std::int32_t* q_index = nullptr;
  const double* angle_ratio =
      nullptr;  ///< theta = ratio * q + offset; ratio 0 where theta is constant
  const double* angle_offset = nullptr;
  const CompactSlide* slide = nullptr;  ///< per slide

  /// Per four joints: the ten numbers of Composite of their links, in lanes; zero after the last.
  const double* bodies = nullptr;

  // Bundles: four coordinates that follow each other, each on the path from the next one to the
  // base. The bundles of later coordinates come first.
  const std::int32_t* bundle_row = nullptr;  ///< per bundle: the coordinate of its first lane
  const std::int32_t* bundle_low = nullptr;  ///< the same of its first lane that is not empty
  const std::int64_t* lane_start =
      nullptr;  ///< per lane: where its row starts; of an empty lane, the end of all rows

  // per unreduced coordinate
  const std::int32_t* joint = nullptr;
  const double* armature = nullptr;
  const double* damping = nullptr;
  const double* friction = nullptr;
  FactorRows rows;  ///< of the mass matrix
};

/// Intermediate results of kernels: numbers, or lanes of 4 for a batch. Sizes in numbers (or
/// lanes).
struct KernelScratch {
  double* angle = nullptr;   ///< joints, padded to a multiple of 4
  double* sine = nullptr;    ///< the same
  double* cosine = nullptr;  ///< the same
  double* place =
      nullptr;  ///< 3 per joint that is not revolute: its link's position in the parent's frame
  double* rotation = nullptr;  ///< 9 per free joint: its link's axes in the parent's frame
  double* motion = nullptr;    ///< 9 per joint and the base: w, w', a of links that branch
  double* wrench = nullptr;    ///< 6 per joint
  double* pose = nullptr;      ///< 12 per joint and the base: origin and axes along the base's axes
  double* composite = nullptr;    ///< 10 per joint
  double* column = nullptr;       ///< 6 per unreduced coordinate: the wrench of its composite body
  double* articulated = nullptr;  ///< 21 per joint
  double* gain = nullptr;         ///< 8 per unreduced coordinate
  double* pivot = nullptr;        ///< 1 per unreduced coordinate: 1 / D of the factor
  double* torque = nullptr;       ///< the same
  double* packed = nullptr;       ///< rows of M

  // vectors in a common frame, see common_frame.hpp; never lanes
  double* derivative_link = nullptr;    ///< 32 per joint: its pose, velocity and acceleration
  double* derivative_motion = nullptr;  ///< 32 per unreduced coordinate
  double* derivative_sum =
      nullptr;  ///< 28 per joint, padded to a multiple of 4: sum over the bodies beyond it
  double* derivative_loads = nullptr;  ///< 21 per unreduced coordinate, padded to a multiple of 4
};

}  // namespace spatial_dynamics::kernels

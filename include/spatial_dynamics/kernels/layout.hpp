// What a compiled robot looks like in memory: plain arrays of plain numbers, in the order in which kernels walk them.
#pragma once

#include <cstdint>

namespace spatial_dynamics {

/// One joint with the link it carries, in the link's own compact frame: z along the joint's axis.
///
/// The link stands in its parent's frame at p, turned by Rz(gamma) Rx(alpha) Rz(theta). Each body has a frame that is turned
/// about its own axis so that gamma = 0 for one child (modified Denavit-Hartenberg); siblings keep theirs in CompactExtra.
/// Of the link's ten inertial parameters, seven stay with a revolute joint (see regroup.cpp); the others are in CompactExtra.
struct CompactLink {
  double ca, sa;         ///< cos and sin of alpha
  double p[3];           ///< m, in the parent's frame; of a prismatic joint at position 0
  double hx, hy;         ///< first moment of mass, kg m
  double Jxx, Jyy;       ///< second moments of mass, of x^2 and y^2, kg m^2
  double Ixy, Ixz, Iyz;  ///< products of inertia, minus the second moments of xy, xz and yz
};
static_assert(sizeof(CompactLink) == 96, "a record and a half per pair of cache lines");

/// What only some links have: siblings a turn, prismatic joints a mass and a place, free joints all of it.
struct CompactExtra {
  double cg, sg;         ///< cos and sin of gamma
  double mass, hz, Jzz;  ///< a rod along z: the parameters that a revolute joint's link gives away
  double rotation[9];    ///< free joints: axes of the joint's frame in the parent's, row by row
};

/// A joint's kind and the ways in which it differs from the plain case, a revolute joint on the link before: 0.
enum JointFlag : std::uint8_t {
  kPrismaticJoint = 1,
  kFreeJoint = 2,    ///< planar or floating
  kPlanarJoint = 4,  ///< a free joint with 3 coordinates instead of 6
  kElsewhere = 8,    ///< its parent is not the joint before it
  kBranches = 16,    ///< a later joint, not the next one, hangs on it
  kTurned = 32,      ///< gamma is not zero
};

/// How a joint that is not revolute takes its position from q.
struct CompactSlide {
  std::int32_t joint;
  std::int32_t q_index;
  double ratio, offset;
};

/// The sparsity of a symmetric matrix, row by row: each row is stored from the base to its diagonal, without the coordinates that
/// are not on that way.
struct FactorRows {
  std::int32_t count = 0;
  const std::int32_t* parent = nullptr;  ///< the coordinate next towards the base, -1 if none
  const std::int32_t* last = nullptr;    ///< the last coordinate behind this one, or itself
  const std::int64_t* start = nullptr;   ///< where a row's first entry is
  const std::int32_t* depth = nullptr;   ///< entries before the diagonal
  const double* scale = nullptr;         ///< what the diagonal entry could be without cancellation

  /// Where a row's last entry is.
  [[nodiscard]] std::int64_t diagonal(std::int64_t k) const noexcept { return start[k] + depth[k]; }
};

/// A compiled robot as kernels see it. Joints are numbered from 0, and joint j carries link j; the base is -1.
/// Coordinates are "own" ones: every joint has its own, a mimic joint too. All arrays belong to CompactModel.
struct CompactLayout {
  std::int32_t joints = 0;
  std::int32_t coordinates = 0;     ///< own ones
  std::int32_t slides = 0;          ///< joints that are not revolute
  std::int32_t slots = 0;           ///< of bundles, a multiple of 4
  bool q_is_in_joint_order = true;  ///< joint j stands at q[j]: one coordinate per joint, no mimic
  bool has_friction = false;        ///< any Coulomb friction
  bool has_damping = false;
  bool has_armature = false;
  std::int32_t path_length = 0;      ///< coordinates on the longest way from the base
  double friction_speed = 0.0;       ///< rad/s or m/s
  double base_acceleration[3] = {};  ///< minus gravity, in the base's frame

  // per joint; records, flags and angles are padded to a multiple of 4
  const CompactLink* links = nullptr;
  const CompactExtra* extras = nullptr;
  const std::uint8_t* flags = nullptr;
  const std::int32_t* parent = nullptr;
  const std::int32_t* first = nullptr;  ///< index of its first own coordinate
  const std::int32_t* q_index = nullptr;
  const double* angle_ratio =
      nullptr;  ///< theta = ratio * q + offset; ratio 0 where theta is constant
  const double* angle_offset = nullptr;
  const CompactSlide* slide = nullptr;  ///< per slide

  // Bundles of four rows of the mass matrix, which are computed as one; see mass_rows.hpp
  const std::int32_t* first_bundle = nullptr;  ///< per joint: of those behind it, and its own
  const std::int32_t* slot = nullptr;          ///< per own coordinate: 4 * bundle + lane
  const std::int64_t* slot_start =
      nullptr;  ///< per slot: where its row starts; of an empty one, behind all rows

  // per own coordinate
  const double* armature = nullptr;
  const double* damping = nullptr;
  const double* friction = nullptr;
  FactorRows rows;  ///< of the mass matrix
};

/// Where kernels keep what they compute on the way; numbers, or lanes of 4 for a batch. Sizes in numbers (or lanes).
struct KernelScratch {
  double* angle = nullptr;   ///< joints, padded to a multiple of 4
  double* sine = nullptr;    ///< the same
  double* cosine = nullptr;  ///< the same
  double* place =
      nullptr;  ///< 3 a joint: where its link stands in its parent's frame; unless it is revolute
  double* rotation = nullptr;   ///< 9 a joint: its axes there; free joints
  double* motion = nullptr;     ///< 9 a joint and the base: w, w', a of links that branch
  double* wrench = nullptr;     ///< 6 a joint
  double* stance = nullptr;     ///< 12 a joint and the base: origin and axes along the base's axes
  double* composite = nullptr;  ///< 10 a joint
  double* column = nullptr;     ///< 6 an own coordinate: the wrench of its composite body
  double* bundle = nullptr;     ///< 6 a slot: these wrenches on their way to the base
  double* articulated = nullptr;  ///< 21 a joint
  double* gain = nullptr;         ///< 8 an own coordinate
  double* pivot = nullptr;        ///< 1 an own coordinate: 1 / D of the factor
  double* torque = nullptr;       ///< the same
  double* packed = nullptr;       ///< rows of M

  // derivatives; never lanes
  double* slope_link = nullptr;    ///< 32 a joint: its stance, velocity and acceleration
  double* slope_motion = nullptr;  ///< 32 an own coordinate
  double* slope_sum = nullptr;     ///< 28 a joint, padded to a multiple of 4: what is behind it
  double* slope_loads = nullptr;   ///< 21 an own coordinate, padded to a multiple of 4
};

}  // namespace spatial_dynamics

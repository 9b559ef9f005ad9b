// The pose of each link relative to its parent, and transforms of vectors between the two frames.
#pragma once

#include "elementary.hpp"
#include "kernels/layout.hpp"
#include "vec3.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// The scratch space with its types: T is double, or Lanes for a batch.
template <typename T>
struct Scratch {
  explicit Scratch(const KernelScratch& s) noexcept
      : angle(reinterpret_cast<T*>(s.angle)),
        sine(reinterpret_cast<T*>(s.sine)),
        cosine(reinterpret_cast<T*>(s.cosine)),
        place(reinterpret_cast<Vec3<T>*>(s.place)),
        rotation(reinterpret_cast<Mat3<T>*>(s.rotation)) {}

  T *angle, *sine, *cosine;
  Vec3<T>* place;
  Mat3<T>* rotation;
};

/// The number of coordinates of a joint.
inline int coordinates_of(unsigned flags) noexcept {
  return !(flags & kFreeJoint) ? 1 : flags & kPlanarJoint ? 3 : 6;
}

/// The axes of a link's frame that a coordinate may move it along, by the index of their component
/// in a wrench.
enum LinkAxis : int { kSlideX, kSlideY, kSlideZ, kTurnX, kTurnY, kTurnZ };

/// The axis of coordinate c of a joint: planar (x, y, angle), floating [angular; linear].
inline int axis_of(unsigned flags, int c) noexcept {
  if (!(flags & kFreeJoint)) return flags & kPrismaticJoint ? kSlideZ : kTurnZ;
  if (flags & kPlanarJoint) return c < 2 ? c : int{kTurnZ};
  return c < 3 ? c + kTurnX : c - 3;
}

/// The component of a wrench along an axis.
template <typename T>
inline const T& component(const Wrench<T>& f, int axis) noexcept {
  static_assert(sizeof(Wrench<T>) == 6 * sizeof(T), "six numbers one after the other");
  return reinterpret_cast<const T*>(&f)[axis];
}

// ---- rotations: a' = Rz(theta)' Rx(alpha)' a costs 8 multiplications ----------------------------

template <typename T>
[[gnu::always_inline]] inline Vec3<T> to_child(const CompactLink& link, const T& c, const T& s,
                                               const Vec3<T>& a) noexcept {
  const T y = link.ca * a.y + link.sa * a.z;
  return {c * a.x + s * y, c * y - s * a.x, link.ca * a.z - link.sa * a.y};
}
template <typename T>
[[gnu::always_inline]] inline Vec3<T> to_parent(const CompactLink& link, const T& c, const T& s,
                                                const Vec3<T>& a) noexcept {
  const T y = s * a.x + c * a.y;
  return {c * a.x - s * a.y, link.ca * y - link.sa * a.z, link.sa * y + link.ca * a.z};
}

/// Rz(gamma)' a and Rz(gamma) a, for siblings.
template <typename T>
inline Vec3<T> unturn(const CompactExtra& extra, const Vec3<T>& a) noexcept {
  return {extra.cg * a.x + extra.sg * a.y, extra.cg * a.y - extra.sg * a.x, a.z};
}
template <typename T>
inline Vec3<T> turn(const CompactExtra& extra, const Vec3<T>& a) noexcept {
  return {extra.cg * a.x - extra.sg * a.y, extra.sg * a.x + extra.cg * a.y, a.z};
}

inline Vec3<double> place_of(const CompactLink& link) noexcept {
  return {link.p[0], link.p[1], link.p[2]};
}

/// A vector of the link in its parent's frame, for any joint type.
template <typename T>
[[gnu::always_inline]] inline Vec3<T> to_parent(const CompactLayout& m, const Scratch<T>& s, int j,
                                                const Vec3<T>& a) noexcept {
  if (m.flags[j] & kFreeJoint) return s.rotation[j] * a;
  const Vec3<T> b = to_parent(m.links[j], s.cosine[j], s.sine[j], a);
  return m.flags[j] & kTurned ? turn(m.extras[j], b) : b;
}

/// The wrench f on a link, transformed to the parent's origin and frame.
template <typename T>
[[gnu::always_inline]] inline Wrench<T> to_parent(const CompactLayout& m, const Scratch<T>& s,
                                                  int j, const Wrench<T>& f) noexcept {
  const Vec3<T> force = to_parent(m, s, j, f.force);
  const Vec3<T> moment = to_parent(m, s, j, f.moment);
  if (m.flags[j] & (kPrismaticJoint | kFreeJoint)) {
    return {force, plus_cross(moment, s.place[j], force)};
  }
  return {force, plus_cross(moment, place_of(m.links[j]), force)};
}

// ---- positions ----------------------------------------------------------------------------------

/// The rotation of a quaternion, which is normalised and must not be zero.
template <typename T>
inline Mat3<T> quaternion_rotation(const T& x, const T& y, const T& z, const T& w) noexcept {
  const T scale = 2.0 / (x * x + y * y + z * z + w * w);
  const T xx = scale * x * x, yy = scale * y * y, zz = scale * z * z, xy = scale * x * y;
  const T xz = scale * x * z, yz = scale * y * z, wx = scale * w * x, wy = scale * w * y;
  const T wz = scale * w * z;
  return {{1.0 - (yy + zz), xy + wz, xz - wy},
          {xy - wz, 1.0 - (xx + zz), yz + wx},
          {xz + wy, yz - wx, 1.0 - (xx + yy)}};
}

template <typename T>
void place_free_joint(const CompactLayout& m, Scratch<T>& s, const CompactSlide& slide,
                      const T* q) noexcept {
  const int j = slide.joint;
  const double* R = m.extras[j].rotation;
  const Mat3<double> joint{{R[0], R[3], R[6]}, {R[1], R[4], R[7]}, {R[2], R[5], R[8]}};
  const T* at = q + slide.q_index;
  Mat3<T> turned;
  Vec3<T> moved;
  if (m.flags[j] & kPlanarJoint) {
    moved = {at[0], at[1], T{}};
    turned = {{s.cosine[j], s.sine[j], T{}}, {-s.sine[j], s.cosine[j], T{}}, {T{}, T{}, 1.0 + T{}}};
  } else {
    moved = {at[0], at[1], at[2]};
    turned = quaternion_rotation(at[3], at[4], at[5], at[6]);
  }
  const auto in_parent = [&joint](const Vec3<T>& a) {
    return Vec3<T>{joint.x.x * a.x + joint.y.x * a.y + joint.z.x * a.z,
                   joint.x.y * a.x + joint.y.y * a.y + joint.z.y * a.z,
                   joint.x.z * a.x + joint.y.z * a.y + joint.z.z * a.z};
  };
  const CompactLink& link = m.links[j];
  s.place[j] = in_parent(moved);
  s.place[j] += Vec3<T>{link.p[0] + T{}, link.p[1] + T{}, link.p[2] + T{}};
  s.rotation[j] = {in_parent(turned.x), in_parent(turned.y), in_parent(turned.z)};
}

/// The position of a prismatic joint's link: p + d (third column of Rz(gamma) Rx(alpha)).
template <typename T>
inline void place_slide(const CompactLayout& m, Scratch<T>& s, const CompactSlide& slide,
                        const T* q) noexcept {
  const CompactLink& link = m.links[slide.joint];
  const CompactExtra& extra = m.extras[slide.joint];
  const T d = slide.ratio * q[slide.q_index] + slide.offset;
  s.place[slide.joint] = {link.p[0] + (extra.sg * link.sa) * d,
                          link.p[1] - (extra.cg * link.sa) * d, link.p[2] + link.ca * d};
}

inline int padded(int count) noexcept { return (count + kLanes - 1) / kLanes * kLanes; }

/// theta = ratio q + offset of joints whose positions in q are in joint order, with its sine and
/// cosine, four at a time.
inline void set_turns(const CompactLayout& m, const Scratch<double>& s, const double* q) noexcept {
  LaneBits far = {};
  const int last = m.joints - kLanes;
  for (int j = 0;;) {
    const Lanes ratio = load_lanes(m.angle_ratio + j), offset = load_lanes(m.angle_offset + j);
    const Lanes x = ratio * load_lanes(q + j) + offset;
    far |= is_far(x);
    Lanes sine, cosine;
    sine_cosine(x, sine, cosine);
    store_lanes(x, s.angle + j);
    store_lanes(sine, s.sine + j);
    store_lanes(cosine, s.cosine + j);
    if (j == last) break;
    j = j + kLanes < last ? j + kLanes : last;  // the last four, some of them again
  }
  if (any(far)) sine_cosine_anywhere(m.joints, s.angle, s.sine, s.cosine);
}

/// The same for any joints.
inline void set_any_turns(const CompactLayout& m, const Scratch<double>& s,
                          const double* q) noexcept {
  for (int j = 0; j < m.joints; ++j) {
    s.angle[j] = m.angle_ratio[j] * q[m.q_index[j]] + m.angle_offset[j];
  }
  sine_cosine(padded(m.joints), s.angle, s.sine, s.cosine);
}
/// For a batch, four states at a time.
inline void set_any_turns(const CompactLayout& m, const Scratch<Lanes>& s,
                          const Lanes* q) noexcept {
  LaneBits far = {};
  for (int j = 0; j < m.joints; ++j) {
    const Lanes x = m.angle_ratio[j] * q[m.q_index[j]] + m.angle_offset[j];
    far |= is_far(x);
    s.angle[j] = x;
    sine_cosine(x, s.sine[j], s.cosine[j]);
  }
  if (any(far)) {
    sine_cosine_anywhere(kLanes * m.joints, reinterpret_cast<const double*>(s.angle),
                         reinterpret_cast<double*>(s.sine), reinterpret_cast<double*>(s.cosine));
  }
}

/// Fills sines, cosines, positions and rotations of all joints from q.
template <typename T>
void set_positions(const CompactLayout& m, Scratch<T>& s, const T* q) noexcept {
  bool done = false;
  if constexpr (sizeof(T) == sizeof(double)) {
    done = m.q_is_in_joint_order && m.joints >= kLanes;
    if (done) set_turns(m, s, q);
  }
  if (!done) set_any_turns(m, s, q);
  for (int k = 0; k < m.slides; ++k) {
    const CompactSlide& slide = m.slide[k];
    if (m.flags[slide.joint] & kFreeJoint) {
      place_free_joint(m, s, slide, q);
    } else {
      place_slide(m, s, slide, q);
    }
  }
}

}  // namespace
}  // namespace spatial_dynamics::kernels

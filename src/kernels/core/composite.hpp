// The mass matrix by composite bodies.
//
// Inertias are gathered link by link in the links' own frames. The wrench F that a coordinate's composite body takes is then
// carried towards the base along the base's axes, where a step is only a shift of the reference point: 9 multiplications an entry.
#pragma once

#include "newton_euler.hpp"

namespace spatial_dynamics {
namespace {

/// A rigid body's ten numbers, in its own frame at its origin.
template <typename T>
struct Composite {
  T mass;
  Vec3<T> h;
  T xx, xy, xz, yy, yz, zz;
};

template <typename T>
[[gnu::always_inline]] inline void add(const CompactLink& l, const CompactExtra& e, bool plain,
                                       Composite<T>& c) noexcept {
  c.h.x += l.hx;
  c.h.y += l.hy;
  c.xx += l.Ixx;
  c.xy += l.Ixy;
  c.xz += l.Ixz;
  c.yz += l.Iyz;
  c.zz += l.Izz;
  if (plain) return;
  c.mass += e.mass;
  c.h.z += e.hz;
  c.yy += e.Iyy;
}
template <typename T>
inline void add(const Composite<T>& a, Composite<T>& c) noexcept {
  c.mass += a.mass;
  c.h += a.h;
  c.xx += a.xx;
  c.xy += a.xy;
  c.xz += a.xz;
  c.yy += a.yy;
  c.yz += a.yz;
  c.zz += a.zz;
}

/// Rz I Rz': a turn in the x-y plane changes the entries of that plane by t = s (Ixx - Iyy) + 2 c Ixy.
template <typename S, typename T>
[[gnu::always_inline]] inline void turn_about_z(const S& c, const S& s, Composite<T>& I) noexcept {
  const T t = s * (I.xx - I.yy) + 2.0 * c * I.xy;
  const T xz = c * I.xz - s * I.yz;
  I.yz = s * I.xz + c * I.yz;
  I.xz = xz;
  I.xx -= s * t;
  I.yy += s * t;
  I.xy = c * t - I.xy;
  const T x = c * I.h.x - s * I.h.y;
  I.h.y = s * I.h.x + c * I.h.y;
  I.h.x = x;
}
/// The same about x, in the y-z plane.
template <typename T>
[[gnu::always_inline]] inline void turn_about_x(double c, double s, Composite<T>& I) noexcept {
  const T t = s * (I.yy - I.zz) + (2.0 * c) * I.yz;
  const T xy = c * I.xy - s * I.xz;
  I.xz = s * I.xy + c * I.xz;
  I.xy = xy;
  I.yy -= s * t;
  I.zz += s * t;
  I.yz = c * t - I.yz;
  const T y = c * I.h.y - s * I.h.z;
  I.h.z = s * I.h.y + c * I.h.z;
  I.h.y = y;
}
/// R I R' for any rotation.
template <typename T>
void turn(const Mat3<T>& R, Composite<T>& I) noexcept {
  const Vec3<T> h = R * I.h;
  const Vec3<T> u = I.xx * R.x + I.xy * R.y + I.xz * R.z;
  const Vec3<T> v = I.xy * R.x + I.yy * R.y + I.yz * R.z;
  const Vec3<T> w = I.xz * R.x + I.yz * R.y + I.zz * R.z;
  I = {I.mass,
       h,
       R.x.x * u.x + R.y.x * v.x + R.z.x * w.x,
       R.x.x * u.y + R.y.x * v.y + R.z.x * w.y,
       R.x.x * u.z + R.y.x * v.z + R.z.x * w.z,
       R.x.y * u.y + R.y.y * v.y + R.z.y * w.y,
       R.x.y * u.z + R.y.y * v.z + R.z.y * w.z,
       R.x.z * u.z + R.y.z * v.z + R.z.z * w.z};
}
/// About a point p before the origin: I + (p.k) 1 - sym(p k') with k = 2 h + m p, and h + m p. [Steiner]
template <typename T, typename P>
[[gnu::always_inline]] inline void shift(const Vec3<P>& p, Composite<T>& I) noexcept {
  const Vec3<T> h{I.h.x + I.mass * p.x, I.h.y + I.mass * p.y, I.h.z + I.mass * p.z};
  const Vec3<T> k = I.h + h;
  const T x = p.x * k.x, y = p.y * k.y, z = p.z * k.z;
  I.xx += y + z;
  I.yy += x + z;
  I.zz += x + y;
  I.xy -= p.x * I.h.y + p.y * h.x;
  I.xz -= p.x * I.h.z + p.z * h.x;
  I.yz -= p.y * I.h.z + p.z * h.y;
  I.h = h;
}

template <typename T>
[[gnu::always_inline]] inline void to_parent(const CompactLayout& m, const Scratch<T>& s, int j,
                                             Composite<T>& I) noexcept {
  const unsigned flags = m.flags[j];
  if (flags & kFreeJoint) {
    turn(s.rotation[j], I);
    return shift(s.place[j], I);
  }
  const CompactLink& link = m.links[j];
  turn_about_z(s.cosine[j], s.sine[j], I);
  turn_about_x(link.ca, link.sa, I);
  if (flags & kTurned) turn_about_z(m.extras[j].cg, m.extras[j].sg, I);
  if (flags & kPrismaticJoint) return shift(s.place[j], I);
  shift(place_of(link), I);
}

/// A link's axes along the base's, and the lever from its parent's origin to its own.
template <typename T>
struct Stance {
  Vec3<T> lever;
  Mat3<T> axes;
};

/// The stance behind a free joint.
template <typename T>
[[gnu::noinline]] void set_free_stance(const Scratch<T>& s, int j, const Mat3<T>& up,
                                       Stance<T>& own) noexcept {
  const Mat3<T>& R = s.rotation[j];
  own = {up * s.place[j], {up * R.x, up * R.y, up * R.z}};
}

/// Outward: stances of all links; stance[-1] is the base's.
template <typename T>
void set_stances(const CompactLayout& m, const Scratch<T>& s,
                 Stance<T>* __restrict stance) noexcept {
  stance[-1] = {{}, {{1.0 + T{}, T{}, T{}}, {T{}, 1.0 + T{}, T{}}, {T{}, T{}, 1.0 + T{}}}};
  for (int j = 0; j < m.joints; ++j) {
    const CompactLink& link = m.links[j];
    const unsigned flags = m.flags[j];
    const Mat3<T>& up = stance[m.parent[j]].axes;
    Stance<T>& own = stance[j];
    if (flags & kFreeJoint) {
      set_free_stance(s, j, up, own);
      continue;
    }
    Vec3<T> x = up.x, y = up.y;
    const Vec3<T> z = up.z;
    if (flags & kPrismaticJoint) {
      own.lever = up * s.place[j];
    } else {
      own.lever = up * place_of(link);
    }
    if (flags & kTurned) {
      const CompactExtra& e = m.extras[j];
      const Vec3<T> x_turned = e.cg * x + e.sg * y;
      y = e.cg * y - e.sg * x;
      x = x_turned;
    }
    const Vec3<T> y_twisted = link.ca * y + link.sa * z;
    own.axes.z = link.ca * z - link.sa * y;
    own.axes.x = s.cosine[j] * x + s.sine[j] * y_twisted;
    own.axes.y = s.cosine[j] * y_twisted - s.sine[j] * x;
  }
}

/// What a free joint bears of the wrench F along the base's axes.
template <typename T>
[[gnu::noinline]] void free_entries(unsigned flags, const Mat3<T>& axes, const Wrench<T>& F,
                                    T* entry) noexcept {
  joint_torque(flags, Wrench<T>{transpose_times(axes, F.force), transpose_times(axes, F.moment)},
               entry);
}

/// Carries the wrench F on link j, along the base's axes, to the base, and writes what each joint on the way bears of it,
/// from `entry` downwards.
template <typename T>
[[gnu::always_inline]] inline void carry(const CompactLayout& m, const Stance<T>* stance, int j,
                                         const Vec3<T>& force, Vec3<T> moment,
                                         T* __restrict entry) noexcept {
  for (int parent = m.parent[j]; parent >= 0; parent = m.parent[j]) {
    moment = plus_cross(moment, stance[j].lever, force);
    j = parent;
    const Mat3<T>& axes = stance[j].axes;
    const unsigned flags = m.flags[j];
    if (!(flags & (kPrismaticJoint | kFreeJoint))) {
      *--entry = dot(axes.z, moment);
    } else if (flags & kPrismaticJoint) {
      *--entry = dot(axes.z, force);
    } else {
      entry -= flags & kPlanarJoint ? 3 : 6;
      free_entries(flags, axes, Wrench<T>{force, moment}, entry);
    }
  }
}

/// The wrench of a composite body that accelerates with the unit motion k of a free joint, in its own frame.
template <typename T>
inline Wrench<T> unit_wrench(const Composite<T>& I, bool planar, int k) noexcept {
  T unit[6] = {};
  unit[k] += 1.0;
  const FreeRate<T> a = free_rate(planar, unit);
  const Vec3<T> Iw{I.xx * a.angular.x + I.xy * a.angular.y + I.xz * a.angular.z,
                   I.xy * a.angular.x + I.yy * a.angular.y + I.yz * a.angular.z,
                   I.xz * a.angular.x + I.yz * a.angular.y + I.zz * a.angular.z};
  return {I.mass * a.linear + cross(a.angular, I.h), Iw + cross(I.h, a.linear)};
}

/// The rows of M that belong to a free joint, whose composite body is I.
template <typename T>
[[gnu::noinline]] void fill_free_rows(const CompactLayout& m, const Stance<T>* stance, int j,
                                      const Composite<T>& I, T* packed) noexcept {
  const int k = m.first[j];
  const Mat3<T>& axes = stance[j].axes;
  const bool planar = (m.flags[j] & kPlanarJoint) != 0;
  const int count = planar ? 3 : 6;
  for (int c = 0; c < count; ++c) {
    const Wrench<T> f = unit_wrench(I, planar, c);
    T* diagonal = packed + m.rows.diagonal[k + c];
    T own[6];
    joint_torque(m.flags[j], f, own);
    for (int d = 0; d <= c; ++d) diagonal[d - c] = own[d];
    *diagonal += m.armature[k + c];
    carry(m, stance, j, axes * f.force, axes * f.moment, diagonal - c);
  }
}

/// The row of M that belongs to a joint that turns or slides.
template <typename T>
[[gnu::always_inline]] inline void fill_row(const CompactLayout& m, const Stance<T>* stance, int j,
                                            const Composite<T>& I, T* packed) noexcept {
  const int k = m.first[j];
  T* diagonal = packed + m.rows.diagonal[k];
  const Mat3<T>& axes = stance[j].axes;
  Vec3<T> force, moment;
  if (m.flags[j] & kPrismaticJoint) {
    *diagonal = I.mass + m.armature[k];
    force = I.mass * axes.z;
    moment = I.h.y * axes.x - I.h.x * axes.y;
  } else {
    *diagonal = I.zz + m.armature[k];
    force = I.h.x * axes.y - I.h.y * axes.x;
    moment = I.xz * axes.x + I.yz * axes.y + I.zz * axes.z;
  }
  carry(m, stance, j, force, moment, diagonal);
}

/// Joint j, whichever kind: its link joins the composite body I, its rows are filled, and I goes on to its parent.
template <typename T>
[[gnu::noinline]] void step_composite(const CompactLayout& m, const Scratch<T>& s,
                                      const Stance<T>* stance, int j, Composite<T>* waiting,
                                      T* packed, Composite<T>& I) noexcept {
  const unsigned flags = m.flags[j];
  add(m.links[j], m.extras[j], false, I);
  if (flags & kBranches) add(waiting[j], I);
  if (flags & kFreeJoint) {
    fill_free_rows(m, stance, j, I, packed);
  } else {
    fill_row(m, stance, j, I, packed);
  }
  const int parent = m.parent[j];
  if (parent >= 0) to_parent(m, s, j, I);
  if (parent >= 0 && !(flags & kElsewhere)) return;
  if (parent >= 0) add(I, waiting[parent]);
  I = Composite<T>{};
}

/// The same for a run of plain joints.
template <typename T>
[[gnu::always_inline]] inline int run_composite(const CompactLayout& m, const Scratch<T>& s,
                                                const Stance<T>* stance, int j, T* packed,
                                                Composite<T>& end) noexcept {
  Composite<T> I = end;
  do {
    const CompactLink& link = m.links[j];
    add(link, m.extras[j], true, I);
    fill_row(m, stance, j, I, packed);
    turn_about_z(s.cosine[j], s.sine[j], I);
    turn_about_x(link.ca, link.sa, I);
    shift(place_of(link), I);
    --j;
  } while (j > 0 && m.flags[j] == 0);
  end = I;
  return j;
}

/// Inward: composite bodies, and the rows of M as they are complete. Positions and stances are set.
template <typename T>
void sweep_composites(const CompactLayout& m, const Scratch<T>& s, const Stance<T>* stance,
                      Composite<T>* waiting, T* packed) noexcept {
  for (int j = 0; j < m.joints; ++j) {
    if (m.flags[j] & kBranches) waiting[j] = Composite<T>{};
  }
  Composite<T> I{};
  int j = m.joints - 1;
  while (j >= 0) {
    if (j > 0 && m.flags[j] == 0) {
      j = run_composite(m, s, stance, j, packed, I);
    } else {
      step_composite(m, s, stance, j--, waiting, packed, I);
    }
  }
}

}  // namespace
}  // namespace spatial_dynamics

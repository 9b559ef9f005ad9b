// The mass matrix by composite bodies.
//
// The backward pass adds inertias link by link in the links' frames, and computes for each
// coordinate k the wrench F_k that accelerates the composite body beyond it by 1. mass_rows.hpp
// computes the rows of M from these.
#pragma once

#include "newton_euler.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// A rigid body's ten parameters, in its frame at its origin: mass, first moments, the second
/// moments of x^2, y^2 and z^2, and the products of inertia, which are minus those of xy, xz and
/// yz.
template <typename T>
struct Composite {
  T mass;
  Vec3<T> h;
  T xx, xy, xz, yy, yz, zz;
};
template <typename T>
[[gnu::always_inline]] inline Sym3<T> inertia(const Composite<T>& b) noexcept {
  return {b.yy + b.zz, b.xy, b.xz, b.xx + b.zz, b.yz, b.xx + b.yy};
}

template <typename T>
[[gnu::always_inline]] inline void add(const CompactLink& l, const CompactExtra& e, bool plain,
                                       Composite<T>& c) noexcept {
  c.h.x += l.hx;
  c.h.y += l.hy;
  c.xx += l.Jxx;
  c.xy += l.Ixy;
  c.xz += l.Ixz;
  c.yy += l.Jyy;
  c.yz += l.Iyz;
  if (plain) return;
  c.mass += e.mass;
  c.h.z += e.hz;
  c.zz += e.Jzz;
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

/// Rz I Rz': a rotation in the x-y plane changes the entries of that plane by t = s (Ixx - Iyy) + 2
/// c Ixy, and Ixx - Iyy = Jyy - Jxx.
template <typename S, typename T>
[[gnu::always_inline]] inline void turn_about_z(const S& c, const S& s, Composite<T>& I) noexcept {
  const T t = s * (I.yy - I.xx) + 2.0 * c * I.xy;
  const T xz = c * I.xz - s * I.yz;
  I.yz = s * I.xz + c * I.yz;
  I.xz = xz;
  I.xx += s * t;
  I.yy -= s * t;
  I.xy = c * t - I.xy;
  const T x = c * I.h.x - s * I.h.y;
  I.h.y = s * I.h.x + c * I.h.y;
  I.h.x = x;
}
/// The same about x, in the y-z plane.
template <typename T>
[[gnu::always_inline]] inline void turn_about_x(double c, double s, Composite<T>& I) noexcept {
  const T t = s * (I.zz - I.yy) + (2.0 * c) * I.yz;
  const T xy = c * I.xy - s * I.xz;
  I.xz = s * I.xy + c * I.xz;
  I.xy = xy;
  I.yy += s * t;
  I.zz -= s * t;
  I.yz = c * t - I.yz;
  const T y = c * I.h.y - s * I.h.z;
  I.h.z = s * I.h.y + c * I.h.z;
  I.h.y = y;
}
/// R J R' for any rotation; R J = (u, v, w).
template <typename T>
void turn(const Mat3<T>& R, Composite<T>& I) noexcept {
  const Vec3<T> h = R * I.h;
  const Vec3<T> u = I.xx * R.x - I.xy * R.y - I.xz * R.z;
  const Vec3<T> v = I.yy * R.y - I.xy * R.x - I.yz * R.z;
  const Vec3<T> w = I.zz * R.z - I.xz * R.x - I.yz * R.y;
  I = {I.mass,
       h,
       R.x.x * u.x + R.y.x * v.x + R.z.x * w.x,
       -(R.x.x * u.y + R.y.x * v.y + R.z.x * w.y),
       -(R.x.x * u.z + R.y.x * v.z + R.z.x * w.z),
       R.x.y * u.y + R.y.y * v.y + R.z.y * w.y,
       -(R.x.y * u.z + R.y.y * v.z + R.z.y * w.z),
       R.x.z * u.z + R.y.z * v.z + R.z.z * w.z};
}
/// About a point p before the origin: J + sym(p k') with k = 2 h + m p, and h + m p. [Steiner]
template <typename T, typename P>
[[gnu::always_inline]] inline void shift(const Vec3<P>& p, Composite<T>& I) noexcept {
  const Vec3<T> h{I.h.x + I.mass * p.x, I.h.y + I.mass * p.y, I.h.z + I.mass * p.z};
  I.xx += p.x * (I.h.x + h.x);
  I.yy += p.y * (I.h.y + h.y);
  I.zz += p.z * (I.h.z + h.z);
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

/// The wrench of a composite body that accelerates by 1 along an axis of its frame: a column of its
/// 6x6 inertia.
template <typename T>
[[gnu::always_inline]] inline Wrench<T> unit_wrench(const Composite<T>& I, int axis) noexcept {
  const Vec3<T>& h = I.h;
  switch (axis) {
    case kSlideX:
      return {{I.mass, T{}, T{}}, {T{}, h.z, -h.y}};
    case kSlideY:
      return {{T{}, I.mass, T{}}, {-h.z, T{}, h.x}};
    case kSlideZ:
      return {{T{}, T{}, I.mass}, {h.y, -h.x, T{}}};
    case kTurnX:
      return {{T{}, -h.z, h.y}, {I.yy + I.zz, I.xy, I.xz}};
    case kTurnY:
      return {{h.z, T{}, -h.x}, {I.xy, I.xx + I.zz, I.yz}};
    default:
      return {{-h.y, h.x, T{}}, {I.xz, I.yz, I.xx + I.yy}};
  }
}

/// Joint j of any type: adds its link to the composite body I, which is then transformed to the
/// parent.
template <typename T>
[[gnu::noinline]] void step_composite(const CompactLayout& m, const Scratch<T>& s, int j,
                                      Composite<T>* waiting, Wrench<T>* column,
                                      Composite<T>& I) noexcept {
  const unsigned flags = m.flags[j];
  const int k = m.first[j];
  add(m.links[j], m.extras[j], false, I);
  if (flags & kBranches) add(waiting[j], I);
  for (int c = 0; c < coordinates_of(flags); ++c) {
    column[k + c] = unit_wrench(I, axis_of(flags, c));
  }
  const int parent = m.parent[j];
  if (parent >= 0) to_parent(m, s, j, I);
  if (parent >= 0 && !(flags & kElsewhere)) return;
  if (parent >= 0) add(I, waiting[parent]);
  I = Composite<T>{};
}

/// The same for a revolute joint.
template <typename T>
[[gnu::always_inline]] inline void pass_composite(const CompactLayout& m, const Scratch<T>& s,
                                                  int j, Composite<T>* waiting, Wrench<T>* column,
                                                  Composite<T>& I) noexcept {
  const unsigned flags = m.flags[j];
  add(m.links[j], m.extras[j], true, I);
  if (flags & kBranches) add(waiting[j], I);
  column[m.first[j]] = unit_wrench(I, kTurnZ);
  const int parent = m.parent[j];
  if (parent >= 0) {
    to_parent(m, s, j, I);
    if (!(flags & kElsewhere)) return;
    add(I, waiting[parent]);
  }
  I = Composite<T>{};
}

/// The same for a run of plain joints, from joint j > 0 on. Returns the first joint before the run,
/// 0 at least.
template <typename T>
[[gnu::always_inline]] inline int run_composite(const CompactLayout& m, const Scratch<T>& s, int j,
                                                Wrench<T>* __restrict column,
                                                Composite<T>& end) noexcept {
  column += m.first[j] - j;
  Composite<T> I = end;
  do {
    const CompactLink& link = m.links[j];
    add(link, m.extras[j], true, I);
    column[j] = unit_wrench(I, kTurnZ);
    turn_about_z(s.cosine[j], s.sine[j], I);
    turn_about_x(link.ca, link.sa, I);
    shift(place_of(link), I);
    --j;
  } while (j > 0 && m.flags[j] == 0);
  end = I;
  return j;
}

/// At a branch, composite bodies are stored until all children are added.
template <typename T>
void clear_composites(const CompactLayout& m, Composite<T>* waiting) noexcept {
  for (int j = 0; j < m.joints; ++j) {
    if (m.flags[j] & kBranches) waiting[j] = Composite<T>{};
  }
}

/// Backward pass: the wrench of each coordinate, in its link's frame.
template <typename T>
void composite_pass(const CompactLayout& m, const Scratch<T>& s, Composite<T>* waiting,
                    Wrench<T>* column) noexcept {
  Composite<T> I{};
  int j = m.joints - 1;
  while (j >= 0) {
    if (j > 0 && m.flags[j] == 0) {
      j = run_composite(m, s, j, column, I);
    } else if (is_revolute(m.flags[j])) {
      pass_composite(m, s, j--, waiting, column, I);
    } else {
      step_composite(m, s, j--, waiting, column, I);
    }
  }
}

}  // namespace
}  // namespace spatial_dynamics::kernels

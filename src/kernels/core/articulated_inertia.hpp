// Articulated inertias: sums, and transforms to the parent.
#pragma once

#include "composite.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// A -= u v', which is symmetric.
template <typename T>
inline void subtract_outer(const Vec3<T>& u, const Vec3<T>& v, Sym3<T>& A) noexcept {
  A.xx -= u.x * v.x;
  A.xy -= u.x * v.y;
  A.xz -= u.x * v.z;
  A.yy -= u.y * v.y;
  A.yz -= u.y * v.z;
  A.zz -= u.z * v.z;
}

/// moment = I w' + H a,  force = H' w' + M a.
template <typename T>
struct Articulated {
  Sym3<T> I;
  Mat3<T> H;
  Sym3<T> M;
};

/// Adds the inertia of a revolute joint's link; `e` has the remaining parameters of other joints.
template <typename T>
[[gnu::always_inline]] inline void add(const CompactLink& l, Articulated<T>& A) noexcept {
  A.I.xx += l.Jyy;
  A.I.xy += l.Ixy;
  A.I.xz += l.Ixz;
  A.I.yy += l.Jxx;
  A.I.yz += l.Iyz;
  A.I.zz += l.Jxx + l.Jyy;
  A.H.x.z -= l.hy;  // H += [h]x
  A.H.y.z += l.hx;
  A.H.z.x += l.hy;
  A.H.z.y -= l.hx;
}
template <typename T>
inline void add(const CompactLink& l, const CompactExtra& e, Articulated<T>& A) noexcept {
  add(l, A);
  A.I.xx += e.Jzz;
  A.I.yy += e.Jzz;
  A.H.x.y += e.hz;
  A.H.y.x -= e.hz;
  A.M.xx += e.mass;
  A.M.yy += e.mass;
  A.M.zz += e.mass;
}
template <typename T>
inline void add(const Articulated<T>& b, Articulated<T>& A) noexcept {
  A.I = A.I + b.I;
  A.M = A.M + b.M;
  A.H = {A.H.x + b.H.x, A.H.y + b.H.y, A.H.z + b.H.z};
}

// ---- rotations ----------------------------------------------------------------------------------
// R H R' with R a rotation in the plane of two axes, here called x and y, changes the block of
// these two by t = s (H_xx - H_yy) + c (H_xy + H_yx), and rotates the pairs with the third axis.

template <typename S, typename T>
[[gnu::always_inline]] inline void turn_pair(const S& c, const S& s, T& x, T& y) noexcept {
  const T turned = c * x - s * y;
  y = s * x + c * y;
  x = turned;
}
template <typename S, typename T>
[[gnu::always_inline]] inline void turn_block(const S& c, const S& s, T& xx, T& xy, T& yx,
                                              T& yy) noexcept {
  const T t = s * (xx - yy) + c * (xy + yx);
  const T crossed = c * t - yx;
  xx -= s * t;
  yy += s * t;
  yx = c * t - xy;
  xy = crossed;
}
template <typename S, typename T>
[[gnu::always_inline]] inline void turn_block(const S& c, const S& s, T& xx, T& xy,
                                              T& yy) noexcept {
  const T t = s * (xx - yy) + (2.0 * c) * xy;
  xx -= s * t;
  yy += s * t;
  xy = c * t - xy;
}
template <typename S, typename T>
[[gnu::always_inline]] inline void turn_about_z(const S& c, const S& s,
                                                Articulated<T>& A) noexcept {
  turn_block(c, s, A.I.xx, A.I.xy, A.I.yy);
  turn_pair(c, s, A.I.xz, A.I.yz);
  turn_block(c, s, A.M.xx, A.M.xy, A.M.yy);
  turn_pair(c, s, A.M.xz, A.M.yz);
  turn_block(c, s, A.H.x.x, A.H.y.x, A.H.x.y, A.H.y.y);
  turn_pair(c, s, A.H.z.x, A.H.z.y);
  turn_pair(c, s, A.H.x.z, A.H.y.z);
}
template <typename S, typename T>
[[gnu::always_inline]] inline void turn_about_x(const S& c, const S& s,
                                                Articulated<T>& A) noexcept {
  turn_block(c, s, A.I.yy, A.I.yz, A.I.zz);
  turn_pair(c, s, A.I.xy, A.I.xz);
  turn_block(c, s, A.M.yy, A.M.yz, A.M.zz);
  turn_pair(c, s, A.M.xy, A.M.xz);
  turn_block(c, s, A.H.y.y, A.H.z.y, A.H.y.z, A.H.z.z);
  turn_pair(c, s, A.H.x.y, A.H.x.z);
  turn_pair(c, s, A.H.y.x, A.H.z.x);
}

/// R A R' for any rotation: R applied to the columns, then to the rows.
template <typename T>
inline Mat3<T> turned(const Mat3<T>& R, const Mat3<T>& A) noexcept {
  const Vec3<T> x = R * A.x, y = R * A.y, z = R * A.z;
  const Vec3<T> a = R * Vec3<T>{x.x, y.x, z.x}, b = R * Vec3<T>{x.y, y.y, z.y},
                c = R * Vec3<T>{x.z, y.z, z.z};
  return {{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}};
}
template <typename T>
inline Sym3<T> turned(const Mat3<T>& R, const Sym3<T>& A) noexcept {
  const Mat3<T> B = turned(R, Mat3<T>{{A.xx, A.xy, A.xz}, {A.xy, A.yy, A.yz}, {A.xz, A.yz, A.zz}});
  return {B.x.x, B.x.y, B.x.z, B.y.y, B.y.z, B.z.z};
}

/// About a point p before the origin: H' = H + [p]x M, and I' = I + [p]x transpose(H) - H' [p]x.
template <typename T, typename P>
[[gnu::always_inline]] inline void shift(const Vec3<P>& p, Articulated<T>& A) noexcept {
  const Mat3<T> before = A.H;
  A.H.x += cross(p, Vec3<T>{A.M.xx, A.M.xy, A.M.xz});
  A.H.y += cross(p, Vec3<T>{A.M.xy, A.M.yy, A.M.yz});
  A.H.z += cross(p, Vec3<T>{A.M.xz, A.M.yz, A.M.zz});
  // I'(a, b) = I(a, b) + (p x row b of H)_a + (p x row a of H')_b; row y is (H.x.y, H.y.y, H.z.y)
  const Mat3<T>&B = before, &H = A.H;
  A.I.xx += p.y * (B.z.x + H.z.x) - p.z * (B.y.x + H.y.x);
  A.I.yy += p.z * (B.x.y + H.x.y) - p.x * (B.z.y + H.z.y);
  A.I.zz += p.x * (B.y.z + H.y.z) - p.y * (B.x.z + H.x.z);
  A.I.xy += p.y * B.z.y - p.z * B.y.y + p.z * H.x.x - p.x * H.z.x;
  A.I.xz += p.y * B.z.z - p.z * B.y.z + p.x * H.y.x - p.y * H.x.x;
  A.I.yz += p.z * B.x.z - p.x * B.z.z + p.x * H.y.y - p.y * H.x.y;
}

/// X' A X: transformed to the parent.
template <typename T>
[[gnu::always_inline]] inline void to_parent(const CompactLayout& m, const Scratch<T>& s, int j,
                                             Articulated<T>& A) noexcept {
  const unsigned flags = m.flags[j];
  if (flags & kFreeJoint) {
    const Mat3<T>& R = s.rotation[j];
    A = {turned(R, A.I), turned(R, A.H), turned(R, A.M)};
    return shift(s.place[j], A);
  }
  const CompactLink& link = m.links[j];
  turn_about_z(s.cosine[j], s.sine[j], A);
  turn_about_x(link.ca, link.sa, A);
  if (flags & kTurned) turn_about_z(m.extras[j].cg, m.extras[j].sg, A);
  if (flags & kPrismaticJoint) return shift(s.place[j], A);
  shift(place_of(link), A);
}

}  // namespace
}  // namespace spatial_dynamics::kernels

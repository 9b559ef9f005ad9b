// Forward dynamics by articulated bodies: linear in joints, for trees too deep for a mass matrix. [SOA track 6, 8]
//
// The wrenches of Newton-Euler at zero joint acceleration are the bias forces; what is solved for is the change that the joint
// accelerations make, so that no velocity appears here. A joint with several coordinates is eliminated one by one: its
// motions are unit vectors of the link's frame, as if massless links stood between them.
#pragma once

#include "composite.hpp"
#include "factor.hpp"

namespace spatial_dynamics {
namespace {

/// A symmetric 3x3 matrix.
template <typename T>
struct Sym3 {
  T xx, xy, xz, yy, yz, zz;
};
template <typename T>
inline Vec3<T> operator*(const Sym3<T>& A, const Vec3<T>& v) noexcept {
  return {A.xx * v.x + A.xy * v.y + A.xz * v.z, A.xy * v.x + A.yy * v.y + A.yz * v.z,
          A.xz * v.x + A.yz * v.y + A.zz * v.z};
}
template <typename T>
inline Sym3<T> operator+(const Sym3<T>& a, const Sym3<T>& b) noexcept {
  return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}
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

template <typename T>
inline void add(const CompactLink& l, const CompactExtra& e, Articulated<T>& A) noexcept {
  A.I = A.I + Sym3<T>{l.Ixx + T{}, l.Ixy + T{}, l.Ixz + T{}, e.Iyy + T{}, l.Iyz + T{}, l.Izz + T{}};
  A.H.x.y += e.hz;  // H += [h]x
  A.H.x.z -= l.hy;
  A.H.y.x -= e.hz;
  A.H.y.z += l.hx;
  A.H.z.x += l.hy;
  A.H.z.y -= l.hx;
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

/// R A R' for a symmetric A, given R's action on vectors: R applied to the rows of (R A)'.
template <typename T, typename Turn>
inline Sym3<T> turned(const Sym3<T>& A, const Turn& R) noexcept {
  const Vec3<T> x = R(Vec3<T>{A.xx, A.xy, A.xz}), y = R(Vec3<T>{A.xy, A.yy, A.yz}),
                z = R(Vec3<T>{A.xz, A.yz, A.zz});
  const Vec3<T> a = R(Vec3<T>{x.x, y.x, z.x}), b = R(Vec3<T>{x.y, y.y, z.y}),
                c = R(Vec3<T>{x.z, y.z, z.z});
  return {a.x, a.y, a.z, b.y, b.z, c.z};
}

/// X' A X: as the parent, for which the link's origin stands at p and its vectors are turned by R, feels it.
template <typename T, typename P, typename Turn>
inline void to_parent(const Turn& R, const Vec3<P>& p, Articulated<T>& A) noexcept {
  A.I = turned(A.I, R);
  A.M = turned(A.M, R);
  const Vec3<T> x = R(A.H.x), y = R(A.H.y), z = R(A.H.z);  // R H, then its rows
  const Vec3<T> rx = R(Vec3<T>{x.x, y.x, z.x}), ry = R(Vec3<T>{x.y, y.y, z.y}),
                rz = R(Vec3<T>{x.z, y.z, z.z});
  // H' = H + [p]x M;  I' = I + [p]x H' - H' [p]x, where rows r of H give r x p
  const Vec3<T> mx = cross(p, Vec3<T>{A.M.xx, A.M.xy, A.M.xz}),
                my = cross(p, Vec3<T>{A.M.xy, A.M.yy, A.M.yz}),
                mz = cross(p, Vec3<T>{A.M.xz, A.M.yz, A.M.zz});
  const Vec3<T> px = cross(p, rx), py = cross(p, ry), pz = cross(p, rz);
  A.H = {{rx.x + mx.x, ry.x + mx.y, rz.x + mx.z},
         {rx.y + my.x, ry.y + my.y, rz.y + my.z},
         {rx.z + mz.x, ry.z + mz.y, rz.z + mz.z}};
  const Vec3<T> nx = cross(p, Vec3<T>{A.H.x.x, A.H.y.x, A.H.z.x}),
                ny = cross(p, Vec3<T>{A.H.x.y, A.H.y.y, A.H.z.y}),
                nz = cross(p, Vec3<T>{A.H.x.z, A.H.y.z, A.H.z.z});
  A.I = A.I + Sym3<T>{px.x + nx.x, py.x + nx.y, pz.x + nx.z, py.y + ny.y, pz.y + ny.z, pz.z + nz.z};
}

/// Column `axis` of the 6x6 matrix: axes 0-2 turn, 3-5 slide.
template <typename T>
[[gnu::always_inline]] inline Wrench<T> column(const Articulated<T>& A, int axis) noexcept {
  switch (axis) {
    case 0:
      return {{A.H.x.x, A.H.y.x, A.H.z.x}, {A.I.xx, A.I.xy, A.I.xz}};
    case 1:
      return {{A.H.x.y, A.H.y.y, A.H.z.y}, {A.I.xy, A.I.yy, A.I.yz}};
    case 2:
      return {{A.H.x.z, A.H.y.z, A.H.z.z}, {A.I.xz, A.I.yz, A.I.zz}};
    case 3:
      return {{A.M.xx, A.M.xy, A.M.xz}, A.H.x};
    case 4:
      return {{A.M.xy, A.M.yy, A.M.yz}, A.H.y};
    default:
      return {{A.M.xz, A.M.yz, A.M.zz}, A.H.z};
  }
}
template <typename T>
[[gnu::always_inline]] inline T& component(Vec3<T>& turning, Vec3<T>& sliding, int axis) noexcept {
  Vec3<T>& v = axis < 3 ? turning : sliding;
  const int k = axis % 3;
  return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

/// The axis of coordinate c of a joint.
inline int axis_of(unsigned flags, int c) noexcept {
  if (!(flags & (kPrismaticJoint | kFreeJoint))) return 2;
  if (flags & kPrismaticJoint) return 5;
  if (flags & kPlanarJoint) return c == 2 ? 2 : 3 + c;
  return c;
}
inline int coordinates_of(unsigned flags) noexcept {
  return !(flags & kFreeJoint) ? 1 : flags & kPlanarJoint ? 3 : 6;
}

/// What elimination leaves of one coordinate: U = A S, 1/D and u/D.
template <typename T>
struct Gain {
  Wrench<T> U;
  T inverse, drive;
};

/// Lets one coordinate give way: A -= U U'/D, f += U u/D. False if it moves nothing.
template <typename T>
[[nodiscard, gnu::always_inline]] inline bool eliminate(int axis, const T& tau, double armature,
                                                        double scale, Articulated<T>& A,
                                                        Wrench<T>& f, Gain<T>& gain) noexcept {
  Wrench<T> U = column(A, axis);
  const T D = component(U.moment, U.force, axis) + armature;
  if (!is_pivot(D, T{}, scale)) return false;
  gain.U = U;
  gain.inverse = 1.0 / D;
  gain.drive = (tau - component(f.moment, f.force, axis)) * gain.inverse;
  const Wrench<T> K{gain.inverse * U.force, gain.inverse * U.moment};
  subtract_outer(K.moment, U.moment, A.I);
  subtract_outer(K.force, U.force, A.M);
  A.H.x -= U.force.x * K.moment;
  A.H.y -= U.force.y * K.moment;
  A.H.z -= U.force.z * K.moment;
  f.force += gain.drive * U.force;
  f.moment += gain.drive * U.moment;
  return true;
}

/// Inward: `wrench` holds the bias forces, `tau` the torques without friction.
template <typename T>
[[nodiscard]] bool sweep_articulated(const CompactLayout& m, const Scratch<T>& s, Wrench<T>* wrench,
                                     Articulated<T>* waiting, Gain<T>* gain,
                                     const T* tau) noexcept {
  for (int j = 0; j < m.joints; ++j) {
    if (m.flags[j] & kBranches) waiting[j] = Articulated<T>{};
  }
  Articulated<T> A{};
  Wrench<T> carried{};
  for (int j = m.joints - 1; j >= 0; --j) {
    const unsigned flags = m.flags[j];
    add(m.links[j], m.extras[j], A);
    if (flags & kBranches) add(waiting[j], A);
    Wrench<T> f = wrench[j] + carried;
    for (int c = coordinates_of(flags) - 1; c >= 0; --c) {
      const int k = m.first[j] + c;
      if (!eliminate(axis_of(flags, c), tau[k], m.armature[k], m.rows.scale[k], A, f, gain[k])) {
        return false;
      }
    }
    const int parent = m.parent[j];
    carried = {};
    if (parent >= 0) {
      const Wrench<T> up = to_parent(m, s, j, f);
      const auto R = [&m, &s, j](const Vec3<T>& a) { return to_parent(m, s, j, a); };
      if (flags & (kPrismaticJoint | kFreeJoint)) {
        to_parent(R, s.place[j], A);
      } else {
        to_parent(R, place_of(m.links[j]), A);
      }
      if (!(flags & kElsewhere)) {
        carried = up;
        continue;
      }
      wrench[parent] = wrench[parent] + up;
      add(A, waiting[parent]);
    }
    A = Articulated<T>{};
  }
  return true;
}

/// Outward: the joint accelerations. `kept` holds the change of motion of links that branch, the base at -1.
template <typename T>
void sweep_accelerations(const CompactLayout& m, const Scratch<T>& s, const Gain<T>* gain,
                         Motion3<T>* kept, T* acceleration) noexcept {
  kept[0] = {};
  ++kept;
  Vec3<T> dw{}, a{};
  for (int j = 0; j < m.joints; ++j) {
    const CompactLink& link = m.links[j];
    const unsigned flags = m.flags[j];
    if (flags & kElsewhere) {
      dw = kept[m.parent[j]].dw;
      a = kept[m.parent[j]].a;
    }
    if (flags & (kPrismaticJoint | kFreeJoint)) {
      a = minus_cross(a, s.place[j], dw);
    } else {
      a = minus_cross(a, place_of(link), dw);
    }
    if (flags & kFreeJoint) {
      dw = transpose_times(s.rotation[j], dw);
      a = transpose_times(s.rotation[j], a);
    } else {
      if (flags & kTurned) {
        dw = unturn(m.extras[j], dw);
        a = unturn(m.extras[j], a);
      }
      dw = to_child(link, s.cosine[j], s.sine[j], dw);
      a = to_child(link, s.cosine[j], s.sine[j], a);
    }
    for (int c = 0; c < coordinates_of(flags); ++c) {
      const Gain<T>& g = gain[m.first[j] + c];
      // q'' = (u - U' a) / D
      const T x = g.drive - g.inverse * (dot(g.U.moment, dw) + dot(g.U.force, a));
      acceleration[m.first[j] + c] = x;
      component(dw, a, axis_of(flags, c)) += x;
    }
    if (flags & kBranches) kept[j] = {{}, dw, a};
  }
}

}  // namespace
}  // namespace spatial_dynamics

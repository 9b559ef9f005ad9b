// Recursive Newton-Euler without linear velocities.
//
// With U = [w']x + [w]x [w]x, a point at r of a link accelerates with a + U r: U gives the
// acceleration of the next link's origin and the link's force, F = m a + U h. It also gives the
// moment about the origin: N = h x a + the integral of r x U r, which depends on the second moments
// of mass J: N_x = U_zy Jyy - U_yz Jzz + ..., and so on cyclically. Gravity is an acceleration of
// the base. [L4 RNEA]
#pragma once

#include "positions.hpp"

namespace spatial_dynamics::kernels {
namespace {

template <typename T>
struct Motion3 {
  Vec3<T> w, dw, a;  ///< angular velocity, angular acceleration, acceleration of the origin
};

/// U: the diagonal, the entries above it and those below.
template <typename T>
struct RateMatrix {
  T xx, yy, zz, xy, xz, yz;
  T yx, zx, zy;
};

template <typename T>
[[gnu::always_inline]] inline RateMatrix<T> rate_matrix(const Motion3<T>& m) noexcept {
  const T xx = m.w.x * m.w.x, yy = m.w.y * m.w.y, zz = m.w.z * m.w.z;
  const T xy = m.w.x * m.w.y, xz = m.w.x * m.w.z, yz = m.w.y * m.w.z;
  return {-(yy + zz),  -(xx + zz),  -(xx + yy),  xy - m.dw.z, xz + m.dw.y,
          yz - m.dw.x, xy + m.dw.z, xz - m.dw.y, yz + m.dw.x};
}

/// a + U r.
template <typename T, typename S>
[[gnu::always_inline]] inline Vec3<T> acceleration_at(const Vec3<T>& a, const RateMatrix<T>& U,
                                                      const Vec3<S>& r) noexcept {
  return {a.x + U.xx * r.x + U.xy * r.y + U.xz * r.z, a.y + U.yx * r.x + U.yy * r.y + U.yz * r.z,
          a.z + U.zx * r.x + U.zy * r.y + U.zz * r.z};
}

/// The wrench that moves the link of a revolute joint: seven parameters. L is CompactLink, or has
/// the same names in lanes.
template <typename L, typename T>
[[gnu::always_inline]] inline Wrench<T> revolute_wrench(const L& l, const Motion3<T>& m,
                                                        const RateMatrix<T>& U) noexcept {
  const Vec3<T> force{U.xx * l.hx + U.xy * l.hy, U.yx * l.hx + U.yy * l.hy,
                      U.zx * l.hx + U.zy * l.hy};
  const Vec3<T> moment{
      l.Jyy * U.zy - l.Ixy * U.zx + l.Ixz * U.yx + l.Iyz * (U.yy - U.zz) + l.hy * m.a.z,
      l.Ixy * U.zy - l.Jxx * U.zx - l.Iyz * U.xy + l.Ixz * (U.zz - U.xx) - l.hx * m.a.z,
      l.Jxx * U.yx - l.Jyy * U.xy - l.Ixz * U.yz + l.Iyz * U.xz + l.Ixy * (U.xx - U.yy) +
          l.hx * m.a.y - l.hy * m.a.x};
  return {force, moment};
}

/// The same for any joint: the parameters omitted above are a rod along z.
template <typename L, typename E, typename T>
inline Wrench<T> link_wrench(const L& l, const E& e, const Motion3<T>& m,
                             const RateMatrix<T>& U) noexcept {
  Wrench<T> f = revolute_wrench(l, m, U);
  f.force += Vec3<T>{U.xz * e.hz, U.yz * e.hz, U.zz * e.hz};
  f.force += e.mass * m.a;
  f.moment += Vec3<T>{-e.Jzz * U.yz - e.hz * m.a.y, e.Jzz * U.xz + e.hz * m.a.x, T{}};
  return f;
}

/// The velocity that a free joint adds, from its coordinates: planar (vx, vy, w), floating
/// [angular; linear].
template <typename T>
struct FreeRate {
  Vec3<T> angular, linear;
};
template <typename T>
inline FreeRate<T> free_rate(bool planar, const T* x) noexcept {
  if (planar) return {{T{}, T{}, x[2]}, {x[0], x[1], T{}}};
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

/// The motion beyond a free joint that moves with (w_j, v_j) in the child's frame. In that frame,
/// w~ the parent's velocity: w = w~ + w_j,  w' = w~' + w_j' + w~ x w_j,  a = a~ + v_j' + 2 w~ x v_j
/// + w_j x v_j.
template <typename T>
Motion3<T> behind_free_joint(const Mat3<T>& R, const Motion3<T>& at, const FreeRate<T>& v,
                             const FreeRate<T>& a) noexcept {
  const Vec3<T> w = transpose_times(R, at.w);
  Motion3<T> m;
  m.w = w + v.angular;
  m.dw = transpose_times(R, at.dw) + a.angular + cross(w, v.angular);
  m.a = transpose_times(R, at.a) + a.linear + cross(w + m.w, v.linear);
  return m;
}

inline bool is_revolute(unsigned flags) noexcept {
  return (flags & (kPrismaticJoint | kFreeJoint)) == 0;
}

/// Whether the joints accelerate too, or only move: then `a` is not read.
enum class Rates { kAll, kVelocities };

/// One step outward from `at` at the parent, through a joint of any type.
template <typename T, Rates kRates>
[[gnu::noinline]] void step_outward(const CompactLayout& m, const Scratch<T>& s, int j,
                                    Motion3<T>* kept, Wrench<T>* wrench, const T* v, const T* a,
                                    Motion3<T>& at) noexcept {
  const CompactLink& link = m.links[j];
  const CompactExtra& extra = m.extras[j];
  const unsigned flags = m.flags[j];
  v += m.first[j];
  if constexpr (kRates == Rates::kAll) a += m.first[j];
  if (flags & kElsewhere) at = kept[m.parent[j]];
  at.a = flags & (kPrismaticJoint | kFreeJoint)
             ? acceleration_at(at.a, rate_matrix(at), s.place[j])
             : acceleration_at(at.a, rate_matrix(at), place_of(link));
  if (flags & kFreeJoint) {
    const bool planar = (flags & kPlanarJoint) != 0;
    FreeRate<T> acceleration{};
    if constexpr (kRates == Rates::kAll) acceleration = free_rate(planar, a);
    at = behind_free_joint(s.rotation[j], at, free_rate(planar, v), acceleration);
  } else {
    if (flags & kTurned) at = {unturn(extra, at.w), unturn(extra, at.dw), unturn(extra, at.a)};
    at = {to_child(link, s.cosine[j], s.sine[j], at.w),
          to_child(link, s.cosine[j], s.sine[j], at.dw),
          to_child(link, s.cosine[j], s.sine[j], at.a)};
    if (flags & kPrismaticJoint) {  // 2 w x v: Coriolis
      at.a.x += 2.0 * at.w.y * v[0];
      at.a.y -= 2.0 * at.w.x * v[0];
      if constexpr (kRates == Rates::kAll) at.a.z += a[0];
    } else {
      at.dw.x += at.w.y * v[0];
      at.dw.y -= at.w.x * v[0];
      at.w.z += v[0];
      if constexpr (kRates == Rates::kAll) at.dw.z += a[0];
    }
  }
  wrench[j] = link_wrench(link, extra, at, rate_matrix(at));
  if (flags & kBranches) kept[j] = at;
}

/// The same for a run of plain joints, revolute and each on the previous one, from joint j on:
/// motion stays in registers. Returns the first joint after the run.
template <typename T, Rates kRates>
[[gnu::always_inline]] inline int run_outward(const CompactLayout& m, const Scratch<T>& s, int j,
                                              Wrench<T>* __restrict wrench, const T* v, const T* a,
                                              Motion3<T>& end) noexcept {
  v += m.first[j] - j;
  if constexpr (kRates == Rates::kAll) a += m.first[j] - j;
  Motion3<T> at = end;
  Vec3<T> before = at.a;  // of the parent's origin
  Vec3<T> next = acceleration_at(at.a, rate_matrix(at), place_of(m.links[j]));
  for (; j < m.joints && m.flags[j] == 0; ++j) {
    const CompactLink& link = m.links[j];
    const T c = s.cosine[j], sn = s.sine[j];
    at.a = to_child(link, c, sn, next);
    at.w = to_child(link, c, sn, at.w);
    at.dw = to_child(link, c, sn, at.dw);
    at.dw.x += at.w.y * v[j];
    at.dw.y -= at.w.x * v[j];
    at.w.z += v[j];
    if constexpr (kRates == Rates::kAll) at.dw.z += a[j];
    const RateMatrix<T> U = rate_matrix(at);
    wrench[j] = revolute_wrench(link, at, U);
    before = at.a;
    next = acceleration_at(
        at.a, U, place_of(m.links[j + 1]));  // after the last joint there is a record of zeros
  }
  end = {at.w, at.dw, before};
  return j;
}

/// The base's acceleration, which represents gravity.
template <typename T>
inline Vec3<T> base_acceleration(const CompactLayout& m) noexcept {
  const double* g = m.base_acceleration;
  return {g[0] + T{}, g[1] + T{}, g[2] + T{}};
}

/// Forward pass: the motion of every link and the wrench that causes it.
template <typename T, Rates kRates>
void forward_pass(const CompactLayout& m, const Scratch<T>& s, const Vec3<T>& base,
                  Motion3<T>* kept, Wrench<T>* wrench, const T* v, const T* a) noexcept {
  Motion3<T> at{{}, {}, base};
  kept[0] = at;
  ++kept;  // kept[-1] is the base
  int j = 0;
  if (m.joints > 0 && m.flags[0] == 0) {
    // The first axis is fixed: its link rotates about z only, and most products are zero.
    const T acceleration = kRates == Rates::kAll ? a[0] : T{};
    at = {{T{}, T{}, v[0]},
          {T{}, T{}, acceleration},
          to_child(m.links[0], s.cosine[0], s.sine[0], base)};
    wrench[0] = revolute_wrench(m.links[0], at, rate_matrix(at));
    j = 1;
  }
  while (j < m.joints) {
    if (m.flags[j] == 0) {
      j = run_outward<T, kRates>(m, s, j, wrench, v, a, at);
    } else {
      step_outward<T, kRates>(m, s, j++, kept, wrench, v, a, at);
    }
  }
}

/// The torque of a joint's drive under a wrench: S' f, where the columns of S are unit vectors of
/// the compact frame.
template <typename T>
[[gnu::always_inline]] inline void joint_torque(unsigned flags, const Wrench<T>& f,
                                                T* tau) noexcept {
  if (!(flags & (kPrismaticJoint | kFreeJoint))) {
    tau[0] = f.moment.z;
  } else if (flags & kPrismaticJoint) {
    tau[0] = f.force.z;
  } else if (flags & kPlanarJoint) {
    tau[0] = f.force.x;
    tau[1] = f.force.y;
    tau[2] = f.moment.z;
  } else {
    tau[0] = f.moment.x;
    tau[1] = f.moment.y;
    tau[2] = f.moment.z;
    tau[3] = f.force.x;
    tau[4] = f.force.y;
    tau[5] = f.force.z;
  }
}

/// One step towards the base through a joint of any type: joint j has the wrench f.
/// Returns its contribution to the wrench of the parent.
template <typename T>
[[gnu::noinline]] Wrench<T> step_inward(const CompactLayout& m, const Scratch<T>& s, int j,
                                        Wrench<T> f, Wrench<T>* wrench, T* tau) noexcept {
  joint_torque(m.flags[j], f, tau + m.first[j]);
  const int parent = m.parent[j];
  if (parent < 0) return {};
  Wrench<T> up = to_parent(m, s, j, f);
  if (!(m.flags[j] & kElsewhere)) return up;
  wrench[parent] = wrench[parent] + up;
  return {};
}

/// The same for a revolute joint whose parent is not the previous joint, or with gamma.
template <typename T>
[[gnu::always_inline]] inline Wrench<T> pass_inward(const CompactLayout& m, const Scratch<T>& s,
                                                    int j, const Wrench<T>& f, Wrench<T>* wrench,
                                                    T* tau) noexcept {
  tau[m.first[j]] = f.moment.z;
  Wrench<T> up = to_parent(m, s, j, f);
  if (!(m.flags[j] & kElsewhere)) return up;
  const int parent = m.parent[j];
  if (parent >= 0) wrench[parent] = wrench[parent] + up;
  return {};
}

/// True if a joint is revolute and plain for the backward pass.
inline bool is_plain_inward(unsigned flags) noexcept { return (flags & ~unsigned{kBranches}) == 0; }

/// The same for a run of such joints, from joint j > 0 on. Returns the first joint before the run,
/// 0 at least.
template <typename T>
[[gnu::always_inline]] inline int run_inward(const CompactLayout& m, const Scratch<T>& s, int j,
                                             const Wrench<T>* wrench, T* __restrict tau,
                                             Wrench<T>& end) noexcept {
  tau += m.first[j] - j;
  Wrench<T> carried = end;
  do {
    const CompactLink& link = m.links[j];
    const Wrench<T> f = wrench[j] + carried;
    tau[j] = f.moment.z;
    carried.force = to_parent(link, s.cosine[j], s.sine[j], f.force);
    carried.moment =
        to_parent(link, s.cosine[j], s.sine[j], f.moment) + cross(place_of(link), carried.force);
    --j;
  } while (j > 0 && is_plain_inward(m.flags[j]));
  end = carried;
  return j;
}

/// Backward pass: each joint has its link's wrench and those of all links beyond it.
template <typename T>
void backward_pass(const CompactLayout& m, const Scratch<T>& s, Wrench<T>* wrench,
                   T* tau) noexcept {
  Wrench<T> carried{};  // from joint j + 1 where that one's parent is j
  int j = m.joints - 1;
  while (j > 0) {
    if (is_plain_inward(m.flags[j])) {
      j = run_inward(m, s, j, wrench, tau, carried);
    } else if (is_revolute(m.flags[j])) {
      carried = pass_inward(m, s, j, wrench[j] + carried, wrench, tau);
      --j;
    } else {
      carried = step_inward(m, s, j, wrench[j] + carried, wrench, tau);
      --j;
    }
  }
  if (j == 0) joint_torque(m.flags[0], wrench[0] + carried, tau);
}

/// Gravity only: no link rotates, so that a link's force is m a and its moment h x a.
template <typename T>
void gravity_pass(const CompactLayout& m, Scratch<T>& s, Vec3<T>* acceleration,
                  Wrench<T>* wrench) noexcept {
  acceleration[0] = base_acceleration<T>(m);
  ++acceleration;
  for (int j = 0; j < m.joints; ++j) {
    const CompactLink& l = m.links[j];
    const CompactExtra& e = m.extras[j];
    const unsigned flags = m.flags[j];
    Vec3<T> a = acceleration[m.parent[j]];
    if (flags & kFreeJoint) {
      a = transpose_times(s.rotation[j], a);
    } else {
      if (flags & kTurned) a = unturn(e, a);
      a = to_child(l, s.cosine[j], s.sine[j], a);
    }
    acceleration[j] = a;
    wrench[j] = {e.mass * a, cross(Vec3<double>{l.hx, l.hy, e.hz}, a)};
  }
}

}  // namespace
}  // namespace spatial_dynamics::kernels

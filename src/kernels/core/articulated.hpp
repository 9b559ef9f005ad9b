// Forward dynamics by articulated bodies: linear in joints, for trees too deep for a mass matrix.
// [SOA track 6, 8]
//
// The wrenches of Newton-Euler at zero joint acceleration are the bias forces; the unknown is the
// change due to the joint accelerations, so that no velocity appears here. A joint with several
// coordinates is eliminated one coordinate at a time: its motions are unit vectors of the link's
// frame, as if there were massless links between them.
#pragma once

#include "articulated_inertia.hpp"
#include "factor.hpp"

namespace spatial_dynamics::kernels {
namespace {

// ---- elimination --------------------------------------------------------------------------------

/// Column kAxis of the 6x6 matrix: axes 0-2 are rotations, 3-5 translations.
template <int kAxis, typename T>
[[gnu::always_inline]] inline Wrench<T> column(const Articulated<T>& A) noexcept {
  if constexpr (kAxis == 0)
    return {{A.H.x.x, A.H.y.x, A.H.z.x}, {A.I.xx, A.I.xy, A.I.xz}};
  else if constexpr (kAxis == 1)
    return {{A.H.x.y, A.H.y.y, A.H.z.y}, {A.I.xy, A.I.yy, A.I.yz}};
  else if constexpr (kAxis == 2)
    return {{A.H.x.z, A.H.y.z, A.H.z.z}, {A.I.xz, A.I.yz, A.I.zz}};
  else if constexpr (kAxis == 3)
    return {{A.M.xx, A.M.xy, A.M.xz}, A.H.x};
  else if constexpr (kAxis == 4)
    return {{A.M.xy, A.M.yy, A.M.yz}, A.H.y};
  else
    return {{A.M.xz, A.M.yz, A.M.zz}, A.H.z};
}
template <int kAxis, typename T>
[[gnu::always_inline]] inline T& component(Vec3<T>& turning, Vec3<T>& sliding) noexcept {
  Vec3<T>& v = kAxis < 3 ? turning : sliding;
  return kAxis % 3 == 0 ? v.x : kAxis % 3 == 1 ? v.y : v.z;
}

/// The result of eliminating one coordinate: U = A S, 1/D and u/D.
template <typename T>
struct Gain {
  Wrench<T> U;
  T inverse, drive;
};

/// Eliminates coordinate k: A -= U U'/D, f += U u/D. False if it moves no inertia.
template <int kAxis, typename T>
[[nodiscard, gnu::always_inline]] inline bool eliminate(const CompactLayout& m, int k, const T* tau,
                                                        Articulated<T>& A, Wrench<T>& f,
                                                        Gain<T>* gain) noexcept {
  Wrench<T> U = column<kAxis>(A);
  const T D = component<kAxis>(U.moment, U.force) + m.armature[k];
  if (!is_pivot(D, T{}, m.rows.scale[k])) return false;
  const T inverse = 1.0 / D;
  const T drive = (tau[k] - component<kAxis>(f.moment, f.force)) * inverse;
  gain[k] = {U, inverse, drive};
  const Wrench<T> K{inverse * U.force, inverse * U.moment};
  subtract_outer(K.moment, U.moment, A.I);
  subtract_outer(K.force, U.force, A.M);
  A.H.x -= U.force.x * K.moment;
  A.H.y -= U.force.y * K.moment;
  A.H.z -= U.force.z * K.moment;
  f.force += drive * U.force;
  f.moment += drive * U.moment;
  return true;
}
/// All coordinates of a joint, the last first.
template <typename T>
[[nodiscard]] bool eliminate_joint(const CompactLayout& m, int j, const T* tau, Articulated<T>& A,
                                   Wrench<T>& f, Gain<T>* gain) noexcept {
  const unsigned flags = m.flags[j];
  const int k = m.first[j];
  if (!(flags & (kPrismaticJoint | kFreeJoint))) return eliminate<2>(m, k, tau, A, f, gain);
  if (flags & kPrismaticJoint) return eliminate<5>(m, k, tau, A, f, gain);
  if (flags & kPlanarJoint) {
    return eliminate<2>(m, k + 2, tau, A, f, gain) && eliminate<4>(m, k + 1, tau, A, f, gain) &&
           eliminate<3>(m, k, tau, A, f, gain);
  }
  return eliminate<5>(m, k + 5, tau, A, f, gain) && eliminate<4>(m, k + 4, tau, A, f, gain) &&
         eliminate<3>(m, k + 3, tau, A, f, gain) && eliminate<2>(m, k + 2, tau, A, f, gain) &&
         eliminate<1>(m, k + 1, tau, A, f, gain) && eliminate<0>(m, k, tau, A, f, gain);
}

/// One step towards the base through a joint of any type. A and f come from the joint beyond, and
/// go to the parent.
template <typename T>
[[nodiscard, gnu::noinline]] bool step_articulated(const CompactLayout& m, const Scratch<T>& s,
                                                   int j, Wrench<T>* wrench,
                                                   Articulated<T>* waiting, Gain<T>* gain,
                                                   const T* tau, Articulated<T>& A,
                                                   Wrench<T>& f) noexcept {
  add(m.links[j], m.extras[j], A);
  if (m.flags[j] & kBranches) add(waiting[j], A);
  f = wrench[j] + f;
  if (!eliminate_joint(m, j, tau, A, f, gain)) return false;
  const int parent = m.parent[j];
  if (parent >= 0) {
    f = to_parent(m, s, j, f);
    to_parent(m, s, j, A);
    if (!(m.flags[j] & kElsewhere)) return true;
    wrench[parent] = wrench[parent] + f;
    add(A, waiting[parent]);
  }
  A = Articulated<T>{};
  f = Wrench<T>{};
  return true;
}

/// The same for a run of plain joints, from joint j > 0 on; j becomes the first joint before the
/// run, 0 at least.
template <typename T>
[[nodiscard, gnu::always_inline]] inline bool run_articulated(
    const CompactLayout& m, const Scratch<T>& s, int& j, const Wrench<T>* wrench, Gain<T>* gain,
    const T* tau, Articulated<T>& end, Wrench<T>& end_wrench) noexcept {
  Articulated<T> A = end;
  Wrench<T> f = end_wrench;
  int i = j;
  do {
    const CompactLink& link = m.links[i];
    add(link, A);
    f = wrench[i] + f;
    if (!eliminate<2>(m, m.first[i], tau, A, f, gain)) return false;
    const T c = s.cosine[i], sn = s.sine[i];
    turn_about_z(c, sn, A);
    turn_about_x(link.ca, link.sa, A);
    shift(place_of(link), A);
    f.force = to_parent(link, c, sn, f.force);
    f.moment = plus_cross(to_parent(link, c, sn, f.moment), place_of(link), f.force);
    --i;
  } while (i > 0 && m.flags[i] == 0);
  j = i;
  end = A;
  end_wrench = f;
  return true;
}

/// Backward pass: `wrench` holds the bias forces, `tau` the torques without friction.
template <typename T>
[[nodiscard]] bool articulated_pass(const CompactLayout& m, const Scratch<T>& s, Wrench<T>* wrench,
                                    Articulated<T>* waiting, Gain<T>* gain, const T* tau) noexcept {
  for (int j = 0; j < m.joints; ++j) {
    if (m.flags[j] & kBranches) waiting[j] = Articulated<T>{};
  }
  Articulated<T> A{};
  Wrench<T> f{};
  int j = m.joints - 1;
  while (j >= 0) {
    if (j > 0 && m.flags[j] == 0) {
      if (!run_articulated(m, s, j, wrench, gain, tau, A, f)) return false;
    } else {
      if (!step_articulated(m, s, j, wrench, waiting, gain, tau, A, f)) return false;
      --j;
    }
  }
  return true;
}

// ---- accelerations ------------------------------------------------------------------------------

/// q'' = (u - U' a) / D of coordinate k, which then accelerates the bodies beyond it.
template <int kAxis, typename T>
[[gnu::always_inline]] inline void accelerate(const Gain<T>* gain, int k, Vec3<T>& dw, Vec3<T>& a,
                                              T* acceleration) noexcept {
  const Gain<T>& g = gain[k];
  const T x = g.drive - g.inverse * (dot(g.U.moment, dw) + dot(g.U.force, a));
  acceleration[k] = x;
  component<kAxis>(dw, a) += x;
}
template <typename T>
inline void accelerate_joint(const CompactLayout& m, int j, const Gain<T>* gain, Vec3<T>& dw,
                             Vec3<T>& a, T* acceleration) noexcept {
  const unsigned flags = m.flags[j];
  const int k = m.first[j];
  if (!(flags & (kPrismaticJoint | kFreeJoint))) {
    accelerate<2>(gain, k, dw, a, acceleration);
  } else if (flags & kPrismaticJoint) {
    accelerate<5>(gain, k, dw, a, acceleration);
  } else if (flags & kPlanarJoint) {
    accelerate<3>(gain, k, dw, a, acceleration);
    accelerate<4>(gain, k + 1, dw, a, acceleration);
    accelerate<2>(gain, k + 2, dw, a, acceleration);
  } else {
    accelerate<0>(gain, k, dw, a, acceleration);
    accelerate<1>(gain, k + 1, dw, a, acceleration);
    accelerate<2>(gain, k + 2, dw, a, acceleration);
    accelerate<3>(gain, k + 3, dw, a, acceleration);
    accelerate<4>(gain, k + 4, dw, a, acceleration);
    accelerate<5>(gain, k + 5, dw, a, acceleration);
  }
}

/// One step outward through a joint of any type.
template <typename T>
[[gnu::noinline]] void step_accelerations(const CompactLayout& m, const Scratch<T>& s, int j,
                                          const Gain<T>* gain, Motion3<T>* kept, Vec3<T>& dw,
                                          Vec3<T>& a, T* acceleration) noexcept {
  const CompactLink& link = m.links[j];
  const unsigned flags = m.flags[j];
  if (flags & kElsewhere) {
    dw = kept[m.parent[j]].dw;
    a = kept[m.parent[j]].a;
  }
  a = flags & (kPrismaticJoint | kFreeJoint) ? minus_cross(a, s.place[j], dw)
                                             : minus_cross(a, place_of(link), dw);
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
  accelerate_joint(m, j, gain, dw, a, acceleration);
  if (flags & kBranches) kept[j] = {{}, dw, a};
}

/// Forward pass: the joint accelerations. `kept` holds the change of motion of links that branch,
/// the base at -1.
template <typename T>
void acceleration_pass(const CompactLayout& m, const Scratch<T>& s, const Gain<T>* gain,
                       Motion3<T>* kept, T* acceleration) noexcept {
  kept[0] = {};
  ++kept;
  Vec3<T> dw{}, a{};
  for (int j = 0; j < m.joints; ++j) {
    if (m.flags[j] != 0) {
      step_accelerations(m, s, j, gain, kept, dw, a, acceleration);
      continue;
    }
    const CompactLink& link = m.links[j];
    const T c = s.cosine[j], sn = s.sine[j];
    a = to_child(link, c, sn, minus_cross(a, place_of(link), dw));
    dw = to_child(link, c, sn, dw);
    accelerate<2>(gain, m.first[j], dw, a, acceleration);
  }
}

}  // namespace
}  // namespace spatial_dynamics::kernels

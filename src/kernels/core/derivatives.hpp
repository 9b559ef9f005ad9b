// Derivatives of torques: Newton-Euler differentiated by hand, with all vectors along common axes
// and at a common point, those of the link next to the base.
//
// Where q moves along S_j, all bodies beyond coordinate j move with S_j, and relative to them the
// motion v_p, a_p of the joint's parent changes:
//   dv_i = S_j x v_i + D_j,               D_j = v_p x S_j
//   da_i = S_j x a_i + D_j x v_i + E_j,   E_j = a_p x S_j + v_p x D_j
//   df_i = S_j x* f_i + I_i E_j + C_i D_j
// Where v_j changes, with v_c the velocity beyond the joint:
//   dv_i = S_j,   da_i = S_j x v_i + G_j,   G_j = D_j + v_c x S_j,   df_i = I_i G_j + C_i S_j
// C m = v x* I m - I (v x m) + m x* I v. In vectors of three most of it cancels: with m = [a; .],
// the momentum [N; P] = I v and the rate J of the rotational inertia, all at the fixed point,
// C m = [J a - N x a; 2 a x P].
//
// I, J, N, P and f add up over the bodies beyond a joint. With these sums, for k on the path from
// the base to j:
//   d tau_k / d q_j = S_k . (S_j x* f_j + I_j E_j + C_j D_j)
//   d tau_k / d v_j = S_k . (I_j G_j + C_j S_j)
//   d tau_j / d q_k = I_j S_j . E_k + C_j' S_j . D_k
//   d tau_j / d v_k = I_j S_j . G_k + C_j' S_j . S_k
// because S_k is constant in the first case, and in the second S_j rotates with f_j. Within a joint
// of several coordinates S_k rotates too, and S_j x* f_j vanishes. Coordinates on different
// branches have no entries: O(n depth).
//
// In the forward pass a link's motion depends on its parent's: one link after the other, components
// side by side in lanes. All else is done four at a time: bodies in lanes of four joints, loads in
// lanes of four coordinates, which are then combined with one coordinate nearer to the base at a
// time.
#pragma once

#include <cstddef>

#include "common_bodies.hpp"

namespace spatial_dynamics::kernels {
namespace {

// ---- bodies: four joints in lanes ---------------------------------------------------------------

/// The quantities that add up over bodies.
struct DerivativeBody {
  DerivativeInertia I;
  Sym3<Lanes> J;           ///< rate of the inertia
  Wrench<Lanes> momentum;  ///< [N; P]
  Wrench<Lanes> f;
};
/// The same of one joint, four numbers at a time.
using DerivativeSum = CommonSum<7>;
static_assert(sizeof(DerivativeBody) == kLanes * sizeof(DerivativeSum), "the same numbers");
constexpr int kDerivativeForce = 22;  ///< index of the first number of f

/// C m
[[gnu::always_inline]] inline Wrench<Lanes> coriolis(const DerivativeBody& b,
                                                     const Twist<Lanes>& m) noexcept {
  return {cross(2.0 * m.angular, b.momentum.force),
          minus_cross(b.J * m.angular, b.momentum.moment, m.angular)};
}
/// The angular part of C' m, which is all of it.
[[gnu::always_inline]] inline Vec3<Lanes> coriolis_transposed(const DerivativeBody& b,
                                                              const Twist<Lanes>& m) noexcept {
  const Vec3<Lanes> turned = plus_cross(b.J * m.angular, b.momentum.moment, m.angular);
  return plus_cross(turned, 2.0 * b.momentum.force, m.linear);
}

/// [w]x I - I [w]x - [u]x [h]x - [h]x [u]x: the rate of I at a fixed point, for v = [w; u].
[[gnu::always_inline]] inline Sym3<Lanes> inertia_rate(const DerivativeInertia& of,
                                                       const Twist<Lanes>& v) noexcept {
  const Vec3<Lanes>& w = v.angular;
  const Vec3<Lanes>& u = v.linear;
  const Vec3<Lanes>& h = of.h;
  const Sym3<Lanes>& I = of.about;
  return {2.0 * (w.y * I.xz - w.z * I.xy + h.y * u.y + h.z * u.z),
          w.y * I.yz - w.z * (I.yy - I.xx) - w.x * I.xz - h.x * u.y - h.y * u.x,
          w.y * (I.zz - I.xx) - w.z * I.yz + w.x * I.xy - h.x * u.z - h.z * u.x,
          2.0 * (w.z * I.xy - w.x * I.yz + h.x * u.x + h.z * u.z),
          w.z * I.xz - w.x * (I.zz - I.yy) - w.y * I.xy - h.y * u.z - h.z * u.y,
          2.0 * (w.x * I.yz - w.y * I.xz + h.x * u.x + h.y * u.y)};
}

/// Bodies one by one, of the joints from `first` on: four at once.
inline void write_bodies(const CompactLayout& m, int first, const DerivativeLink* link,
                         DerivativeSum* sum) noexcept {
  const DerivativeLink* at[kLanes];
#pragma GCC unroll 4
  for (int l = 0; l < kLanes; ++l) at[l] = link + (first + l < m.joints ? first + l : first);
  DerivativeBody b;
  b.I = common_inertia(m, first, at);
  const Twist<Lanes> v = twists(at, [](const DerivativeLink& of) { return of.v; });
  b.J = inertia_rate(b.I, v);
  b.momentum = times(b.I, v);
  b.f = times(b.I, twists(at, [](const DerivativeLink& of) { return of.a; })) +
        cross_star(v, b.momentum);
  store_sums(reinterpret_cast<Lanes*>(&b), sum + first);
}

// ---- loads: four coordinates in lanes -----------------------------------------------------------

/// The quantities of four coordinates that are combined with coordinates nearer to the base.
struct DerivativeLoads {
  Wrench<Lanes> inertial;  ///< I S
  Wrench<Lanes> by_q;      ///< S x* f + I E + C D
  Wrench<Lanes> by_v;      ///< I G + C S
  Vec3<Lanes> transposed;  ///< C' S
};
static_assert(sizeof(DerivativeLoads) == 21 * sizeof(Lanes), "as the scratch space has it");

/// The loads of coordinates `first` to first + 3; j is the joint of the first, and becomes that of
/// the last.
inline void write_loads(const CompactLayout& m, int first, const DerivativeMotion* motion,
                        const DerivativeSum* sum, int& j, DerivativeLoads& loads) noexcept {
  const DerivativeMotion* at[kLanes];
  const DerivativeSum* behind[kLanes];
#pragma GCC unroll 4
  for (int l = 0; l < kLanes; ++l) {
    const int k = first + l < m.coordinates ? first + l : m.coordinates - 1;
    while (j + 1 < m.joints && m.first[j + 1] <= k) ++j;
    at[l] = motion + k;
    behind[l] = sum + j;
  }
  DerivativeBody b;
  load_sums(behind, reinterpret_cast<Lanes*>(&b));
  const Twist<Lanes> S = twists(at, [](const DerivativeMotion& of) { return of.S; });
  loads.inertial = times(b.I, S);
  loads.transposed = coriolis_transposed(b, S);
  loads.by_v =
      times(b.I, twists(at, [](const DerivativeMotion& of) { return of.G; })) + coriolis(b, S);
  loads.by_q = cross_star(S, b.f) +
               times(b.I, twists(at, [](const DerivativeMotion& of) { return of.E; })) +
               coriolis(b, twists(at, [](const DerivativeMotion& of) { return of.D; }));
}

/// The results by q, by v and, if kCount is 3, M: one row and column per unreduced coordinate,
/// column by column.
template <int kCount>
struct DerivativeMatrices {
  double* matrix[kCount];
};

/// Sets lanes outside [from, to] to zero.
inline Lanes within(int from, int to, const Lanes& x) noexcept {
  return number(bits(x) & between(from, to));
}

/// Rows `first` to first + 3 of column i, and the same columns of row i, where those coordinates
/// are beyond i. Call it for the last i first: entries above the diagonal are overwritten by
/// coordinates nearer to the base.
template <int kCount>
[[gnu::always_inline]] inline void write_derivatives(
    const CompactLayout& m, int i, int first, const Twist<double>& S, const Vec3<double>& D,
    const Twist<double>& E, const Twist<double>& G, const DerivativeLoads& loads,
    const DerivativeMatrices<kCount>& out) noexcept {
  const std::ptrdiff_t n = m.coordinates;
  const int last = m.rows.last[i];
  const int from = i > first ? i - first : 0;
  const int to = last < first + kLanes ? last - first : kLanes - 1;
  const Lanes mass = power(S, loads.inertial);
  const Lanes below[] = {power(E, loads.inertial) + dot(D, loads.transposed),
                         power(G, loads.inertial) + dot(S.angular, loads.transposed), mass};
  const Lanes right[] = {power(S, loads.by_q), power(S, loads.by_v), mass};
  // After the last row of a column comes the next column, whose entries are overwritten too, or the
  // end.
  const auto beyond = first + kLanes - n;
  const bool is_inside = first > i && to == kLanes - 1;
  const bool has_room = beyond <= 0 || (i >= beyond && i + 1 < n);
  if (is_inside) {
#pragma GCC unroll 3
    for (int x = 0; x < kCount; ++x) {
      store_lanes(below[x], out.matrix[x] + n * i + first);
      double* const row = out.matrix[x] + n * first + i;
      row[0] = right[x][0];
      row[n] = right[x][1];
      row[2 * n] = right[x][2];
      row[3 * n] = right[x][3];
    }
    return;
  }
  if (has_room) {
#pragma GCC unroll 3
    for (int x = 0; x < kCount; ++x) {
      store_lanes(within(from, to, below[x]), out.matrix[x] + n * i + first);
    }
  }
#pragma GCC unroll 4
  for (int l = 0; l < kLanes; ++l) {
    if (l < from || l > to) continue;
#pragma GCC unroll 3
    for (int x = 0; x < kCount; ++x) {
      if (!has_room) out.matrix[x][n * i + first + l] = below[x][l];
      if (first + l > i) out.matrix[x][n * (first + l) + i] = right[x][l];
    }
  }
}

/// The same at once for the six coordinates [angular; linear] of a floating joint on the base,
/// which are unit vectors there: with w, u the velocity of its link, g the acceleration of the
/// base, [N; P] = I S and T = C' S of a coordinate beyond it
///   S_i . [N; P] = (N, P)_i
///   G_i . [N; P] + S_i . T = (N x w + P x u + T, P x w)_i
///   E_i . [N; P] = (P x g, 0)_i
/// `count` of the coordinates `first` to first + 3 are beyond it.
template <int kCount>
inline void write_floating_derivatives(const CompactLayout& m, int i, int first, int count,
                                       const DerivativeLink& link, const Vec3<double>& g,
                                       const DerivativeLoads& loads,
                                       const DerivativeMatrices<kCount>& out) noexcept {
  constexpr int kSix = 6;
  const std::ptrdiff_t n = m.coordinates;
  const Vec3<double> w = from_lanes(link.v.angular), u = from_lanes(link.v.linear);
  const Vec3<Lanes>&N = loads.inertial.moment, &P = loads.inertial.force;
  const Vec3<Lanes> by_q = -cross(g, P);
  const Vec3<Lanes> turning = minus_cross(minus_cross(loads.transposed, w, N), u, P);
  const Vec3<Lanes> sliding = -cross(w, P);
  const Lanes none{};
  const Lanes below[][kSix] = {{by_q.x, by_q.y, by_q.z, none, none, none},
                               {turning.x, turning.y, turning.z, sliding.x, sliding.y, sliding.z},
                               {N.x, N.y, N.z, P.x, P.y, P.z}};
  const Wrench<Lanes>* const right[] = {&loads.by_q, &loads.by_v, &loads.inertial};
#pragma GCC unroll 3
  for (int x = 0; x < kCount; ++x) {
    double* const column = out.matrix[x] + n * i + first;
    double* const row = out.matrix[x] + n * first + i;
    const Vec3<Lanes>&moment = right[x]->moment, &force = right[x]->force;
    if (count < kLanes) {
      for (int l = 0; l < count; ++l) {
        for (int c = 0; c < kSix; ++c) column[n * c + l] = below[x][c][l];
        const double six[kSix] = {moment.x[l], moment.y[l], moment.z[l],
                                  force.x[l],  force.y[l],  force.z[l]};
        for (int c = 0; c < kSix; ++c) row[n * l + c] = six[c];
      }
      continue;
    }
#pragma GCC unroll 6
    for (int c = 0; c < kSix; ++c) store_lanes(below[x][c], column + n * c);
    store_six(moment, force, row, row + n, row + 2 * n, row + 3 * n);
  }
}

/// Coordinates of one joint move each other's axes: S x* f is omitted there.
template <int kCount>
inline void correct_joint(const CompactLayout& m, int j, const DerivativeMotion* motion,
                          const DerivativeSum& sum,
                          const DerivativeMatrices<kCount>& out) noexcept {
  const std::ptrdiff_t n = m.coordinates;
  const auto* const numbers = reinterpret_cast<const double*>(&sum) + kDerivativeForce;
  const Wrench<double> f{{numbers[0], numbers[1], numbers[2]},
                         {numbers[3], numbers[4], numbers[5]}};
  const int first = m.first[j];
  for (int k = first; k < first + coordinates_of(m.flags[j]); ++k) {
    const Wrench<double> carried = cross_star(from_lanes(motion[k].S), f);
    for (int i = first; i < k; ++i) {
      out.matrix[0][n * k + i] -= power(from_lanes(motion[i].S), carried);
    }
  }
}

/// All entries of coordinates on one path. Entries of coordinates on different branches are not
/// written.
template <int kCount>
inline void derivative_pass(const CompactLayout& m, const Scratch<double>& s,
                            const DerivativeLink* link, const DerivativeMotion* motion,
                            const DerivativeSum* sum, DerivativeLoads* loads,
                            const DerivativeMatrices<kCount>& out) noexcept {
  for (int first = 0, j = 0; first < m.coordinates; first += kLanes) {
    write_loads(m, first, motion, sum, j, loads[first / kLanes]);
  }
  for (int j = m.joints - 1; j >= 0; --j) {
    const unsigned flags = m.flags[j];
    const int first = m.first[j], end = first + coordinates_of(flags);
    const int last = m.rows.last[first] / kLanes;
    int generic = last;  // the last block of coordinates that is not combined with all six at once
    if (m.parent[j] < 0 && (flags & kFreeJoint) && !(flags & kPlanarJoint)) {
      generic = (end - 1) / kLanes;
      const Vec3<double> g = base_acceleration_behind(m, s, j);
      for (int block = last; block > generic; --block) {
        const int count = m.rows.last[first] + 1 - block * kLanes;
        write_floating_derivatives(m, first, block * kLanes, count, link[j], g, loads[block], out);
      }
    }
    for (int i = end - 1; i >= first; --i) {
      const DerivativeMotion& by = motion[i];
      const Twist<double> S = from_lanes(by.S), E = from_lanes(by.E), G = from_lanes(by.G);
      const Vec3<double> D = from_lanes(by.D.angular);
      for (int block = i / kLanes; block <= generic; ++block) {
        write_derivatives(m, i, block * kLanes, S, D, E, G, loads[block], out);
      }
    }
    if (flags & kFreeJoint) correct_joint(m, j, motion, sum[j], out);
  }
  if constexpr (kCount == 3) {
    for (std::ptrdiff_t k = 0; m.has_armature && k < m.coordinates; ++k) {
      out.matrix[2][(m.coordinates + 1) * k] += m.armature[k];
    }
  }
}

}  // namespace
}  // namespace spatial_dynamics::kernels

// How torques change with the state: Newton-Euler differentiated by hand, along the base's axes at one point common to all.
//
// Where q moves along S_j, all bodies behind coordinate j turn with S_j, and from there the motion v_p, a_p of the joint's parent
// seems to change:
//   dv_i = S_j x v_i + D_j,               D_j = v_p x S_j
//   da_i = S_j x a_i + D_j x v_i + E_j,   E_j = a_p x S_j + v_p x D_j
//   df_i = S_j x* f_i + I_i E_j + C_i D_j
// Where v_j changes, with v_c the velocity behind the joint:
//   dv_i = S_j,   da_i = S_j x v_i + G_j,   G_j = D_j + v_c x S_j,   df_i = I_i G_j + C_i S_j
// C m = v x* I m - I (v x m) + m x* I v. In vectors of three most of it cancels: with m = [a; .], the momentum [N; P] = I v and the
// rate J of the rotational inertia, all at the fixed point, C m = [J a - N x a; 2 a x P].
//
// I, J, N, P and f add up over the bodies behind a joint. With these sums, for k on the way from the base to j:
//   d tau_k / d q_j = S_k . (S_j x* f_j + I_j E_j + C_j D_j)   d tau_k / d v_j = S_k . (I_j G_j + C_j S_j)
//   d tau_j / d q_k = I_j S_j . E_k + C_j' S_j . D_k           d tau_j / d v_k = I_j S_j . G_k + C_j' S_j . S_k
// because S_k stands still in the first case, and in the second S_j turns with f_j. Within a joint of several coordinates S_k turns
// too, and S_j x* f_j falls away. Unrelated coordinates don't meet: O(n depth).
#pragma once

#include <cstddef>

#include "composite.hpp"
#include "stances.hpp"

namespace spatial_dynamics {
namespace {

struct Twist {
  Vec3<double> angular, linear;
};
using Load = Wrench<double>;

inline Twist operator+(const Twist& a, const Twist& b) noexcept {
  return {a.angular + b.angular, a.linear + b.linear};
}
inline Twist operator*(double s, const Twist& a) noexcept { return {s * a.angular, s * a.linear}; }
/// a x b
inline Twist cross(const Twist& a, const Twist& b) noexcept {
  return {cross(a.angular, b.angular), plus_cross(cross(a.angular, b.linear), a.linear, b.angular)};
}
/// a x* f
inline Load cross_star(const Twist& a, const Load& f) noexcept {
  return {cross(a.angular, f.force), plus_cross(cross(a.angular, f.moment), a.linear, f.force)};
}

inline double power(const Twist& m, const Load& f) noexcept {
  return dot(m.angular, f.moment) + dot(m.linear, f.force);
}

/// What adds up over bodies.
struct SlopeBody {
  Composite<double> I;
  Sym3<double> J;  ///< rate of the second moments
  Load momentum;   ///< [N; P]
  Load f;
};

/// The motion of a link.
struct SlopeRate {
  Twist v, a;
};

/// The four motions of a coordinate.
struct SlopeMotion {
  Twist S, D, E, G;
};

/// Four coordinates on the way from the base to one, number by number. Of D only the angular part is needed. The last rows are
/// results of these four with that one.
struct SlopeBlock {
  static constexpr int kS = 0, kG = 6, kE = 12, kD = 18, kResult = 21, kRows = 26;
  double row[kRows][kLanes];

  void put(int lane, int first, const Vec3<double>& v) noexcept {
    row[first][lane] = v.x;
    row[first + 1][lane] = v.y;
    row[first + 2][lane] = v.z;
  }
  void put(int lane, const SlopeMotion& m) noexcept {
    put(lane, kS, m.S.angular);
    put(lane, kS + 3, m.S.linear);
    put(lane, kG, m.G.angular);
    put(lane, kG + 3, m.G.linear);
    put(lane, kE, m.E.angular);
    put(lane, kE + 3, m.E.linear);
    put(lane, kD, m.D.angular);
  }
  /// Sums of three or six products.
  [[nodiscard]] Lanes dots(int first, const Vec3<double>& v) const noexcept {
    return v.x * load_lanes(row[first]) + v.y * load_lanes(row[first + 1]) +
           v.z * load_lanes(row[first + 2]);
  }
  [[nodiscard]] Lanes dots(int first, const Load& f) const noexcept {
    return dots(first, f.moment) + dots(first + 3, f.force);
  }
};

inline Sym3<double> second_moments(const Composite<double>& I) noexcept {
  return {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz};
}
/// I m
inline Load times(const Composite<double>& I, const Twist& m) noexcept {
  return {minus_cross(I.mass * m.linear, I.h, m.angular),
          plus_cross(second_moments(I) * m.angular, I.h, m.linear)};
}
/// C m
inline Load coriolis(const SlopeBody& b, const Twist& m) noexcept {
  return {cross(2.0 * m.angular, b.momentum.force),
          minus_cross(b.J * m.angular, b.momentum.moment, m.angular)};
}
/// The angular part of C' m, which is all of it.
inline Vec3<double> coriolis_transposed(const SlopeBody& b, const Twist& m) noexcept {
  const Vec3<double> turned = plus_cross(b.J * m.angular, b.momentum.moment, m.angular);
  return plus_cross(turned, 2.0 * b.momentum.force, m.linear);
}

/// [w]x I - I [w]x - [u]x [h]x - [h]x [u]x: the rate of I's second moments at a fixed point, for v = [w; u].
inline Sym3<double> inertia_rate(const Composite<double>& I, const Twist& v) noexcept {
  const Vec3<double>& w = v.angular;
  const Vec3<double>& u = v.linear;
  const Vec3<double>& h = I.h;
  return {2.0 * (w.y * I.xz - w.z * I.xy + h.y * u.y + h.z * u.z),
          w.y * I.yz - w.z * (I.yy - I.xx) - w.x * I.xz - h.x * u.y - h.y * u.x,
          w.y * (I.zz - I.xx) - w.z * I.yz + w.x * I.xy - h.x * u.z - h.z * u.x,
          2.0 * (w.z * I.xy - w.x * I.yz + h.x * u.x + h.z * u.z),
          w.z * I.xz - w.x * (I.zz - I.yy) - w.y * I.xy - h.y * u.z - h.z * u.y,
          2.0 * (w.x * I.yz - w.y * I.xz + h.x * u.x + h.y * u.y)};
}

inline SlopeBody slope_body(const CompactLink& l, const CompactExtra& e,
                            const Stance<double>& stance, const SlopeRate& rate) noexcept {
  SlopeBody b{};
  b.I = {e.mass, {l.hx, l.hy, e.hz}, l.Ixx, l.Ixy, l.Ixz, e.Iyy, l.Iyz, l.Izz};
  turn(stance.axes, b.I);
  shift(stance.origin, b.I);
  b.J = inertia_rate(b.I, rate.v);
  b.momentum = times(b.I, rate.v);
  b.f = times(b.I, rate.a) + cross_star(rate.v, b.momentum);
  return b;
}

/// The unit motion of coordinate c of a joint whose link stands at `at`.
inline Twist unit_motion(unsigned flags, int c, const Stance<double>& at) noexcept {
  Twist S{{}, at.axes.z};  // prismatic
  if (flags & kFreeJoint) {
    double unit[6] = {};
    unit[c] = 1.0;
    const FreeRate<double> rate = free_rate((flags & kPlanarJoint) != 0, unit);
    S = {at.axes * rate.angular, at.axes * rate.linear};
  } else if (!(flags & kPrismaticJoint)) {
    S = {at.axes.z, {}};
  }
  S.linear = plus_cross(S.linear, at.origin, S.angular);
  return S;
}

/// Outward: stances, rates, motions of coordinates and bodies one by one. stance[-1] and rate[-1] are the base's.
inline void sweep_slope_motions(const CompactLayout& m, const Scratch<double>& s, const double* v,
                                const double* a, Stance<double>* stance, SlopeRate* rate,
                                SlopeMotion* motion, SlopeBody* body) noexcept {
  set_stances(m, s, m.joints - 1, stance);
  rate[-1] = {{}, {{}, base_acceleration<double>(m)}};
  for (int j = 0; j < m.joints; ++j) {
    const unsigned flags = m.flags[j];
    const SlopeRate& up = rate[m.parent[j]];
    const int first = m.first[j], count = coordinates_of(flags);
    Twist velocity{}, acceleration{};
    for (int k = first; k < first + count; ++k) {
      const Twist S = unit_motion(flags, k - first, stance[j]);
      const Twist D = cross(up.v, S);
      motion[k] = {S, D, cross(up.a, S) + cross(up.v, D), D + D};
      velocity = velocity + v[k] * S;
      acceleration = acceleration + a[k] * S;
    }
    rate[j].v = up.v + velocity;
    rate[j].a = up.a + acceleration + cross(rate[j].v, velocity);
    // Of a joint with one coordinate v_c x S = v_p x S, as above.
    for (int k = first; count > 1 && k < first + count; ++k) {
      motion[k].G = motion[k].D + cross(rate[j].v, motion[k].S);
    }
    body[j] = slope_body(m.links[j], m.extras[j], stance[j], rate[j]);
  }
}

/// Inward: what is behind each joint.
inline void sweep_slope_bodies(const CompactLayout& m, SlopeBody* body) noexcept {
  for (int j = m.joints - 1; j >= 0; --j) {
    if (m.parent[j] < 0) continue;
    SlopeBody& up = body[m.parent[j]];
    add(body[j].I, up.I);
    up.J = up.J + body[j].J;
    up.momentum = up.momentum + body[j].momentum;
    up.f = up.f + body[j].f;
  }
}

/// Where results go: one row and column per own coordinate, column by column.
struct SlopeMatrices {
  double *by_q, *by_v, *M;
};

/// Coordinate k of the joint whose first one is `first`, with itself and all those before it, which are on the path.
inline void write_slopes(const CompactLayout& m, SlopeBlock* path, int first, int k,
                         const SlopeMotion* motion, const SlopeBody& behind,
                         const SlopeMatrices& out) noexcept {
  using Block = SlopeBlock;
  const Twist &S = motion[k].S, &D = motion[k].D, &E = motion[k].E, &G = motion[k].G;
  const Load inertial = times(behind.I, S);
  const Vec3<double> transposed = coriolis_transposed(behind, S);
  const Load carried = cross_star(S, behind.f);
  const Load by_q = times(behind.I, E) + coriolis(behind, D) + carried;
  const Load by_v = times(behind.I, G) + coriolis(behind, S);
  const int depth = m.rows.depth[k];
  for (int block = 0; block * kLanes < depth; ++block) {
    Block& b = path[block];
    store_lanes(b.dots(Block::kS, inertial), b.row[Block::kResult]);
    store_lanes(b.dots(Block::kS, by_q), b.row[Block::kResult + 1]);
    store_lanes(b.dots(Block::kS, by_v), b.row[Block::kResult + 2]);
    store_lanes(b.dots(Block::kE, inertial) + b.dots(Block::kD, transposed),
                b.row[Block::kResult + 3]);
    store_lanes(b.dots(Block::kG, inertial) + b.dots(Block::kS, transposed),
                b.row[Block::kResult + 4]);
  }
  const std::ptrdiff_t n = m.coordinates;
  for (int i = m.rows.parent[k], d = depth - 1; i >= 0; i = m.rows.parent[i], --d) {
    const auto* const result = path[d / kLanes].row + Block::kResult;
    const int lane = d % kLanes;
    out.M[n * k + i] = out.M[n * i + k] = result[0][lane];
    out.by_q[n * k + i] = result[1][lane];
    out.by_v[n * k + i] = result[2][lane];
    out.by_q[n * i + k] = result[3][lane];
    out.by_v[n * i + k] = result[4][lane];
  }
  out.M[n * k + k] = power(S, inertial) + m.armature[k];
  out.by_q[n * k + k] = power(E, inertial) + dot(D.angular, transposed);
  out.by_v[n * k + k] = power(G, inertial) + dot(S.angular, transposed);
  for (int i = first; i < k; ++i) out.by_q[n * k + i] -= power(motion[i].S, carried);
}

/// Outward: all that are related. Entries of coordinates on different branches are not touched.
inline void sweep_slopes(const CompactLayout& m, SlopeBlock* path, const SlopeMotion* motion,
                         const SlopeBody* body, const SlopeMatrices& out) noexcept {
  for (int j = 0; j < m.joints; ++j) {
    const int first = m.first[j];
    for (int k = first; k < first + coordinates_of(m.flags[j]); ++k) {
      write_slopes(m, path, first, k, motion, body[j], out);
      // After that: what was stored one by one is slow to load by fours at once.
      const int depth = m.rows.depth[k];
      path[depth / kLanes].put(depth % kLanes, motion[k]);
    }
  }
}

}  // namespace
}  // namespace spatial_dynamics

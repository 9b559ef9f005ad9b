// Newton-Euler for numbers: motions one joint after the other, then the wrenches of four links in
// lanes.
#pragma once

#include <cstddef>

#include "newton_euler.hpp"
#include "transpose.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// The motions of four links, number by number.
struct MotionBlock {
  double w[3][kLanes], dw[3][kLanes], a[3][kLanes];
};

inline Motion3<double> motion_of(const MotionBlock* blocks, int j) noexcept {
  const MotionBlock& b = blocks[j / kLanes];
  const int l = j % kLanes;
  return {{b.w[0][l], b.w[1][l], b.w[2][l]},
          {b.dw[0][l], b.dw[1][l], b.dw[2][l]},
          {b.a[0][l], b.a[1][l], b.a[2][l]}};
}
[[gnu::always_inline]] inline void keep_motion(const Motion3<double>& at, int j,
                                               MotionBlock* blocks) noexcept {
  MotionBlock& b = blocks[static_cast<unsigned>(j) / kLanes];
  const unsigned l = static_cast<unsigned>(j) % kLanes;
  b.w[0][l] = at.w.x;
  b.w[1][l] = at.w.y;
  b.w[2][l] = at.w.z;
  b.dw[0][l] = at.dw.x;
  b.dw[1][l] = at.dw.y;
  b.dw[2][l] = at.dw.z;
  b.a[0][l] = at.a.x;
  b.a[1][l] = at.a.y;
  b.a[2][l] = at.a.z;
}

/// One step outward from `at` at the parent, through a joint that is not revolute. v and a are the
/// joint's.
template <Rates kRates>
[[gnu::noinline]] void step_motion(const CompactLayout& m, const Scratch<double>& s, int j,
                                   const double* v, const double* a, Motion3<double>& at) noexcept {
  const CompactLink& link = m.links[j];
  const unsigned flags = m.flags[j];
  // The base is fixed.
  if (m.parent[j] >= 0) at.a = acceleration_at(at.a, rate_matrix(at), s.place[j]);
  if (flags & kFreeJoint) {
    const bool planar = (flags & kPlanarJoint) != 0;
    FreeRate<double> acceleration{};
    if constexpr (kRates == Rates::kAll) acceleration = free_rate(planar, a);
    at = behind_free_joint(s.rotation[j], at, free_rate(planar, v), acceleration);
    return;
  }
  if (flags & kTurned) {
    const CompactExtra& extra = m.extras[j];
    at = {unturn(extra, at.w), unturn(extra, at.dw), unturn(extra, at.a)};
  }
  at = {to_child(link, s.cosine[j], s.sine[j], at.w), to_child(link, s.cosine[j], s.sine[j], at.dw),
        to_child(link, s.cosine[j], s.sine[j], at.a)};
  at.a.x += 2.0 * at.w.y * v[0];  // 2 w x v: Coriolis
  at.a.y -= 2.0 * at.w.x * v[0];
  if constexpr (kRates == Rates::kAll) at.a.z += a[0];
}

/// The motion of the parent of joint j; `at` is the motion of the previous link.
[[gnu::always_inline]] inline void find_parent(const CompactLayout& m, int j,
                                               const MotionBlock* blocks,
                                               Motion3<double>& at) noexcept {
  if (!(m.flags[j] & kElsewhere)) return;
  at = m.parent[j] < 0 ? Motion3<double>{{}, {}, base_acceleration<double>(m)}
                       : motion_of(blocks, m.parent[j]);
}

/// The same for a run of revolute joints, from joint j on. Returns the first joint after the run.
template <Rates kRates>
[[gnu::always_inline]] inline int run_motion(const CompactLayout& m, const Scratch<double>& s,
                                             int j, const double* v, const double* a,
                                             Motion3<double>& end, MotionBlock* blocks) noexcept {
  v += m.first[j] - j;
  if constexpr (kRates == Rates::kAll) a += m.first[j] - j;
  Motion3<double> at = end;
  do {
    const CompactLink& link = m.links[j];
    const double c = s.cosine[j], sn = s.sine[j];
    find_parent(m, j, blocks, at);
    at.a = acceleration_at(at.a, rate_matrix(at), place_of(link));
    if (m.flags[j] & kTurned) {
      const CompactExtra& extra = m.extras[j];
      at = {unturn(extra, at.w), unturn(extra, at.dw), unturn(extra, at.a)};
    }
    at.a = to_child(link, c, sn, at.a);
    at.w = to_child(link, c, sn, at.w);
    at.dw = to_child(link, c, sn, at.dw);
    at.dw.x += at.w.y * v[j];
    at.dw.y -= at.w.x * v[j];
    at.w.z += v[j];
    if constexpr (kRates == Rates::kAll) at.dw.z += a[j];
    keep_motion(at, j, blocks);
    ++j;
  } while (j < m.joints && is_revolute(m.flags[j]));
  end = at;
  return j;
}

/// Forward pass: the motion of every link.
template <Rates kRates>
inline void motion_pass(const CompactLayout& m, const Scratch<double>& s, const double* v,
                        const double* a, MotionBlock* blocks) noexcept {
  const Vec3<double> base = base_acceleration<double>(m);
  Motion3<double> at{{}, {}, base};
  int j = 0;
  if (m.joints > 0 && (m.flags[0] & ~unsigned{kBranches}) == 0) {
    // The first axis is fixed: its link rotates about z only.
    at = {{0.0, 0.0, v[0]},
          {0.0, 0.0, kRates == Rates::kAll ? a[0] : 0.0},
          to_child(m.links[0], s.cosine[0], s.sine[0], base)};
    keep_motion(at, j++, blocks);
  }
  while (j < m.joints) {
    if (is_revolute(m.flags[j])) {
      j = run_motion<kRates>(m, s, j, v, a, at, blocks);
      continue;
    }
    const int k = m.first[j];
    find_parent(m, j, blocks, at);
    step_motion<kRates>(m, s, j, v + k, kRates == Rates::kAll ? a + k : nullptr, at);
    keep_motion(at, j++, blocks);
  }
}

inline Vec3<Lanes> load_rows(const double (&row)[3][kLanes]) noexcept {
  return {load_lanes(row[0]), load_lanes(row[1]), load_lanes(row[2])};
}

/// Seven or all ten parameters of four links in lanes, with the names of CompactLink.
struct LinkLanes {
  Lanes hx, hy, Jxx, Jyy, Ixy, Ixz, Iyz;
};
struct ExtraLanes {
  Lanes mass, hz, Jzz;
};

[[gnu::always_inline]] inline LinkLanes link_lanes(const CompactLink* links) noexcept {
  static_assert(offsetof(CompactLink, hx) == 5 * sizeof(double) &&
                offsetof(CompactLink, Iyz) == 11 * sizeof(double));
  Lanes a[kLanes], b[kLanes];
#pragma GCC unroll 4
  for (int l = 0; l < kLanes; ++l) {
    const auto* const numbers = reinterpret_cast<const double*>(links + l);
    a[l] = load_lanes(numbers + 4);  // p.z, hx, hy, Jxx
    b[l] = load_lanes(numbers + 8);  // Jyy, Ixy, Ixz, Iyz
  }
  transpose(a[0], a[1], a[2], a[3]);
  transpose(b[0], b[1], b[2], b[3]);
  return {a[1], a[2], a[3], b[0], b[1], b[2], b[3]};
}
[[gnu::always_inline]] inline ExtraLanes extra_lanes(const CompactExtra* extras) noexcept {
  static_assert(offsetof(CompactExtra, mass) == 2 * sizeof(double) &&
                offsetof(CompactExtra, Jzz) == 4 * sizeof(double));
  Lanes a[kLanes];
#pragma GCC unroll 4
  for (int l = 0; l < kLanes; ++l) {
    a[l] = load_lanes(reinterpret_cast<const double*>(extras + l) + 1);  // sg, mass, hz, Jzz
  }
  transpose(a[0], a[1], a[2], a[3]);
  return {a[1], a[2], a[3]};
}

/// Wrenches of the links from `first` on, four at once.
inline void write_wrenches(const CompactLayout& m, int first, const MotionBlock& block,
                           Wrench<double>* wrench) noexcept {
  const CompactLink* const links = m.links + first;
  const std::uint8_t* const flag = m.flags + first;
  const unsigned flags = flag[0] | flag[1] | flag[2] | flag[3];
  const Motion3<Lanes> at{load_rows(block.w), load_rows(block.dw), load_rows(block.a)};
  const RateMatrix<Lanes> U = rate_matrix(at);
  const LinkLanes link = link_lanes(links);
  Wrench<Lanes> f = flags & (kPrismaticJoint | kFreeJoint)
                        ? link_wrench(link, extra_lanes(m.extras + first), at, U)
                        : revolute_wrench(link, at, U);
  transpose(f.force.x, f.force.y, f.force.z, f.moment.x);
  const Lanes rows[kLanes] = {f.force.x, f.force.y, f.force.z, f.moment.x};
  const Lanes low = pick<0, 4, 2, 6>(f.moment.y, f.moment.z);
  const Lanes high = pick<1, 5, 3, 7>(f.moment.y, f.moment.z);
  static_assert(sizeof(Wrench<double>) == 6 * sizeof(double), "force and moment, without gaps");
  const int count = m.joints - first;
#pragma GCC unroll 4
  for (int l = 0; l < kLanes; ++l) {
    if (l >= count) break;
    auto* const to = reinterpret_cast<double*>(wrench + first + l);
    store_lanes(rows[l], to);
    const Lanes& rest = l % 2 == 0 ? low : high;
    to[4] = rest[l / 2 * 2];
    to[5] = rest[l / 2 * 2 + 1];
  }
}

/// Forward pass: the motion of every link and the wrench that causes it.
template <Rates kRates>
inline void forward_pass_lanes(const CompactLayout& m, const Scratch<double>& s, const double* v,
                               const double* a, MotionBlock* blocks,
                               Wrench<double>* wrench) noexcept {
  motion_pass<kRates>(m, s, v, a, blocks);
  for (int j = 0; j < m.joints; j += kLanes) write_wrenches(m, j, blocks[j / kLanes], wrench);
}

}  // namespace
}  // namespace spatial_dynamics::kernels

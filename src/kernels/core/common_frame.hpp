// The mass matrix and the bias torques of one state with all vectors along common axes and at a
// common point (derivative_motions.hpp). No vector is transformed from link to link:
//   M(k, i) = S_i . (I_k S_k),   bias_k = S_k . f_k
// where I_k and f_k are sums over the bodies beyond coordinate k, and i is on the path from the
// base to k. Poses are computed one link after the other, components in lanes; all else is done
// for four joints or coordinates in lanes.
#pragma once

#include "common_bodies.hpp"

namespace spatial_dynamics::kernels {
namespace {

// ---- links --------------------------------------------------------------------------------------

/// A free joint: the motions of its coordinates and, with kMoves, the motion of its link.
template <bool kMoves>
[[gnu::noinline]] void step_free_link(const CompactLayout& m, int j, const double* v,
                                      const DerivativeLink& up, DerivativeLink& own,
                                      DerivativeMotion* motion) noexcept {
  LanesTwist velocity{Lanes3{}, Lanes3{}};
  for (int c = 0; c < coordinates_of(m.flags[j]); ++c) {
    motion[c].S = unit_motion(m.flags[j], c, own);
    if constexpr (kMoves) velocity = velocity + v[c] * motion[c].S;
  }
  if constexpr (kMoves) {
    own.v = up.v + velocity;
    own.a = up.a + cross(own.v, velocity);
  }
}

/// Forward pass: the poses of links and the motions S of coordinates; with kMoves also the
/// velocities of links, and their accelerations where the joints do not accelerate.
template <bool kMoves>
inline void common_link_pass(const CompactLayout& m, const Scratch<double>& s, const double* v,
                             DerivativeLink* link, DerivativeMotion* motion) noexcept {
  DerivativeLink base{};
  for (int j = 0; j < m.joints; ++j) {
    const unsigned flags = m.flags[j];
    const int k = m.first[j];
    DerivativeLink& own = link[j];
    const DerivativeLink& up = m.parent[j] < 0 ? base : link[m.parent[j]];
    if (m.parent[j] < 0) {
      start_from_base(m, s, j, base, own);
    } else {
      stand(m, s, j, up, own);
    }
    if (flags & kFreeJoint) {
      step_free_link<kMoves>(m, j, kMoves ? v + k : nullptr, up, own, motion + k);
      continue;
    }
    const Lanes3 z = own.z;
    const LanesTwist S = flags & kPrismaticJoint ? LanesTwist{Lanes3{}, z}
                                                 : LanesTwist{z, yzx(crossed(own.origin, z))};
    motion[k].S = S;
    if constexpr (kMoves) {
      own.v = up.v + v[k] * S;
      own.a = up.a + v[k] * cross(up.v, S);
    }
  }
}

// ---- bodies -------------------------------------------------------------------------------------

/// The quantities that add up over bodies. Without kMoves there are no forces.
template <bool kMoves>
struct CommonBody {
  static constexpr int kRows = kMoves ? 4 : 3;
  static constexpr int kForce = 10;  ///< index of the first number of f
  DerivativeInertia I;
  Wrench<Lanes> f;
};
template <bool kMoves>
using BodySum = CommonSum<CommonBody<kMoves>::kRows>;

/// Bodies one by one, of the joints from `first` on: four at once.
template <bool kMoves>
inline void write_common_bodies(const CompactLayout& m, int first, const DerivativeLink* link,
                                BodySum<kMoves>* sum) noexcept {
  const DerivativeLink* at[kLanes];
#pragma GCC unroll 4
  for (int l = 0; l < kLanes; ++l) at[l] = link + (first + l < m.joints ? first + l : first);
  CommonBody<kMoves> b{common_inertia(m, first, at), {}};
  if constexpr (kMoves) {
    const Twist<Lanes> v = twists(at, [](const DerivativeLink& of) { return of.v; });
    b.f = times(b.I, twists(at, [](const DerivativeLink& of) { return of.a; })) +
          cross_star(v, times(b.I, v));
  }
  store_sums(reinterpret_cast<Lanes*>(&b), sum + first);
}

/// The sums beyond every joint.
template <bool kMoves>
inline void common_body_pass(const CompactLayout& m, const double* external,
                             const DerivativeLink* link, BodySum<kMoves>* sum) noexcept {
  for (int j = 0; j < m.joints; j += kLanes) write_common_bodies<kMoves>(m, j, link, sum);
  if constexpr (kMoves) {
    if (external != nullptr) subtract_external(m, external, link, CommonBody<true>::kForce, sum);
  }
  common_sum_pass(m, sum);
}

// ---- results ------------------------------------------------------------------------------------

/// The mass matrix as FactorRows has it.
struct PackedRows {
  const std::int64_t* start;
  const std::int32_t* depth;
  const std::int64_t* lane_start;
  double* packed;

  PackedRows(const CompactLayout& m, double* to) noexcept
      : start(m.rows.start), depth(m.rows.depth), lane_start(m.lane_start), packed(to) {}

  /// The entries of coordinate i with those of a bundle. A lane whose coordinate is nearer to the
  /// base belongs to a shorter row, and writes past that row's end: into entries of the next rows
  /// which are written later.
  [[gnu::always_inline]] void write(int bundle, std::ptrdiff_t /*row*/, int i,
                                    const Lanes& entries) const noexcept {
    const std::int64_t* const at = lane_start + std::ptrdiff_t{kLanes} * bundle;
    double* const to = packed + depth[i];
    to[at[0]] = entries[0];
    to[at[1]] = entries[1];
    to[at[2]] = entries[2];
    to[at[3]] = entries[3];
  }
  /// The same for the six coordinates [angular; linear] of a floating base.
  [[gnu::always_inline]] void write_floating(int bundle, std::ptrdiff_t /*row*/,
                                             const Wrench<Lanes>& F) const noexcept {
    const std::int64_t* const at = lane_start + std::ptrdiff_t{kLanes} * bundle;
    store_six(F.moment, F.force, packed + at[0], packed + at[1], packed + at[2], packed + at[3]);
  }
  /// The entry of coordinate i with k, which is beyond it or itself.
  void set(int k, int i, double entry) const noexcept { packed[start[k] + depth[i]] = entry; }
  double& diagonal(int k) const noexcept { return packed[start[k] + depth[k]]; }
};

/// All entries of the mass matrix except those of coordinates on different branches, which are
/// either not written or set to zero.
struct FullMatrix {
  std::ptrdiff_t n;
  double* entries;

  FullMatrix(const CompactLayout& m, double* to) noexcept : n(m.coordinates), entries(to) {}

  /// As above, where `row` is the coordinate of lane 0. The entries of lanes whose coordinates are
  /// nearer to the base are written again later. Lanes of coordinates on another branch are zero.
  [[gnu::always_inline]] void write(int /*bundle*/, std::ptrdiff_t row, std::ptrdiff_t i,
                                    const Lanes& x) const noexcept {
    double *const column = entries + n * i + row, *const mirrored = entries + n * row + i;
    if (row >= 0) {
      store_lanes(x, column);
      mirrored[0] = x[0];
      mirrored[n] = x[1];
      mirrored[2 * n] = x[2];
      mirrored[3 * n] = x[3];
      return;
    }
    // Fewer than four coordinates at the start of the matrix.
    column[3] = mirrored[3 * n] = x[3];
    if (row >= -2) column[2] = mirrored[2 * n] = x[2];
    if (row >= -1) column[1] = mirrored[n] = x[1];
  }
  [[gnu::always_inline]] void write_floating(int /*bundle*/, std::ptrdiff_t row,
                                             const Wrench<Lanes>& F) const noexcept {
    double *const column = entries + row, *const mirrored = entries + n * row;
    store_lanes(F.moment.x, column);
    store_lanes(F.moment.y, column + n);
    store_lanes(F.moment.z, column + 2 * n);
    store_lanes(F.force.x, column + 3 * n);
    store_lanes(F.force.y, column + 4 * n);
    store_lanes(F.force.z, column + 5 * n);
    store_six(F.moment, F.force, mirrored, mirrored + n, mirrored + 2 * n, mirrored + 3 * n);
  }
  void set(std::ptrdiff_t k, std::ptrdiff_t i, double entry) const noexcept {
    entries[n * i + k] = entries[n * k + i] = entry;
  }
  double& diagonal(std::ptrdiff_t k) const noexcept { return entries[(n + 1) * k]; }
};

// ---- coordinates --------------------------------------------------------------------------------

/// The first joint floats on the base: the common frame is that of its link, and the motions of its
/// six coordinates are unit vectors.
inline bool has_floating_base(const CompactLayout& m) noexcept {
  return m.joints > 0 && (m.flags[0] & (kFreeJoint | kPlanarJoint)) == kFreeJoint;
}
constexpr int kBaseCoordinates = 6;

/// Its rows: the 6x6 inertia of the whole robot. With kMoves its bias is subtracted from x.
template <bool kMoves, typename Out>
inline void write_floating_base(const BodySum<kMoves>& sum, const Out& out, double* x) noexcept {
  const auto* const numbers = reinterpret_cast<const double*>(&sum);
  const double *const h = numbers + 1, *const I = numbers + 4;
  const double rows[kBaseCoordinates][kBaseCoordinates] = {
      {I[0]},
      {I[1], I[3]},
      {I[2], I[4], I[5]},
      {0.0, h[2], -h[1], numbers[0]},
      {-h[2], 0.0, h[0], 0.0, numbers[0]},
      {h[1], -h[0], 0.0, 0.0, 0.0, numbers[0]}};
#pragma GCC unroll 6
  for (int r = 0; r < kBaseCoordinates; ++r) {
#pragma GCC unroll 6
    for (int c = 0; c <= r; ++c) out.set(r, c, rows[r][c]);
  }
  if constexpr (kMoves) {
    const double* const f = numbers + CommonBody<true>::kForce;
    for (int c = 0; c < 3; ++c) {
      x[c] -= f[3 + c];
      x[3 + c] -= f[c];
    }
  }
}

/// The entries of M with the coordinates of one bundle. With kMoves their bias is subtracted from
/// x.
template <bool kMoves, typename Out>
[[gnu::always_inline]] inline void write_bundle(const CompactLayout& m, int bundle, int end,
                                                const DerivativeMotion* motion,
                                                const BodySum<kMoves>* sum, const Out& out,
                                                double* x) noexcept {
  static const DerivativeMotion kNoMotion{};
  static const BodySum<kMoves> kNoBody{};
  const int row = m.bundle_row[bundle], low = m.bundle_low[bundle];
  const DerivativeMotion* at[kLanes];
  const BodySum<kMoves>* beyond[kLanes];
#pragma GCC unroll 4
  for (int l = 0; l < kLanes; ++l) {
    const bool is_empty = row + l < low;
    at[l] = is_empty ? &kNoMotion : motion + row + l;
    beyond[l] = is_empty ? &kNoBody : sum + m.joint[row + l];
  }
  CommonBody<kMoves> b;
  load_sums(beyond, reinterpret_cast<Lanes*>(&b));
  const Twist<Lanes> S = twists(at, [](const DerivativeMotion& of) { return of.S; });
  const Wrench<Lanes> F = times(b.I, S);
  if constexpr (kMoves) {
    const Lanes bias = power(S, b.f);
#pragma GCC unroll 4
    for (int l = 0; l < kLanes; ++l) {
      if (row + l >= low && row + l >= end) x[row + l] -= bias[l];
    }
  }
  int k = row + kLanes - 1;
  for (; k >= end; k = m.rows.parent[k]) {
    out.write(bundle, row, k, power(from_lanes(motion[k].S), F));
  }
  if (end > 0 && k >= 0) out.write_floating(bundle, row, F);
}

/// All entries of M. With kMoves the bias torques are subtracted from x.
template <bool kMoves, typename Out>
inline void common_rows(const CompactLayout& m, const DerivativeMotion* motion,
                        const BodySum<kMoves>* sum, const Out& out, double* x) noexcept {
  const int end = has_floating_base(m) ? kBaseCoordinates : 0;
  for (int b = 0; b < m.bundles && m.bundle_row[b] + kLanes > end; ++b) {
    write_bundle<kMoves>(m, b, end, motion, sum, out, x);
  }
  if (end > 0) write_floating_base<kMoves>(sum[0], out, x);
  if (!m.has_armature) return;
  for (int k = 0; k < m.coordinates; ++k) out.diagonal(k) += m.armature[k];
}

}  // namespace
}  // namespace spatial_dynamics::kernels

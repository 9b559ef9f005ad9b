// The rows of the mass matrix by a backward pass: the second half of composite.hpp.
//
// The wrench F_k of a coordinate's unit acceleration is transformed from link to link towards the
// base. In the frame of a joint i on this path, M(k, i) is the component of F_k along that joint's
// axis: no product is needed. All wrenches beyond a joint have the same rotation, so that four of
// them are transformed together as a bundle in the lanes of six vectors; one by one where registers
// are too short.
#pragma once

#include "composite.hpp"
#include "store_six.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// How wrenches of number type T are grouped: one by one if T is lanes of a batch, or an
/// expression. Coordinates have slots in the order of the pass, and kWidth slots are a bundle: in
/// depth-first order, those beyond a joint are the last ones so far.
template <typename T>
struct Bundles {
  using Number = T;
  static constexpr int kWidth = 1;

  static int slot(const CompactLayout& m, int k) noexcept { return m.coordinates - 1 - k; }
  /// The first bundle that passes joint j.
  static int first(const CompactLayout& m, int j) noexcept {
    return slot(m, m.rows.last[m.first[j]]);
  }
  static void put(int /*lane*/, const T& x, T& number) noexcept { number = x; }
  /// Writes the entries of a bundle's rows for the coordinate at `depth` on their path.
  static void write(const CompactLayout& m, int bundle, const T& entry, int depth,
                    T* packed) noexcept {
    packed[m.rows.start[slot(m, bundle)] + depth] = entry;
  }
};

#if defined(__AVX__)
/// Four at a time for numbers, if there are registers for four.
template <>
struct Bundles<double> {
  using Number = Lanes;
  static constexpr int kWidth = kLanes;

  static int slot(const CompactLayout& m, int k) noexcept { return m.slot[k]; }
  static int first(const CompactLayout& m, int j) noexcept { return m.first_bundle[j]; }
  static void put(int lane, double x, Lanes& lanes) noexcept {
    static constexpr LaneBits kAt[kLanes] = {
        {-1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}, {0, 0, 0, -1}};
    lanes = kAt[lane] ? Lanes{x, x, x, x} : lanes;
  }
  /// A slot whose coordinate is nearer to the base belongs to a shorter row, and writes past that
  /// row's end: into entries of the next row which are written later.
  static void write(const CompactLayout& m, int bundle, const Lanes& entries, int depth,
                    double* packed) noexcept {
    const std::int64_t* const start = m.slot_start + std::ptrdiff_t{kLanes} * bundle;
    packed += depth;
    packed[start[0]] = entries[0];
    packed[start[1]] = entries[1];
    packed[start[2]] = entries[2];
    packed[start[3]] = entries[3];
  }
};
#endif

/// Writes a column into its lane of a bundle, which is cleared before its first lane; for a
/// revolute joint, whose column has no force along its axis.
template <typename T, typename B = typename Bundles<T>::Number>
[[gnu::always_inline]] inline void put_revolute(int lane, const Wrench<T>& F,
                                                Wrench<B>& bundle) noexcept {
  if (lane == 0) bundle = Wrench<B>{};
  Bundles<T>::put(lane, F.force.x, bundle.force.x);
  Bundles<T>::put(lane, F.force.y, bundle.force.y);
  Bundles<T>::put(lane, F.moment.x, bundle.moment.x);
  Bundles<T>::put(lane, F.moment.y, bundle.moment.y);
  Bundles<T>::put(lane, F.moment.z, bundle.moment.z);
}

/// The same for any joint.
template <typename T, typename B = typename Bundles<T>::Number>
[[gnu::always_inline]] inline void put(int lane, const Wrench<T>& F, Wrench<B>& bundle) noexcept {
  put_revolute<T, B>(lane, F, bundle);
  Bundles<T>::put(lane, F.force.z, bundle.force.z);
}

/// A wrench transformed to the parent, rotated by `turn` and displaced by `place`.
template <typename B, typename Turn, typename P>
[[gnu::always_inline]] inline Wrench<B> carried(const Wrench<B>& f, const Turn& turn,
                                                const Vec3<P>& place) noexcept {
  const Vec3<B> force = turn(f.force);
  return {force, plus_cross(turn(f.moment), place, force)};
}
template <typename B, typename Turn, typename P>
[[gnu::always_inline]] inline void carry(Wrench<B>* from, const Wrench<B>* to, const Turn& turn,
                                         const Vec3<P>& place) noexcept {
  for (; from != to; ++from) *from = carried(*from, turn, place);
}

/// From the link of joint j, of any type, to its parent.
template <typename T, typename B = typename Bundles<T>::Number>
void carry(const CompactLayout& m, const Scratch<T>& s, int j, Wrench<B>* from,
           const Wrench<B>* to) noexcept {
  const unsigned flags = m.flags[j];
  if (flags & kFreeJoint) {
    const Mat3<T>& R = s.rotation[j];
    return carry(
        from, to, [&R](const Vec3<B>& a) { return R * a; }, s.place[j]);
  }
  const CompactLink& link = m.links[j];
  const CompactExtra& extra = m.extras[j];
  const B c = s.cosine[j] + B{}, sn = s.sine[j] + B{};
  const auto turned = [&link, &c, &sn](const Vec3<B>& a) { return to_parent(link, c, sn, a); };
  if (flags & kTurned) {
    const auto further = [&](const Vec3<B>& a) { return turn(extra, turned(a)); };
    if (flags & kPrismaticJoint) return carry(from, to, further, s.place[j]);
    return carry(from, to, further, place_of(link));
  }
  if (flags & kPrismaticJoint) return carry(from, to, turned, s.place[j]);
  carry(from, to, turned, place_of(link));
}

/// A floating joint on the base, where all bundles end: its six coordinates [angular; linear] are
/// the first entries of all rows beyond it, and its rows are the components of its columns.
inline void finish_rows(const CompactLayout& m, int j, const Wrench<double>* column,
                        const Wrench<Lanes>* bundle, double* packed) noexcept {
  const int k = m.first[j], own = coordinates_of(m.flags[j]);
  const int end = (Bundles<double>::slot(m, k + own - 1) + kLanes - 1) / kLanes;
  for (int b = Bundles<double>::first(m, j); b < end; ++b) {
    const std::int64_t* const start = m.slot_start + std::ptrdiff_t{kLanes} * b;
    store_six(bundle[b].moment, bundle[b].force, packed + start[0], packed + start[1],
              packed + start[2], packed + start[3]);
  }
  for (int r = 0; r < own; ++r) {
    double* const row = packed + m.rows.start[k + r];
    for (int c = 0; c <= r; ++c) row[c] = component(column[k + r], axis_of(m.flags[j], c));
  }
}

/// Joint j of any type: adds its columns to their bundles, which are then transformed to its
/// parent.
template <typename T, typename B = typename Bundles<T>::Number>
[[gnu::noinline]] void step_rows(const CompactLayout& m, const Scratch<T>& s, int j,
                                 const Wrench<T>* column, Wrench<B>* bundle, T* packed) noexcept {
  constexpr int kWidth = Bundles<T>::kWidth;
  const unsigned flags = m.flags[j];
  if constexpr (kWidth == kLanes) {
    if (m.parent[j] < 0 && (flags & kFreeJoint) && !(flags & kPlanarJoint)) {
      return finish_rows(m, j, column, bundle, packed);
    }
  }
  const int k = m.first[j], first = Bundles<T>::first(m, j);
  int last = first;
  for (int c = coordinates_of(flags) - 1; c >= 0; --c) {
    const int slot = Bundles<T>::slot(m, k + c), axis = axis_of(flags, c);
    last = slot / kWidth;
    put<T, B>(slot % kWidth, column[k + c], bundle[last]);
    for (int b = first; b <= last; ++b) {
      Bundles<T>::write(m, b, component(bundle[b], axis), m.rows.depth[k + c], packed);
    }
  }
  if (m.parent[j] >= 0) carry<T, B>(m, s, j, bundle + first, bundle + last + 1);
}

/// The same for a run of revolute joints, from joint j > 0 on: the bundle being filled stays in
/// registers. Returns the first joint before the run, 0 at least.
template <typename T, typename B = typename Bundles<T>::Number>
[[gnu::always_inline]] inline int run_rows(const CompactLayout& m, const Scratch<T>& s, int j,
                                           const Wrench<T>* column, Wrench<B>* bundle,
                                           T* packed) noexcept {
  constexpr unsigned kWidth = Bundles<T>::kWidth;
  int k = m.first[j];
  Wrench<B> open = bundle[static_cast<unsigned>(Bundles<T>::slot(m, k)) / kWidth];
  do {
    const CompactLink& link = m.links[j];
    const CompactExtra& extra = m.extras[j];
    const bool is_turned = (m.flags[j] & kTurned) != 0;
    const B c = s.cosine[j] + B{}, sn = s.sine[j] + B{};
    const auto turned = [&](const Vec3<B>& a) {
      const Vec3<B> b = to_parent(link, c, sn, a);
      return is_turned ? turn(extra, b) : b;
    };
    const auto slot = static_cast<unsigned>(Bundles<T>::slot(m, k));
    const int depth = m.rows.depth[k], last = static_cast<int>(slot / kWidth);
    put_revolute<T, B>(static_cast<int>(slot % kWidth), column[k], open);
    for (int b = Bundles<T>::first(m, j); b < last; ++b) {
      Bundles<T>::write(m, b, bundle[b].moment.z, depth, packed);
      bundle[b] = carried(bundle[b], turned, place_of(link));
    }
    Bundles<T>::write(m, last, open.moment.z, depth, packed);
    open = carried(open, turned, place_of(link));
    bundle[last] = open;
    --k;
    --j;
  } while (j > 0 && is_revolute(m.flags[j]));
  return j;
}

/// A revolute joint on the base, where all bundles end: only moments about its axis are needed.
template <typename T, typename B = typename Bundles<T>::Number>
inline void end_rows(const CompactLayout& m, int j, const Wrench<T>* column,
                     const Wrench<B>* bundle, T* packed) noexcept {
  constexpr int kWidth = Bundles<T>::kWidth;
  const int k = m.first[j], depth = m.rows.depth[k];
  const int end = (Bundles<T>::slot(m, k) + kWidth - 1) / kWidth;
  for (int b = Bundles<T>::first(m, j); b < end; ++b) {
    Bundles<T>::write(m, b, bundle[b].moment.z, depth, packed);
  }
  packed[m.rows.diagonal(k)] = column[k].moment.z;
}

/// Backward pass: all rows of M. `column` is the result of composite_pass().
template <typename T, typename B = typename Bundles<T>::Number>
void row_pass(const CompactLayout& m, const Scratch<T>& s, const Wrench<T>* column,
              Wrench<B>* bundle, T* packed) noexcept {
  int j = m.joints - 1;
  while (j >= 0) {
    if (j > 0 && is_revolute(m.flags[j])) {
      j = run_rows<T, B>(m, s, j, column, bundle, packed);
    } else if (is_revolute(m.flags[j])) {
      end_rows<T, B>(m, j--, column, bundle, packed);
    } else {
      step_rows<T, B>(m, s, j--, column, bundle, packed);
    }
  }
  if (!m.has_armature) return;
  for (int k = 0; k < m.coordinates; ++k) packed[m.rows.diagonal(k)] += m.armature[k];
}

}  // namespace
}  // namespace spatial_dynamics::kernels

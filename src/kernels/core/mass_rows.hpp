// The rows of the mass matrix by a backward pass: the second half of composite.hpp.
//
// The wrench F_k of a coordinate's unit acceleration is transformed from link to link towards the
// base. In the frame of a joint i on this path, M(k, i) is the component of F_k along that joint's
// axis: no product is needed. For lanes of a batch, for expressions, and for numbers without AVX.
#pragma once

#include "composite.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// Wrenches transformed to the parent, rotated by `turn` and displaced by `place`.
template <typename T, typename Turn, typename P>
[[gnu::always_inline]] inline void carry(Wrench<T>* from, const Wrench<T>* to, const Turn& turn,
                                         const Vec3<P>& place) noexcept {
  for (; from != to; ++from) {
    const Vec3<T> force = turn(from->force);
    *from = {force, plus_cross(turn(from->moment), place, force)};
  }
}

/// From the link of joint j, of any type, to its parent.
template <typename T>
void carry(const CompactLayout& m, const Scratch<T>& s, int j, Wrench<T>* from,
           const Wrench<T>* to) noexcept {
  const unsigned flags = m.flags[j];
  if (flags & kFreeJoint) {
    const Mat3<T>& R = s.rotation[j];
    return carry(
        from, to, [&R](const Vec3<T>& a) { return R * a; }, s.place[j]);
  }
  const CompactLink& link = m.links[j];
  const CompactExtra& extra = m.extras[j];
  const T c = s.cosine[j], sn = s.sine[j];
  const auto turned = [&link, &c, &sn](const Vec3<T>& a) { return to_parent(link, c, sn, a); };
  if (flags & kTurned) {
    const auto further = [&](const Vec3<T>& a) { return turn(extra, turned(a)); };
    if (flags & kPrismaticJoint) return carry(from, to, further, s.place[j]);
    return carry(from, to, further, place_of(link));
  }
  if (flags & kPrismaticJoint) return carry(from, to, turned, s.place[j]);
  carry(from, to, turned, place_of(link));
}

/// The entries of coordinate i, which moves its link along `axis`, with those beyond it.
template <typename T>
[[gnu::always_inline]] inline void write_entries(const FactorRows& rows, int i, int axis,
                                                 const Wrench<T>* column, T* packed) noexcept {
  const int last = rows.last[i];
  packed += rows.depth[i];
  for (int k = i; k <= last; ++k) packed[rows.start[k]] = component(column[k], axis);
}

/// Backward pass: all rows of M. `column` is the result of composite_pass(), and is overwritten.
template <typename T>
void row_pass(const CompactLayout& m, const Scratch<T>& s, Wrench<T>* column, T* packed) noexcept {
  for (int j = m.joints - 1; j >= 0; --j) {
    const unsigned flags = m.flags[j];
    const int first = m.first[j];
    if (is_revolute(flags)) {
      write_entries(m.rows, first, kTurnZ, column, packed);
    } else {
      for (int c = coordinates_of(flags) - 1; c >= 0; --c) {
        write_entries(m.rows, first + c, axis_of(flags, c), column, packed);
      }
    }
    if (m.parent[j] >= 0) carry(m, s, j, column + first, column + m.rows.last[first] + 1);
  }
  if (!m.has_armature) return;
  for (int k = 0; k < m.coordinates; ++k) packed[m.rows.diagonal(k)] += m.armature[k];
}

}  // namespace
}  // namespace spatial_dynamics::kernels

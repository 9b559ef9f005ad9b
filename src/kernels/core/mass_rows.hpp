// The rows of the mass matrix, outward: the second half of composite.hpp.
#pragma once

#include "composite.hpp"

namespace spatial_dynamics {
namespace {

/// A link's axes and origin along the base's axes; the origin against that of the link next to the base, so that a robot far away
/// from where its base was is no less exact.
template <typename T>
struct Stance {
  Vec3<T> origin;
  Mat3<T> axes;
};

/// A unit motion at the point common to all. The sweep keeps those of the coordinates on the way from the base to where it is,
/// by their depth: depth first, every coordinate overwrites what no later one has on its way.
template <typename T>
struct UnitMotion {
  Vec3<T> angular, linear;
};

/// Puts coordinate k, which moves its link by the unit motion S at the link's origin, on the path and fills its row of M;
/// F is the wrench for it, at the link's origin too, and `own` their product.
template <typename T>
[[gnu::always_inline]] inline void add_coordinate(const CompactLayout& m, UnitMotion<T>* path,
                                                  int k, const Vec3<T>& origin,
                                                  const UnitMotion<T>& S, Wrench<T> F, const T& own,
                                                  T* __restrict packed) noexcept {
  const int depth = m.rows.depth[k];
  F.moment = plus_cross(F.moment, origin, F.force);
  T* diagonal = packed + m.rows.diagonal[k];
  *diagonal = own + m.armature[k];
  T* row = diagonal - depth;
  for (const UnitMotion<T>* on_way = path; on_way != path + depth; ++on_way) {
    *row++ = dot(on_way->angular, F.moment) + dot(on_way->linear, F.force);
  }
  path[depth] = {S.angular, plus_cross(S.linear, origin, S.angular)};
}

/// The stance behind a joint, from its parent's.
template <typename T>
[[gnu::always_inline]] inline Stance<T> stand(const CompactLayout& m, const Scratch<T>& s, int j,
                                              const Stance<T>& up) noexcept {
  const CompactLink& link = m.links[j];
  const unsigned flags = m.flags[j];
  Stance<T> own{};
  if (m.parent[j] >= 0) {
    own.origin = up.origin + (flags & (kPrismaticJoint | kFreeJoint) ? up.axes * s.place[j]
                                                                     : up.axes * place_of(link));
  }
  if (flags & kFreeJoint) {
    const Mat3<T>& R = s.rotation[j];
    own.axes = {up.axes * R.x, up.axes * R.y, up.axes * R.z};
    return own;
  }
  Vec3<T> x = up.axes.x, y = up.axes.y;
  if (flags & kTurned) {
    const CompactExtra& e = m.extras[j];
    x = e.cg * up.axes.x + e.sg * up.axes.y;
    y = e.cg * up.axes.y - e.sg * up.axes.x;
  }
  const Vec3<T> y_twisted = link.ca * y + link.sa * up.axes.z;
  own.axes = {s.cosine[j] * x + s.sine[j] * y_twisted, s.cosine[j] * y_twisted - s.sine[j] * x,
              link.ca * up.axes.z - link.sa * y};
  return own;
}

/// Stances of the joints up to `last`; stance[-1] is the base's.
template <typename T>
void set_stances(const CompactLayout& m, const Scratch<T>& s, int last,
                 Stance<T>* stance) noexcept {
  stance[-1] = {{}, {{1.0 + T{}, T{}, T{}}, {T{}, 1.0 + T{}, T{}}, {T{}, T{}, 1.0 + T{}}}};
  for (int j = 0; j <= last; ++j) stance[j] = stand(m, s, j, stance[m.parent[j]]);
}

/// Joint j, whichever kind, and the rows of its coordinates.
template <typename T>
[[gnu::noinline]] void step_rows(const CompactLayout& m, const Scratch<T>& s, int j,
                                 UnitMotion<T>* path, Stance<T>* kept, const Wrench<T>* column,
                                 T* packed, Stance<T>& at) noexcept {
  const unsigned flags = m.flags[j];
  if (flags & kElsewhere) at = kept[m.parent[j]];
  at = stand(m, s, j, at);
  const Mat3<T>& axes = at.axes;
  const int k = m.first[j], count = coordinates_of(flags);
  for (int c = 0; c < count; ++c) {
    const Wrench<T> F{axes * column[k + c].force, axes * column[k + c].moment};
    T unit[6] = {};
    unit[c] += 1.0;
    UnitMotion<T> S{{}, axes.z};  // prismatic
    if (flags & kFreeJoint) {
      const FreeRate<T> rate = free_rate((flags & kPlanarJoint) != 0, unit);
      S = {axes * rate.angular, axes * rate.linear};
    } else if (!(flags & kPrismaticJoint)) {
      S = {axes.z, {}};
    }
    const T own = dot(S.angular, F.moment) + dot(S.linear, F.force);
    add_coordinate(m, path, k + c, at.origin, S, F, own, packed);
  }
  if (flags & kBranches) kept[j] = at;
}

/// Outward: all rows of M. `column` is what sweep_composites left; kept[-1] is the base.
template <typename T>
void sweep_rows(const CompactLayout& m, const Scratch<T>& s, UnitMotion<T>* path, Stance<T>* kept,
                const Wrench<T>* column, T* packed) noexcept {
  Stance<T> at{{}, {{1.0 + T{}, T{}, T{}}, {T{}, 1.0 + T{}, T{}}, {T{}, T{}, 1.0 + T{}}}};
  kept[-1] = at;
  for (int j = 0; j < m.joints;) {
    if (m.flags[j] != 0) {
      step_rows(m, s, j++, path, kept, column, packed, at);
      continue;
    }
    Stance<T> up = at;
    do {  // a run of plain joints
      const CompactLink& link = m.links[j];
      const int k = m.first[j];
      const T c = s.cosine[j], sn = s.sine[j];
      if (j > 0) up.origin += up.axes * place_of(link);
      const Vec3<T> y = link.ca * up.axes.y + link.sa * up.axes.z;
      up.axes = {c * up.axes.x + sn * y, c * y - sn * up.axes.x,
                 link.ca * up.axes.z - link.sa * up.axes.y};
      const Wrench<T>& f = column[k];
      const Wrench<T> F{f.force.x * up.axes.x + f.force.y * up.axes.y, up.axes * f.moment};
      add_coordinate(m, path, k, up.origin, {up.axes.z, {}}, F, f.moment.z, packed);
      ++j;
    } while (j < m.joints && m.flags[j] == 0);
    at = up;
  }
}

}  // namespace
}  // namespace spatial_dynamics

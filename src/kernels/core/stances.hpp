// Where links stand along the base's axes.
#pragma once

#include "positions.hpp"

namespace spatial_dynamics {
namespace {

/// A link's axes and origin along the base's axes; the origin against that of the link next to the base, so that a robot far away
/// from where its base was is no less exact.
template <typename T>
struct Stance {
  Vec3<T> origin;
  Mat3<T> axes;
};

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

}  // namespace
}  // namespace spatial_dynamics

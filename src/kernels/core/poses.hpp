// Poses of links along the base's axes.
#pragma once

#include "positions.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// A link's axes and origin along the base's axes. The origin is relative to that of the link next
/// to the base, so that the result is as accurate for a robot far away from its base.
template <typename T>
struct LinkPose {
  Vec3<T> origin;
  Mat3<T> axes;
};

/// The pose of a joint's link, from its parent's.
template <typename T>
[[gnu::always_inline]] inline LinkPose<T> stand(const CompactLayout& m, const Scratch<T>& s, int j,
                                                const LinkPose<T>& up) noexcept {
  const CompactLink& link = m.links[j];
  const unsigned flags = m.flags[j];
  LinkPose<T> own{};
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

/// Poses of the joints up to `last`; pose[-1] is the base's.
template <typename T>
void set_poses(const CompactLayout& m, const Scratch<T>& s, int last, LinkPose<T>* pose) noexcept {
  pose[-1] = {{}, {{1.0 + T{}, T{}, T{}}, {T{}, 1.0 + T{}, T{}}, {T{}, T{}, 1.0 + T{}}}};
  for (int j = 0; j <= last; ++j) pose[j] = stand(m, s, j, pose[m.parent[j]]);
}

}  // namespace
}  // namespace spatial_dynamics::kernels

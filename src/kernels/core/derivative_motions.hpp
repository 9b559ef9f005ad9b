// Motions of links and coordinates for the derivatives of torques (derivatives.hpp): the forward
// pass, along common axes and at a common point.
#pragma once

#include "composite.hpp"
#include "newton_euler_lanes.hpp"

namespace spatial_dynamics::kernels {
namespace {

template <typename T>
struct Twist {
  Vec3<T> angular, linear;
};

/// a x b
template <typename T>
inline Twist<T> cross(const Twist<T>& a, const Twist<T>& b) noexcept {
  return {cross(a.angular, b.angular), plus_cross(cross(a.angular, b.linear), a.linear, b.angular)};
}
/// a x* f
template <typename A, typename T>
inline Wrench<T> cross_star(const Twist<A>& a, const Wrench<T>& f) noexcept {
  return {cross(a.angular, f.force), plus_cross(cross(a.angular, f.moment), a.linear, f.force)};
}
/// m . f, where m may be numbers and f lanes.
template <typename A, typename T>
[[gnu::always_inline]] inline T power(const Twist<A>& m, const Wrench<T>& f) noexcept {
  return dot(m.angular, f.moment) + dot(m.linear, f.force);
}

// ---- motions: one vector in lanes ---------------------------------------------------------------

/// Three components; the fourth lane is unused.
using Lanes3 = Lanes;

inline Lanes3 yzx(Lanes3 a) noexcept { return pick<1, 2, 0, 3>(a, a); }
/// a x b before its components are reordered by yzx(): sums of several are reordered at once.
inline Lanes3 crossed(Lanes3 a, Lanes3 b) noexcept { return a * yzx(b) - yzx(a) * b; }

/// Copied vector by vector, as Vec3 is.
struct LanesTwist {
  Lanes3 angular, linear;

  LanesTwist() = default;
  LanesTwist(const Lanes3& a, const Lanes3& l) noexcept : angular(a), linear(l) {}
  // NOLINTBEGIN(modernize-use-equals-default)
  LanesTwist(const LanesTwist& a) noexcept : angular(a.angular), linear(a.linear) {}
  LanesTwist& operator=(const LanesTwist& a) noexcept {
    angular = a.angular;
    linear = a.linear;
    return *this;
  }
  // NOLINTEND(modernize-use-equals-default)
};
inline LanesTwist operator+(const LanesTwist& a, const LanesTwist& b) noexcept {
  return {a.angular + b.angular, a.linear + b.linear};
}
inline LanesTwist operator*(double s, const LanesTwist& a) noexcept {
  return {s * a.angular, s * a.linear};
}
/// a x b
inline LanesTwist cross(const LanesTwist& a, const LanesTwist& b) noexcept {
  return {yzx(crossed(a.angular, b.angular)),
          yzx(crossed(a.angular, b.linear) + crossed(a.linear, b.angular))};
}
/// a x b + c x d
inline LanesTwist cross_sum(const LanesTwist& a, const LanesTwist& b, const LanesTwist& c,
                            const LanesTwist& d) noexcept {
  return {yzx(crossed(a.angular, b.angular) + crossed(c.angular, d.angular)),
          yzx(crossed(a.angular, b.linear) + crossed(a.linear, b.angular) +
              crossed(c.angular, d.linear) + crossed(c.linear, d.angular))};
}

/// Pose and motion of a link.
struct DerivativeLink {
  Lanes3 x, y, z, origin;
  LanesTwist v, a;
};
static_assert(sizeof(DerivativeLink) == 32 * sizeof(double), "as the scratch space has it");

/// The four motions of a coordinate.
struct DerivativeMotion {
  LanesTwist S, D, E, G;
};
static_assert(sizeof(DerivativeMotion) == 32 * sizeof(double), "as the scratch space has it");

inline Vec3<double> from_lanes(const Lanes3& a) noexcept { return {a[0], a[1], a[2]}; }
inline Twist<double> from_lanes(const LanesTwist& a) noexcept {
  return {from_lanes(a.angular), from_lanes(a.linear)};
}

/// The base's acceleration, which represents gravity, along the axes of the link of a joint on it.
inline Vec3<double> base_acceleration_behind(const CompactLayout& m, const Scratch<double>& s,
                                             int j) noexcept {
  const Vec3<double> a = base_acceleration<double>(m);
  if (m.flags[j] & kFreeJoint) return transpose_times(s.rotation[j], a);
  return to_child(m.links[j], s.cosine[j], s.sine[j],
                  m.flags[j] & kTurned ? unturn(m.extras[j], a) : a);
}
/// Such a link defines the axes and the point. The base is fixed.
inline void start_from_base(const CompactLayout& m, const Scratch<double>& s, int j,
                            DerivativeLink& base, DerivativeLink& own) noexcept {
  const Vec3<double> a = base_acceleration_behind(m, s, j);
  base.a.linear = Lanes3{a.x, a.y, a.z, 0.0};
  own.x = Lanes3{1.0};
  own.y = Lanes3{0.0, 1.0};
  own.z = Lanes3{0.0, 0.0, 1.0};
  own.origin = Lanes3{};
}

/// The pose of joint j's link, from its parent's pose.
[[gnu::always_inline]] inline void stand(const CompactLayout& m, const Scratch<double>& s, int j,
                                         const DerivativeLink& up, DerivativeLink& own) noexcept {
  const CompactLink& link = m.links[j];
  const unsigned flags = m.flags[j];
  const double* const p =
      flags & (kPrismaticJoint | kFreeJoint) ? reinterpret_cast<double*>(s.place + j) : link.p;
  own.origin = up.origin + p[0] * up.x + p[1] * up.y + p[2] * up.z;
  if (flags & kFreeJoint) {
    const Mat3<double>& R = s.rotation[j];
    own.x = R.x.x * up.x + R.x.y * up.y + R.x.z * up.z;
    own.y = R.y.x * up.x + R.y.y * up.y + R.y.z * up.z;
    own.z = R.z.x * up.x + R.z.y * up.y + R.z.z * up.z;
    return;
  }
  Lanes3 x = up.x, y = up.y;
  if (flags & kTurned) {
    const CompactExtra& e = m.extras[j];
    x = e.cg * up.x + e.sg * up.y;
    y = e.cg * up.y - e.sg * up.x;
  }
  const Lanes3 twisted = link.ca * y + link.sa * up.z;
  own.x = s.cosine[j] * x + s.sine[j] * twisted;
  own.y = s.cosine[j] * twisted - s.sine[j] * x;
  own.z = link.ca * up.z - link.sa * y;
}

/// The unit motion of coordinate c of a free joint whose link is at `at`.
inline LanesTwist unit_motion(unsigned flags, int c, const DerivativeLink& at) noexcept {
  const int axis = axis_of(flags, c);
  const int of_three = axis % 3;
  const Lanes3 direction = of_three == 0 ? at.x : of_three == 1 ? at.y : at.z;
  if (axis < kTurnX) return {Lanes3{}, direction};
  return {direction, yzx(crossed(at.origin, direction))};
}

/// S, D and E of a coordinate. Returns D.
[[gnu::always_inline]] inline LanesTwist set_motion(const DerivativeLink& up, const LanesTwist& S,
                                                    DerivativeMotion& motion) noexcept {
  const LanesTwist D = cross(up.v, S);
  motion.S = S;
  motion.D = D;
  motion.E = cross_sum(up.a, S, up.v, D);
  return D;
}

/// The link of a free joint, and the motions of its coordinates.
[[gnu::noinline]] inline void step_free(const CompactLayout& m, int j, const double* v,
                                        const double* a, const DerivativeLink& up,
                                        DerivativeLink& own, DerivativeMotion* motion) noexcept {
  const int count = coordinates_of(m.flags[j]);
  LanesTwist velocity{Lanes3{}, Lanes3{}}, acceleration = velocity;
  for (int c = 0; c < count; ++c) {
    const LanesTwist S = unit_motion(m.flags[j], c, own);
    set_motion(up, S, motion[c]);
    velocity = velocity + v[c] * S;
    acceleration = acceleration + a[c] * S;
  }
  own.v = up.v + velocity;
  own.a = up.a + acceleration + cross(own.v, velocity);
  for (int c = 0; c < count; ++c) motion[c].G = motion[c].D + cross(own.v, motion[c].S);
}

/// Forward pass: links and motions of coordinates.
inline void derivative_motion_pass(const CompactLayout& m, const Scratch<double>& s,
                                   const double* v, const double* a, DerivativeLink* link,
                                   DerivativeMotion* motion) noexcept {
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
      step_free(m, j, v + k, a + k, up, own, motion + k);
      continue;
    }
    const Lanes3 z = own.z;
    const LanesTwist S = flags & kPrismaticJoint ? LanesTwist{Lanes3{}, z}
                                                 : LanesTwist{z, yzx(crossed(own.origin, z))};
    DerivativeMotion& by = motion[k];
    const LanesTwist D = set_motion(up, S, by);
    by.G = D + D;  // one coordinate: v_c x S = v_p x S
    own.v = up.v + v[k] * S;
    own.a = up.a + (a[k] * S + v[k] * D);
  }
}

}  // namespace
}  // namespace spatial_dynamics::kernels

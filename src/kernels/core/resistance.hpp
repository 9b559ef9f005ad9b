// Rotors and friction: damping v + friction tanh(v / speed) + armature a, coordinate by coordinate.
#pragma once

#include "elementary.hpp"
#include "kernels/layout.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// tau += sign * friction(v), four coordinates at a time.
inline void add_friction(const CompactLayout& m, double sign, const double* v,
                         double* tau) noexcept {
  if (m.has_damping) {
    for (int k = 0; k < m.coordinates; ++k) tau[k] += sign * m.damping[k] * v[k];
  }
  if (!m.has_friction) return;
  const double per_speed = 1.0 / m.friction_speed;
  int k = 0;
  for (; k + kLanes <= m.coordinates; k += kLanes) {
    const Lanes share = hyperbolic_tangent(load_lanes(v + k) * per_speed);
    store_lanes(load_lanes(tau + k) + sign * load_lanes(m.friction + k) * share, tau + k);
  }
  if (k == m.coordinates) return;
  double rest[kLanes] = {};
  for (int i = 0; k + i < m.coordinates; ++i) rest[i] = v[k + i];
  const Lanes share = hyperbolic_tangent(load_lanes(rest) * per_speed);
  for (int i = 0; k + i < m.coordinates; ++i) tau[k + i] += sign * m.friction[k + i] * share[i];
}
/// The same for a batch.
inline void add_friction(const CompactLayout& m, double sign, const Lanes* v, Lanes* tau) noexcept {
  if (m.has_damping) {
    for (int k = 0; k < m.coordinates; ++k) tau[k] += sign * m.damping[k] * v[k];
  }
  if (!m.has_friction) return;
  const double per_speed = 1.0 / m.friction_speed;
  for (int k = 0; k < m.coordinates; ++k) {
    tau[k] += sign * m.friction[k] * hyperbolic_tangent(v[k] * per_speed);
  }
}

/// tau += armature a.
template <typename T>
inline void add_rotors(const CompactLayout& m, const T* a, T* tau) noexcept {
  if (!m.has_armature) return;
  for (int k = 0; k < m.coordinates; ++k) tau[k] += m.armature[k] * a[k];
}

}  // namespace
}  // namespace spatial_dynamics::kernels

// Stores four spatial vectors in separate places.
#pragma once

#include "transpose.hpp"
#include "vec3.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// Stores the four vectors [a; b], each at its destination.
inline void store_six(const Vec3<Lanes>& a, const Vec3<Lanes>& b, double* first, double* second,
                      double* third, double* fourth) noexcept {
  Lanes w = a.x, x = a.y, y = a.z, z = b.x;
  transpose(w, x, y, z);
  store_lanes(w, first);
  store_lanes(x, second);
  store_lanes(y, third);
  store_lanes(z, fourth);
  first[4] = b.y[0];
  first[5] = b.z[0];
  second[4] = b.y[1];
  second[5] = b.z[1];
  third[4] = b.y[2];
  third[5] = b.z[2];
  fourth[4] = b.y[3];
  fourth[5] = b.z[3];
}

}  // namespace
}  // namespace spatial_dynamics::kernels

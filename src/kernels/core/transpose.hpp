// Four columns of numbers side by side, and back.
#pragma once

#include "lanes.hpp"
#include "vec3.hpp"

namespace spatial_dynamics {
namespace {

/// Four rows of four become four columns.
inline void transpose(Lanes& a, Lanes& b, Lanes& c, Lanes& d) noexcept {
  const Lanes ab_low = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Lanes ab_high = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Lanes cd_low = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Lanes cd_high = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

/// [a; b] of four, each of which goes to a place of its own.
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

/// lanes[k] = the numbers k of four columns.
inline void to_lanes(int count, const double* const* columns, double* lanes) noexcept {
  int k = 0;
  for (; k + kLanes <= count; k += kLanes) {
    Lanes a = load_lanes(columns[0] + k), b = load_lanes(columns[1] + k),
          c = load_lanes(columns[2] + k), d = load_lanes(columns[3] + k);
    transpose(a, b, c, d);
    store_lanes(a, lanes + 4 * k);
    store_lanes(b, lanes + 4 * k + 4);
    store_lanes(c, lanes + 4 * k + 8);
    store_lanes(d, lanes + 4 * k + 12);
  }
  for (; k < count; ++k) {
    store_lanes(Lanes{columns[0][k], columns[1][k], columns[2][k], columns[3][k]}, lanes + 4 * k);
  }
}

/// The way back.
inline void from_lanes(int count, const double* lanes, double* const* columns) noexcept {
  int k = 0;
  for (; k + kLanes <= count; k += kLanes) {
    Lanes a = load_lanes(lanes + 4 * k), b = load_lanes(lanes + 4 * k + 4),
          c = load_lanes(lanes + 4 * k + 8), d = load_lanes(lanes + 4 * k + 12);
    transpose(a, b, c, d);
    store_lanes(a, columns[0] + k);
    store_lanes(b, columns[1] + k);
    store_lanes(c, columns[2] + k);
    store_lanes(d, columns[3] + k);
  }
  for (; k < count; ++k) {
    for (int l = 0; l < kLanes; ++l) columns[l][k] = lanes[4 * k + l];
  }
}

}  // namespace
}  // namespace spatial_dynamics

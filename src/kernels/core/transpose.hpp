// Four columns of numbers side by side, and back.
#pragma once

#include <cstddef>

#include "lanes.hpp"

namespace spatial_dynamics::kernels {
namespace {

#if defined(__AVX__)
/// Lanes i, j, k and l of a (0 to 3) and b (4 to 7).
template <int i, int j, int k, int l>
inline Lanes pick(const Lanes& a, const Lanes& b) noexcept {
#ifdef __clang__
  return __builtin_shufflevector(a, b, i, j, k, l);
#else  // which GCC has from 12 on
  return __builtin_shuffle(a, b, LaneBits{i, j, k, l});
#endif
}
#else
/// The half that contains lane i of a (0 to 3) and b (4 to 7).
template <int i>
inline HalfLanes half_of(const Lanes& a, const Lanes& b) noexcept {
  const Lanes& x = i < kLanes ? a : b;
  return i % kLanes < 2 ? x.low : x.high;
}
/// Lanes i and j of them.
template <int i, int j>
inline HalfLanes pick_half(const Lanes& a, const Lanes& b) noexcept {
#ifdef __clang__
  return __builtin_shufflevector(half_of<i>(a, b), half_of<j>(a, b), i % 2, 2 + j % 2);
#else
  return __builtin_shuffle(half_of<i>(a, b), half_of<j>(a, b), HalfBits{i % 2, 2 + j % 2});
#endif
}
/// Lanes i, j, k and l of them.
template <int i, int j, int k, int l>
inline Lanes pick(const Lanes& a, const Lanes& b) noexcept {
  return {pick_half<i, j>(a, b), pick_half<k, l>(a, b)};
}
#endif

/// Four rows of four become four columns.
inline void transpose(Lanes& a, Lanes& b, Lanes& c, Lanes& d) noexcept {
  const Lanes ab_low = pick<0, 4, 2, 6>(a, b), ab_high = pick<1, 5, 3, 7>(a, b);
  const Lanes cd_low = pick<0, 4, 2, 6>(c, d), cd_high = pick<1, 5, 3, 7>(c, d);
  a = pick<0, 1, 4, 5>(ab_low, cd_low);
  b = pick<0, 1, 4, 5>(ab_high, cd_high);
  c = pick<2, 3, 6, 7>(ab_low, cd_low);
  d = pick<2, 3, 6, 7>(ab_high, cd_high);
}

/// lanes[k] = the numbers k of four columns.
inline void to_lanes(int count, const double* const* columns, double* lanes) noexcept {
  const double *const p = columns[0], *const q = columns[1];
  const double *const r = columns[2], *const s = columns[3];
  const int last = count - kLanes;
  for (int k = 0; k < count && last >= 0; k += kLanes) {
    if (k > last) k = last;  // the last four, some of them again
    Lanes a = load_lanes(p + k), b = load_lanes(q + k), c = load_lanes(r + k),
          d = load_lanes(s + k);
    transpose(a, b, c, d);
    store_lanes(a, lanes + 4 * k);
    store_lanes(b, lanes + 4 * k + 4);
    store_lanes(c, lanes + 4 * k + 8);
    store_lanes(d, lanes + 4 * k + 12);
  }
  for (int k = 0; k < count && last < 0; ++k) {
    store_lanes(Lanes{p[k], q[k], r[k], s[k]}, lanes + 4 * k);
  }
}

/// The inverse. Columns may alias if their lanes are equal.
inline void from_lanes(int count, const double* lanes, double* const* columns) noexcept {
  double *const p = columns[0], *const q = columns[1];
  double *const r = columns[2], *const s = columns[3];
  const int last = count - kLanes;
  for (int k = 0; k < count && last >= 0; k += kLanes) {
    if (k > last) k = last;
    Lanes a = load_lanes(lanes + 4 * k), b = load_lanes(lanes + 4 * k + 4),
          c = load_lanes(lanes + 4 * k + 8), d = load_lanes(lanes + 4 * k + 12);
    transpose(a, b, c, d);
    store_lanes(a, p + k);
    store_lanes(b, q + k);
    store_lanes(c, r + k);
    store_lanes(d, s + k);
  }
  for (int k = 0; k < count && last < 0; ++k) {
    const Lanes x = load_lanes(lanes + 4 * k);
    p[k] = x[0];
    q[k] = x[1];
    r[k] = x[2];
    s[k] = x[3];
  }
}

/// Four of `count` contiguous states from `first` on: after the last, the last repeats.
struct FourStates {
  int first, count;

  [[nodiscard]] std::ptrdiff_t at(int lane) const noexcept {
    return first + lane < count ? first + lane : count - 1;
  }
  /// `size` numbers of each.
  void read(int size, const double* states, Lanes* lanes) const noexcept {
    const double* const columns[kLanes] = {states + at(0) * size, states + at(1) * size,
                                           states + at(2) * size, states + at(3) * size};
    to_lanes(size, columns, reinterpret_cast<double*>(lanes));
  }
  void write(int size, const Lanes* lanes, double* states) const noexcept {
    double* const columns[kLanes] = {states + at(0) * size, states + at(1) * size,
                                     states + at(2) * size, states + at(3) * size};
    from_lanes(size, reinterpret_cast<const double*>(lanes), columns);
  }
};

}  // namespace
}  // namespace spatial_dynamics::kernels

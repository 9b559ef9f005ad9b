// sin, cos and tanh of many numbers at once.
#pragma once

#include <cmath>

#include "lanes.hpp"

namespace spatial_dynamics::kernels {
namespace {

// Adding 1.5 * 2^52 rounds to an integer and leaves that integer in the low bits.
constexpr double kRounder = 6755399441055744.0;

/// Beyond this angle, and for NaN and infinity, the C library is called.
constexpr double kLargestAngle = 1e5;

/// Set for angles outside the range of sine_cosine(), and for NaN.
inline LaneBits is_far(Lanes x) noexcept {
  const Lanes size = number(bits(x) & INT64_MAX);
  return ~(size <= kLargestAngle);
}

/// sin and cos of |x| <= kLargestAngle with an absolute error below 2.3e-16.
///
/// 1. x = k pi/2 + r with |k| <= 63663 < 2^16 and |r| <= pi/4 + 1e-11. pi/2 = C1 + C2 + C3 to
///    1e-37, C1 and C2 with 33 bits each, so that k C1 and k C2 (at most 49 bits) are exact.
///    x - k C1 is exact: both are multiples of the last bit of C1 or of x and the difference is no
///    longer than either. Subtracting k C2 and k C3 rounds at most twice: |error of r| <= 2 *
///    2^-54. Where r is smaller than 2^-14 the first of the two is exact too, so that r keeps full
///    relative precision next to multiples of pi/2.
/// 2. sin r = r + r z P(z), cos r = 1 + z (z Q(z) - 1/2) with z = r^2. P and Q are fitted by
///    Chebyshev interpolation over [0, (pi/4 + 1e-4)^2]; with coefficients rounded to doubles
///    |r z dP| < 2e-17, |z^2 dQ| < 1e-18.
/// 3. The last addition rounds by 2^-54 at most, both results being below 1; the operations before
///    it by 0.65 * 2^-53 for cos (0.4 with fused operations) and 0.2 * 2^-53 for sin. Sum for cos,
///    whose derivative is 0.71 at most: 0.8e-16 (r) + 0.6e-16 + 0.7e-16; for sin 1.1e-16 (r) +
///    0.6e-16 + 0.2e-16.
[[gnu::always_inline]] inline void sine_cosine(Lanes x, Lanes& sine, Lanes& cosine) noexcept {
  Lanes k = x * 0.6366197723675814 + kRounder;  // 2/pi
  const LaneBits quadrant = bits(k);
  k -= kRounder;
  Lanes r = x - k * 0x1.921fb544p+0;
  r -= k * 0x1.0b4611a6p-34;
  r -= k * 0x1.3198a2e037073p-69;
  const Lanes z = r * r;
  Lanes P = z * 0x1.5e0ae6796256cp-33 + -0x1.ae600a73bc9bcp-26;
  P = P * z + 0x1.71de379600d7fp-19;
  P = P * z + -0x1.a01a019e83411p-13;
  P = P * z + 0x1.1111111110bb1p-7;
  P = P * z + -0x1.5555555555555p-3;
  Lanes Q = z * -0x1.907d6fdbdb6c4p-37 + 0x1.1eeb68a1ad6fdp-29;
  Q = Q * z + -0x1.27e4fa17955d8p-22;
  Q = Q * z + 0x1.a01a019f4e7b1p-16;
  Q = Q * z + -0x1.6c16c16c16966p-10;
  Q = Q * z + 0x1.5555555555555p-5;
  const Lanes sin_r = r + r * z * P;
  const Lanes cos_r = 1.0 + z * (z * Q - 0.5);
  // Odd quadrants swap the two; bit 1 of k is the sign of sin, bit 1 of k + 1, that is bits 0 and 1
  // together, that of cos.
  const LaneBits odd = quadrant << 63, sign = quadrant << 62;
  const Lanes s = select(odd < 0, cos_r, sin_r);
  const Lanes c = select(odd < 0, sin_r, cos_r);
  sine = number(bits(s) ^ (sign & INT64_MIN));
  cosine = number(bits(c) ^ ((sign ^ odd) & INT64_MIN));
}

[[gnu::noinline, gnu::cold]] inline void sine_cosine_anywhere(int count, const double* angle,
                                                              double* sine,
                                                              double* cosine) noexcept {
  for (int i = 0; i < count; ++i) {
    if (std::fabs(angle[i]) <= kLargestAngle) continue;
    sine[i] = std::sin(angle[i]);
    cosine[i] = std::cos(angle[i]);
  }
}

/// sin and cos of `count` angles, a multiple of 4. Exactly the C library's beyond kLargestAngle;
/// NaN for NaN and infinity.
inline void sine_cosine(int count, const double* angle, double* sine, double* cosine) noexcept {
  LaneBits far = {};
  for (int i = 0; i < count; i += kLanes) {
    const Lanes x = load_lanes(angle + i);
    far |= is_far(x);
    Lanes s, c;
    sine_cosine(x, s, c);
    store_lanes(s, sine + i);
    store_lanes(c, cosine + i);
  }
  if (any(far)) sine_cosine_anywhere(count, angle, sine, cosine);
}

/// tanh with an absolute error below 4e-16; NaN for NaN.
///
/// tanh x = 1 - 2 / (e + 1) with e = exp(2x) = 2^k (1 + r + r^2 E(r)), 2x = k ln 2 + r. |r^2 dE| <
/// 2e-17. A relative error d of e changes the result by at most d/2, the quotient rounds to 2^-53
/// of at most 1 and the difference again. Beyond 20 the result rounds to +-1.
[[gnu::always_inline]] inline Lanes hyperbolic_tangent(Lanes x) noexcept {
  constexpr double kSaturated = 20.0;
  Lanes t = select(x < -kSaturated, -kSaturated - Lanes{}, x);
  t = select(t > kSaturated, kSaturated - Lanes{}, t);  // NaN stays NaN: both are false
  t += t;
  Lanes k = t * 1.4426950408889634 + kRounder;  // 1 / ln 2
  const LaneBits exponent = bits(k) << 52;
  k -= kRounder;
  Lanes r = t - k * 0x1.62e42fefa2p-1;
  r -= k * 7.371002565167799e-13;
  Lanes E = r * 0x1.af39d92ab3282p-26 + 0x1.28927c0646723p-22;
  E = E * r + 0x1.71de0d2e6e42bp-19;
  E = E * r + 0x1.a019b83d2cea4p-16;
  E = E * r + 0x1.a01a01a7e5259p-13;
  E = E * r + 0x1.6c16c178c18a5p-10;
  E = E * r + 0x1.1111111110989p-7;
  E = E * r + 0x1.5555555553cd9p-5;
  E = E * r + 0x1.5555555555556p-3;
  E = E * r + 0.5;
  const Lanes mantissa = 1.0 + (r + r * r * E);
  const Lanes e = number(bits(mantissa) + exponent);  // times 2^k
  return 1.0 - 2.0 / (e + 1.0);
}

}  // namespace
}  // namespace spatial_dynamics::kernels

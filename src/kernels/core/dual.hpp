// A number with its derivatives in four directions: kernels run on it differentiate themselves.
#pragma once

#include "positions.hpp"

namespace spatial_dynamics {
namespace {

struct Dual {
  double value = 0.0;
  Lanes slope{};

  Dual() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): kernels mix both
  Dual(double constant) noexcept : value(constant) {}
  Dual(double v, const Lanes& s) noexcept : value(v), slope(s) {}
};
static_assert(sizeof(Dual) == 8 * sizeof(double), "scratch space for eight lanes");

inline Dual operator-(const Dual& a) noexcept { return {-a.value, -a.slope}; }
inline Dual operator+(const Dual& a, const Dual& b) noexcept {
  return {a.value + b.value, a.slope + b.slope};
}
inline Dual operator-(const Dual& a, const Dual& b) noexcept {
  return {a.value - b.value, a.slope - b.slope};
}
inline Dual operator*(const Dual& a, const Dual& b) noexcept {
  return {a.value * b.value, a.value * b.slope + b.value * a.slope};
}
inline Dual operator*(double a, const Dual& b) noexcept { return {a * b.value, a * b.slope}; }
inline Dual operator*(const Dual& a, double b) noexcept { return b * a; }
inline Dual operator/(double a, const Dual& b) noexcept {
  const double quotient = a / b.value;
  return {quotient, (-quotient / b.value) * b.slope};
}
inline Dual& operator+=(Dual& a, const Dual& b) noexcept { return a = a + b; }
inline Dual& operator-=(Dual& a, const Dual& b) noexcept { return a = a - b; }

/// As set_positions() does with numbers; `plain` is room for three numbers a joint, each padded to a multiple of 4.
inline void set_positions(const CompactLayout& m, Scratch<Dual>& s, const Dual* q,
                          double* plain) noexcept {
  const int count = padded(m.joints);
  double *angle = plain, *sine = plain + count, *cosine = plain + 2 * count;
  for (int j = 0; j < count; ++j) angle[j] = 0.0;
  for (int j = 0; j < m.joints; ++j) {
    angle[j] = m.angle_ratio[j] * q[m.q_index[j]].value + m.angle_offset[j];
  }
  sine_cosine(count, angle, sine, cosine);
  for (int j = 0; j < m.joints; ++j) {
    const Lanes turning = m.angle_ratio[j] * q[m.q_index[j]].slope;
    s.sine[j] = {sine[j], cosine[j] * turning};
    s.cosine[j] = {cosine[j], -sine[j] * turning};
  }
  for (int k = 0; k < m.slides; ++k) {
    const CompactSlide& slide = m.slide[k];
    if (m.flags[slide.joint] & kFreeJoint) {
      place_free_joint(m, s, slide, q);
    } else {
      place_slide(m, s, slide, q);
    }
  }
}

}  // namespace
}  // namespace spatial_dynamics

// Bodies along common axes and at a common point (derivative_motions.hpp): there inertias and
// forces add up without transforms. Four joints in lanes.
#pragma once

#include <cstddef>

#include "derivative_motions.hpp"
#include "store_six.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// Mass, first moment and inertia about one point.
struct DerivativeInertia {
  Lanes mass;
  Vec3<Lanes> h;
  Sym3<Lanes> about;
};

inline Vec3<Lanes> columns(Lanes a, Lanes b, Lanes c, Lanes d) noexcept {
  transpose(a, b, c, d);
  return {a, b, c};
}
/// Four numbers of an array, by their indices.
template <typename Member, typename T>
[[gnu::always_inline]] inline Vec3<Lanes> columns(const T* const (&four)[kLanes],
                                                  const Member& member) noexcept {
  return columns(member(*four[0]), member(*four[1]), member(*four[2]), member(*four[3]));
}
template <typename Member, typename T>
[[gnu::always_inline]] inline Twist<Lanes> twists(const T* const (&four)[kLanes],
                                                  const Member& member) noexcept {
  return {columns(four, [&member](const T& of) { return member(of).angular; }),
          columns(four, [&member](const T& of) { return member(of).linear; })};
}

/// I m
[[gnu::always_inline]] inline Wrench<Lanes> times(const DerivativeInertia& I,
                                                  const Twist<Lanes>& m) noexcept {
  return {minus_cross(I.mass * m.linear, I.h, m.angular),
          plus_cross(I.about * m.angular, I.h, m.linear)};
}

/// The inertias of the links of joints `first` to first + 3, which are at `at`.
[[gnu::always_inline]] inline DerivativeInertia common_inertia(
    const CompactLayout& m, int first, const DerivativeLink* const (&at)[kLanes]) noexcept {
  const double* const body_at = m.bodies + std::ptrdiff_t{10} * first;
  const auto number = [body_at](int i) { return load_lanes(body_at + kLanes * i); };
  Composite<Lanes> body{number(0), {number(1), number(2), number(3)},
                        number(4), number(5),
                        number(6), number(7),
                        number(8), number(9)};
  turn(Mat3<Lanes>{columns(at, [](const DerivativeLink& of) { return of.x; }),
                   columns(at, [](const DerivativeLink& of) { return of.y; }),
                   columns(at, [](const DerivativeLink& of) { return of.z; })},
       body);
  shift(columns(at, [](const DerivativeLink& of) { return of.origin; }), body);
  return {body.mass, body.h, inertia(body)};
}

/// 4 kRows numbers of a joint, which add up over the bodies beyond it.
template <int kRows>
struct CommonSum {
  Lanes row[kRows];
};

/// Backward pass: sums over the bodies beyond each joint.
template <int kRows>
inline void common_sum_pass(const CompactLayout& m, CommonSum<kRows>* sum) noexcept {
  // From joint j + 1 where that one's parent is j; in registers.
  Lanes behind[kRows] = {};
  for (int j = m.joints - 1; j >= 0; --j) {
    const int parent = m.parent[j];
    Lanes* const own = sum[j].row;
#pragma GCC unroll 7
    for (int row = 0; row < kRows; ++row) {
      behind[row] += own[row];
      own[row] = behind[row];
    }
    if (parent == j - 1) continue;
    if (parent >= 0) {
      Lanes* const up = sum[parent].row;
#pragma GCC unroll 7
      for (int row = 0; row < kRows; ++row) up[row] += behind[row];
    }
#pragma GCC unroll 7
    for (Lanes& row : behind) row = Lanes{};
  }
}

/// Numbers of four joints in lanes as one record per joint, and back.
template <int kRows>
[[gnu::always_inline]] inline void store_sums(Lanes* numbers, CommonSum<kRows>* sum) noexcept {
#pragma GCC unroll 7
  for (int row = 0; row < kRows; ++row, numbers += kLanes) {
    transpose(numbers[0], numbers[1], numbers[2], numbers[3]);
#pragma GCC unroll 4
    for (int l = 0; l < kLanes; ++l) sum[l].row[row] = numbers[l];
  }
}
template <int kRows>
[[gnu::always_inline]] inline void load_sums(const CommonSum<kRows>* const (&of)[kLanes],
                                             Lanes* numbers) noexcept {
#pragma GCC unroll 7
  for (int row = 0; row < kRows; ++row, numbers += kLanes) {
#pragma GCC unroll 4
    for (int l = 0; l < kLanes; ++l) numbers[l] = of[l]->row[row];
    transpose(numbers[0], numbers[1], numbers[2], numbers[3]);
  }
}

/// Subtracts external wrenches from the forces of the bodies, which are the six numbers from
/// `force_at` on. `external` has 6 numbers per joint, [force; moment] on its link at the link's
/// origin along the link's axes.
template <int kRows>
inline void subtract_external(const CompactLayout& m, const double* external,
                              const DerivativeLink* link, int force_at,
                              CommonSum<kRows>* sum) noexcept {
  for (int j = 0; j < m.joints; ++j, external += 6) {
    const DerivativeLink& at = link[j];
    const Lanes3 force = external[0] * at.x + external[1] * at.y + external[2] * at.z;
    const Lanes3 moment = external[3] * at.x + external[4] * at.y + external[5] * at.z +
                          yzx(crossed(at.origin, force));
    auto* const f = reinterpret_cast<double*>(sum + j) + force_at;
    for (int c = 0; c < 3; ++c) {
      f[c] -= force[c];
      f[3 + c] -= moment[c];
    }
  }
}

}  // namespace
}  // namespace spatial_dynamics::kernels

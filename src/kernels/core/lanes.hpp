// Four numbers at once. GCC and Clang compile these to the widest instructions available to the
// file.
//
// Everything in core/ has internal linkage: the same templates are compiled once per instruction
// set, and a linker must never replace one copy by another. For the same reason nothing here
// includes Eigen.
#pragma once

#include <cstdint>
#include <cstring>

namespace spatial_dynamics::kernels {
namespace {

using Lanes [[gnu::vector_size(32)]] = double;
using LaneBits [[gnu::vector_size(32)]] = std::int64_t;
constexpr int kLanes = 4;

inline Lanes load_lanes(const double* from) noexcept {
  Lanes x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
inline void store_lanes(const Lanes& x, double* to) noexcept { std::memcpy(to, &x, sizeof x); }

inline LaneBits bits(Lanes x) noexcept { return reinterpret_cast<LaneBits>(x); }
inline Lanes number(LaneBits x) noexcept { return reinterpret_cast<Lanes>(x); }

/// True if any lane of a mask is set; in a mask all bits of a lane are alike.
inline bool any(LaneBits mask) noexcept {
#if defined(__AVX__)
  return __builtin_ia32_movmskpd256(number(mask)) != 0;
#else
  return ((mask[0] | mask[1]) | (mask[2] | mask[3])) != 0;
#endif
}

}  // namespace
}  // namespace spatial_dynamics::kernels

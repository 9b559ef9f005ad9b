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

constexpr int kLanes = 4;

#if defined(__AVX__)  // registers of 32 bytes

using Lanes [[gnu::vector_size(32)]] = double;
using LaneBits [[gnu::vector_size(32)]] = std::int64_t;

inline Lanes load_lanes(const double* from) noexcept {
  Lanes x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
inline void store_lanes(const Lanes& x, double* to) noexcept { std::memcpy(to, &x, sizeof x); }

inline LaneBits bits(Lanes x) noexcept { return reinterpret_cast<LaneBits>(x); }
inline Lanes number(LaneBits x) noexcept { return reinterpret_cast<Lanes>(x); }

/// Lanes of a where the mask is set, of b elsewhere; in a mask all bits of a lane are alike.
inline Lanes select(LaneBits mask, Lanes a, Lanes b) noexcept { return mask ? a : b; }

inline LaneBits load_bits(const std::int64_t* from) noexcept {
  LaneBits x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

/// True if any lane of a mask is set.
inline bool any(LaneBits mask) noexcept { return __builtin_ia32_movmskpd256(number(mask)) != 0; }

#else

// Registers of 16 bytes (SSE2, NEON): four lanes are two halves. GCC keeps a vector of 32 bytes in
// memory where it has no such registers, and computes it number by number.
using HalfLanes [[gnu::vector_size(16)]] = double;
using HalfBits [[gnu::vector_size(16)]] = std::int64_t;

// Structures of halves are copied half by half: GCC would copy an aggregate as bytes.

/// Four integers or masks, with those operations of a vector that kernels use.
struct LaneBits {
  using Number = std::int64_t;
  HalfBits low{}, high{};

  constexpr LaneBits() noexcept = default;
  constexpr LaneBits(HalfBits a, HalfBits b) noexcept : low(a), high(b) {}
  constexpr LaneBits(Number a, Number b, Number c, Number d) noexcept : low{a, b}, high{c, d} {}
  // NOLINTBEGIN(modernize-use-equals-default)
  constexpr LaneBits(const LaneBits& a) noexcept : low(a.low), high(a.high) {}
  constexpr LaneBits& operator=(const LaneBits& a) noexcept {
    low = a.low;
    high = a.high;
    return *this;
  }
  // NOLINTEND(modernize-use-equals-default)
};

inline LaneBits operator&(const LaneBits& a, const LaneBits& b) noexcept {
  return {a.low & b.low, a.high & b.high};
}
inline LaneBits operator&(const LaneBits& a, std::int64_t b) noexcept {
  return {a.low & b, a.high & b};
}
inline LaneBits operator|(const LaneBits& a, const LaneBits& b) noexcept {
  return {a.low | b.low, a.high | b.high};
}
inline LaneBits operator^(const LaneBits& a, const LaneBits& b) noexcept {
  return {a.low ^ b.low, a.high ^ b.high};
}
inline LaneBits operator+(const LaneBits& a, const LaneBits& b) noexcept {
  return {a.low + b.low, a.high + b.high};
}
inline LaneBits operator~(const LaneBits& a) noexcept { return {~a.low, ~a.high}; }
inline LaneBits operator<<(const LaneBits& a, int count) noexcept {
  return {a.low << count, a.high << count};
}
inline LaneBits operator<(const LaneBits& a, std::int64_t b) noexcept {
  return {a.low < b, a.high < b};
}
inline LaneBits& operator|=(LaneBits& a, const LaneBits& b) noexcept { return a = a | b; }

/// Four numbers, with those operations of a vector that kernels use. Lanes that a list does not
/// give are 0.
struct Lanes {
  HalfLanes low{}, high{};

  constexpr Lanes() noexcept = default;
  constexpr Lanes(HalfLanes a, HalfLanes b) noexcept : low(a), high(b) {}
  constexpr explicit Lanes(double a) noexcept : low{a, 0.0} {}
  constexpr Lanes(double a, double b, double c = 0.0, double d = 0.0) noexcept
      : low{a, b}, high{c, d} {}
  // NOLINTBEGIN(modernize-use-equals-default)
  constexpr Lanes(const Lanes& a) noexcept : low(a.low), high(a.high) {}
  constexpr Lanes& operator=(const Lanes& a) noexcept {
    low = a.low;
    high = a.high;
    return *this;
  }
  // NOLINTEND(modernize-use-equals-default)

  double operator[](int lane) const noexcept { return lane < 2 ? low[lane] : high[lane - 2]; }
};

inline Lanes operator+(const Lanes& a, const Lanes& b) noexcept {
  return {a.low + b.low, a.high + b.high};
}
inline Lanes operator+(const Lanes& a, double b) noexcept { return {a.low + b, a.high + b}; }
inline Lanes operator+(double a, const Lanes& b) noexcept { return {a + b.low, a + b.high}; }
inline Lanes operator-(const Lanes& a, const Lanes& b) noexcept {
  return {a.low - b.low, a.high - b.high};
}
inline Lanes operator-(const Lanes& a, double b) noexcept { return {a.low - b, a.high - b}; }
inline Lanes operator-(double a, const Lanes& b) noexcept { return {a - b.low, a - b.high}; }
inline Lanes operator-(const Lanes& a) noexcept { return {-a.low, -a.high}; }
inline Lanes operator*(const Lanes& a, const Lanes& b) noexcept {
  return {a.low * b.low, a.high * b.high};
}
inline Lanes operator*(const Lanes& a, double b) noexcept { return {a.low * b, a.high * b}; }
inline Lanes operator*(double a, const Lanes& b) noexcept { return {a * b.low, a * b.high}; }
inline Lanes operator/(const Lanes& a, const Lanes& b) noexcept {
  return {a.low / b.low, a.high / b.high};
}
inline Lanes operator/(const Lanes& a, double b) noexcept { return {a.low / b, a.high / b}; }
inline Lanes operator/(double a, const Lanes& b) noexcept { return {a / b.low, a / b.high}; }
inline Lanes& operator+=(Lanes& a, const Lanes& b) noexcept { return a = a + b; }
inline Lanes& operator+=(Lanes& a, double b) noexcept { return a = a + b; }
inline Lanes& operator-=(Lanes& a, const Lanes& b) noexcept { return a = a - b; }
inline Lanes& operator-=(Lanes& a, double b) noexcept { return a = a - b; }
inline Lanes& operator*=(Lanes& a, const Lanes& b) noexcept { return a = a * b; }

inline LaneBits operator>(const Lanes& a, const Lanes& b) noexcept {
  return {a.low > b.low, a.high > b.high};
}
inline LaneBits operator>(const Lanes& a, double b) noexcept { return {a.low > b, a.high > b}; }
inline LaneBits operator<(const Lanes& a, double b) noexcept { return {a.low < b, a.high < b}; }
inline LaneBits operator<=(const Lanes& a, double b) noexcept { return {a.low <= b, a.high <= b}; }
inline LaneBits operator!=(const Lanes& a, double b) noexcept { return {a.low != b, a.high != b}; }

inline Lanes load_lanes(const double* from) noexcept {
  Lanes x;
  std::memcpy(&x.low, from, sizeof x.low);
  std::memcpy(&x.high, from + 2, sizeof x.high);
  return x;
}
inline void store_lanes(const Lanes& x, double* to) noexcept {
  std::memcpy(to, &x.low, sizeof x.low);
  std::memcpy(to + 2, &x.high, sizeof x.high);
}

inline LaneBits bits(const Lanes& x) noexcept {
  return {reinterpret_cast<HalfBits>(x.low), reinterpret_cast<HalfBits>(x.high)};
}
inline Lanes number(const LaneBits& x) noexcept {
  return {reinterpret_cast<HalfLanes>(x.low), reinterpret_cast<HalfLanes>(x.high)};
}

/// Lanes of a where the mask is set, of b elsewhere; in a mask all bits of a lane are alike.
inline Lanes select(const LaneBits& mask, const Lanes& a, const Lanes& b) noexcept {
  return {mask.low ? a.low : b.low, mask.high ? a.high : b.high};
}

/// True if any lane of a mask is set.
inline bool any(const LaneBits& mask) noexcept {
  const HalfBits either = mask.low | mask.high;
#if defined(__SSE2__)
  return __builtin_ia32_movmskpd(reinterpret_cast<HalfLanes>(either)) != 0;
#else
  return (either[0] | either[1]) != 0;
#endif
}

inline LaneBits load_bits(const std::int64_t* from) noexcept {
  LaneBits x;
  std::memcpy(&x.low, from, sizeof x.low);
  std::memcpy(&x.high, from + 2, sizeof x.high);
  return x;
}

#endif

/// A mask of lanes `from` to `to`, both 0 to 3: loaded, because SSE2 has no comparison of integers
/// of 64 bits.
inline LaneBits between(int from, int to) noexcept {
  static constexpr std::int64_t kNotBefore[2 * kLanes] = {0, 0, 0, 0, -1, -1, -1, -1};
  static constexpr std::int64_t kNotAfter[2 * kLanes] = {-1, -1, -1, -1, 0, 0, 0, 0};
  return load_bits(kNotBefore + kLanes - from) & load_bits(kNotAfter + kLanes - 1 - to);
}

}  // namespace
}  // namespace spatial_dynamics::kernels

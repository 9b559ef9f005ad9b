// The longest registers of an instruction set, for operations on dense matrices: nothing is
// shuffled there, and all numbers are used.
#pragma once

#include <cstddef>
#include <type_traits>

#include "lanes.hpp"

namespace spatial_dynamics::kernels {
namespace {

#if defined(__AVX512F__)
using LongLanes [[gnu::vector_size(64)]] = double;
#else
using LongLanes = Lanes;
#endif
template <typename V>
constexpr std::ptrdiff_t kLength = sizeof(V) / sizeof(double);

template <typename V>
[[gnu::always_inline]] inline V load(const double* from) noexcept {
  if constexpr (std::is_same_v<V, Lanes>) {
    return load_lanes(from);
  } else {
    V x;
    std::memcpy(&x, from, sizeof x);
    return x;
  }
}
template <typename V>
[[gnu::always_inline]] inline void store(const V& x, double* to) noexcept {
  if constexpr (std::is_same_v<V, Lanes>) {
    store_lanes(x, to);
  } else {
    std::memcpy(to, &x, sizeof x);
  }
}

}  // namespace
}  // namespace spatial_dynamics::kernels

// The atomics of Exchange. The stress test compiles DynamicsCore with a header of this name whose
// operations are delayed at random (test/stress/delayed).
#pragma once

#include <atomic>

namespace spatial_dynamics {

template <typename T>
using ExchangeAtomic = std::atomic<T>;

}  // namespace spatial_dynamics

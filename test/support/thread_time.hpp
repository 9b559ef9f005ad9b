// Processor time, which does not depend on other work of the machine.
#pragma once

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics::test {

/// Of this thread, ns.
inline std::int64_t thread_time_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return to_nanoseconds(time);
}

}  // namespace spatial_dynamics::test

// True with sanitizers, which are slow, use terabytes of address space and cannot lock memory.
#pragma once

namespace spatial_dynamics::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace spatial_dynamics::test

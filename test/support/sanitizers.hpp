// What a test can't ask for where a sanitizer slows everything down, takes terabytes of addresses and locks no memory.
#pragma once

namespace spatial_dynamics::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace spatial_dynamics::test

// What the process tells its caller.
#pragma once

namespace spatial_dynamics::cli {

inline constexpr int kSuccess = 0;
inline constexpr int kRefused = 1;  ///< a robot was refused, or a state could not be answered
inline constexpr int kUsage = 2;    ///< the command line makes no sense

}  // namespace spatial_dynamics::cli

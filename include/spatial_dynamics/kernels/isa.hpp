// Which instruction set the kernels use.
#pragma once

#include <string>
#include <vector>

namespace spatial_dynamics {

/// What this program has kernels for and this machine can run, the slowest first: "x86-64", "x86-64-v3", "x86-64-v4"; elsewhere "portable".
/// Allocates.
std::vector<std::string> available_isas();

/// The one that compile() takes: the last of the above, or what the environment variable SPATIAL_DYNAMICS_ISA names if that is
/// available. Decided at the first call. Real-time safe afterwards.
const char* chosen_isa() noexcept;

/// "SPATIAL_DYNAMICS_ISA=foo is not one of …; using x86-64-v3" if the environment variable names nothing that this machine can run;
/// empty if it does, or is empty or not set. The library prints nothing: who has a log says it there, once. Allocates.
std::string isa_remark();

}  // namespace spatial_dynamics

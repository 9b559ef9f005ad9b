// The instruction set of the kernels.
#pragma once

#include <string>
#include <vector>

namespace spatial_dynamics {

/// The instruction sets for which this program has kernels and which this machine supports, slowest
/// first: "x86-64", "x86-64-v3", "x86-64-v4"; "aarch64"; on other processors "portable". Allocates.
std::vector<std::string> available_isas();

/// The instruction set in use: the last of available_isas(), or the value of the environment
/// variable SPATIAL_DYNAMICS_ISA if that is available. Decided at the first call. Real-time safe
/// afterwards.
const char* chosen_isa() noexcept;

/// A warning if the value of SPATIAL_DYNAMICS_ISA is not available, such as
/// "SPATIAL_DYNAMICS_ISA=foo is not one of …; using x86-64-v3"; else empty. The library prints
/// nothing; a program with a log prints this once. Allocates.
std::string isa_remark();

}  // namespace spatial_dynamics

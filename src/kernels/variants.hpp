// The instruction sets that kernels are compiled for: one file each, with its own compiler options in CMakeLists.txt.
#pragma once

#include "kernel_table.hpp"

namespace spatial_dynamics {

extern const KernelTable kBaselineKernels;  ///< what every machine of this architecture has
extern const KernelTable kV3Kernels;        ///< x86-64-v3: AVX2 and fused multiply-add
extern const KernelTable kV4Kernels;        ///< x86-64-v4: AVX-512, for its 32 registers

/// Those of this name, null if this program or this machine has none.
const KernelTable* kernels_named(const char* isa) noexcept;

}  // namespace spatial_dynamics

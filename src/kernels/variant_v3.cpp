#include "kernel_table.hpp"

#if defined(__x86_64__)

#include "variant.hpp"

namespace spatial_dynamics::kernels {

const KernelTable kV3Kernels = make_table("x86-64-v3");

}  // namespace spatial_dynamics::kernels

#endif

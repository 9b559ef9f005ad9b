#include "kernel_table.hpp"
#include "variant.hpp"

namespace spatial_dynamics::kernels {

#if defined(__x86_64__)
const KernelTable kBaselineKernels = make_table("x86-64");
#elif defined(__aarch64__)
const KernelTable kBaselineKernels = make_table("aarch64");
#else
const KernelTable kBaselineKernels = make_table("portable");
#endif

}  // namespace spatial_dynamics::kernels

#include <cstdlib>
#include <cstring>

#include "kernel_table.hpp"

namespace spatial_dynamics::kernels {
namespace {

#if defined(__x86_64__)
// Exactly the features that CMakeLists.txt lets the compiler use: virtual machines may hide any of
// them.
bool runs_v3() noexcept {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
bool runs_v4() noexcept {
  return runs_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}
const KernelTable* const kTables[] = {&kBaselineKernels, &kV3Kernels, &kV4Kernels};
bool is_available(const KernelTable* table) noexcept {
  if (table == &kV4Kernels) return runs_v4();
  return table != &kV3Kernels || runs_v3();
}
#else
const KernelTable* const kTables[] = {&kBaselineKernels};
bool is_available(const KernelTable*) noexcept { return true; }
#endif

const KernelTable& choose() noexcept {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  const char* wanted = std::getenv("SPATIAL_DYNAMICS_ISA");
  const KernelTable* best = wanted != nullptr ? kernels_named(wanted) : nullptr;
  if (best != nullptr) return *best;
  for (const KernelTable* table : kTables) {
    if (is_available(table)) best = table;
  }
  return *best;
}

}  // namespace

const KernelTable* kernels_named(const char* isa) noexcept {
  for (const KernelTable* table : kTables) {
    if (is_available(table) && std::strcmp(isa, table->name) == 0) return table;
  }
  return nullptr;
}

const KernelTable& chosen_kernels() noexcept {
  static const KernelTable& chosen = choose();
  return chosen;
}

}  // namespace spatial_dynamics::kernels

#include "spatial_dynamics/dynamics/isa.hpp"

#include <algorithm>
#include <cstdlib>

#include "kernels/kernel_table.hpp"

namespace spatial_dynamics {

const char* chosen_isa() noexcept { return kernels::chosen_kernels().name; }

std::vector<std::string> available_isas() {
  std::vector<std::string> names;
  for (const char* const name : {"portable", "aarch64", "x86-64", "x86-64-v3", "x86-64-v4"}) {
    if (kernels::kernels_named(name) != nullptr) names.emplace_back(name);
  }
  return names;
}

std::string isa_remark() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  const char* const wanted = std::getenv("SPATIAL_DYNAMICS_ISA");
  if (wanted == nullptr || *wanted == '\0') return {};
  const std::vector<std::string> isas = available_isas();
  if (std::find(isas.begin(), isas.end(), wanted) != isas.end()) return {};
  std::string remark = std::string("SPATIAL_DYNAMICS_ISA=") + wanted + " is not one of ";
  for (std::size_t i = 0; i < isas.size(); ++i) remark += (i > 0 ? ", " : "") + isas[i];
  return remark + ", which this machine can run; using " + chosen_isa();
}

}  // namespace spatial_dynamics

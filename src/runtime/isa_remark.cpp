#include "spatial_dynamics/runtime/isa_remark.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "spatial_dynamics/kernels/isa.hpp"

namespace spatial_dynamics {

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

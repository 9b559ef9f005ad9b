#include "spatial_dynamics/model/model_report.hpp"

namespace spatial_dynamics {

const char* to_string(Severity severity) noexcept {
  return severity == Severity::kWarning ? "warning" : "info";
}

}  // namespace spatial_dynamics

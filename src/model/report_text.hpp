// A ModelReport as text for people.
#pragma once

#include <string>

#include "spatial_dynamics/model/model_report.hpp"

namespace spatial_dynamics {

/// Several lines, with units. Allocates.
std::string report_text(const ModelReport& report);

}  // namespace spatial_dynamics

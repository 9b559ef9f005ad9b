// A ModelReport as text for people and as JSON for programs.
#pragma once

#include <string>

#include "spatial_dynamics/model/model_report.hpp"

namespace spatial_dynamics::cli {

/// Several lines, with units. Allocates.
std::string report_text(const ModelReport& report);

/// One JSON object over several lines. JSON has no infinity: unlimited is null. Allocates.
std::string report_json(const ModelReport& report);

}  // namespace spatial_dynamics::cli

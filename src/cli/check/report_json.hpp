// A ModelReport as JSON for programs.
#pragma once

#include <string>

#include "spatial_dynamics/model/model_report.hpp"

namespace spatial_dynamics::cli {

/// One JSON object over several lines. JSON has no infinity: unlimited is null. Allocates.
std::string report_json(const ModelReport& report);

}  // namespace spatial_dynamics::cli

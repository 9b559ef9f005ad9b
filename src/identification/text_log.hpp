// Logs as text: CSV files with column names, and the output of `ros2 topic echo --csv`.
#pragma once

#include <functional>

#include "identification/log_bytes.hpp"
#include "identification/log_table.hpp"

namespace spatial_dynamics {

/// Reads lines up to the end. The first one decides which of both it is. `file` names the log in
/// messages. Throws LogError, or LogProblem if the source does.
LogTable read_text_log(const std::string& file, ByteSource& bytes,
                       const std::vector<ScalarCoordinate>& coordinates);

}  // namespace spatial_dynamics

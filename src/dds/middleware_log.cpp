#include "dds/middleware_log.hpp"

#include <dds/dds.h>

#include <string>

#include "runtime/log_limits.hpp"
#include "runtime/standard_error_log.hpp"
#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics::dds {
namespace {

/// Called by any thread of the middleware, receive threads included: must not wait for standard
/// error.
void sink(void* limiter, const dds_log_data_t* data) {
  std::string_view text(data->message, data->size);
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  const std::string line = static_cast<LineLimiter*>(limiter)->pass(text, steady_now_ns());
  if (line.empty()) return;
  const LogLevel level = (data->priority & (DDS_LC_FATAL | DDS_LC_ERROR)) != 0 ? LogLevel::kError
                         : (data->priority & DDS_LC_WARNING) != 0              ? LogLevel::kWarning
                                                                               : LogLevel::kInfo;
  log_to_standard_error(level, "cyclonedds", line);
}

}  // namespace

void limit_middleware_log() {
  static LineLimiter limiter;
  (void)standard_error_lines_lost();  // starts the log's thread here, where an exception may be
                                      // thrown
  dds_set_log_sink(sink, &limiter);
}

}  // namespace spatial_dynamics::dds

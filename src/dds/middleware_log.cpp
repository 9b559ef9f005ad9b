#include "dds/middleware_log.hpp"

#include <dds/dds.h>

#include <cstdio>

#include "spatial_dynamics/runtime/clock.hpp"
#include "spatial_dynamics/runtime/line_limiter.hpp"

namespace spatial_dynamics::dds {
namespace {

/// Called by any thread of the middleware.
void sink(void* limiter, const dds_log_data_t* data) {
  std::string_view text(data->message, data->size);
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  const std::string line = static_cast<LineLimiter*>(limiter)->pass(text, steady_now_ns());
  if (line.empty()) return;
  const char* const level = (data->priority & (DDS_LC_FATAL | DDS_LC_ERROR)) != 0 ? "ERROR"
                            : (data->priority & DDS_LC_WARNING) != 0              ? "WARN"
                                                                                  : "INFO";
  const std::int64_t now = system_now_ns();
  std::fprintf(stderr, "[%s] [%lld.%09lld] [cyclonedds]: %s\n", level,
               static_cast<long long>(now / kNanosecondsPerSecond),
               static_cast<long long>(now % kNanosecondsPerSecond), line.c_str());
}

}  // namespace

void limit_middleware_log() {
  static LineLimiter limiter;
  dds_set_log_sink(sink, &limiter);
}

}  // namespace spatial_dynamics::dds

#include "dds/middleware_log.hpp"

#include <dds/dds.h>

#include <algorithm>
#include <cstdio>

#include "spatial_dynamics/runtime/clock.hpp"

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

std::string LineLimiter::pass(std::string_view line, std::int64_t now) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (last_refill_ == 0) last_refill_ = now;
  const std::int64_t seconds = (now - last_refill_) / kNanosecondsPerSecond;
  last_refill_ += seconds * kNanosecondsPerSecond;
  allowance_ = static_cast<int>(std::min<std::int64_t>(kAtOnce, allowance_ + seconds));
  if (allowance_ == 0) {
    ++left_out_;
    return {};
  }
  --allowance_;
  std::string text(line);
  if (left_out_ > 0) text += " (" + std::to_string(left_out_) + " lines before it were left out)";
  left_out_ = 0;
  return text;
}

void limit_middleware_log() {
  static LineLimiter limiter;
  dds_set_log_sink(sink, &limiter);
}

}  // namespace spatial_dynamics::dds
